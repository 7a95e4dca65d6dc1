"""What a question is about, what has a word of that, and what stands nowhere."""

from datetime import UTC, datetime, timedelta

import pytest

from archivist.recall.noted import NoteText, Shelf
from archivist.recall.query import read_query
from archivist.recall.ranking import Statistics
from archivist.recall.request import SearchRequest
from archivist.recall.search import search
from archivist.recall.telling import named, read_telling, telling_terms, told
from archivist.records import EVERYTHING, Message, Page, Scope

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
ANN = Scope(user="ann")


def note(text: str) -> NoteText:
    return NoteText(
        f"e{abs(hash(text)):x}", "note", text, NOW - timedelta(days=5), "MEMORY.md", "core", "memory", "fact"
    )


def ask(archive, text: str, *notes: str, **asked) -> Page:
    request = SearchRequest(
        text,
        **{
            "now": NOW,
            "zone": UTC,
            "reader": EVERYTHING,
            "kinds": ("note", "daily", "message"),
            "seconds": 30.0,
            **asked,
        },
    )
    return search(archive.store.reader(), archive.index, request, shelf=Shelf(map(note, notes)))


def texts(page: Page) -> list[str]:
    return [hit.text for hit in page.hits]


def told_by(page: Page) -> dict[str, str]:
    return {notice.code: notice.text for notice in page.notices}


KITCHEN = "Use grams, not cups.", "Never use peat in the raised beds"


# ---- words that stand nowhere ----


@pytest.mark.parametrize(
    "question",
    [
        "why did we not use kubernetes?",
        "What did we decide to use instead of kubernetes",
        "did we ever need to use Kubernetes, really?",
        "kubernetes use",
    ],
)
def test_notes_that_have_only_words_which_say_little_are_no_answer(archive, question):
    page = ask(archive, question, *KITCHEN)
    assert texts(page) == []
    assert list(told_by(page)) == ["unknown-words"]
    assert "“kubernetes”" in told_by(page)["unknown-words"]


def test_nor_are_messages_that_have_only_such_words_where_anything_is_noted(archive):
    archive.say("Use zstd then, but keep 14 daily copies")
    page = ask(archive, "why did we not use kubernetes?", *KITCHEN)
    assert (texts(page), list(told_by(page))) == ([], ["unknown-words"])


def test_words_that_stand_nowhere_are_named_beside_what_the_others_found(archive):
    archive.say("staging listens on port 5433")
    page = ask(archive, "which port does mongodb use on staging?", "The staging queue is on port 6390")
    assert len(page.hits) == 2
    assert told_by(page) == {
        "unknown-words": "No stored message or note has “mongodb”; these have other words of the question."
    }


def test_a_search_of_messages_alone_names_them_too_and_finds_what_it_found(archive):
    archive.say("Use zstd then, but keep 14 daily copies")
    page = archive.search("why did we not use kubernetes?")
    assert texts(page) == ["Use zstd then, but keep 14 daily copies"]
    assert "No stored message has “kubernetes”" in told_by(page)["unknown-words"]


def test_where_no_word_stands_anywhere_that_is_said(archive):
    assert list(told_by(ask(archive, "kubernetes manifests", *KITCHEN))) == ["no-such-words"]


def test_a_question_of_such_words_alone_is_answered_by_them(archive):
    page = ask(archive, "what do we use?", *KITCHEN)
    assert (sorted(texts(page)), told_by(page)) == (sorted(KITCHEN), {})


@pytest.mark.parametrize(
    ("bounds", "codes"),
    [({"since": NOW - timedelta(days=2)}, []), ({"roles": ("user",)}, []), ({"hidden": False}, [])],
)
def test_a_word_that_stands_outside_what_was_asked_for_is_not_called_unknown(archive, bounds, codes):
    archive.say(Message("assistant", "kubernetes was too much", created_at=NOW - timedelta(days=9)))
    archive.say("the staging port", at=NOW - timedelta(days=1))
    page = ask(archive, "kubernetes staging", **bounds)
    assert "the staging port" in texts(page)
    assert list(told_by(page)) == codes


def test_a_word_of_a_note_of_another_time_is_not_called_unknown(archive):
    archive.say("the staging port", at=NOW - timedelta(days=1))
    page = ask(archive, "grams staging", *KITCHEN, since=NOW - timedelta(days=2))
    assert (texts(page), told_by(page)) == (["the staging port"], {})


def test_what_a_reader_may_not_see_stands_nowhere_for_them(archive):
    archive.say(
        "kubernetes was too much for the staging box", session=archive.begin(scope=Scope(user="owner"))
    )
    archive.say("the staging port is 9", session=archive.begin(scope=ANN))
    theirs = ask(archive, "kubernetes staging", reader=ANN)
    assert (texts(theirs), list(told_by(theirs))) == (["the staging port is 9"], ["unknown-words"])
    assert "unknown-words" not in told_by(ask(archive, "kubernetes staging"))
    without = ask(archive, "helmfile staging", reader=ANN)
    assert told_by(without)["unknown-words"] == told_by(theirs)["unknown-words"].replace(
        "kubernetes", "helmfile"
    )


def test_words_of_a_time_are_not_called_unknown(archive):
    assert "unknown-words" not in told_by(ask(archive, "grams yesterday", *KITCHEN))


def test_a_word_of_a_message_that_the_index_does_not_know_yet_is_not_called_unknown(archive):
    archive.say("the staging port is 9")
    archive.index.catch_up(30)
    archive.say("kubernetes")
    assert "unknown-words" not in told_by(archive.search("kubernetes staging"))


# ---- what leads ----


def test_the_message_with_the_rare_word_leads_over_a_note_with_a_word_that_says_little(archive):
    archive.say("Take another way: rewrite the scheduler with croniter.")
    archive.say(
        "croniter would add a dependency for one comparison, so the scheduler was left as it is for now"
    )
    page = ask(archive, "why did we not use croniter?", *KITCHEN)
    assert all("croniter" in text for text in texts(page))
    assert len(page.hits) == 2


def test_a_short_note_with_less_of_the_questions_weight_does_not_lead(archive):
    for number in range(60):
        archive.say(f"the scheduler ran at {number} and nothing else of note was seen on that day by anybody")
    archive.say(
        "croniter would add a dependency for one comparison, which nobody wanted, and so in the end it was left as it is"
    )
    page = ask(archive, "croniter scheduler", "Scheduler: midnight")
    assert "croniter" in page.hits[0].text


def test_a_note_with_one_word_that_stands_nearly_everywhere_is_no_answer_but_one_with_two_is(archive):
    for number in range(60):
        archive.say(f"the lantern burns at quay {number}")
    page = ask(archive, "lantern quay kubernetes", "A lantern is lit", "The lantern of the quay is lit")
    assert "A lantern is lit" not in texts(page)
    assert "The lantern of the quay is lit" in texts(page)


def test_an_answer_in_other_words_stays_where_its_session_has_the_question(archive):
    archive.say("which editor shall we have?", "I use vim, honestly")
    page = ask(archive, "which editor do I use?", *KITCHEN)
    assert "I use vim, honestly" in texts(page)
    assert not set(KITCHEN) & set(texts(page))


# ---- the words ----


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("why did we not use kubernetes?", ["kubernetes"]),
        ("CI-99999", ["ci-99999"]),
        ("getUserName", ["getusername"]),
        ("kubernetes helm kubernetes", ["kubernetes", "helm"]),
        ("量子计算机的温度", ["量子计算机", "温度"]),
        ("为什么不用量子计算", ["量子计算"]),
        ("使用说明书", ["说明书"]),
        ("为什么没有采用量子计算", ["量子计算"]),
        ("使用", ["使用"]),
        ("C++", ["c++"]),
        ("what do we use", ["use"]),
    ],
)
def test_unknown_words_are_named_as_they_were_asked(question, words):
    query = read_query(question)
    assert named(query, ~(-1 << len(query.terms))) == words


def test_a_stretch_of_which_a_part_is_known_names_the_other():
    query = read_query("容器编排负责人")
    known = {"负责", "责人"}
    unknown = sum(1 << n for n, term in enumerate(query.terms) if term.text not in known)
    assert named(query, unknown) == ["容器编排"]
    across = sum(1 << n for n, term in enumerate(query.terms) if term.text == "排负")
    assert named(query, across) == []


def test_many_words_are_counted():
    assert told(["a", "b"]) == "“a”, “b”"
    assert told(list("abcdefgh")) == "“a”, “b”, “c”, “d”, “e” and 3 more"


def test_words_weigh_by_how_rare_they_are_and_those_that_say_little_less():
    query = read_query("why use croniter scheduler")
    weigh = read_telling(query, Statistics(1_000.0, 10.0, {0: 2.0, 1: 2.0, 2: 900.0}))
    use, croniter, scheduler = (weigh.fit(1 << number) for number in range(3))
    assert croniter > use > scheduler
    assert telling_terms(query) == 0b110
    assert weigh.common == 0b100
    assert weigh.fit(0b111) == pytest.approx(use + croniter + scheduler)
