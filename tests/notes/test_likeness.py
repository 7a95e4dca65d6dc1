"""How like two entries are, and which one says the same."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.notes.likeness import SAME_ENTRY, Likenesses, normal, similarity

SAME = [
    ("User prefers dark mode", "user prefers dark mode."),
    ("User prefers dark mode", "USER PREFERS DARK MODE"),
    ("User prefers dark mode", "The user prefers dark mode"),
    ("User prefers dark mode", "Prefers dark mode"),
    ("User prefers dark mode", "User prefers dark-mode!"),
    ("User doesn't like emails", "The user does not like emails"),
    ("The project uses pytest", "project is using pytest"),
    ("The project uses pytest with xdist", "the Project uses pytest, with xdist."),
    ("Caches live in redis on port 6390", "caches live in Redis on port 6390"),
    ("Run the suite with docker before pushing", "Run the Suite with Docker before pushing"),
    ("部署使用 docker", "部署使用 Docker"),
    ("The project uses pytest", "Project uses `pytest`."),
    ("The project uses pytest", "the  project\nuses **pytest**"),
    ("The project is not using pytest", "The project does not use pytest"),
    ("We are running Redis on port 6379", "We run Redis on port 6379."),
    ("Don't push to main", "Do not push to main"),
    ("Don’t push to main", "don't push to main!"),
    ("Never push to main", "never push to “main”"),
    ("Please never push to main", "Never push to main"),
    ("The CI can't reach the registry", "CI cannot reach the registry"),
    ("Uses Python, Rust and Go", "uses Go, Python, and Rust"),
    ("User speaks German and French", "The user speaks French and German"),
    ("Languages: Python, Rust", "languages: Rust, Python"),
    ("User likes tea & coffee", "User likes coffee and tea"),
    ("User likes green tea, black coffee", "User likes black coffee, green tea"),
    ("Staging server: heron (fra)", "staging server heron, fra"),
    ("It's the staging server", "it is the staging server"),
    ("User’s favourite colour is blue", "User's favorite color is blue"),
    ("- a bullet point", "A bullet point"),
    ("- User prefers dark mode", "Prefers dark mode"),
    ("Editor - vim (always)", "Editor: vim, always"),
    ("User has a dog and a cat", "User has a cat and a dog"),
    ("项目使用 pytest", "项目用pytest。"),
    ("这个项目使用ｐｙｔｅｓｔ", "项目使用 pytest"),
    ("用户喜欢深色模式", "用户喜欢深色模式。"),
    ("用户的编辑器是 Vim", "用户编辑器是 Vim。"),
    ("用户喜欢茶、咖啡和水", "用户喜欢咖啡、水和茶"),
    ("请不要直接推送到主分支", "请不要直接推送到主分支！"),
    ("您的项目", "你的项目"),
    ("プロジェクトは pytest を使っている", "プロジェクトはpytestを使用している。"),
    ("Der Nutzer bevorzugt das dunkle Design", "nutzer bevorzugt das dunkle Design."),
    ("Das Projekt verwendet pytest", "Projekt benutzt pytest"),
    ("Le projet utilise pytest", "projet utilise « pytest »"),
    ("L'utilisateur préfère le thé", "L’utilisateur préfère le thé."),
    ("El proyecto usa pytest", "proyecto usa pytest."),
    ("O projeto usa pytest", "Projeto usa pytest"),
    ("Проект использует pytest", "проект использует pytest."),
    ("The project uses pytest", "the project uses PYTEST"),
    ("Never push to main", "NEVER push to main"),
    ("Logs are stale. Delete them", "logs are stale. delete them"),
    ("Wir nutzen Python", "wir nutzen Python!"),
    ("I also like tea", "I like tea"),
    ("User says “no thanks” a lot", "User says no thanks a lot"),
    ("* uses tabs\n* never spaces", "- Uses tabs\n- never spaces"),
    ("The US office is closed", "US office is closed"),
]

OTHER = [
    # numbers, dates, versions
    ("The API listens on port 8080", "The API listens on port 8081"),
    ("Uses Python 3.11", "Uses Python 3.12"),
    ("Uses Python 3.1", "Uses Python 3.10"),
    ("The limit is 10² bytes", "The limit is 102 bytes"),
    ("Offset is -5", "Offset is 5"),
    ("Offset is −5", "Offset is 5"),
    ("Needs <5 s", "Needs >5 s"),
    ("Pays 5%", "Pays 5"),
    ("Costs $20", "Costs €20"),
    ("Meeting on 2026-03-01", "Meeting on 2026-03-02"),
    ("Meeting on 3 May", "Meeting on 4 May"),
    ("Has two dogs", "Has three dogs"),
    ("端口是8080", "端口是8081"),
    ("会议在3月1日", "会议在3月2日"),
    ("有两只猫", "有三只猫"),
    # negations
    ("User likes tea", "User does not like tea"),
    ("Do push to main", "Don't push to main"),
    ("Always deploy on Fridays", "Never deploy on Fridays"),
    ("The job is running", "The job is not running"),
    ("No, tests are needed", "No tests are needed"),
    ("User is a smoker", "User is a non-smoker"),
    ("用户喜欢茶", "用户不喜欢茶"),
    ("项目使用 pytest", "项目不使用 pytest"),
    ("可以推送", "别推送"),
    ("请推送", "请勿推送"),
    ("他有孩子", "他没有孩子"),
    ("不，是主分支", "不是主分支"),
    ("Der Nutzer mag Tee", "Der Nutzer mag keinen Tee"),
    ("Das Projekt benutzt pytest", "Das Projekt benutzt nicht pytest"),
    ("Le projet utilise pytest", "Le projet n'utilise pas pytest"),
    ("El usuario usa vim", "El usuario no usa vim"),
    ("O projeto usa vim", "O projeto não usa vim"),
    ("Проект использует vim", "Проект не использует vim"),
    ("テストを使う", "テストを使わない"),
    # names, identifiers, paths, flags
    ("Logs are in /var/log/app", "Logs are in /var/log/App"),
    ("Config is in .env", "Config is in env"),
    ("The field is userId", "The field is userid"),
    ("The field is user_id", "The field is user id"),
    ("Run rm -r", "Run rm -R"),
    ("Set DEBUG=1", "Set DEBUG=0"),
    ("Written in C", "Written in C++"),
    ("Written in C", "Written in C#"),
    ("Include *.py files", "Include .py files"),
    ("Use __init__.py", "Use init.py"),
    ("Plan A is cheaper", "Plan is cheaper"),
    ("Ask IT about it", "Ask it about it"),
    ("The repo is acme/web", "The repo is acme/api"),
    ("Branch feature-1", "Branch feature-2"),
    # roles and order
    ("Lint before testing", "Testing before lint"),
    ("Ana reports to Bob", "Bob reports to Ana"),
    ("Prefers tabs over spaces", "Prefers spaces over tabs"),
    ("Copy from staging to production", "Copy from production to staging"),
    ("先测试再部署", "先部署再测试"),
    ("小王是小李的老板", "小李是小王的老板"),
    ("Steps: build, test, push", "Steps: push, test, build"),
    ("Use black, then isort and mypy", "Use isort, then black and mypy"),
    ("Has 2 dogs and 3 cats", "Has 3 dogs and 2 cats"),
    ("Likes cats, hates dogs and birds", "Likes cats, birds and hates dogs"),
    ("Uses vim for Python, Go and Rust", "Uses Go, Rust and vim for Python"),
    ("User likes tea and coffee", "User likes tea or coffee"),
    ("User prefers Python, Go and Rust", "User prefers Rust, Go and Python"),
    ("Der Hund beißt den Mann", "Den Hund beißt der Mann"),
    # contrary or other words, other time
    ("Feature flags are on", "Feature flags are off"),
    ("Enable caching", "Disable caching"),
    ("User prefers light mode", "User prefers dark mode"),
    ("User prefers emails", "User avoids emails"),
    ("The project uses pytest", "The project used pytest"),
    ("The project uses pytest", "The project will use pytest"),
    ("The project uses pytest", "The project uses pytest and tox"),
    ("Does the project use pytest?", "The project does use pytest"),
    ("Is it live?", "Is it live."),
    ("Große Maße", "Große Masse"),
    ("Der See ist kalt", "Die See ist kalt"),
    ("Il fait le tour avec Ana", "Il fait la tour avec Ana"),
    ("Do not deploy. Friday is fine", "Do not deploy Friday. Is fine"),
    ("开启缓存", "关闭缓存"),
    # marks that mean something
    ("Returns {}", "Returns []"),
    ("Takes int[]", "Takes int"),
    ("Is 5' wide", 'Is 5" wide'),
    ("Grade A-", "Grade A"),
    ("Is 2**3", "Is 23"),
    ("Run RM -R", "Run RM -r"),
    ("RM -R", "rm -r"),
    ("Run cd ..", "Run cd ."),
    ("10 - 5", "10 5"),
    ("Rated 👍", "Rated 👎"),
    ("~~uses vim~~", "uses vim"),
    ("[x] buy milk", "[ ] buy milk"),
    # who is what, by place
    ("A Ana quiere Bob", "Ana quiere a Bob"),
    ("Knows Ana, a doctor, and Bob, a lawyer", "Knows Ana, a lawyer, and Bob, a doctor"),
    ("Speaks German, native, and French, basic", "Speaks German, basic, and French, native"),
    ("Speaks German, native, French, basic", "Speaks German, basic, French, native"),
    ("Uses Python, 3 years, Go, 5 years", "Uses Python, 5 years, Go, 3 years"),
    ("Uses heron (staging) and osprey (production)", "Uses heron (production) and osprey (staging)"),
    ("用户喜欢猫、讨厌狗和鸟", "用户喜欢猫、鸟和讨厌狗"),
    ("使用户满意", "用户满意"),
    ("不用重启", "不使用重启"),
    ("usa vim o emacs", "usa vim emacs"),
    # capitals: units, keys, names, variables, flags, identifiers
    *(
        (f"{before} {one}", f"{before} {other}")
        for before, one, other in [
            ("Limit is 10", "MB", "Mb"),
            ("Limit is 10", "MB", "mb"),
            ("Rate is 5", "kB", "KB"),
            ("Set 5", "m", "M"),
            ("Costs", "5mW", "5MW"),
            ("Press", "g", "G"),
            ("vim: press", "g", "G"),
            ("Grade is", "a", "A"),
            ("Chapter", "I", "i"),
            ("Drive", "C", "c"),
            ("Id is", "AB1", "ab1"),
            ("Hash is", "Ab1", "ab1"),
            ("Hash is", "ABC", "abc"),
            ("Hash is", "ABCD", "abcd"),
            ("Code is", "ABCD", "Abcd"),
            ("Room", "E5", "e5"),
            ("Env var is", "Path", "PATH"),
            ("Env var is", "path", "PATH"),
            ("Reads", "PATH", "path"),
            ("Resets to", "HEAD", "head"),
            ("Project uses", "Swift", "SWIFT"),
            ("Project uses", "`PYTEST`", "`pytest`"),
            ("Uses", "Go", "go"),
            ("Prefers", "Polish", "polish"),
            ("Lives in", "Turkey", "turkey"),
            ("Paid with an", "Amazon", "amazon"),
            ("Works with a", "Baker", "baker"),
            ("Likes The", "Doors", "doors"),
            ("Reads Old", "Times", "times"),
            ("The column says", "Amount", "amount"),
            ("Its word is", "Heron", "heron"),
            ("Der", "Hinweis", "hinweis"),
            ("Name is", "May", "may"),
            ("User is", "root", "Root"),
            ("Branch is", "Main", "main"),
            ("Table is", "Users", "users"),
            ("Use flag", "-v", "-V"),
            ("Tag is", "abc-Def", "abc-def"),
            ("Header is", "X-Y", "x-y"),
            ("Owner is", "Bob's", "bob's"),
            ("Plays in", "Reads", "read"),
            ("Do", "IT", "it"),
            ("Lives in St.", "Polish", "polish"),
            ("Пароль", "Роза", "роза"),
        ]
    ),
    ("KEY IS X", "key is x"),
    ("USE IT NOW", "use it now"),
    ("PATH matters here", "Path matters here"),
    ("C is fast", "c is fast"),
    ("Readme.md is old", "readme.md is old"),
    # marks that are what is told
    *(
        (f"{before} {one}", f"{before} {other}")
        for before in ("Separator is", "Ends lines with", "Uses", "分隔符是")
        for one, other in combinations([",", ";", ":", ".", "-", "—", "*", "•", '"', "'", "`", "!", "?", "...", ""], 2)
    ),
    ("分隔符是，", "分隔符是；"),
    ("分隔符是：", "分隔符是"),
    ("Uses , for lists", "Uses ; for lists"),
    ('Uses " for text', "Uses ' for text"),
    ("Ends lines with x;", "Ends lines with x,"),
    ("The result is 5!", "The result is 5"),
    ("Count is n!", "Count is n"),
    ("Deletes *.py", "Deletes .py"),
    ("Adds !important", "Adds important"),
    ("Calls _private", "Calls private"),
    ("Says 'tis", "Says tis"),
    ("Matches [x]", "Matches x"),
    ("Writes {id}", "Writes id"),
    ("Uses `,` between", "Uses `;` between"),
    ("Uses `x`-based ids", "Uses `y`-based ids"),
    ("Runs `npm  test`", "Runs `npm test`"),
    ("Runs `use the x`", "Runs use x"),
    ("x--y", "x-y"),
    ("The sign is - and blank", "The sign is and blank"),
    ("Uses - here", "Uses here"),
    ("El Proyecto abre a las 9", "Proyecto abre a las 9"),
    ("Adds !IMPORTANT", "Adds !important"),
    ("-テストを使う", "テストを使う"),
    ("*テストを使う", "テストを使う"),
    ("[, ] buy milk", "[ ] buy milk"),
    ("No - deploy on Friday", "No deploy on Friday"),
    # articles and adverbs in names
    ("Likes The Who", "Likes Who"),
    ("The Who is a band", "Who is a band"),
    ("Likes the The", "Likes the"),
    ("Likes The Who and Blur", "Likes Blur and Who"),
    ("Use a not b", "Use not b"),
    ("Grade is a", "Grade is"),
    ("Option is an", "Option is"),
    ("Uses vitamin a daily", "Uses vitamin daily"),
    ("The band Also", "The band"),
    ("Use Please", "Use"),
    ("Likes Please Touch", "Likes Touch"),
    ("Press also", "Press"),
    ("Sits vis-a-vis", "Sits vis vis"),
    ("目的地是北京", "目地是北京"),
    ("这是我的", "这是我"),
    # indentation
    ("if x:\n  y\nz", "if x:\n  y\n  z"),
    ("if x:\n  y\nz", "if x:\n  y z"),
    ("- a\n  - b\n- c", "- a\n  - b\n  - c"),
    ("a:\n\tb", "a:\n b"),
    ("```\na\n  b\n```", "```\na\nb\n```"),
    ("```\nA\n```", "```\na\n```"),
    # whose it is, and what belongs to all parts of a list
    ("Use Alice and Bob's server", "Use Bob's server and Alice"),
    ("Use Alice and Bobs' server", "Use Bobs' server and Alice"),
    ("Likes Ann and her dog", "Likes her dog and Ann"),
    ("Uses production database and cache", "Uses cache and production database"),
    ("Likes Tea, Not Coffee", "Likes Not Coffee, Tea"),
    ("用小明和小红的服务器", "用小红的服务器和小明"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_says_the_same_is_found_both_ways(one, other):
    for known, asked in ((one, other), (other, one)):
        index = Likenesses()
        index.put("far", "Something quite else")
        index.put("near", known)
        assert index.nearest(asked) == "near"


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_says_something_else_is_never_found(one, other):
    for known, asked in ((one, other), (other, one)):
        index = Likenesses()
        index.put("near", known)
        assert index.nearest(asked) is None
        assert index.nearest(known) == "near"


def test_entries_come_change_and_go():
    index = Likenesses()
    assert index.nearest("User prefers dark mode") is None
    index.put("a", "User prefers dark mode")
    index.put("b", "user prefers dark mode")
    assert index.nearest("User prefers dark mode") == "a"
    index.put("a", "User prefers light mode")
    assert index.nearest("User prefers dark mode") == "b"
    index.remove("b")
    index.remove("b")
    assert index.nearest("User prefers dark mode") is None
    assert index.nearest("User prefers light mode") == "a"


@given(st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([text for pair in OTHER for text in pair])))
def test_the_index_knows_what_was_put_last(entries):
    index = Likenesses()
    for entry, text in entries.items():
        index.put(entry, "another text")
        index.put(entry, text)
    for text in entries.values():
        assert entries[index.nearest(text)] == text
    assert index.nearest("another text") is None


@given(st.text())
def test_every_text_says_what_it_says(text):
    index = Likenesses()
    index.put("it", text)
    assert index.nearest(text) == "it"


CONTENT = st.sampled_from(
    "use uses like prefers dark light mode tea coffee Python Go and or , port server staging the user is using".split()
)
NOT = st.sampled_from(["not", "never", "no", "without", "don't", "nicht", "pas", "不", "没有"])


@given(st.lists(CONTENT, min_size=1, max_size=9), NOT, st.data())
def test_a_negation_is_never_overlooked(words, negation, data):
    at = data.draw(st.integers(0, len(words)))
    index = Likenesses()
    index.put("it", " ".join(words))
    assert index.nearest(" ".join([*words[:at], negation, *words[at:]])) is None


@given(
    st.lists(
        st.sampled_from("tabs spaces Ana Bob before trusts sees over from to with".split()),
        min_size=2,
        max_size=8,
    )
)
def test_the_order_of_words_is_never_overlooked(words):
    index = Likenesses()
    index.put("it", " ".join(words))
    assert (index.nearest(" ".join(reversed(words))) == "it") == (words == words[::-1])


@given(
    st.lists(CONTENT, max_size=8),
    st.integers(0, 99),
    st.integers(0, 99),
    st.sampled_from(["", "%", "°", ".5", " - 3", "/x", "-x"]),
)
def test_a_number_is_never_overlooked(words, one, other, behind):
    index = Likenesses()
    index.put("it", " ".join([*words, f"{one}{behind}", *words]))
    assert (index.nearest(" ".join([*words, f"{other}{behind}", *words])) == "it") == (one == other)


@given(
    st.lists(CONTENT, min_size=1, max_size=6),
    st.text(st.sampled_from("abIxZ9_.-/"), min_size=1, max_size=3),
    st.lists(CONTENT, max_size=3),
)
def test_a_short_word_in_other_letters_is_never_overlooked(words, short, behind):
    index = Likenesses()
    index.put("it", " ".join([*words, short, *behind]))
    other = " ".join([*words, short.swapcase(), *behind])
    assert (index.nearest(other) == "it") == (short == short.swapcase())


@given(
    st.lists(CONTENT.filter(str.isalpha), min_size=1, max_size=4),
    st.sampled_from(list(",;:*•!@#$%^&|/\\~+=<>\"'")),
    st.sampled_from(list(",;:*•!@#$%^&|/\\~+=<>\"'")),
    st.lists(CONTENT.filter(str.isalpha), max_size=3),
)
def test_a_mark_that_stands_alone_is_never_overlooked(words, one, other, behind):
    index = Likenesses()
    index.put("it", " ".join([*words, one, *behind]))
    assert (index.nearest(" ".join([*words, other, *behind])) == "it") == (one == other)


@pytest.mark.parametrize("text", ["the", "...", "，", "- ", "the a an"])
def test_texts_of_nothing_but_marks_are_not_taken_for_each_other(text):
    index = Likenesses()
    index.put("it", "a the")
    assert index.nearest(text) is None


@pytest.mark.parametrize(
    ("text", "levelled"),
    [
        ("  User  prefers\n\tdark mode. ", "user prefers dark mode"),
        ("“Quoted”", "quoted"),
        ("- bullet", "bullet"),
        ("ＡＢＣ　１２３", "abc 123"),
        ("用户喜欢茶。", "用户喜欢茶"),
        ("C++", "c++"),
        ("C#", "c#"),
        (".env", ".env"),
        ("--verbose", "--verbose"),
        ("-5 degrees", "-5 degrees"),
        ("Is it on?", "is it on?"),
        ("10²", "10^2"),
        ("...", "..."),
        ("", ""),
    ],
)
def test_normal_takes_away_what_nobody_means(text, levelled):
    assert normal(text) == levelled


@given(st.text(), st.text())
def test_similarity_is_the_same_both_ways_and_between_0_and_1(one, other):
    assert similarity(one, one) == 1
    assert 0 <= similarity(one, other) == similarity(other, one) <= 1
    assert normal(normal(one)) == normal(one) or normal(one)[:1] in "-+•–—"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User prefers dark mode", "User prefers dark mode in all editors"),
        ("User prefers dark mode", "User prefers light mode"),
        ("The project uses pytest with xdist", "The project runs its tests with pytest and xdist"),
        ("Deploys run on Fly, region fra", "Deploys run on Fly, region ams"),
        ("Never push to main without asking", "Never push to main or release without asking first"),
        ("Adress of the office: Main St 5", "Address of the office: Main Street 5"),
        ("用户喜欢简短的回答", "用户喜欢简短、直接的回答"),
        ("项目使用 PostgreSQL 16", "项目使用 PostgreSQL 17"),
        ("プロジェクトは pytest を使っている", "プロジェクトは pytest と tox を使っている"),
        ("Das Projekt verwendet pytest", "Das Projekt verwendet pytest und tox"),
    ],
)
def test_a_rewording_is_the_same_entry(one, other):
    assert SAME_ENTRY <= similarity(one, other) < 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User prefers dark mode", "The project uses pytest"),
        ("User's name is Ada", "User's dog is a poodle"),
        ("Never push to main", "Invoices are sent monthly"),
        ("The API listens on port 8080", "The team meets on Mondays at noon"),
        ("用户喜欢简短的回答", "项目使用 PostgreSQL 数据库"),
        ("用户住在上海", "用户的妻子是医生"),
        ("abc", ""),
        ("a", "b"),
    ],
)
def test_another_statement_is_another_entry(one, other):
    assert similarity(one, other) < SAME_ENTRY
