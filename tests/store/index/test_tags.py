"""Filters admit what they say, and nothing that only looks like it."""

from datetime import UTC, date, datetime, timedelta

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.store.documents import Document
from archivist.store.index import tags
from archivist.store.index.words import TOKENIZER, split_words

DAY_MS = 86_400_000
INSTANTS = st.integers(-10 * DAY_MS, 60_000 * DAY_MS)


def document(**changes: object) -> Document:
    usual = {
        "id": 1,
        "role": "user",
        "state": "active",
        "created_at": 1_742_212_800_000,
        "speech": "",
        "work": "",
        "session": 1,
        "conversation": 12,
        "scope": 3,
        "source": "cli",
    }
    return Document(**{**usual, **changes})


def admits(match: str, *filed: Document) -> list[int]:
    db = apsw.Connection("")
    db.execute(
        f"CREATE VIRTUAL TABLE search USING fts5(text, tags, content='', tokenize='porter {TOKENIZER}')"
    )
    rows = [(number, one.speech, tags.tags_of(one)) for number, one in enumerate(filed)]
    db.executemany("INSERT INTO search(rowid, text, tags) VALUES (?, ?, ?)", rows)
    return [
        key for (key,) in db.execute("SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid", (match,))
    ]


def test_roles_sources_scopes_and_conversations_admit_their_own():
    documents = [
        document(),
        document(role="tool"),
        document(source="claude-code"),
        document(scope=30),
        document(conversation=1),
    ]
    assert admits(tags.roles(["tool"]), *documents) == [1]
    assert admits(tags.roles(["user", "tool"]), *documents) == [0, 1, 2, 3, 4]
    assert admits(tags.sources(["claude-code", "hermes"]), *documents) == [2]
    assert admits(tags.scopes([30]), *documents) == [3]
    assert admits(tags.conversation(1), *documents) == [4]
    assert admits(tags.conversations([1, 12]), *documents) == [0, 1, 2, 3, 4]


def test_an_empty_choice_admits_nothing():
    assert admits(tags.scopes([]), document()) == []


def test_parts_are_joined_and_empty_ones_ask_for_nothing():
    match = tags.all_of(tags.roles(["user"]), tags.days(None, None), 'text : "deploy"')
    assert admits(match, document(speech="deploy"), document(), document(role="tool", speech="deploy")) == [0]


def test_what_was_undone_or_left_on_a_branch_is_hidden():
    documents = [document(state=state) for state in ("active", "compacted", "undone", "branch")]
    assert admits(tags.visible(tags.roles(["user"])), *documents) == [0, 1]
    assert admits(tags.hidden(), *documents) == [2, 3]


@pytest.mark.parametrize(
    "name", ["cli", "Cli", "claude-code", "日本", "a b", "running", "", "x" * 300, "\ud800", '"', "s1"]
)
def test_names_of_any_characters_are_kept_apart(name):
    others = [document(source=other) for other in ("cl", "clis", "run", "claude", "ª", "other")]
    assert admits(tags.sources([name]), document(source=name), *others) == [0]


@given(st.text(max_size=30))
def test_no_text_is_taken_for_a_tag(text):
    filed = tags.tags_of(document(source=text, state="undone")).split(" ")
    assert not set(filed) & set(split_words(f"{text} {' '.join(filed)}"))


@given(INSTANTS, INSTANTS, INSTANTS)
def test_a_range_of_days_holds_every_instant_in_it_and_no_day_outside(one, other, instant):
    since, until = sorted((one, other))
    found = bool(admits(tags.days(since, until), document(created_at=instant)))
    if since <= instant <= until:
        assert found
    day, first, last = (value // DAY_MS for value in (instant, since, until))
    if is_in_calendar(first) and is_in_calendar(last) and is_in_calendar(day) and not first <= day <= last:
        assert not found


def is_in_calendar(day: int) -> bool:
    return date(1990, 1, 2) <= date(1970, 1, 1) + timedelta(days=day) <= date(2069, 12, 30)


@given(INSTANTS, INSTANTS)
def test_an_open_range_holds_everything_on_its_side(bound, instant):
    filed = document(created_at=instant)
    if instant >= bound:
        assert admits(tags.days(bound, None), filed)
    else:
        assert admits(tags.days(None, bound), filed)


@given(INSTANTS, INSTANTS)
def test_a_range_of_days_is_short(one, other):
    since, until = sorted((one, other))
    assert tags.days(since, until).count('"') / 2 <= 80 + 2 * 30 + 2 * 11


def test_whole_months_and_years_are_one_term_each():
    since = datetime(2023, 11, 30, tzinfo=UTC)
    until = datetime(2025, 2, 2, 12, tzinfo=UTC)
    match = tags.days(int(since.timestamp() * 1000), int(until.timestamp() * 1000))
    days, months, years = "d20231130 d20250201 d20250202", "m202312 m202501", "y2024"
    assert sorted(match.replace("ª", "").split('"')[1::2]) == sorted(f"{days} {months} {years}".split())


def test_a_day_is_included_to_its_end():
    """amd/gaia#3524."""
    afternoon = int(datetime(2025, 8, 31, 15, tzinfo=UTC).timestamp() * 1000)
    midnight = int(datetime(2025, 8, 31, tzinfo=UTC).timestamp() * 1000)
    assert admits(tags.days(None, midnight + DAY_MS - 1), document(created_at=afternoon)) == [0]


def test_rows_filed_under_just_the_same_tags_are_told_from_others():
    shown, hidden, other = document(), document(state="branch"), document(role="tool")
    assert admits(tags.filed_as(tags.tags_of(shown)), shown, hidden, other) == [0]
    assert admits(tags.filed_as(tags.tags_of(hidden)), shown, hidden, other) == [1]
