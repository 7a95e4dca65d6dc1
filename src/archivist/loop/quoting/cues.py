"""The words by which it is known what a user wants, one table a language. What none of them knows is a question to memory.

Each is the source of a regular expression that has to match a message from its beginning to its end, without case. `what` in it is what
the message is about.
"""

import re
from typing import Final

import msgspec


class Cues(msgspec.Struct, frozen=True):
    """Of one language; an empty one never matches.

    Attributes:
        remember: Something is to be noted.
        said_before: The same, with the cue behind what it is about.
        bare: The cue alone, which does not say what.
        forget: A note is to be taken away.
        asked_nicely: How a message begins that is a wish in spite of its question mark.
        listing: All notes are to be shown.
        about: A question that says what it is about.
        greeting: Nothing is asked.
        thanks: Nothing is asked either.
        helping: What can be done here?
        personal: How a statement about the person who speaks begins.
        not_personal: How one begins that only seems so.
        pointing: Words that point at something else, and say nothing by themselves.
        everything: Words for all notes at once.
        talking: A question for what was talked about, beside its time.
    """

    remember: str = ""
    said_before: str = ""
    bare: str = ""
    forget: str = ""
    asked_nicely: str = ""
    listing: str = ""
    about: str = ""
    greeting: str = ""
    thanks: str = ""
    helping: str = ""
    personal: str = ""
    not_personal: str = ""
    pointing: str = ""
    everything: str = ""
    talking: str = ""


_LEAD: Final = (
    r"(?:(?:ok(?:ay)?|hi|hey|hello|so|and|also|btw|by the way|well|archivist|one more thing|oh)[\s,.:!]+)*"
)
_NICELY: Final = (
    r"(?:(?:please|pls|kindly)[\s,]+)?(?:(?:can|could|would|will) you\s+|i(?:'d|’d| would)? (?:like|want|need) you to\s+)?"
    r"(?:please\s+|kindly\s+|also\s+|always\s+)*"
)
_NOT_ASKED: Final = r"(?!\s*(?:when|what|who|whom|whose|where|why|how|which|if|whether|me|us|anything)\b)"

ENGLISH: Final = Cues(
    bare=r"(?:please )?(?:remember|memori[sz]e|note|keep in mind|don['’]?t forget)[\s.!:]*",
    remember=(
        rf"{_LEAD}{_NICELY}(?:(?:remember|memori[sz]e|keep in mind|bear in mind|(?:do not|don['’]?t|never) forget){_NOT_ASKED}"
        r"|note(?: down)?|(?:make|take) (?:a )?note|write down|jot down|(?:add|save) to (?:your |the )?memory|(?:add|save) a note)"
        r"(?:\s*[:,–—-]\s*|\s+)(?:(?:that|to|of|for me|this|the following|the fact that)(?:\s*[:,–—-]\s*|\s+))*(?P<what>.+)"
        rf"|{_LEAD}(?P<whole>(?:from now on|going forward|henceforth"
        r"|in (?:the )?future,? (?:please|always|never|do|don['’]?t|use|answer|call|write|reply))\b.+)"
    ),
    said_before=(
        r"(?P<what>.+?)[\s,.;:!–—-]+(?:please |so |and )*(?:remember|note|keep in mind|(?:do not|don['’]?t) forget) (?:that|this|it)"
        r"(?:,? please)?[\s.!]*"
    ),
    forget=(
        rf"{_LEAD}{_NICELY}(?:forget|unlearn|(?:do not|don['’]?t|no longer|stop) remember(?:ing)?"
        r"|(?:delete|remove|erase|drop) (?:(?:the|my|your|that|this) )?(?:notes?|memory|memories|entry|entries))"
        r"(?:(?:\s*:\s*|\s+)(?:(?:that|about|of|on|the (?:note|entry)|what i (?:said|told you)"
        r"|everything (?:you know )?(?=about))\b(?:\s*:)?\s*)*"
        r"(?P<what>.+))?"
    ),
    asked_nicely=rf"{_LEAD}(?:(?:please|pls|kindly)\b|(?:can|could|would|will) you\b).*",
    listing=(
        r"(?:please |can you |could you )*(?:list|show|print|tell)(?: me| us)?(?: all)?(?: of)? ?"
        r"(?:(?:the|your|my) )?(?:notes|memory|memories|entries|what you(?: have|['’]ve)? (?:noted|know|remember(?:ed)?)"
        r"|everything you (?:know|remember|have noted))(?: about me)?[\s.?!]*"
        r"|what (?:do|did|have) you (?:know|remember|note|noted|remembered|learned"
        r"|got in (?:your )?memory)(?: about me)?(?: so far)?[\s?!.]*"
        r"|what(?:['’]s| is) in (?:your|my|the) (?:memory|notes)[\s?!.]*|(?:notes|list|memories|who am i)[\s.!?]*"
    ),
    about=(
        rf"{_LEAD}(?:do you (?:still )?(?:remember|know|recall)|what (?:do|did) you (?:still )?(?:remember|know|note)|what have you noted"
        r"|(?:can|could) you (?:please )?(?:tell me|remind me)|tell me|remind me|remember|recall)"
        r"(?: (?:anything|everything|something|what|all))?(?: (?:about|of|on))? (?P<what>.+)"
    ),
    greeting=(
        r"(?:hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|day|afternoon|evening|night))(?: (?:there"
        r"|archivist|again))?[\s,.!]*"
    ),
    thanks=(
        r"(?:(?:ok(?:ay)?|great|perfect|nice|cool)[\s,.!]*)?(?:many thanks|thanks(?: a lot)?|thank you(?: (?:very"
        r"|so) much)?|thx|ty|cheers|great|perfect"
        r"|ok(?:ay)?|bye|good ?bye|see you)[\s,.!]*"
    ),
    helping=(
        r"(?:help|what can you do|what can i do(?: here)?|how do(?:es)? (?:this|it) work|who are you|what are you"
        r"|which model are you)[\s?!.]*"
    ),
    personal=(
        r"(?:i|i['’](?:m|ve|d|ll)|my|mine|me|call me|address me|(?:always |never )?(?:answer|speak|reply|talk|write)(?: to)? me"
        r"|(?:always |never )?(?:answer|reply|respond)|from now on)\b.*"
    ),
    not_personal=(
        r"my (?:project|repo(?:sitory)?|server|database|app(?:lication)?|code|build|machine|laptop|computer|host"
        r"|cluster|site|website|api|service"
        r"|branch|pipeline|editor config|config(?:uration)?)\b.*"
    ),
    pointing=r"(?:that|this|it|them|those|these|so|all that|all this|me|us|you|well|please|one|something)[\s.!?]*",
    everything=(
        r"(?:everything|it all|all|all (?:of )?(?:it|them|notes|memories|your notes|the notes)"
        r"|everything (?:you know|about me).*)[\s.!?]*"
    ),
    talking=r"\b(?:talk|chat|discuss|speak|spoke|convers|said|say|recap|happen|work|session|where (?:were|are|did) we)",
)

_QING: Final = (
    r"(?:(?:好的|好|嗯|对了|顺便(?:说一下|问一下)?|另外|还有|那|那么|你好|您好)[\s,，。.!！、：:]*)*"
    r"(?:请|麻烦|帮我|拜托|你|您|能不能|能|可以|可不可以|要|帮忙|务必|一定要|给我)*"
)

CHINESE: Final = Cues(
    bare=r"(?:请|帮我|你)*(?:记住|记一下|记下来?|记着|记得|别忘了?)[\s。.!！:：]*",
    remember=(
        rf"{_QING}(?:(?:不要|别|不能|勿)忘(?:记|了|掉)?|记住|记一下|记下来?|记录一下|记录下?来?|记着|记得(?!.*[吗么?？]\s*$)|牢记|备注(?:一下)?|写下来?|存一下|保存(?:一下)?)"
        r"(?:了|吧|啊|，|,|：|:|、|\s)*(?:我说的|下面的|以下(?:内容)?|这一?点|这件事)?[\s:：,，]*(?P<what>.+)"
        rf"|{_QING}把(?P<object>.+?)(?:记住|记一下|记下来?|记录下来|写下来)(?:吧|了|啊)?[\s。.!！]*"
        rf"|{_QING}(?P<whole>(?:以后|今后|从现在起|从今以后|从现在开始|从今天起|往后).*?(?:都|请|要|别|用|叫|必须|只|一律|总是|先).+)"
    ),
    said_before=(
        r"(?P<what>.+?)[\s,，。.;；!！、]+(?:请|你|您|要|帮我|麻烦|一定|都)*(?:记住|记一下|记下来?|记着|别忘了?|不要忘记?)(?:这一?点|这个|这件事|它)?(?:了|吧|啊|哦|喔)*[\s。.!！]*"
    ),
    forget=(
        rf"{_QING}(?:(?:把)(?P<object>.+?)(?:忘掉|忘了|忘记|删掉|删除)(?:吧|了)?[\s。.!！]*"
        r"|(?:忘掉|忘记|忘了|不要(?:再)?记(?:得|住|着)?|别(?:再)?记(?:得|住|着)?|不用(?:再)?记(?:得|住|着)?|删掉(?:笔记|记忆|记录)|删除(?:笔记|记忆|记录))"
        r"(?:了|吧|，|,|：|:|\s)*(?:关于|有关)?(?P<what>.+)?)"
    ),
    asked_nicely=r"(?:请|麻烦|帮我|你能|您能|能不能|可不可以|可以|能).*",
    listing=(
        r"(?:你|您)?(?:现在|都|到底)*(?:记得|记住|记下|知道|记)(?:了|下)*(?:些|哪些|过)?(?:什么|啥|哪些(?:东西|事情?)?)(?:呢|啊|吗)?[\s?？。.!！]*"
        r"|(?:请|帮我|给我)*(?:列出|列一下|显示|看看|查看|展示|给我看看?)(?:一下)?(?:所有|全部|你的|我的|的)*(?:笔记|记忆|备忘|记录|条目)[\s。.!！]*"
        r"|(?:你|您)(?:对我|关于我|都)*(?:知道|了解|记得)(?:我)?(?:些|哪些|多少)?(?:什么|事情?)?[\s?？。]*|我是谁(?:呢|啊)?[\s?？。]*|关于我,?，?你(?:都)?(?:知道|记得|了解)(?:些)?什么[\s?？。]*"
    ),
    about=(
        r"(?:你|您)?(?:还)?(?:记得|知道|记不记得|知不知道)(?:关于|有关)?(?P<what>.+?)(?:的事情?|的什么)?(?:吗|么|嘛|呢)?[\s?？。!！]*"
        r"|关于(?P<object>.+?)[,，]?\s*(?:你|您)(?:还|都)?(?:记得|知道)(?:些)?(?:什么|啥|哪些)?[\s?？。]*"
    ),
    greeting=r"(?:你好|您好|嗨|哈喽|哈啰|喂|在吗|早上好|早安|早|上午好|下午好|晚上好|晚安|大家好)(?:呀|啊|哦)?[\s,，。.!！?？]*",
    thanks=r"(?:好的?[\s,，。]*)?(?:谢谢|多谢|感谢|谢啦|谢了|辛苦了|好的?|明白了?|知道了|再见|拜拜)(?:你|您|啦|了|啊)*[\s,，。.!！]*",
    helping=r"(?:帮助|你(?:能|会|可以)(?:做|干)(?:些)?什么|怎么用|你是谁|你是什么(?:模型)?)[\s?？。!！]*",
    personal=(
        r"(?:我(?!们)|叫我|称呼我|请?(?:都)?用.{1,6}(?:回答|回复|答复|说话|交流)|(?:以后|今后|从现在起|从今以后|从现在开始|从今天起|往后).*(?:我|回答|回复|称呼|说话)).*"
    ),
    not_personal=r"我的?(?:项目|仓库|服务器|数据库|代码|应用|电脑|机器|网站|接口|集群).*",
    pointing=r"(?:这个|那个|这些|那些|这一?点|这件事|它|他|她|了|吧|这|那|一下|我)*[\s。.!！?？]*",
    everything=r"(?:一切|所有(?:的)?(?:事情?|东西|笔记|记忆)?|全部|全都|所有我说过的话)[\s。.!！]*",
    talking=r"聊|谈|说|讨论|对话|会话|发生|总结|回顾|做了",
)

GERMAN: Final = Cues(
    remember=(
        r"(?:bitte )?(?:merk(?:e)? dir|notier(?:e)?|vergiss nicht|schreib(?:e)? auf"
        r"|denk(?:e)? daran)(?: bitte)?(?:\s*[:,]\s*|\s+)(?:dass )?(?P<what>.+)"
        r"|(?P<whole>(?:ab jetzt|von nun an|in zukunft)\b.+)"
    ),
    forget=r"(?:bitte )?vergiss(?: bitte)?(?:\s*[:,]\s*|\s+)(?:dass |das mit )?(?P<what>.+)",
    listing=(
        r"was (?:weißt|weisst) du(?: über mich)?[\s?!.]*|was hast du (?:dir )?(?:gemerkt|notiert)[\s?!.]*"
        r"|zeig(?:e)? (?:mir )?(?:deine|die|meine) notizen[\s.!]*"
    ),
    about=r"was (?:weißt|weisst) du (?:über|von) (?P<what>.+)",
    greeting=r"(?:hallo|guten (?:morgen|tag|abend)|moin|servus|grüß dich)[\s,.!]*",
    thanks=r"(?:danke(?: schön| sehr)?|vielen dank|tschüss)[\s,.!]*",
    helping=r"(?:hilfe|was kannst du)[\s?!.]*",
    personal=r"(?:ich|mein|meine|mir|mich|nenn mich)\b.*",
    pointing=r"(?:das|es|dies)[\s.!?]*",
    everything=r"alles[\s.!?]*",
)
FRENCH: Final = Cues(
    remember=(
        r"(?:s['’]il (?:te|vous) pla[iî]t,? )?(?:souviens-toi|rappelle-toi|n['’]oublie pas|retiens"
        r"|note(?:z)?)(?:\s*[:,]\s*|\s+)(?:que |qu['’]|de )?(?P<what>.+)"
        r"|(?P<whole>(?:désormais|à partir de maintenant|dorénavant)\b.+)"
    ),
    forget=r"(?:s['’]il (?:te|vous) pla[iî]t,? )?oublie(?:z)?(?:\s*:\s*|\s+)(?:que |qu['’])?(?P<what>.+)",
    listing=(
        r"(?:que sais-tu|qu['’]est-ce que tu (?:sais|as noté))(?: de moi| sur moi)?[\s?!.]*|montre(?:-moi)? (?:tes"
        r"|mes|les) notes[\s.!]*"
    ),
    about=r"que sais-tu (?:de|sur|du|des) (?P<what>.+)",
    greeting=r"(?:bonjour|bonsoir|salut|coucou)[\s,.!]*",
    thanks=r"(?:merci(?: beaucoup)?|au revoir)[\s,.!]*",
    helping=r"(?:aide|que peux-tu faire)[\s?!.]*",
    personal=r"(?:je\b|j['’]|mon\b|ma\b|mes\b|moi\b|appelle-moi\b).*",
    pointing=r"(?:ça|cela|ceci)[\s.!?]*",
    everything=r"tout[\s.!?]*",
)
SPANISH: Final = Cues(
    remember=(
        r"(?:por favor,? )?(?:recuerda|recuérdate|anota|apunta|no olvides|ten en cuenta)(?:\s*[:,]\s*|\s+)(?:que )?(?P<what>.+)"
        r"|(?P<whole>(?:a partir de ahora|de ahora en adelante)\b.+)"
    ),
    forget=r"(?:por favor,? )?(?:olvida|olvídate de)(?:\s*:\s*|\s+)(?:que )?(?P<what>.+)",
    listing=r"¿?qué (?:sabes|recuerdas|has anotado)(?: de mí| sobre mí)?[\s?!.]*|muéstrame (?:tus|mis|las) notas[\s.!]*",
    about=r"¿?qué (?:sabes|recuerdas) (?:de|sobre) (?P<what>.+)",
    greeting=r"¡?(?:hola|buenos días|buenas (?:tardes|noches))[\s,.!]*",
    thanks=r"¡?(?:(?:muchas )?gracias|adiós)[\s,.!]*",
    helping=r"¿?(?:ayuda|qué puedes hacer)[\s?!.]*",
    personal=r"(?:yo|mi|mis|me|llámame|prefiero|soy|vivo|trabajo)\b.*",
    pointing=r"(?:eso|esto)[\s.!?]*",
    everything=r"todo[\s.!?]*",
)
JAPANESE: Final = Cues(
    remember=(
        r"(?:覚えて(?:おいて|いて)?(?:ください|下さい|ね)?|メモして(?:おいて)?(?:ください|下さい|ね)?|忘れないで(?:ください|ね)?)[\s:：、。,]+(?P<what>.+)"
        r"|(?P<whole>(?:これからは|今後は).+)"
    ),
    said_before=(
        r"(?P<what>.+?)(?:ということ|こと|の)?(?:を|と)?[\s、,。]*(?:覚えて(?:おいて|いて)?|メモして(?:おいて)?|忘れないで)(?:ください|下さい|ね)?[\s。.!！]*"
    ),
    forget=r"(?P<what>.+?)(?:の?ことは?|を|は)[\s、]*忘れて(?:ください|下さい|ね)?[\s。.!！]*",
    listing=r"何を覚えて(?:い)?ます?(?:か|る)?[\s?？。]*|メモを見せて(?:ください)?[\s。]*",
    about=r"(?P<what>.+?)について(?:何を)?(?:覚えて|知って)(?:い)?(?:ますか|る)[\s?？。]*",
    greeting=r"(?:こんにちは|こんばんは|おはよう(?:ございます)?|やあ)[\s。.!！、]*",
    thanks=r"(?:ありがとう(?:ございます)?|さようなら)[\s。.!！]*",
    helping=r"(?:ヘルプ|何ができますか)[\s?？。]*",
    personal=r"(?:私|僕|俺|わたし).*",
)

ALL: Final = (ENGLISH, CHINESE, GERMAN, FRENCH, SPANISH, JAPANESE)
FLAGS: Final = re.IGNORECASE | re.DOTALL

__all__ = ["ALL", "FLAGS", "Cues"]
