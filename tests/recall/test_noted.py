"""What is noted is found as messages are, stands above those that fit no better, and leaves room for them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.recall.filters import Filters
from archivist.recall.matching import Matcher, is_met, needed_beside
from archivist.recall.noted import NoteText, Shelf
from archivist.recall.query import read_query
from archivist.recall.request import SearchRequest
from archivist.recall.scanning import terms_in
from archivist.recall.search import search
from archivist.records import EVERYTHING, Message, Page

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
ALL = ("note", "daily", "message")


def note(text: str, *, key: str = "", days: float = 5, **fields: object) -> NoteText:
    made = {
        "kind": "note",
        "file": "MEMORY.md",
        "tier": "core",
        "target": "memory",
        "entry_kind": "fact",
        **fields,
    }
    return NoteText(key or f"e{abs(hash(text)):x}", text=text, at=NOW - timedelta(days=days), **made)


def daily(text: str, *, days: float) -> NoteText:
    return NoteText("1", "daily", text, NOW - timedelta(days=days), "daily/2026-06-09.md")


def ask(archive, text: str, *notes: NoteText, **asked) -> Page:
    request = SearchRequest(
        text, **{"now": NOW, "zone": UTC, "reader": EVERYTHING, "kinds": ALL, "seconds": 30.0, **asked}
    )
    return search(archive.store.reader(), archive.index, request, shelf=Shelf(notes))


def texts(page: Page) -> list[str]:
    return [hit.text for hit in page.hits]


def codes(page: Page) -> list[str]:
    return [notice.code for notice in page.notices]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我们的数据库连接池上限是20", '"数据库连接池"'),
        ("我们的数据库连接池上限是20", "数据库 AND 连接池"),
        ("Staging listens on port 8443", "which port does staging use?"),
        ("We deployed on Tuesdays", "deploying"),
        ("The universities were told", "universit*"),
        ("Never push to main", '"push to main"'),
        ("数据库连接池的上限是20", "库"),
        ("数据库连接池的上限是20", "连接"),
        ("数据库连接池的上限是20", '"数据库连接池"'),
        ("数据库连接池的上限是20", "数据库的上限是多少？"),
        ("The ticket is CI-88213", "CI-88213"),
        ("Call getUserName first", "name"),
        ("Call getUserName first", "user name"),
        ("Die Straße ist gesperrt", "strasse"),
        ("Le café ferme à midi", "cafe"),
        ("ＡＢＣ corporation pays", "abc"),
        ("She writes C++ all day", "C++"),
        ("서버는 밤에 재시작한다", "재시작"),
        ("Ёлка стоит в углу", "ёлка"),
    ],
)
def test_a_note_is_found_by_the_same_queries_as_a_message(archive, text, query):
    assert texts(ask(archive, query, note(text), note("Bread is baked at dawn"))) == [text]
    archive.say(text)
    assert texts(archive.search(query)) == [text]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('"port 8443"', {"port 8443 is staging"}),
        ("port NOT staging", {"port 9000 is the cache"}),
        ("port -cache", {"port 8443 is staging"}),
        ("cache AND staging", set()),
        ("staging OR cache", {"port 8443 is staging", "port 9000 is the cache"}),
        ("stag*", {"port 8443 is staging"}),
    ],
)
def test_strict_parts_are_strict(archive, query, found):
    notes = note("port 8443 is staging"), note("port 9000 is the cache")
    assert set(texts(ask(archive, query, *notes))) == found


WORDS = st.sampled_from(
    "port ports staging Straße strasse getUserName user name 数据 数据库 库 CI-88213 88213 café cafe C++ v2 ＡＢＣ the not".split()
)
QUERY = st.lists(
    st.one_of(
        WORDS,
        WORDS.map(lambda word: f'"{word} port"'),
        WORDS.map(lambda word: f"-{word}"),
        WORDS.map(lambda word: f"{word}*"),
        st.just("OR"),
    ),
    min_size=1,
    max_size=4,
).map(" ".join)
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), max_size=8)


@given(TEXTS, QUERY)
def test_looking_through_finds_just_what_reading_every_text_finds(written, asked):
    query = read_query(asked)
    shelf = Shelf([note(text, key=f"e{number}") for number, text in enumerate(written)])
    leaves = shelf.looking(query).find(query, Filters(), 100)
    found = {shelf.text_of(document).id: leaves.known[document.id] for document in leaves.documents}
    terms = (*query.terms, *needed_beside(query))
    matcher, count, own = Matcher((*terms, *query.without)), len(terms), len(query.terms)
    expected = {}
    for number, text in enumerate(written):
        bits = terms_in(matcher, text)
        has = frozenset(term.match for n, term in enumerate(terms) if bits >> n & 1)
        bits, left_out = bits & ~(-1 << own), bits >> count
        if bits and not left_out and (query.need is None or is_met(query.need, has)):
            expected[f"e{number}"] = bits
    assert found == expected


def test_how_many_notes_have_a_word_is_told(archive):
    query = read_query("port")
    shelf = Shelf([note(f"{'port' if n % 2 else 'important'} {n}", key=f"e{n}") for n in range(200)])
    leaves = shelf.looking(query).find(query, Filters(), 20)
    assert leaves.total == 200
    assert leaves.found[0] == pytest.approx(100, rel=0.35)


# ---- order ----


def test_a_note_stands_above_messages_that_fit_no_better(archive):
    archive.say(
        "which port is it that staging uses",
        Message("assistant", "staging uses port 8443 on the new box", created_at=NOW - timedelta(days=3)),
        "so staging uses port 8443, and staging alone",
    )
    page = ask(archive, "staging port", note("Staging uses port 8443"))
    assert [hit.kind for hit in page.hits] == ["note", *["message"] * (len(page.hits) - 1)]


def test_a_message_that_fits_better_stands_above_a_note(archive):
    archive.say("the retries of the release queue are limited to five")
    page = ask(archive, "release queue retries", note("The release is on Tuesday"), note("A queue is kept"))
    assert page.hits[0].kind == "message"
    assert len(page.hits) == 3


def test_what_was_said_later_with_another_number_stands_above_the_note(archive):
    archive.say("the pool limit is 45 connections", at=NOW - timedelta(days=1))
    page = ask(archive, "pool limit connections", note("The pool limit is 30 connections", days=90))
    assert texts(page)[0] == "the pool limit is 45 connections"
    assert len(page.hits) == 2


def test_notes_take_half_a_page_while_messages_fit_as_well(archive):
    for number in range(8):
        archive.say(f"the lantern burns at quay {number}")
    notes = [note(f"A lantern burns by rule {number}", key=f"e{number}") for number in range(9)]
    for limit, most in ((8, 4), (5, 2), (2, 1)):
        kinds = [hit.kind for hit in ask(archive, "lantern burns", *notes, limit=limit).hits]
        assert (len(kinds), kinds.count("note")) == (limit, most)
    assert [hit.kind for hit in ask(archive, "lantern burns", *notes, limit=8, kinds=("note",)).hits] == [
        "note"
    ] * 8


def test_notes_fill_the_page_where_messages_do_not_fit_as_well(archive):
    for number in range(8):
        archive.say(f"a lantern is mentioned in passing here, among many other things of the day {number}")
    notes = [
        note(f"Lantern burns at night, quay {number}, by the keeper", key=f"e{number}") for number in range(9)
    ]
    page = ask(archive, "lantern burns at night by the keeper", *notes, limit=8)
    assert {hit.kind for hit in page.hits} == {"note"}


def test_one_conversation_does_not_keep_notes_from_the_page(archive):
    archive.say(*(f"the lantern burns, part {number} of it" for number in range(20)))
    page = ask(archive, "lantern burns", note("A lantern burns at the quay"), limit=4)
    assert [hit.kind for hit in page.hits].count("note") == 1


def test_a_message_that_says_the_same_is_folded_into_the_note_but_never_across_a_number_or_a_not(archive):
    archive.say("Staging uses port 8443 for the API.")
    archive.say("Staging uses port 8444 for the API.")
    archive.say("Staging never uses port 8443 for the API.")
    page = ask(archive, "staging port API", note("Staging uses port 8443 for the API"))
    assert sorted(texts(page)) == sorted(
        [
            "Staging uses port 8443 for the API",
            "Staging uses port 8444 for the API.",
            "Staging never uses port 8443 for the API.",
        ]
    )
    assert [hit.kind for hit in page.hits].count("note") == 1


def test_what_is_held_back_of_a_conversation_fills_the_page_after_a_note_took_its_first_place(archive):
    archive.say("the lantern of the quay burns", "the lantern of the mill burns", "the lantern was lit")
    page = ask(
        archive,
        "lantern of the quay burns",
        note("The lantern of the quay burns.", days=0.1),
        per_conversation=1,
    )
    assert sorted(hit.kind for hit in page.hits) == ["message", "message", "note"]


# ---- hits ----


def test_the_hit_of_a_note_says_what_it_is_and_where_it_is_opened(archive):
    page = ask(
        archive, "lantern", note("The lantern burns", key="e1", tier="archive", file="archive/2026-05.md")
    )
    (hit,) = page.hits
    assert (hit.kind, hit.tier, hit.target, hit.entry_kind) == ("note", "archive", "memory", "fact")
    assert (str(hit.source), hit.source.ids) == ("notes:archive/2026-05.md#e1", ("e1",))
    assert (hit.session_id, hit.conversation_id, hit.message_id, hit.role) == (None, None, None, None)
    assert hit.date == NOW - timedelta(days=5)
    assert hit.why == ("all words", "archived")
    assert hit.others == 0


def test_a_long_note_is_cut_with_the_words_that_read_it_whole(archive):
    long = note("Lantern. " + "It burns on and on. " * 80, key="e77")
    (hit,) = ask(archive, "lantern", long).hits
    assert len(hit.text) < 800
    assert hit.text.endswith("more characters: recall e77]")
    (whole,) = ask(archive, "e77", long).hits
    assert whole.text == long.text
    assert whole.why == ("id",)


def test_an_entry_asked_for_by_its_id_comes_first(archive):
    archive.say("what is e77 about? I mean e77")
    page = ask(archive, "e77", note("The lantern burns", key="e77"))
    assert [hit.kind for hit in page.hits] == ["note", "message"]
    assert page.hits[0].score > page.hits[1].score
    both = (
        note("The lantern burns", key="e77"),
        note("The quay is shut", key="e78"),
        note("A mill", key="e79"),
    )
    assert texts(ask(archive, "recall e78, then (e77)", *both))[:2] == [
        "The quay is shut",
        "The lantern burns",
    ]
    assert len(ask(archive, "e77 e78 e79", *both, limit=2).hits) == 2
    assert texts(ask(archive, "e77", *both, as_of=NOW - timedelta(days=9))) == []


def test_the_parts_of_a_score_tell_of_notes(archive):
    (hit,) = ask(archive, "lantern", note("The lantern burns"), explain=True).hits
    assert hit.explain["noted"] > 1


# ---- times ----


def test_a_note_is_of_the_time_when_it_was_noted(archive):
    notes = note("The lantern burns", days=40), daily("Lit the lantern again", days=1)
    assert texts(ask(archive, "lantern", *notes, since=NOW - timedelta(days=2))) == ["Lit the lantern again"]
    assert texts(ask(archive, "lantern", *notes, until=NOW - timedelta(days=2))) == ["The lantern burns"]
    assert texts(ask(archive, "lantern", *notes, as_of=NOW - timedelta(days=2))) == ["The lantern burns"]
    assert texts(ask(archive, "yesterday", *notes)) == ["Lit the lantern again"]
    page = ask(archive, "lantern yesterday", *notes)
    assert texts(page) == ["Lit the lantern again", "The lantern burns"]
    assert codes(page) == ["widened-time"]


def test_a_time_lists_what_was_said_and_noted_the_last_first_and_of_notes_half(archive):
    archive.say(*(f"said {number}" for number in range(6)), at=NOW - timedelta(days=1))
    notes = [daily(f"noted {number}", days=0.9 - number / 100) for number in range(6)]
    page = ask(archive, "yesterday", *notes, limit=6)
    assert texts(page) == ["noted 5", "noted 4", "noted 3", "said 5", "said 4", "said 3"]
    assert "more-in-range" in codes(page)
    assert texts(ask(archive, "", *notes, limit=1)) == ["noted 5"]
    assert len(ask(archive, "", *notes, limit=20).hits) == 12


def test_what_was_said_after_a_moment_is_not_found_as_of_it(archive):
    archive.say("the lantern was lit", at=NOW - timedelta(days=9))
    archive.say("the lantern was put out", at=NOW - timedelta(days=1))
    for text in ("lantern", "", "lantern last week"):
        assert texts(ask(archive, text, as_of=NOW - timedelta(days=5))) == ["the lantern was lit"]


# ---- nothing else changes ----


def test_without_notes_every_page_is_as_it_was(archive):
    for number in range(30):
        archive.say(f"the lantern burns at quay {number % 7}", f"and port {number} of staging is shut")
    for text in ("lantern burns", "quay 3", '"port 7"', "staging -quay", "yesterday", "", "zebra", "lanterm"):
        plain = archive.search(text, explain=True)
        assert repr(ask(archive, text, explain=True).hits) == repr(plain.hits)
        assert codes(ask(archive, text, explain=True)) == codes(plain)


def test_where_nothing_is_found_it_is_said_why(archive):
    assert codes(ask(archive, "zebra", note("The lantern burns"))) == ["no-such-words"]
    assert codes(ask(archive, "zebra", kinds=("note",))) == ["nothing-stored"]
    assert codes(ask(archive, "lantern AND zebra", note("The lantern burns"))) == ["too-strict"]
    assert codes(ask(archive, "lantern -burns", note("The lantern burns"))) == ["left-out"]
    assert codes(ask(archive, "last month", note("The lantern burns"))) == ["empty-range"]
    near = ask(archive, "lantarn", note("The lantern burns"))
    assert (codes(near), texts(near)) == (["no-such-words"], [])
    near = ask(archive, "lanternes", note("The lanternet burns"))
    assert (codes(near), texts(near)) == (["near-words"], ["The lanternet burns"])


def test_notes_alone_are_found_without_asking_the_index(archive):
    archive.say("the lantern was lit")
    archive.index.close()
    archive.index_path.write_bytes(b"no index")
    assert texts(ask(archive, "lantern", note("A lantern burns"), kinds=("note", "daily"))) == [
        "A lantern burns"
    ]
    assert not archive.index_path.read_bytes().startswith(b"SQLite")
