"""The words by which a text says that it corrects something, in ten languages, as they stand in what `terms` gives.

A script without spaces is read by its characters, so that 改为 is two of them.
"""

from typing import Final

Cue = tuple[str, ...]


def _cues(text: str) -> tuple[Cue, ...]:
    """One between two bars; words of scripts without spaces by their characters. The longest come first."""
    found = {
        tuple(part for word in line.split() for part in ((word,) if word[0] < "\u3000" else word))
        for line in text.strip().replace("\n", "|").split("|")
    }
    return tuple(sorted(found, key=lambda cue: (-len(cue), cue)))


BEHIND: Final = _cues("""
    , not | , and not | , but not | and not | - not | instead of | rather than | in place of | , formerly
    , previously | , no longer | , nicht | , und nicht | und nicht | , nicht mehr | statt | anstatt | anstelle von
    , früher | , pas | , non | , et non | , et pas | et non | et pas | et non pas | , et non pas | au lieu de
    plutôt que | à la place de | en vez de | en lugar de | , y no | y no | invece di | invece che | al posto di
    anziché | , e non | e non | , não | , e não | e não | em vez de | em lugar de | ao invés de | вместо | , а не
    а не | , не | , 不是 | , 而不是 | 而不是 | , 而非 | 而非 | 代替 | , 不 | , 不再
""")
"""Between what holds and what does not: "at Kern, not Birk"."""

IN_SPANISH: Final[Cue] = (",", "no")
"""The same, where the text is Spanish; in English it may mean "without"."""
SPANISH: Final = frozenset("el la los las en de es está usa con para que una un se su al del".split())


def behind(said: tuple[str, ...]) -> tuple[Cue, ...]:
    """Those of `BEHIND`, and those that count only in the language of some words."""
    return BEHIND if SPANISH.isdisjoint(said) else (*BEHIND, IN_SPANISH)


DENIALS: Final[tuple[tuple[tuple[Cue, ...], tuple[Cue, ...]], ...]] = tuple(
    (_cues(no), _cues(but))
    for no, but in (
        ("not", "but | , but | , it is | , they are | , he is | , she is | - it is | , rather | , instead"),
        ("nicht | kein | keine | keinen | keinem | keiner", "sondern | , sondern"),
        ("pas", "mais | , mais"),
        ("no", "sino | sino que | , sino"),
        ("non", "ma | , ma | bensì | , bensì"),
        ("não", "e sim | mas sim | , mas sim | , e sim | mas | , mas"),
        ("не", ", а | а"),
        ("不是 | 并不是 | 并非", "而是 | , 而是 | , 是"),
    )
)
"""What denies, and what follows the denied: "not X but Y"."""

IN_PLACE_OF: Final = _cues("""
    ではなく | じゃなくて | じゃなく | の代わりに | のかわりに | 이아니라 | 가아니라 | 이아니고 | 가아니고 | 대신 | 말고
""")
"""Behind what does not hold, where that comes first: X ではなく Y."""

NO_LONGER: Final[tuple[tuple[Cue, Cue], ...]] = tuple(
    (tuple(first), tuple(second))
    for line in """
        no longer /
        not / anymore
        not / any more
        not / any longer
        nicht mehr /
        nie mehr /
        kein / mehr
        keine / mehr
        keinen / mehr
        keinem / mehr
        keiner / mehr
        ne / plus
        ya no /
        non / più
        già non /
        já não /
        não / mais
        больше не /
        уже не /
        已 经 不 再 /
        已 不 再 /
        不 再 /
        已 经 不 /
    """.strip().splitlines()
    for first, second in [[part.split() for part in line.split("/")]]
)
"""What says that something has ended, in one piece or in two with the verb between them."""

MOVED: Final = frozenset(
    """
    moved relocated transferred gezogen umgezogen verlegt déménagé déplacé mudó mudado trasferita trasferito mudou
    переехал переехала
    """.split()
)
SWITCHED: Final = frozenset(
    """
    switched changed migrated moved converted transferred upgraded downgraded went gewechselt umgestiegen umgestellt migriert
    passé passée changé migré cambió cambiado pasó migró passato passata cambiato migrato mudou trocou migrou passou
    перешёл перешла перешел перешли сменил сменила
    """.split()
)
SET_ANEW: Final = frozenset(
    """
    changed renamed raised lowered bumped increased decreased reduced updated upgraded postponed rescheduled moved went extended
    geändert umbenannt erhöht gesenkt verschoben verlegt modifié changé renommé reporté passé cambió cambiado aplazado
    cambiato rinominato spostato mudou mudado alterado adiado изменён изменена изменено перенесён перенесена перенесено
    """.split()
)
CHANGED: Final = MOVED | SWITCHED | SET_ANEW
"""Verbs of a change from something to something."""

HELPING: Final = frozenset(
    """
    has have had was were been is are am just recently since hat habe haben bin ist sind wurde wurden a ai ont est sont été ha han è
    fue se si foi был была было были
    """.split()
)
"""What may stand before such a verb and says nothing."""

FROM_TO: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("from", ("to", "into", "over")),
    ("von", ("nach", "zu", "auf", "in")),
    ("de", ("à", "vers", "a", "para")),
    ("da", ("a",)),
    ("с", ("на",)),
    ("из", ("в",)),
)

_PLACE: Final = """
    is are in at on near live lives living based located resides hosted runs stored deployed home : wohnt lebt wohne
    lebe ist sitzt bei habite vit
    est à vive está en vivo abita è vivo mora fica em живёт живет живу в находится
"""
_USE: Final = """
    is are use uses using run runs on with in prefer deploy deployed host hosted build store : = version verwendet
    benutzt nutzt läuft ist mit auf
    utilise est avec sur usa es con en utiliza è con su em usamos используется использует используем на
"""
_VALUE: Final = """
    is are at of set to on for called named : = ist auf am beim heißt est à au fixé le es está en el è al fissato é em o — -
    составляет
"""
BETWEEN: Final[tuple[tuple[frozenset[str], frozenset[str]], ...]] = (
    (MOVED, frozenset(_PLACE.split())),
    (SWITCHED, frozenset(_USE.split())),
    (SET_ANEW, frozenset(_VALUE.split())),
    (MOVED | SWITCHED, frozenset("work at for arbeitet bei travaille chez".split())),
)
"""Of each kind of change, the words that stood between the subject and the former value."""

TURNED_INTO: Final = _cues("""
    改为 | 改成 | 改用 | 换成 | 换为 | 更改为 | 变更为 | 调整为 | 改到 | 推迟到 | 提前到 | 搬到 | 迁到 | 迁移到 | 切换到 | 升级到 | 迁至
""")
"""Behind the former value, before the new one, in Chinese; before the former may stand one of `OUT_OF`."""
SET_TO: Final = _cues("改为 | 改成 | 改到 | 更改为 | 变更为 | 调整为 | 推迟到 | 提前到")
"""Those of them behind which a value stands of which there is one at a time."""
OUT_OF: Final = frozenset("从由把将將從")
BETWEEN_IN_CHINESE: Final = tuple(
    tuple(words) for words in ("是", "用", "为", "在", "定在", "设为", "位于", "住在", ":", "")
)

INTO: Final = _cues("""
    に変更 | へ変更 | に移行 | へ移行 | に切り替え | に引っ越 | へ引っ越
    に乗り換え | に変わ
    으로변경 | 로변경 | 으로전환 | 로전환 | 으로이사 | 로이사 | 으로이전 | 로이전
    으로옮 | 로옮 | 으로바 | 로바
""")
"""Behind the new value, in Japanese and Korean; between the two values stands one of `FROM`."""
FROM: Final = _cues("から | 에서")
PARTICLES: Final = frozenset("はがを는은이가를을")
"""Behind a subject or an object, in Japanese and Korean."""
AFTER_A_VALUE: Final = tuple(
    tuple(words)
    for words in (
        *(
            "",
            "です",
            "だ",
            "である",
            "を使っている",
            "を使う",
            "を使っています",
            "を使います",
            "を使用",
            "を利用",
            "を用いる",
        ),
        *("に住んでいる", "に住んでいます", "にある", "にあります", "を사용한다"),
        *(
            "이다",
            "입니다",
            "다",
            "를사용한다",
            "을사용한다",
            "를사용합니다",
            "을사용합니다",
            "를쓴다",
            "을쓴다",
        ),
        *("에산다", "에삽니다", "에살고있다", "에있다", "에있습니다"),
    )
)

SETTING_RIGHT: Final = _cues("""
    correction : | korrektur : | rectification : | corrección : | correzione : | rettifica : | correção :
    поправка : | исправление : | 更正 : | 更正 | 纠正 : | 勘误 : | 訂正 : | 訂正 | 정정 : | i was wrong , | i was wrong :
    i misspoke , | i misspoke : | my mistake , | my mistake : | to correct myself , | to correct myself :
    scratch that , | scratch that : | ich habe mich geirrt , | ich habe mich geirrt : | je me suis trompé ,
    me equivoqué , | me equivoqué : | mi sono sbagliato , | eu errei , | я ошибся , | 我说错了 , | 我记错了 , | 我弄错了 ,
    actually | actually , | in fact | in fact , | eigentlich | tatsächlich | en fait | en fait , | en réalité
    en réalité , | en realidad | en realidad , | in realtà | in realtà , | na verdade | na verdade ,
    na realidade | na realidade , | на самом деле | на самом деле , | 其实 | 其实 , | 实际上 | 实际上 , | 実は | 実は , | 実際は
    実際は , | 正しくは | 正しくは , | 사실 | 사실은 | 사실 , | 실제로는
""")
"""What a text begins with that corrects something said before without naming it: only a value of which there is one at a time."""

NOT_SO_PLAIN: Final = frozenset(
    """
    if whether maybe perhaps possibly probably might may could would except unless think thinks thought guess suppose
    wonder consider considering
    considered plan plans planned planning want wants wish hope hopes almost nearly
    ob falls wenn vielleicht möglicherweise wahrscheinlich könnte würde außer ausser überlegt plant möchte will hofft fast beinahe
    si peut-être probablement pourrait sauf pense envisage veut presque
    quizá quizás tal probablemente podría salvo excepto piensa planea quiere casi
    se forse probabilmente potrebbe tranne salvo eccetto pensa vuole quasi
    talvez provavelmente poderia exceto pensa planeja quer quase
    если может возможно наверное вероятно кроме думает планирует хочет почти бы
    """.split()
)
"""Where one of these stands nothing is plainly corrected."""
NOT_SO_PLAIN_IN_CHARACTERS: Final = (
    *(
        "如果",
        "要是",
        "也许",
        "可能",
        "大概",
        "或许",
        "除了",
        "除非",
        "打算",
        "计划",
        "考虑",
        "想要",
        "觉得",
        "差点",
    ),
    *(
        "もし",
        "かも",
        "たぶん",
        "おそらく",
        "以外",
        "つもり",
        "予定",
        "たい",
        "思う",
        "만약",
        "아마",
        "제외",
        "계획",
        "생각",
    ),
)

NOT_BEHIND: Final = frozenset(
    """
    only just all always yet even merely simply necessarily every everyone everything too because when until before
    after so very than
    more exactly quite really once sure
    nur alle alles immer ganz sofort weil bevor nachdem als noch sehr genau
    seulement toujours tous tout encore parce quand que avant après très
    solo sólo solamente todos siempre aún porque cuando antes después muy más
    soltanto solamente sempre tutti ancora perché quando prima dopo molto
    só apenas somente ainda quando muito
    только всегда все ещё потому когда очень просто чем
    只 仅 都 总 一 必 够 会 能 太 很 但 过
    """.split()
)
"""Behind a "not" or "no longer" these take it back in part."""

SINCE: Final = frozenset(
    """
    since now anymore any because
    seit jetzt nun depuis maintenant désormais desde ahora ya da adesso ora ormai agora já теперь сейчас отныне 了 现
    """.split()
)
"""What may follow a correction and changes nothing about it."""

TAKEN_BACK: Final = frozenset(
    """
    only just again back false untrue wrong ignore joke joking kidding today tonight temporarily provisionally
    nur wieder zurück falsch heute vorübergehend seulement retour faux aujourd'hui provisoirement solo sólo vuelta falso hoy
    oggi apenas volta hoje только снова обратно неправда сегодня временно 仅 只 暂 假 返
    """.split()
)
"""Of a former value, or beside a new one, these say that it holds no more in part, for a time, or not at all."""

BUT: Final = frozenset("but , . - aber sondern mais pero sino ma mas но а 而 but, and und et y e и".split())
"""Where what has ended is told to its end."""

DOING: Final = frozenset("do did".split())

BY_NOW: Final = frozenset(
    "now currently nowadays jetzt inzwischen maintenant désormais ahora adesso agora теперь сейчас".split()
)
"""What says only that something is so by now."""

PRONOUNS: Final = frozenset(
    "i we they he she it ich wir er sie es je nous il elle on yo nosotros eu nós ele ela я мы он она они".split()
)
"""Who a statement is about, where the one before it has said who."""

THEN: Final = frozenset(
    ", but and now instead sondern und jetzt mais et maintenant sino y ahora ma e ora mas а и теперь".split()
)
"""What stands between what has ended and what holds in its place."""

ANEW_IN_CHINESE: Final = _cues("改用 | 改为用 | 现在用 | 而是用 | 现在改用")
"""Of 不再用X，改用Y: before what is used by now."""

BY_THEN: Final = (
    *(("live", "in"), ("work", "at"), ("work", "for"), ("run", "on"), ("wohnt", "in"), ("lebt", "in")),
    *(
        ("arbeitet", "bei"),
        ("habite", "à"),
        ("travaille", "chez"),
        ("vive", "en"),
        ("mora", "em"),
        ("живёт", "в"),
    ),
)
"""What may say in two words what somebody does who moved to a place."""

SOFTENING: Final = _cues("""
    actually | in fact | eigentlich | tatsächlich | en fait | en réalité | en realidad | in realtà | na verdade
    na realidade | на самом деле | 其实 | 实际上 | 実は | 実際は | 사실 | 사실은 | 실제로는
""")
"""Of `SETTING_RIGHT` what may stand before anything."""

RATHER: Final = _cues("""
    instead of | rather than | in place of | statt | anstatt | anstelle von | au lieu de | plutôt que | à la place de
    en vez de | en lugar de | invece di | invece che | al posto di | anziché | em vez de | em lugar de | ao invés de
    вместо | 代替 | の代わりに | のかわりに | 대신 | 말고
""")
"""What may also tell what to do, or what is done where something else might be."""

TO_DO: Final = frozenset(
    """
    use prefer indent write run put keep answer call choose take make do please name say format build test install store
    verwende nutze nimm schreibe bitte utilise utilisez écris utiliser usa usar use escribe escreva scrivi используй пиши
    用 使 请
    """.split()
)
"""With these a sentence tells what to do."""
