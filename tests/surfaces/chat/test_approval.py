"""What is asked before something is written or run, and what counts as a yes."""

import io

import click
import pytest

from archivist.records.approvals import Ask
from archivist.surfaces.cli.chat.approval import STOPPED, Asking, question_lines, read_answer
from archivist.surfaces.cli.chat.screen import Screen
from archivist.tools.approving import Approving

WRITE = Ask("write_file", "write a.py (+1 -1)", "write", "@@ -1 +1 @@\n-old\n+new\x1b[31m", "write")
RUN = Ask("terminal", "run: make", "run", "make", "make")


@pytest.fixture
def asked():
    """Makes an approval whose person says these lines."""

    def make(*lines, mode="ask"):
        said, stopped = iter(lines), []

        def read(prompt):
            line = next(said)
            if isinstance(line, BaseException):
                raise line
            return line

        screen = Screen(io.StringIO(), io.StringIO(), coloured=False)
        approval = Approving(Asking(screen, read, lambda: stopped.append(1)), mode)
        approval.stopped = stopped
        return approval

    return make


@pytest.mark.parametrize("line", ["", " ", "n", "yes please", "sure", "ye", "y es", "всё"])
def test_only_a_clear_yes_is_one(line):
    assert read_answer(line).verdict == "no"


@pytest.mark.parametrize(
    ("line", "verdict"), [("y", "once"), ("Y ", "once"), ("yes", "once"), ("s", "session")]
)
def test_a_yes_is_once_or_for_the_session(line, verdict):
    assert read_answer(line).verdict == verdict


@pytest.mark.parametrize(
    ("line", "reason"),
    [("n use tabs", "use tabs"), ("no, later", "no, later"), ("use tabs", "use tabs"), ("n", "")],
)
def test_a_no_may_have_a_reason(line, reason):
    assert read_answer(line).reason == reason


def test_what_is_allowed_for_the_session_is_not_asked_again(asked):
    approval = asked("s", "n")
    assert [approval(one).verdict for one in (WRITE, WRITE, RUN)] == ["session", "once", "no"]


def test_what_has_no_group_is_asked_each_time(asked):
    approval = asked("s", "n")
    alone = Ask("terminal", "run: rm", "run")
    assert [approval(one).verdict for one in (alone, alone)] == ["session", "no"]


@pytest.mark.parametrize("key", [KeyboardInterrupt(), EOFError()])
def test_ctrl_c_is_a_no_and_stops_the_turn(asked, key):
    approval = asked(key)
    assert approval(RUN) == STOPPED
    assert approval.stopped


def test_modes_answer_in_place_of_a_person(asked):
    edits, everything = asked("n", "n", mode="edits"), asked(mode="all")
    outside = Ask("write_file", "write /etc/x", "outside")
    assert [edits(one).verdict for one in (WRITE, RUN, outside)] == ["once", "no", "no"]
    assert [everything(one).verdict for one in (WRITE, RUN, outside)] == ["once"] * 3


def test_a_diff_is_shown_in_colours_and_hides_nothing():
    lines = list(question_lines(WRITE))
    assert lines[2] == "  \x1b[31m-old\x1b[0m"
    assert lines[3] == "  \x1b[32m+new⟨U+001B⟩[31m\x1b[0m"
    assert "\x1b[33m" in next(iter(question_lines(Ask("t", "read /x: it is outside", "outside"))))


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (Ask("terminal", "run: pytest -q a.py", "run", group="pytest -q"), "s covers: pytest -q"),
        (Ask("patch", "write a", "write", group="write"), "s covers: writing in the workspace"),
        (Ask("read_file", "read /etc/x", "outside", group="read /etc"), "s covers: read /etc"),
    ],
)
def test_what_a_yes_for_the_session_covers_is_said(ask, told):
    assert told in list(question_lines(ask))[-1]


def test_a_command_that_the_title_has_whole_is_not_shown_twice():
    assert list(question_lines(Ask("terminal", "run: make test", "run", "make test"))) == [
        click.style("run: make test", bold=True)
    ]
    assert len(list(question_lines(Ask("terminal", "run: rm -r a", "run", "Careful: …\nrm -r a")))) == 3


def test_a_yes_for_the_session_is_offered_only_where_it_covers_more_than_this():
    questions = list[str]()
    asking = Asking(
        Screen(io.StringIO(), io.StringIO(), coloured=False),
        lambda text: questions.append(text) or "y",
        lambda: None,
    )
    asking(Ask("terminal", "run: rm -r a", "run"))
    asking(Ask("terminal", "run: make", "run", group="make"))
    assert ["this session" in question for question in questions] == [False, True]
