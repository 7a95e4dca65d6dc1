"""An entry counts as used where a conversation rests on it, and not where it only sounds alike."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.notes.using import Said, uses_in
from archivist.records import Message, ToolCall
from archivist.records.notes import Entry, Use

NOTED = datetime(2026, 1, 1, tzinfo=UTC)
BEGUN = datetime(2026, 3, 20, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def entry(text, *, name="e", noted=NOTED, **fields):
    return Entry(name, "memory", text, noted, noted, **fields)


def told(*turns, session="s", begun=BEGUN):
    """Turns as (role, text) or (role, text, call, …), a minute apart."""
    return [
        Said(role, text, begun + number * MINUTE, session, tuple(calls))
        for number, (role, text, *calls) in enumerate(turns)
    ]


def kinds(text, *turns, **fields):
    return [use.kind for use in uses_in([entry(text, **fields)], told(*turns))]


def is_used(text, *turns):
    return "used" in kinds(text, *turns)


USED = [
    # one identifier or path is enough
    ("Tests run with `pytest -q` in tests/unit", "run them", "I ran tests/unit and all pass."),
    ("Settings live in src/app/settings.py", "change the timeout", "I changed app/settings.py."),
    (
        "Settings live in src/app/settings.py",
        "change the timeout",
        "I changed /home/me/code/src/app/settings.py.",
    ),
    ("Fixtures are in conftest.py", "add a fixture", "It is in tests/conftest.py now."),
    ("The flag is MAX_RETRY_COUNT", "raise the limit", "I set MAX_RETRY_COUNT to five."),
    ("The client class is TideClient", "add a method", "Added to TideClient."),
    ("Deploy with --skip-canary", "deploy it", "Run it with --skip-canary."),
    ("Write to ops@tide.example first", "who must know?", "Tell ops@tide.example before."),
    ("The model is qwen2.5-coder", "which one?", "It uses qwen2.5-coder."),
    ("Ключ лежит в config/tide.yaml", "где ключ?", "Он в config/tide.yaml."),
    ("数据库配置在 conf/db.toml 里", "改一下超时", "我修改了 conf/db.toml。"),
    # two distinctive words in one sentence
    (
        "The owner is allergic to peanuts",
        "what shall I cook?",
        "A curry without peanuts, as you are allergic to them.",
    ),
    ("Staging listens on port 8443 behind Traefik", "is it up?", "Traefik answers on 8443."),
    (
        "Die Katze heißt Mimi und frisst Lachs",
        "was kaufe ich ein?",
        "Vergiss den Lachs für die Katze Mimi nicht.",
    ),
    ("用户对花生过敏", "推荐一道菜", "我会避开花生，因为您过敏。"),
    ("ユーザーは札幌在住で猫を二匹飼っている", "週末の予定は?", "札幌なら二匹の猫も一緒に出かけられます。"),
    ("사용자는 땅콩 알레르기가 있다", "메뉴 추천", "땅콩은 빼겠습니다, 알레르기 때문입니다."),
]


@pytest.mark.parametrize(("text", "question", "answer"), USED)
def test_what_an_answer_rests_on_is_used(text, question, answer):
    assert is_used(text, ("user", question), ("assistant", answer))


@pytest.mark.parametrize(("text", "question", "answer"), USED)
def test_what_the_question_said_itself_needs_no_memory(text, question, answer):
    assert not is_used(text, ("user", f"{question} {answer}"), ("assistant", answer))


@pytest.mark.parametrize(("text", "question", "answer"), USED)
def test_what_a_tool_told_needs_no_memory(text, question, answer):
    assert not is_used(text, ("user", question), ("tool", answer), ("assistant", answer))


NOT_USED = [
    ("The project uses pytest for tests", "add some", "I will write tests for the project."),
    (
        "The user prefers concise answers with examples",
        "why?",
        "Here are some examples, and answers to what was asked.",
    ),
    ("Settings live in backend/config/settings.py", "theme?", "It is in frontend/settings.py."),
    ("The owner is allergic to peanuts", "hello", "Peanuts grow underground. They are legumes."),
    ("The owner is allergic to peanuts", "hello", "Hello! What shall we do today?"),
    ("Release on 2026-05-04 at 14:30", "when is lunch?", "At 14:00, in room 30."),
    ("NEVER push to main without a review", "tidy up", "I did NOT change anything else, and never will."),
    ("The repository is on GitHub", "where?", "You can find many of them on GitHub."),
    ("Retries: 3 times, 10 seconds apart", "how long?", "It took 3 hours and 10 minutes."),
    ("Staging listens on port 8443", "which rows?", "Row 8443 is empty."),
    ("用户对花生过敏", "推荐一道菜", "用户可以使用这个功能。"),
    ("项目使用 MySQL 数据库", "怎么测试?", "我们可以运行测试，检查所有数据。"),
    ("ユーザーは札幌在住", "設定は?", "ユーザーのファイルを確認して設定を変更しました。"),
    ("사용자는 땅콩 알레르기가 있다", "코드 확인", "사용자 코드를 확인했습니다."),
    (
        "The pump station in Brest reports pressure, temperature, turbidity, salinity, oxygen and conductivity nightly",
        "write a poem",
        "Pressure and temperature, two old friends.",
    ),
]


@pytest.mark.parametrize(("text", "question", "answer"), NOT_USED)
def test_what_only_sounds_alike_is_not_used(text, question, answer):
    assert not is_used(text, ("user", question), ("assistant", answer))


def test_an_answer_in_two_sentences_does_not_add_up():
    assert not is_used(
        "Mimi eats salmon", ("user", "?"), ("assistant", "Mimi is a name. There is salmon in the river.")
    )


@pytest.mark.parametrize(
    ("text", "call", "expected"),
    [
        ("This repository uses pnpm, not npm", "pnpm install", True),
        ("This repository uses pnpm, not npm", "npm install", False),
        ("Deploy only from the tidewater host", "ssh tidewater uptime", True),
        ("The test runner is pytest", "python -m pytest -q", True),
        ("The test runner is pytest", "ls -la && cat README.md", False),
        ("Logs are in /var/log/tide", "tail /var/log/tide/today.log", False),
        ("Logs are in /var/log/tide", "ls /var/log/tide", True),
    ],
)
def test_every_word_of_a_command_counts(text, call, expected):
    assert is_used(text, ("user", "go on"), ("assistant", "", call)) is expected


def test_a_word_in_a_long_file_that_is_written_is_no_command():
    content = "the pnpm lock is here\n" + "x = 1\n" * 100
    assert not is_used("This repository uses pnpm", ("user", "write it"), ("assistant", "", content))


def test_the_arguments_of_a_call_are_read_as_what_they_say():
    call = ToolCall("1", "bash", '{"command": "cd web\\npnpm install", "lines": [1, "two"]}')
    said = Said.of(Message.assistant("", tool_calls=[call], created_at=BEGUN), BEGUN)
    assert said.calls == ("cd web\npnpm install\ntwo",)
    broken = Said.of(Message.assistant("", tool_calls=[ToolCall("1", "bash", "{not json")]), BEGUN)
    assert (broken.calls, broken.at) == (("{not json",), BEGUN)


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("Deploys happen on Fridays", "deploys happen on Fridays.", True),
        ("Deploys happen on Fridays", "Hi! Remember: deploys happen on Fridays. Thanks.", True),
        ("Staging listens on port 8443", "The staging port is 8443, it listens there", True),
        ("用户对花生过敏", "用户对花生过敏。", True),
        ("Deploys happen on Fridays", "Do deploys happen on Fridays?", False),
        ("Deploys happen on Fridays", "deploys never happen on Fridays", False),
        ("Deploys happen on Fridays", "Deploys happen on Mondays", False),
        ("Staging listens on port 8443", "Staging listens on port 8444", False),
        ("The project uses pnpm", "the project uses npm", False),
        ("Deploys happen on Fridays", "How are you?", False),
    ],
)
def test_only_who_says_the_same_restates(text, said, expected):
    assert ("restated" in kinds(text, ("user", said), ("assistant", "Fine."))) is expected


def test_what_an_assistant_repeats_is_not_restated():
    assert "restated" not in kinds("Deploys happen on Fridays", ("assistant", "Deploys happen on Fridays"))


# ---- presence ----


def test_presence_is_told_once_a_day_of_a_session():
    turns = told(("user", "hello"), ("assistant", "hi"))
    next_day = told(("user", "again"), ("assistant", "yes"), begun=BEGUN + timedelta(days=1))
    other = told(("user", "hello"), session="t")
    found = uses_in([entry("x")], [*turns, *next_day, *other])
    assert [(use.kind, use.session_id, use.at) for use in found] == [
        ("present", "t", BEGUN),
        ("present", "s", BEGUN + MINUTE),
        ("present", "s", BEGUN + timedelta(days=1) + MINUTE),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Staging listens on port 8443", "No, staging listens on port 8444"),
        ("Staging listens on port 8443", "Staging listens on port 8444"),
        ("Staging listens on port 8443", "that is wrong, 8443 was the old port"),
        ("The test runner is pytest", "actually we dropped pytest, it is unittest"),
        ("Deploys happen on Fridays", "Deploys no longer happen on Fridays"),
        ("端口是 8443", "不对，8443 是旧的"),
    ],
)
def test_a_session_that_corrects_an_entry_says_nothing_for_it(text, said):
    assert kinds(text, ("user", said), ("assistant", "Noted.")) == []


@pytest.mark.parametrize("said", ["No, do it the other way", "that is wrong", "not now", "我们不要这样"])
def test_a_correction_of_something_else_leaves_it_present(said):
    assert kinds("Staging listens on port 8443", ("user", said), ("assistant", "Done.")) == ["present"]


def test_what_is_archived_is_not_present():
    assert kinds("tide", ("user", "hello"), tier="archive") == []


def test_what_was_noted_in_the_session_is_neither_used_nor_present_in_it():
    turns = [
        ("user", "note it"),
        ("assistant", "In tests/unit, as noted."),
        ("user", "thanks"),
        ("assistant", "tests/unit it is"),
    ]
    assert kinds("Tests are in tests/unit", *turns, noted=BEGUN + MINUTE / 2) == []
    assert kinds("Tests are in tests/unit", *turns) == ["used", "present"]


def test_a_day_of_a_session_counts_once_for_each_kind():
    turns = [("user", "?"), ("assistant", "see tests/unit")] * 5
    assert kinds("Tests are in tests/unit", *turns) == ["used", "present"]


def test_uses_are_told_in_order_with_their_session():
    entries = [entry("Tests are in tests/unit", name="a"), entry("The flag is MAX_RETRY", name="b")]
    found = uses_in(entries, told(("user", "?"), ("assistant", "MAX_RETRY"), ("assistant", "tests/unit")))
    assert found == [
        Use("b", BEGUN + MINUTE, "used", "s"),
        Use("a", BEGUN + 2 * MINUTE, "present", "s"),
        Use("a", BEGUN + 2 * MINUTE, "used", "s"),
        Use("b", BEGUN + 2 * MINUTE, "present", "s"),
    ]


def test_nothing_said_is_no_use():
    assert uses_in([entry("x")], []) == []
    assert uses_in([], told(("user", "x"))) == []


ROLES = st.sampled_from(["user", "assistant", "tool", "system"])


@given(
    st.text(max_size=80), st.lists(st.tuples(ROLES, st.text(max_size=120), st.text(max_size=60)), max_size=6)
)
def test_any_text_is_read(text, turns):
    found = uses_in([entry(text)], told(*turns))
    assert len({(use.kind, use.at.date()) for use in found}) == len(found)
