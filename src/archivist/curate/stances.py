"""How a person stands to what they say: whether they ask it, tell whose claim it is, or say on which condition it holds.

What they only ask, or only tell of, is no claim of theirs. What holds on a condition is carried with the condition alone.
"""

from typing import Final

from archivist.curate.others import people_in
from archivist.guard.origins.vocabulary import TO_KEEP
from archivist.records.patterns import late_pattern

_ASKED_TO_KEEP: Final = late_pattern(
    rf"\b(?:can|could|would|will) you\b.{{0,40}}\b(?:remember|memori[sz]e|{TO_KEEP}|forget|remove|delete|change"
    rf"|update|use)\b|\b(?:puedes|podrías|peux-tu|pouvez-vous|pourrais-tu|kannst du|können sie|könntest du|pode"
    rf"|puoi|potresti|możesz|kun je|можешь|можете)\b|能不能|可以.{{0,6}}(?:记|改|删)|くれますか|もらえますか"
    rf"|ください|해 ?줄래|해 ?주"
)
_ASKS: Final = late_pattern(
    r"\b(?:(?:whether|find out if|check if|see if|look if|wondering|i wonder|not sure if|is it (?:true|ok|okay"
    r"|safe|right) (?:that|to))\b|ob (?:ich|wir|man|es|das|die|der|wirklich|unser\w*)\b|est-ce qu|(?:faut-il"
    r"|peut-on|doit-on|dois-je|devons-nous|puis-je)\b|(?:será que|devo (?:eu|mesmo))\b|(?:è vero che"
    r"|dobbiamo davvero)\b|ли\b|чи (?:треба|варто|можна|потрібно)\b|czy\b|(?:mıyız|miyiz|muyuz|müyüz|mıyım|miyim"
    r"|muyum|müyüm|mıdır|midir)\b|apakah\b|(?:hay không|phải không|có nên)\b)|\A\W*(?:(?:and|so|but|ok|okay|hey"
    r"|hm+|well|also|please),? )?(?:should|shall|can|could|do|does|did|is|are|was|were|will|would|may|must|has|why"
    r"|how come|how do|what if) (?:i|we|you|they|he|she|it|this|that|these|those|there|the|our|my|your|any\w*"
    r"|some\w*)\b|\A\W*(?:soll(?:en|te|ten)?|kann|können|darf|dürfen|muss|müssen|ist|sind|wird) (?:ich|wir|man|es"
    r"|das|die|der|den|hier|unser\w*)\b|\A\W*(?:moet|moeten|kan|kunnen|mag|mogen|is|zijn) (?:ik|we|wij|het|dat|dit"
    r"|de)\b",
)
_ASKS_ABROAD: Final = late_pattern(
    r"¿|要不要|是不是|是否|该不该|該不該|可不可以|有没有|有沒有|应不应该|[吗嗎][。!！]?\Z|(?:です|ます|でしょう"
    r"|べき)か[。!！]?\Z|かどうか|(?:까요?|는지|은지|을지|ㄹ지|나요)[.!]?\Z|(?:\A|\s)هل\s|(?:\A|\s)آیا\s|(?:\A"
    r"|\s)क्या\s|ไหม|หรือไม่|หรือเปล่า|האם",
)
_TELLS_OF_ANOTHER: Final = late_pattern(
    r"\b(?:(?<!our )(?<!my )(?:page|site|website|web|article|readme|docs?|documentation|issue|ticket|e?mail"
    r"|message|post|blog|answer|comment|log|output|error|it|chatgpt|claude|gemini|copilot|(?:the|another"
    r"|other) (?:ai|model|agent|bot)|they|people|someone|somebody) (?:just |also |even |only )?(?:says?|said"
    r"|tells?|told|claims?|claimed|wants?|wanted|suggests?|suggested|recommends?|recommended|writes?|wrote"
    r"|insists?|insisted|asks?|asked)\b|(?:according to|as per|per the) (?!(?:our|my|us|me)\b)"
    r"|(?<!\bi )(?<!\bwe )(?:wants?|wanted|asks?|asked|tells?|told|expects?|expected|urges?|urged|begs?"
    r"|begged) (?:us|me|you|everyone|everybody|the team|people) (?:not )?to\b|(?:was|were|been|got|am|are) (?:told"
    r"|asked|ordered|advised|instructed) (?:not )?to\b|(?:laut|gemäß|selon|d['’]après|según|segundo (?:os?|as?)"
    r"|de acordo com|secondo (?:il|la|lo|gli|le|l['’])|według|volgens|enligt|согласно|по словам|за словами"
    r"|menurut)(?: (?!(?:mir|uns|unser\w*|moi|nous|notre|nos|nosotros|nuestr\w+|nós|noss\w+|noi|nostr\w+|нам|мне"
    r"|nas|nam|ons|onze)\b)|(?=['’]))|(?<!\bich )(?<!\bwir )(?:will|möchte|wollte|verlangt|verlangte), dass (?:wir"
    r"|ich)\b|(?:veut|voulait|demande) que (?:nous|je|l['’]on)\b|(?:quiere|quería|pide) que\b|(?:quer|queria"
    r"|pede) que (?:nós|a gente|eu)\b|(?:vuole|voleva|chiede) che\b|(?:wil|wilde|vraagt) dat (?:we|wij|ik)\b"
    r"|хочет,? чтобы\b|хоче,? щоб\b|chce,? żeby\w*|(?<!\bi )(?<!\bwe )(?:would (?:love|like|prefer)|wants|wishes"
    r"|thinks|believes|insists|demands|hopes|expects|suggests|prefers that) "
    r"|(?<!\bich )(?<!\bwir )hätten? gerne?, dass\b|(?:keeps?|kept) (?:asking|saying|telling|insisting|nagging"
    r"|wanting)\b|used to (?!it\b|this\b|that\b|the\b)|(?:yeah,? right|oh,? sure|what could (?:possibly )?go wrong"
    r"|(?:great|brilliant|genius|super) (?:plan|idea|idee)|na klar, wir)\b|(?:claims?|claimed|alleges?"
    r"|alleged(?:ly)?|supposedly|apparently|pretends?|pretended|i doubt|don't believe|do not believe)\b"
    r"|(?:behauptet\w*|angeblich|(?:seite|artikel|mail|readme) (?:sagt|schreibt|behauptet|will)|da steht"
    r"|prétend\w*|soi-disant|(?:page|article|site) (?:dit|prétend|demande)|supuestamente|(?:página|artículo"
    r"|correo) dice|dice (?:la página|el correo|que dicen)|supostamente|página diz|presunt\w+|pagina dice"
    r"|sostiene che|twierdz\w+|podobno|rzekomo|strona mówi|beweer\w+|zogenaamd|утвержда\w+|якобы"
    r"|на странице (?:написано|сказано)|стверджу\w+|нібито|iddia\w*|sözde|katanya|mengklaim)\b)",
)
_TELLS_OF_ANOTHER_ABROAD: Final = late_pattern(
    r"(?:\A|[,，。])以前(?:我|咱)|(?:根据|根據|依据|依據|按照?)(?!我|咱|本)|(?<!我)(?<!们)(?:要求|想让|想讓|希望"
    r"|叫|要)我们|によると|によれば|に(?:言われ|頼まれ)|에 ?따르면|라고 (?:했|하던|시켰)|하라고 (?:했|하던|시켰)"
    r"|وفق[اً]*\s?ل|بحسب|के अनुसार|به گفته|طبق |声称|聲稱|据说|據說|据称|网页(?:上)?说|網頁(?:上)?說"
    r"|页面(?:上)?(?:说|写)|文章(?:里)?说|上面(?:说|写)|と主張|と書いて(?:ある|あった|いる)|라고 (?:주장|적혀|써"
    r"|쓰여)|يزعم|تزعم|تقول الصفحة|ادعا می|दावा|कथित|อ้างว่า|טוען|כביכול",
)
_SUPPOSES: Final = late_pattern(
    r"\b(?:let's (?:say|assume|pretend|suppose|imagine)|suppose|supposing|imagine|pretend|hypothetically|what if"
    r"|for the sake of argument|i doubt|i'm (?:not sure|unsure)"
    r"|i am (?:not sure|unsure)|not sure (?:that|whether|we|i)|i don't know (?:if|whether)|i'm (?:considering"
    r"|thinking (?:about|of))|thinking about"
    r"|angenommen|nehmen wir an|stell dir vor|bin (?:mir )?nicht sicher|weiß nicht,? ob|bezweifle|überlege,? (?:ob"
    r"|zu)|supposons|imaginons|imagine que"
    r"|je ne suis pas sûre?|je ne sais pas si|je doute|supongamos|imagina que|no estoy segur[oa]|no sé si|dudo"
    r"|suponha|suponhamos|imagina que|não tenho certeza"
    r"|não sei se|duvido|supponiamo|immagina che|immaginiamo|non sono sicur[oa]|non so se|dubito|stel dat"
    r"|weet niet (?:zeker )?of|niet zeker of|betwijfel"
    r"|допустим|представь|предположим|не уверена?|сомневаюсь|не знаю,? (?:стоит|надо|нужно)|уяви|припустимо"
    r"|не впевнен[аий]?|сумніваюсь|сумніваюся"
    r"|załóżmy|wyobraź sobie|nie jestem pew(?:ien|na)|wątpię|diyelim|varsayalım|emin değilim|giả sử|không chắc"
    r"|anggap saja|misalkan|tidak yakin|låt säga"
    r"|inte säker|oletetaan|en ole varma|ας πούμε|δεν είμαι σίγουρ[οη]ς?)\b"
    r"|假设|假設|假如说|比方说|不确定|不確定|我在想|在考虑|在考慮|仮に|かどうか|わからない|分からない|確かではない"
    r"|考えている(?:ところ|けど)|가정|확실하지|모르겠|고민|لنفترض|لست متأكد|أشك|أفكر في"
    r"|فرض کن|مطمئن نیستم|شک دارم|मान लो|मान लीजिए|पक्का नहीं|यकीन नहीं|सोच रहा|สมมติ|ไม่แน่ใจ|נניח|לא בטוח|חושב על"
)
"""That something is only supposed, doubted or thought about."""
_MOCKS: Final = late_pattern(
    r"\b(?:(?:ha){2,}h?|lol|lmao|rofl|xd|jaja\w*|jeje\w*|rsrs\w*|kkk+|hihi|hehe|just joking|klar,? und"
    r"|sure,? (?:and|let's)|of course,? and|as if|yeah,? sure|als ob"
    r"|mais bien sûr|oui,? bien sûr|claro,? y|sí,? claro|certo,? e|sì,? certo|ага,? конечно|ну да,? конечно"
    r"|хаха\w*|jasne,? i|tabii canım|ja hoor|ja vast)(?!\w)"
    r"|/s\Z|[😂🤣🙄😜🤡]|哈哈|呵呵|才怪|笑死|\(笑\)|（笑）|ㅋㅋ|ㅎㅎ|هههه|हाहा|555"
)
"""That something is said in mockery, or in fun."""
_ANOTHER_SAYS: Final = late_pattern(
    r"\b(?:(?<!\bi )(?<!\bwe )(?:said|told (?:me|us)|asked (?:me|us|for)|recommends?ed|reckons?|figures?|argues?"
    r"|begs?|requests?) (?:that|to|we|us|me)\b|(?:i (?:was )?(?:heard|read)|i've (?:heard|read)|word is"
    r"|rumou?r (?:has it|is)|legend has it|they say|people say|some say|it is said)\b"
    r"|(?<!\bich )(?<!\bwir )(?:will|wollte|möchte|verlangt\w{0,2}|sagt\w{0,2}|meint\w{0,2}|findet|fordert\w{0,2}"
    r"|wünscht sich|empfiehlt|rät|besteht darauf|bittet(?: uns| mich)?(?: darum)?|glaubt|denkt"
    r"|schlägt vor),? (?:dass|daß|wir sollen|ich solle?|man solle?|zu )|(?:sagt|sagte|meint|meinte|sagen"
    r"|meinen), (?:wir|ich|man|alle|es|das)\b|(?:hörensagen|es heißt, |ich habe (?:gehört|gelesen))"
    r"|(?<!\bon )(?<!\bje )(?<!\bje te )(?<!\bje vous )(?<!\bnous )(?:veut|veulent|voulait|voudrait|demandent?"
    r"|exigent?|souhaitent?|aimerait|préfèrent?|préférerait|pensent?|dit|disent|a dit|recommandent?|conseillent?"
    r"|suggèrent?|insistent? pour|croit|affirment?) (?:qu(?:e\b|['’])|de (?:ne |toujours|jamais))|il paraît qu"
    r"|j'ai (?:lu|entendu)|(?<!\byo )(?:quieren?|quería|pide[n]?|pidió|dicen?|dijo|exigen?|recomiendan?|sugieren?"
    r"|insisten? en|prefieren?|creen?|piensan?|opinan?|aconsejan?) que\b|(?:he (?:oído|leído)|se dice|dicen) que\b"
    r"|(?<!\beu )(?:quere?m?|pede[m]?|pediu|diz(?:em)?|exigem?|recomendam?|sugerem?|preferem?|acham?|pensam?"
    r"|insistem? em) que\b|(?:ouvi dizer|li) que\b|(?:vuole|vogliono|voleva|chiedono|chiede|dice|dicono|ha detto"
    r"|consiglia\w*|suggerisc\w+|preferisce|pretende|pensa|crede|insiste) (?:che|di )|(?:ho (?:letto|sentito)"
    r"|si dice) che\b|(?<!\bik )(?<!\bwe )(?<!\bwij )(?:wil|wilde|willen|vraagt|vroeg|zegt|zei|vindt|eist|denkt"
    r"|raadt aan|stelt voor|beweert) (?:dat|om)\b|(?<!\bя )(?<!\bмы )(?<!\bуже )(?:хочет|хотят|хотел[аи]?|просит"
    r"|просят|попросил[аи]?|требу[ею]т|говорит|говорят|сказал[аи]?|совету[ею]т|рекоменду[ею]т|считает|считают"
    r"|настаива[ею]т|дума[ею]т|предлага[ею]т|уверяет|пишет|пишут),? (?:что(?:бы)?|нам|мне|всем|не|всегда"
    r"|использовать)\b|(?<!\bя )(?<!\bми )(?:хоче|хочуть|просить|просять|вимага[єю]\w*|каже|кажуть|сказа(?:в|ла)"
    r"|радить|рекоменду[єю]\w*|вважа[єю]\w*|наполяга[єю]\w*|дума[єю]\w*),? (?:що(?:б)?|нам|мені|всім|завжди)\b"
    r"|(?:chce|chcą|prosi|proszą|każe|mówi|mówią|twierdzi|radzi|zaleca|uważa|sugeruje|nalega"
    r"|powiedzia[łl]a?),? (?:że\w*|aby\w*|żeby\w*|nam|mi)\b|(?:diyor|dedi|söylüyor|söyledi|istiyor|istedi|öneriyor"
    r"|önerdi|düşünüyor|iddia ediyor|diyorlar|istiyorlar|rica etti)(?:lar)?\b"
    r"|(?<!\btôi )(?<!\bmình )(?<!\bta )(?:nói|bảo|yêu cầu|muốn|đề nghị|khuyên|cho) (?:rằng|chúng ta|chúng tôi|tôi"
    r"|mọi người|là)\b|(?<!\bsaya )(?<!\bkami )(?:bilang|mengatakan|berkata|meminta|minta|menyarankan|ingin"
    r"|menuntut) (?:agar|supaya|bahwa|kita|kami|saya)\b|(?<!\bjag )(?<!\bvi )(?:säger|sa|vill|ville|tycker|kräver"
    r"|föreslår|rekommenderar) att\b|(?:sanoo|sanoi|haluaa|halusi|pyytää|vaatii|suosittelee|ehdottaa"
    r"|väittää),? että\b|(?:λέει|λένε|είπε|θέλει|θέλουν|ζητάει|ζητά|προτείνει|συνιστά|πιστεύει|ισχυρίζεται) (?:να"
    r"|ότι|πως)\b)",
)
_ANOTHER_SAYS_ABROAD: Final = late_pattern(
    r"(?<![我们們])(?:说|說|认为|認為|觉得|覺得|建议|建議|要求|希望|想让|想讓|坚持|堅持|主张|推荐|推薦)(?:道"
    r"|[:：，,])?[「“\"]?(?:我们|我們|咱|应该|應該|要|必须|必須|以后|总是|總是|都|大家|所有|最好|不要|别)|听说"
    r"|聽說|据我所知|有人说|有人說|传言|傳言|网上说|網上說|群里说|(?:と|って)(?:言って|言い|言った|言う|言われ"
    r"|聞い|書い|提案|主張|頼ま|勧め|思って(?:いる|る)らしい)|たが(?:って|る)|とのこと|だそうで?す?[。]?\Z"
    r"|らしい(?:です)?[。]?\Z|(?:다고|라고|자고|냐고|래요|대요)\s?(?:하(?!고 싶|면)|말|했|주장|그러|들었|시켰"
    r"|[.]?\Z)|소문|(?:\A|[\s,،])و?(?:يقول|تقول|يقولون|قال|قالت|قالوا|يريد|يريدون|يطلب|طلب|يوصي|توصي|ينصح|تنصح"
    r"|يعتقد|يصر|يزعم|سمعت أن|ورد في|جاء في|مكتوب في)\s|(?:می\u200c?گوید|میگوید|می\u200c?گویند|می\u200c?خواهد که"
    r"|می\u200c?خواهند|گفت|گفته (?:است|اند)|توصیه می\u200c?کند|پیشنهاد می\u200c?کند|معتقد است|اصرار دارد"
    r"|شنیده\u200c?ام|نوشته)(?!\w)|(?:कहता|कहती|कहते) (?:है|हैं|था|थी|थे)|(?<!मैं)(?<!हम)ने (?:कहा|बोला|बताया|लिखा"
    r"|सुझाया|सुझाव)|(?:चाहता|चाहती) है(?!ँ)|सुना है|लिखा है|(?<!ผม)(?<!ฉัน)(?<!เรา)(?:บอก|พูด|เขียน|แนะนำ|อยาก"
    r"|ต้องการ|ขอ)(?:ว่า|ให้เรา|ให้ทุกคน|ให้ผม|ให้ฉัน)|ได้ยินว่า|(?<!אני )(?:אומר|אומרת|אומרים|אמר|אמרה|אמרו"
    r"|רוצה ש|רוצים ש|מבקש|ביקש|ביקשה|ממליץ|ממליצה|טוען|כתוב)(?:\s|ש)|שמעתי ש",
)
"""That somebody else says, wants or advises something, where the form of the verb or what follows it tells that it is no "I"."""
_SAYS: Final = late_pattern(
    r"\b(?:says?|said|tells?|told|wants?|wanted|asks?|asked|thinks?|thought|believes?|insists?|insisted"
    r"|recommends?|recommended|suggests?|suggested"
    r"|prefers|preferred|expects?|demands?|sagt\w{0,2}|will|wollte|möchte|meint\w{0,2}|findet|empfiehlt|dit|disent"
    r"|veut|voulait|demande|pense"
    r"|dice|dijo|quiere|pide|piensa|diz|quer|pede|acha|vuole|chiede|zegt|wil|vindt|vraagt|говорит|сказал\w?|хочет"
    r"|просит|каже|хоче|mówi|chce"
    r"|diyor|istiyor|nói|bảo|muốn|bilang|ingin|säger|vill|sanoo|haluaa|λέει|θέλει)\b|说|說|想|要|觉得|覺得|认为|言"
    r"|欲し|たい|たが|말|원하|하라",
)
_ONCE: Final = late_pattern(
    r"\b(?:formerly|previously|in the past|back then|back when|in those days|years ago|at my (?:old|last|previous"
    r"|former) \w+|when i was|once upon a time"
    r"|früher(?! als)|damals|ehemals|einst|vormals|autrefois|auparavant|jadis|à l'époque|dans le temps|avant,"
    r"|solía\w*|antiguamente|en aquel(?:la)? \w+|antes,"
    r"|antigamente|costumava\w*|naquel[ea] \w+|una volta|un tempo|in passato|vroeger|destijds|ooit|раньше(?! чем)"
    r"|прежде|когда-то|в прошлом|раніше(?! ніж)|колись"
    r"|kiedyś|dawniej|niegdyś|eskiden|önceden|bir zamanlar|trước đây|hồi trước|ngày xưa|dulu(?:nya)?|dahulu"
    r"|förr(?:a tiden)?|tidigare|ennen vanhaan|aiemmin"
    r"|παλιά|κάποτε|παλαιότερα)\b|(?:\A|[,，。、\s])(?:以前(?![,，]?我们?要)|从前|從前|過去|过去|曾经|曾經|当年"
    r"|當年|那时候|那時候|小时候)|(?:以前|昔|かつて)(?:は|、)"
    r"|예전에|옛날에|이전에는|한때|원래는|(?:\A|\s)(?:كنت|كنا|سابقا|سابقًا|في الماضي|قديما)\s|قبلاً|قبلا |سابقا"
    r"|در گذشته|قدیم|पहले (?:मैं|हम|मुझे)|पुराने समय|कभी मैं"
    r"|เมื่อก่อน|แต่ก่อน|สมัยก่อน|בעבר|פעם (?:הייתי|היינו)|לפני שנים",
)
"""That something was so once; whether it still is nobody says."""
_ON_CONDITION: Final = late_pattern(
    r"\b(?:if|when|whenever|unless|until|only after|as long as|in case|provided that|wenn|falls|sofern|solange|bis"
    r"|außer|quand|lorsque|si|sauf|à moins|tant que|jusqu\w*|cuando|salvo|a menos|mientras|hasta que|quando|caso"
    r"|a não ser|até que|finché|a meno|если|когда|пока|якщо|коли|поки|jeśli|jeżeli|gdy|kiedy|chyba że|dopóki|eğer"
    r"|wanneer|tenzij|zolang|totdat|nếu|trừ khi|jika|kalau|bila|ketika|kecuali|jos|kunnes|om inte|αν|εάν|όταν"
    r"|εκτός|soweit|vorausgesetzt|pourvu que|à condition|dès que|au cas où|siempre que|a condición|en caso de"
    r"|con tal|desde que|contanto que|indien|mits|als (?:de|het|er|we|je|een|iemand|dat)|pokud|jestli(?:że)?|hvis"
    r"|dacă|provided|providing|assuming|supposing|in the event|as soon as|once (?:\w+ ){1,3}(?:is|are|has|have|was"
    r"|were|\w+[^s]s|\w+ed)|sobald|nachdem|une fois que|après que|en cuanto|una vez que|después de que|assim que"
    r"|depois que|logo que|appena|una volta che|dopo che|zodra|nadat|как только|после того,? как|щойно|як тільки"
    r"|після того,? як|jak tylko|gdy tylko|po tym,? jak|khi|setelah|begitu|saat|apabila|när|så fort|efter att"
    r"|heti kun|μόλις|αφού|on condition|only on|except on|once the|should the"
    r"|se (?:il|lo|i|gli|un[oa]?|non|qualcuno|qualcosa|c['’]è|ci sono|possibile|serve|l['’]|os?|as?|for|houver|não"
    r"|der)|om (?:det|du|vi|ni|jag|man|ett|den|någon|kunden)|\w{2,}(?:[ıua]rsa|ürse|m[ae]zs[ae]|yors[ae]"
    r"|d[ıiuü]ys[ae]|m[ıiuü]şs[ae])(?:[mk]|n[ıiuü]z|lar|ler)?|(?:ed|gel|ist|ver|gid|bit|geç|değiş|gerek|söylen"
    r"|beklen|iste|yükle|düzel)\w{0,5}(?:er|ir)se(?:[mkn]|niz|ler)?)\b|如果|若是|要是|假如|除非|只有|的时候|的時候"
    r"|的话|的話|只要|一旦|等(?=[^，。,.]{1,20}(?:了|后|後|以后|之后|再|就))|(?<=[准过成完])了?(?:之后|以后)再"
    r"|次第|てから|고 나서|(?<=[한된]) (?:후에|다음에)|بعد أن|حالما|متى|پس از آنکه|به محض|هنگامی که|जैसे ही|के बाद"
    r"|หลังจาก|ทันทีที่|ברגע ש|אחרי ש|לאחר ש|倘若|万一|もし|なら|たら|れば|場合|とき|만약|경우|때(?:만|는)?"
    r"|(?<![화라측반정표장전후방도국수냉대])면(?=[\s,.]|\Z)|إذا|لو |عندما|حين|في حال|بشرط|اگر|وقتی|مگر|در صورتی"
    r"|چنانچه|अगर|यदि|जब|ถ้า|หาก|เมื่อ|אם|כאשר|אלא",
)
_FOR_NOW: Final = late_pattern(
    r"\b(?:(?:just|only) (?:this|for) (?:once|now|today|time|this)|for (?:now|today only|this (?:one|time|commit"
    r"|task|file|pr|session|branch|release))|this (?:once|time)|diesmal|ausnahmsweise|vorerst|für (?:heute|jetzt"
    r"|diesmal)|pour (?:cette fois|l'instant|aujourd'hui)|por (?:esta vez|ahora|hoy)|esta vez|desta vez|por agora"
    r"|por enquanto|per (?:ora|questa volta|oggi)|stavolta|deze keer|voor nu|на этот раз|в этот раз|пока что"
    r"|сейчас только|цього разу|tym razem|na razie|bu seferlik|bu sefer|şimdilik|lần này|tạm thời|kali ini"
    r"|untuk sekarang|den här gången|tällä kertaa|αυτή τη φορά|προς το παρόν)\b"
    r"|这次|這次|这一次|暂时|暫時|今回|とりあえず|이번(?:만|에)|هذه المرة|این بار|فعلا|इस बार|अभी के लिए|ครั้งนี้"
    r"|הפעם|בינתיים",
)
"""That something holds this once."""
_CLAUSE: Final = late_pattern(
    r"[,،，、:：;]|\s[-–—]\s|\b(?:then|dann|alors|entonces|então|allora|то|тогда|wtedy|dan|thì|maka)\b"
)


def is_own_claim(sentence: str) -> bool:
    """Whether a person says a sentence as theirs: they neither only ask it, and not to keep it in mind, nor tell what another says."""
    low = sentence.lower()
    if asks(low) or any(
        one.search(low) for one in (_TELLS_OF_ANOTHER, _ANOTHER_SAYS, _ONCE, _SUPPOSES, _MOCKS)
    ):
        return False
    if not low.isascii() and (_TELLS_OF_ANOTHER_ABROAD.search(low) or _ANOTHER_SAYS_ABROAD.search(low)):
        return False
    return not (any(people_in(sentence)) and _SAYS.search(low))


def asks(sentence: str) -> bool:
    """Whether a sentence asks something, and not to keep it in mind."""
    low = sentence.lower()
    is_question = (
        low.rstrip("\"'”’)").endswith(("?", "？", "؟"))
        or bool(_ASKS.search(low))
        or bool(not low.isascii() and _ASKS_ABROAD.search(low))
    )
    return is_question and not _ASKED_TO_KEEP.search(low)


def conditions_in(sentence: str) -> tuple[str, ...]:
    """The clauses of a sentence that say when it holds, in small letters; empty where it holds always and not this once."""
    found, low = list[str](), sentence.lower()
    reached = 0
    for mark in _ON_CONDITION.finditer(low):
        if mark.start() >= reached:
            end = _CLAUSE.search(low, mark.end())
            reached = end.start() if end else len(low)
            found.append(low[mark.start() : reached])
    return (*found, *(mark[0] for mark in _FOR_NOW.finditer(low)))


def has_condition(text: str) -> bool:
    """Whether a text says when it holds."""
    low = text.lower()
    return bool(_ON_CONDITION.search(low) or _FOR_NOW.search(low))


__all__ = ["asks", "conditions_in", "has_condition", "is_own_claim"]
