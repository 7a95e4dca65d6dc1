"""Words of frames: those that say nothing in them, those for whoever speaks, and those after which there is one value at a time."""

from typing import Final

ARTICLES: Final = frozenset(
    """
    a an the der die das den dem des ein eine einen einem einer le la les un une el los las una unos unas il lo gli i
    uno o os as um uma
    please also auch
    """.split()
)

APOSTROPHES: Final = {
    "qu": "que",
    "d": "de",
    "l": "le",
    "j": "je",
    "m": "me",
    "n": "ne",
    "s": "se",
    "t": "te",
    "c": "ce",
}

SPEAKER: Final = frozenset(
    """
    user ich nutzer benutzer nutzerin benutzerin je utilisateur utilisatrice yo usuario usuaria io utente eu usuário usuária
    я пользователь
    """.split()
)
MINE: Final = frozenset("my mein meine mon ma mes mi mis mio mia meu minha мой моя моё user's".split())

LEADING: Final = tuple(
    tuple(name)
    for name in (
        "用户",
        "我",
        "ユーザーは",
        "私は",
        "僕は",
        "俺は",
        "사용자는",
        "나는",
        "저는",
        "사용자가",
        "나는",
    )
)

ENDINGS: Final = tuple(
    sorted(
        """
        es s e en t st et o a as an am ais ait ons ez ent amos emos imos ano ono iamo ate ete i
        ет ёт ит ют ут ят ю у ем им ешь ишь ете ите
        а е ы ом ой
        """.split(),
        key=lambda ending: -len(ending),
    )
)
"""Of verbs in the present, and of Russian nouns; the longest first. What tells another time is none."""

BEING: Final = frozenset(
    "is are am ist sind bin est sont suis es son soy è sono é são sou — 是 at : = listens takes costs weighs lasts has".split()
)
NO_PART_OF_A_VALUE: Final = BEING | frozenset(
    """
    of in at by for from and or not no who that which because if when
    von bei für und oder nicht du chez pour et ou ne pas en para y o no per non e ou não из для и или не
    """.split()
)
"""Where two values have one of these it is more than a value in which they differ."""

SEVERAL: Final = frozenset(
    """
    like love hate prefer want need know speak support include have own enjoy dislike eat drink read write study learn
    play use visited
    mag liebt hasst spricht kennt trinkt isst aime adore déteste parle gusta ama odia habla come bebe piace parla gosta fala
    любит ненавидит говорит знает пьёт
    """.split()
)
"""Verbs of which several objects may be true at once."""


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split()) for line in text.strip().splitlines())


RELATIONS: Final = _phrases("""
    live in
    live at
    lives in
    is based in
    is located in
    is hosted on
    is hosted at
    is deployed on
    is deployed to
    is stored in
    is due on
    is due
    is scheduled for
    is named
    is called
    is born in
    is born on
    was born in
    was born on
    work at
    work for
    work as
    works for
    is married to
    reports to
    listens on
    listens on port
    listen on port
    runs on port
    run on port
    is version
    wohnt in
    lebt in
    arbeitet bei
    arbeitet als
    heißt
    läuft auf port
    habite à
    vit à
    travaille chez
    travaille comme
    se appelle
    vive en
    trabaja en
    trabaja como
    se llama
    abita a
    vive a
    lavora per
    si chiama
    mora em
    vive em
    trabalha na
    trabalha como
    se chama
    живёт в
    живет в
    работает в
    зовут
""")
"""Behind these stands a value of which there is one at a time."""

RELATIONS_IN_CHARACTERS: Final = (
    *("住在", "位于", "就职于", "生于", "名叫", "截止日期是", "端口是", "住んでいる場所は", "名前は"),
)

ATTRIBUTES: Final = frozenset(
    """
    name nickname birthday birthdate age height weight email address phone number port timezone zone deadline date time
    day version branch
    language locale currency country city hometown capital employer job title role boss manager owner lead leader limit
    budget price cost
    timeout size color colour password url host hostname domain database framework editor shell os theme status license licence
    name geburtstag alter adresse telefonnummer frist termin datum zeit version sprache währung stadt land beruf chef
    preis farbe port
    datenbank lizenz nom anniversaire âge adresse téléphone échéance date heure version langue devise ville pays métier
    prix couleur
    base nombre cumpleaños edad dirección teléfono fecha plazo hora versión idioma moneda ciudad país trabajo jefe
    precio color puerto
    nome compleanno età indirizzo telefono scadenza data ora versione lingua valuta città paese lavoro capo prezzo colore porta
    aniversário idade endereço telefone prazo hora versão moeda cidade cargo chefe preço cor
    имя возраст адрес телефон срок дата время версия язык валюта город страна должность начальник цена цвет порт
    """.split()
)
"""Things that have one value at a time."""

_THINGS: Final = """
    时间 日期 端口 名字 名称 姓名 地址 版本 语言 数据库 框架 密码 颜色 年龄
    生日 职业 电话 邮箱 时区 价格 预算 域名 分支 上限 编辑器
""".split()
_THINGS_IN_JAPANESE: Final = """
    時間 日付 ポート 名前 住所 バージョン 言語 データベース 色 年齢 誕生日 職業 電話番号 締め切り
    期限 価格 予算
""".split()
_THINGS_IN_KOREAN: Final = (
    "시간 날짜 포트 이름 주소 버전 언어 데이터베이스 색 나이 생일 직업 전화번호 마감일 가격 예산".split()
)
ATTRIBUTES_IN_CHARACTERS: Final = (
    *(f"{thing}{being}" for thing in _THINGS for being in ("是", "为", ":")),
    *(f"{thing}は" for thing in _THINGS_IN_JAPANESE),
    *(f"{thing}{topic}" for thing in _THINGS_IN_KOREAN for topic in "은는이가"),
)

OPPOSITES: Final = frozenset(
    frozenset(pair.split("/"))
    for pair in """
        love/hate like/hate like/dislike love/dislike enjoy/hate enjoy/dislike prefer/avoid prefer/hate prefer/dislike want/avoid
        use/avoid always/never enabled/disabled enable/disable on/off open/closed allowed/forbidden allow/forbid true/false
        yes/no public/private required/optional
        mag/hasst liebt/hasst mag/meidet immer/nie immer/niemals aktiviert/deaktiviert erlaubt/verboten an/aus
        aime/déteste adore/déteste toujours/jamais activé/désactivé autorisé/interdit
        ama/odia gusta/disgusta siempre/nunca activado/desactivado permitido/prohibido ama/detesta sempre/mai attivo/disattivo
        gosta/odeia ama/odeia adora/odeia sempre/nunca ativado/desativado
        любит/ненавидит всегда/никогда включён/выключен включен/выключен разрешено/запрещено
        喜欢/讨厌 爱/恨 喜欢/不喜欢 总是/从不 启/禁 启用/禁用 开启/关闭 开/关 允许/禁止 必须/禁止 公开/私有
        好き/嫌い 有効/無効 有/無 必ず/決して 좋아/싫어 활성/비활성
    """.split()
)
"""Words of which two say the opposite of each other in the same place."""
