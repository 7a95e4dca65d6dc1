"""What is shown of a turn, wherever it is shown."""

import io
import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from archivist.loop.events import Called, Compressed, Returned, Said, Thought, Told, Turn
from archivist.records import Notice, ToolCall, Usage
from archivist.records.display import plain
from archivist.surfaces.cli.chat.call_lines import called_line, returned_words
from archivist.surfaces.cli.chat.cleaning import Pieces
from archivist.surfaces.cli.chat.screen import THOUGHT_CHARS, Screen, usage_words
from archivist.surfaces.cli.chat.widths import width_of, within

CALL = ToolCall("c1", "terminal", '{"command": "make test\\n# all", "timeout": 3}')


class Watched(io.StringIO):
    def isatty(self):
        return True


def shown(*events, out=io.StringIO, err=Watched, coloured=False, turn=None):
    """What stands on both streams."""
    streams = out(), err()
    screen = Screen(*streams, coloured=coloured)
    for event in events:
        screen.show(event)
    screen.ended(turn or Turn("", "end", 0, Usage("m")), counts=True)
    return tuple(stream.getvalue() for stream in streams)


def test_words_stream_as_they_come_and_calls_begin_a_line(monkeypatch):
    out, err = shown(
        Said("Let me "), Said("look."), Called(CALL), Returned(CALL, "ok", 3.2), Said("Done."), out=Watched
    )
    assert out == "Let me look.\nDone.\n"
    assert err == "terminal: make test # all … 3.2 s\n"


def test_a_call_between_whose_lines_something_was_told_is_told_whole():
    _, err = shown(Called(CALL), Told(Notice("x", "be aware")), Returned(CALL, '{"exit_code":2}\nout', 3.2))
    assert err.splitlines() == [
        "terminal: make test # all …",
        "note: be aware",
        "terminal: make test # all … 3.2 s, exit 2",
    ]


def test_a_call_that_failed_says_so():
    event = Returned(CALL, '{"success":false,"error":"no\\u001b[31m such file"}', 0.04, is_failure=True)
    assert returned_words(event) == "0.0 s, failed: no such file"
    assert "failed: no such file" in shown(Called(CALL), event)[1]
    assert returned_words(Returned(CALL, "nothing", 1.0, is_failure=True)) == "1.0 s, failed"


def test_thoughts_are_short_and_only_for_people():
    thought = [Thought("I think\n"), Thought("so " * 400), Said("Yes."), Thought("more")]
    _, err = shown(*thought, out=Watched, coloured=True)
    assert len(re.sub(r"\x1b\[\d*m", "", err)) < THOUGHT_CHARS + 10
    assert shown(*thought, err=io.StringIO)[1] == ""


def test_a_file_gets_the_last_words_alone():
    turn = Turn("The end.", "end", 2, Usage("m", input=10, cache_read=30, output=5, cost_usd=0.01))
    assert shown(Said("Let me look."), Said("The end."), turn=turn, err=io.StringIO) == ("The end.\n", "")


def test_what_was_used_is_told_in_a_line():
    used = Usage("m", input=100, cache_read=900, output=1_200, cost_usd=0.01)
    assert usage_words(used) == "1,000 tokens in (90 % from the cache), 1,200 out, $0.0100"
    assert usage_words(Usage("m")) == "0 tokens in, 0 out"


def test_of_a_turn_of_which_nothing_was_counted_no_count_is_told():
    assert shown(turn=Turn("", "failed", 1, Usage("m"), "no key"))[1] == "no key\n"
    assert "0 out" in shown(turn=Turn("Yes.", "end", 1, Usage("m", input=7)))[1]


def test_an_answer_without_words_is_said_to_be_none():
    assert "nothing came as an answer" in shown(turn=Turn(" ", "end", 1, Usage("m")))[1]
    assert shown(turn=Turn("Yes.", "end", 1, Usage("m")))[1] == ""


def test_each_ending_is_said():
    for stop, words in (("interrupted", "stopped"), ("length", "go on"), ("refusal", "otherwise")):
        assert words in shown(turn=Turn("", stop, 0, Usage("m")))[1]
    assert "no key\n" in shown(turn=Turn("", "failed", 1, Usage("m"), "no key"))[1]
    assert "1,200 → 300 tokens" in shown(Compressed(1_200, 300, "s"))[1]


def test_a_terminal_that_is_gone_stops_nothing():
    class Gone(Watched):
        def write(self, text):
            raise OSError(5, "Input/output error")

    screen = Screen(Gone(), Gone(), coloured=True)
    screen.show(Said("hello"))
    assert screen.is_gone


@given(st.lists(st.text(st.sampled_from("a\x1b[31m]0;\x07\\\u202e 中\x9b")), max_size=8))
def test_no_cut_between_pieces_lets_a_sequence_through(pieces):
    cleaner = Pieces()
    clean = "".join(map(cleaner.clean, pieces))
    assert plain("".join(pieces)).startswith(clean)
    assert "\x1b" not in clean


@given(st.integers(1, 40), st.integers(1, 40))
def test_a_sequence_at_the_beginning_of_a_line_is_dropped_however_it_is_cut(first, second):
    text = "\x1b]52;c;aGFja2Vk\x07so\n\x1b[31mbe it\n"
    cuts = sorted({0, first, second, len(text)})
    pieces = [Said(text[at:until]) for at, until in pairwise(cuts)]
    assert shown(*pieces, out=Watched)[0] == "so\nbe it\n"


@given(st.text(max_size=60), st.integers(2, 30))
def test_no_line_is_wider_than_it_may_be(text, columns):
    assert width_of(within(text, columns)) <= columns
    if width_of(text) <= columns:
        assert within(text, columns) == text


def test_wide_characters_count_twice():
    assert width_of("暂存 a") == 6
    assert within("暂存端口", 6) == "暂存…"


@given(st.text(max_size=80), st.text(max_size=80))
def test_whatever_is_called_has_one_line(name, arguments):
    line = called_line(ToolCall("c", name, arguments), 60)
    assert "\n" not in line
    assert width_of(line) <= 60
