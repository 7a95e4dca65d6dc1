"""Words that `saying` takes for one another, and those at which it takes nothing for the same."""

from collections.abc import Callable
from typing import Final

from archivist.records.patterns import late_pattern

_VERBS: Final = """
    use prefer like love hate want need live work speak write read run support include contain require know play eat drink study learn
    own enjoy dislike build deploy ship test keep store accept return send start end open follow mean say
""".split()

LIKING: Final = frozenset("prefer like love hate want enjoy dislike".split())
BEING: Final = frozenset("is are am".split())


def _third(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"


def _progressive(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb[:-1]}ing"
    return {"prefer": "preferring", "run": "running", "ship": "shipping"}.get(verb, f"{verb}ing")


PROGRESSIVE: Final = {_progressive(verb): verb for verb in _VERBS}
"""Only behind a form of "to be" these are what the verb says."""

DROPPED: Final = frozenset("please also".split())

MEANT_AS: Final[dict[str, tuple[str, ...]]] = {
    **{_third(verb): (verb,) for verb in _VERBS},
    "does": ("do",),
    "has": ("have",),
    "goes": ("go",),
    "&": ("and",),
    "cannot": ("can", "not"),
    "can't": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "dont": ("do", "not"),
    "doesnt": ("do", "not"),
    "didnt": ("did", "not"),
    "isnt": ("is", "not"),
    "arent": ("are", "not"),
    "cant": ("can", "not"),
    **dict.fromkeys(("utilise", "utilize", "utilizes"), ("use",)),  # "utilises" is French too
    "favourite": ("favorite",),
    "colour": ("color",),
    "colours": ("colors",),
    "behaviour": ("behavior",),
    "organise": ("organize",),
    "verwendet": ("benutzt",),
    "nutzt": ("benutzt",),
}
"""Words by what they are here; lower case."""

ENGLISH: Final = frozenset(
    """
    user project is are am was use prefer have with of and to not never always for like want need run my our work live the this
    uses prefers has should must will can
    """.split()
)
"""Words of which one shows that "a" is an article: in "quiere a Bob" it tells who loves whom."""

NO_NOUN: Final = frozenset(
    "a an the is are am was were be not and or to of in on at for with from by if then please also".split()
)
"""What no article stands before: "Use a not b" tells of a thing called a."""

BEFORE_AN_ARTICLE: Final = (
    ENGLISH
    | frozenset(word for verb in _VERBS for word in (verb, _progressive(verb)))
    | frozenset(", . : - and or in on at by as from into under over about do not please also".split())
)
"""What "a" follows where it is an article; elsewhere it may be a grade, a vitamin, a variable."""

AS_IS_IN_CAPITALS: Final = frozenset(
    """
    IT US WHO PATH HOME SHELL LANG TERM TEMP MAIL HEAD POST PATCH TRACE HOST PORT EDITOR PAGER DISPLAY DEBUG MASTER MAIN ORIGIN
    SELECT UPDATE INSERT DELETE TABLE TODO NULL TRUE FALSE NONE ENTER SHIFT SPACE ESCAPE DATE TIME TEXT REAL ARRAY
    """.split()
)
"""What in capitals is another thing than the word."""

NAMING: Final = frozenset(
    """
    env environment var variable variables constant macro enum key keys code codes hash id ids token password flag flags branch table
    column field header command keyword method label tag class type value values acronym name named called set export spelled written
    """.split()
)
"""Behind these stands what is written exactly so."""

BESIDE_A_NAME: Final = frozenset("is are was were be as to = == != -> => means equals must has".split())
"""Beside these a word in capitals may be a name."""

ALSO_NAMES: Final = frozenset(
    """
    amazon amber angel apple april archer august bailey baker banks barber basil bishop black blake blender bottle brave brook
    brooks brown canvas carter chase china chrome church clark cliff cloud cooper crystal cursor daisy danish discord drake drive
    duncan dutch edges ember english express faith falcon field fields finnish fisher flask flora focus forest foster frank french
    gardener german ghost gnome grace grant green griffin harmony harper hazel heath heather hills holly honor hunter insomnia
    irish ivory jaguar jasmine jersey jewel justice keynote knight laurel linear little maple marina marsh marshall mason melody
    mercury meteor miles miller moore notion olive olives oracle orange outlook pages parker pearl penny pepper phoenix photos
    piper pixel place planner polish porter potter price prince proton puppet queen reminders rider river rivers robin rosemary
    safari sailor sandy scarlet scotch sharp shell shepherd short shortcuts sierra signal silver singer skype slack slate smith
    spanish spark spring square stack stone storm stream summer summers sunny swede swift target taylor teams terry things titan
    toggle trace travis trinity tucker turkey turner tyler unity vault violet visual walker waters weaver wells white windows
    woods wright young
    """.split()
)
"""Words of five letters and more that with a capital may be something else: a person, a nation, a product."""

EMPHASIZED: Final = frozenset(
    """
    never always please must only avoid keep remember important prefer prefers should every when before after stop note warning just use
    uses make ensure
    """.split()
)
"""What is stressed with capitals at the beginning of a sentence."""

GERMAN_ARTICLES: Final = frozenset("der die das".split())

ARTICLES_BEFORE: Final = {
    **dict.fromkeys(
        GERMAN_ARTICLES,
        frozenset("projekt nutzer benutzer nutzerin benutzerin team repository server".split()),
    ),
    "le": frozenset("projet dépôt serveur".split()),
    **dict.fromkeys(
        "el la".split(), frozenset("proyecto usuario usuaria equipo repositorio servidor".split())
    ),
    **dict.fromkeys("o a".split(), frozenset("projeto usuário usuária time repositório servidor".split())),
}
"""Articles of other languages, and the words at the beginning of a statement that mean the same without them."""

NEGATIONS: Final = frozenset(
    "no not never none neither nor yes nicht nein nie niemals kein keine non pas jamais nunca não jamás не нет никогда"
    " 不 没 沒 别 別 勿 非 无 無 未 是 对".split()
)

TELLS_AN_ORDER: Final = frozenset(
    """
    first second third then next last finally after before later order ordered sequence steps step stages stage pipeline workflow process
    priority priorities prioritize rank ranked ranking respectively -> => > → prefer over rather than instead fallback until when
    zuerst dann danach vor nach puis ensuite avant après primero luego antes después primeiro depois сначала потом затем
    """.split()
)
CHINESE_ORDER: Final = late_pattern("先|再|然后|顺序|步骤|优先|之前|之后|流程|依次|分别|比|順|まず|次に|から")

LIST_HEADS: Final = frozenset(
    "use like love hate speak know support include have own enjoy dislike eat drink study learn contain".split()
)
CHINESE_HEADS: Final[dict[str, Callable[[str, str], bool]]] = {
    "欢": lambda before, _: before == "喜",
    "持": lambda before, _: before == "支",
    "括": lambda before, _: before == "包",
    "用": lambda before, after: before not in {*"作费信常通利引应采"} and after not in {*"户于来途法"},
}
"""The last characters of words that a list may follow, and whether they are what they seem."""

LIST_LABELS: Final = frozenset(
    """
    languages tools hobbies stack interests allergies skills pets children kids members team ports tags formats platforms likes dislikes
    """.split()
)

NOT_IN_A_LIST: Final = frozenset(
    """
    not no never none but except only for to in on at with without as by from of off over under than via if because while so that which who
    whose where how via per about into onto between is are was were be been am do did have has had will would can could should must may
    it its they them this these those both each either neither more most less least same other others all any every much very too just
    and or my your his her our their its mine
    one two three four five six seven eight nine ten year years month months week weeks day days hour hours
    native fluent basic
    nicht kein keine pas ne ni sin sem не 不 没 别 勿 只 除 在 给 为 把 被 对 到 但 而 是 都 也 才 就 了 来 做 写
    时 因 若 如 讨 厌 爱 恨 喜 欢 想 要 说 会 能 可 用
    """.split()
) | {word for verb in _VERBS for word in (verb, _progressive(verb))}
"""What makes a part between two commas more than the name of a thing."""

GRAMMAR: Final = (
    ENGLISH
    | NOT_IN_A_LIST
    | BEFORE_AN_ARTICLE
    | NO_NOUN
    | DROPPED
    | TELLS_AN_ORDER
    | LIST_LABELS
    | {"and", "or", "user"}
    | frozenset(ARTICLES_BEFORE)
)
"""What has a part in a statement; in code marks it has none."""
