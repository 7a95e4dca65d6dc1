"""Who is asked what, and what a yes for the session covers."""

from archivist.records.approvals import Answer, Ask
from archivist.tools.approving import NOBODY, Approving

WRITE = Ask("write_file", "write a", "write", group="write")
RUN = Ask("terminal", "run: make", "run", group="make")
OUTSIDE = Ask("read_file", "read /etc/x", "outside", group="read /etc")


def asking(mode, verdict="once"):
    asked = []

    def person(ask):
        asked.append(ask)
        return Answer(verdict)

    return Approving(person, mode), asked


def test_modes_say_what_is_asked():
    for mode, expected in (("ask", [WRITE, RUN, OUTSIDE]), ("edits", [RUN, OUTSIDE]), ("all", [])):
        approve, asked = asking(mode)
        assert all(approve(ask).verdict == "once" for ask in (WRITE, RUN, OUTSIDE))
        assert asked == expected


def test_a_yes_for_the_session_covers_its_group_of_its_tool():
    approve, asked = asking("ask", "session")
    for ask in (
        RUN,
        RUN,
        Ask("terminal", "run: make x", "run", group="make"),
        Ask("patch", "", "write", group="make"),
    ):
        approve(ask)
    assert len(asked) == 2


def test_what_has_no_group_is_asked_every_time():
    approve, asked = asking("ask", "session")
    approve(Ask("terminal", "run: rm -rf x", "run"))
    approve(Ask("terminal", "run: rm -rf x", "run"))
    assert len(asked) == 2


def test_a_yes_once_is_once_and_a_no_is_not_remembered():
    approve, asked = asking("ask", "no")
    assert approve(RUN).verdict == approve(RUN).verdict == "no"
    assert len(asked) == 2


def test_where_nobody_is_the_answer_is_no():
    assert Approving(None)(RUN) == NOBODY
    assert Approving(None, "edits")(WRITE).verdict == "once"
