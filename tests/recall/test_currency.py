"""Of statements that say the same of a thing at two times, the later one comes first."""

import pytest

from archivist.recall.currency import asks_for_present
from archivist.records import Message, ToolCall


def texts(page):
    return [hit.text for hit in page.hits]


def test_of_two_statements_with_the_same_words_the_later_leads(archive):
    archive.say(
        "The cold room runs at 4 degrees, sensor CR-19.",
        "Correction: the cold room now runs at 2 degrees, sensor CR-19.",
        session=archive.begin(),
    )
    assert "2 degrees" in texts(archive.search("cold room temperature"))[0]


def test_what_answers_better_leads_though_it_is_older(archive):
    archive.say(
        "The cold room runs at 4 degrees.", "The room upstairs is being painted.", session=archive.begin()
    )
    assert "4 degrees" in texts(archive.search("cold room temperature"))[0]


def test_scores_fall_from_the_first_hit_to_the_last(archive):
    archive.say(*(f"The cold room runs at {n} degrees." for n in range(9)), session=archive.begin())
    scores = [hit.score for hit in archive.search("cold room").hits]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("word", ["now", "currently", "these days"])
def test_asked_for_the_present_what_was_said_of_a_change_leads(archive, word):
    archive.say(
        "Staging Postgres listens on 5433, on the machine pg-stage-02.",
        "Noted: staging Postgres is now on 5434.",
        session=archive.begin(),
    )
    assert "5434" in texts(archive.search(f"which port does staging Postgres listen on {word}?"))[0]
    assert "5433" in texts(archive.search("which port does staging Postgres listen on?"))[0]


def test_a_memory_that_was_asked_comes_behind_what_was_said(archive):
    archive.say(
        Message.assistant("", tool_calls=[ToolCall("c1", "memory_search", '{"query": "staging port"}')]),
        "Well, staging has a port of its own: 5434, and so has everything else here.",
        session=archive.begin(),
    )
    assert "5434" in texts(archive.search("which port does staging have?"))[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("which port does it listen on now?", True),
        ("现在用哪个端口", True),
        ("what do you know of snow?", False),
        ("which port did we choose?", False),
    ],
)
def test_the_present_is_asked_for_by_whole_words(text, expected):
    assert asks_for_present(text) is expected
