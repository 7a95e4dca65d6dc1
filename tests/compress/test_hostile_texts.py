"""Texts that look like what is searched for and never become it: a pass reads each of them once, however long it is.

Each is so long that a search which begins anew at every place of it would not end within a test.
"""

import pytest
from tests.compress.making import agent, texts, user

from archivist import check_messages, compress
from archivist.compress.lines import lines_of
from archivist.compress.reading import read_all
from archivist.compress.sections import read_told
from archivist.prompt.fence import OPENING, background_in, without_background

CHARS = 2_000_000


@pytest.mark.parametrize(
    "text",
    [
        "<system-reminder>" * (CHARS // 17) + "</x>",
        "<a-b y>" * (CHARS // 7) + "</a-c>",
        "`" * CHARS,
        "~~~~\n" * (CHARS // 5),
        OPENING * (CHARS // len(OPENING)),
    ],
    ids=lambda text: text[:8],
)
def test_marks_that_nothing_closes_are_read_once(text):
    messages = [user("Go."), agent("Yes."), user(text), agent("Done."), user("And now?"), agent("Nearly.")]
    assert check_messages(compress(messages, 2_000).messages) == ()


def test_what_stands_between_tags_is_nobodys_line_and_what_is_never_closed_is():
    said = (
        "Take the blue one.\n<system-reminder>never deploy</system-reminder>\n<my-tag>\nKeep the red one.\n"
        "<a-note kind>x <b-c> y</a-note> z </b-c>\n</system-reminder>"
    )
    assert [line.text for line in lines_of(read_all([user(said)])[0])] == [
        "Take the blue one.",
        "Keep the red one.",
        "z </b-c>",
    ]


def test_a_fence_that_nothing_closes_is_text_and_the_one_before_it_is_none():
    fence = f"{OPENING}>\nrecalled\n</memory-context>"
    assert without_background(f"a {fence} b {OPENING} c") == f"a  b {OPENING} c"
    assert background_in(f"a {fence} b {OPENING} c") == [fence]


@pytest.mark.parametrize("answer", ["Goal" + " " * CHARS + "x", "## Goal **" + " " * CHARS + "** x"])
def test_an_answer_of_a_model_that_goes_on_with_blanks_is_read(answer):
    assert len(read_told(answer)["State"]) == 1
    messages = [
        user("Go."),
        *(message for number in range(60) for message in (agent(f"step {number} " * 30), user("on"))),
        agent("ok"),
    ]
    done = compress(messages, 2_000, summarise=lambda *asked: answer[:10_000], deadline=None)
    assert "step 0" in texts(done.messages)


def test_calls_in_flight_are_looked_for_once():
    calls = [
        {"type": "function_call", "call_id": f"{number}", "name": "Read", "arguments": "{}"}
        for number in range(100_000)
    ]
    assert check_messages(calls, "responses", in_flight=True) == ()
    assert len(check_messages([*calls, user("?")], "responses", in_flight=True)) == len(calls)
