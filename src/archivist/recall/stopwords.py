"""Words that carry a question rather than its subject, in English and Chinese.

They are left out of a search unless they are all there is. The Chinese list has two parts: phrases that only
ask, which are cut out, and characters of grammar, at which a run of characters is divided.
"""

import re
from typing import Final

from archivist.records.patterns import late_pattern

ENGLISH: Final = frozenset(
    """
    a an the this that these those there here it its itself
    i me my mine myself we us our ours you your yours he him his she her hers they them their theirs
    what which who whom whose when where why how
    is are was were be been being am do does did doing done has have had having
    can could would should will shall may might must ought
    of in on at to for from with by about into onto over under than as during through between
    and or nor but if so because while until
    not no any some all both each more most very just only also too again then now ever
    please tell show give let get got want know
    s t d m ll re ve don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn
    dont didnt doesnt isnt arent wasnt cant wont
    """.split()
)

CONTRACTION: Final = late_pattern(r"(?P<base>.+?)(?:n['’]t|['’](?:s|t|d|m|ll|re|ve))", re.DOTALL)
"""A word with an apostrophe ending of grammar; the base is what it is about, if that is not a stop word itself."""

CHINESE_ASKING: Final = late_pattern(
    "请问|请告诉我|告诉我|我想知道|想知道|我想问|帮我|麻烦|能不能|可不可以|有没有|是不是|会不会|要不要|能否|是否|可否"
    "|怎么样|怎么回事|怎么办|怎么|怎样|如何|为什么|为何|什么时候|什么|哪一个|哪一天|哪一|哪个|哪些|哪里|哪儿|哪家|哪位|哪天"
    "|多少|多久|多长|几个|几点|几次|以下|关于|一下|咱们|我们|你们|他们|她们|它们|这个|那个|这些|那些|这里|那里|上次|之前"
)

CHINESE_GRAMMAR: Final = frozenset(
    "的了是在有和与或及就都也还又很把被给对从到向为于以等着过吗呢啊呀吧嘛哦哈我你您他她它咱这那谁哪几其所而但如若则并且之"
)

ASKING_FOR_ALL: Final = frozenset(
    """
    happened happen happening happens talk talked talking discuss discussed discussion discussions say said
    chat chatted chats conversation conversations message messages session sessions anything everything
    something thing things stuff work worked going update updates summary summarize summarise recap list
    history up on did
    """.split()
)
"""Words that, beside a time, ask for all that was said then."""

CHINESE_ASKING_FOR_ALL: Final = late_pattern(
    "发生|事情|聊天|聊|谈|说|讨论|做|干|消息|对话|会话|记录|总结|回顾|列出|事"
)
"""The same in Chinese."""

LIGHT: Final = frozenset(
    """
    use used using need needs want wants wanted make makes making made take takes took taken keep kept put puts try tried come came
    choose chose chosen pick picked decide decided decision say said says think thought mean means meant find found look looked looking
    see saw seen seem seems help helps happen happened recommend recommended suggest suggested remember remind ask asked answer
    question talk talked discuss discussed mention mentioned explain explained reason
    thing things way ways time times kind sort stuff lot bit something anything everything someone anyone
    long much many often always never still already yet really actually instead else even maybe perhaps
    against without before after since back off out up down such per via
    good better best right sure ok okay yes exactly again different same
    """.split()
)
"""Words that are sought, and yet say little by themselves of what a question is about."""

CHINESE_LIGHT: Final = frozenset("不没无有用使要会能可以说做想去来让叫采选择决定该应先再只最更些时候")
"""The same in Chinese: stretches of nothing else, and of grammar, say little."""
