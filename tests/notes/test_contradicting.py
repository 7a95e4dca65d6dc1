import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.notes.corrections import CORRECTING, pairs
from tests.notes.making import make_notes

from archivist.notes.contradicting import contradicted_by, contradiction, standing
from archivist.records import Notice

CONTRADICTING = """
    opposite | I love ramen | I hate ramen
    opposite | Prefers tea | Hates tea
    opposite | Always run the tests | Never run the tests
    opposite | The cache is enabled | The cache is disabled
    opposite | Ana mag Tee | Ana hasst Tee
    opposite | 用户喜欢茶 | 用户讨厌茶
    opposite | ユーザーは猫が好き | ユーザーは猫が嫌い
    value | Ana works at Birk | Ana works at Kern
    value | Ana lives in Berlin | Ana lives in Munich
    value | The port is 8080 | The port is 8081
    value | Ana works at Kern, not Birk | Ana works at Lund
    value | Ana works at Kern, not Birk | Ana works at Lund, not Oslo
    value | The port is 8081, not 8082 | The port is 8080
    value | 端口是8081，不是8082 | 端口是8080
    value | Die Frist ist Montag | Die Frist ist Dienstag
    value | 端口是8080 | 端口是8081
    negation | Ana works at Birk | Ana does not work at Birk
    negation | Use tabs | Do not use tabs
    negation | Use tabs | Never use tabs
    negation | Ana trinkt Tee | Ana trinkt keinen Tee
    negation | L'utilisateur utilise vim | L'utilisateur n'utilise pas vim
    negation | 用户喜欢茶 | 用户不喜欢茶
    negation | 项目使用MySQL | 项目不使用MySQL
    negation | Анна любит чай | Анна не любит чай
    corrected | Ana works at Birk | Ana no longer works at Birk
    corrected | The port is 8080 | Correction: the port is 8081
"""

BOTH_MAY_HOLD = """
    Ana likes tea | Ana likes coffee
    Ana works at Birk | Ana likes tea
    Ana works at Birk | Bob works at Kern
    The project uses MySQL | The project uses Postgres
    Ana is tall | Ana is a doctor
    Ana speaks French | Ana speaks German
    Meeting on 3 May about rent | Meeting on 4 May about rent
    Test 1 passes | Test 2 passes
    Ana works at Birk. Bob works at Kern. | Ana works at Birk. Bob works at Lund.
    Does Ana work at Birk? | Ana does not work at Birk
    Never push to main | Never push to release
    Ana works at Kern, not Birk | Ana works at Kern
    Ana works at Kern, not Birk | Bob works at Lund
    Use spaces, not tabs | Use tabs in Makefiles
    Ana likes tea, not coffee | Ana likes cocoa
    安娜喜欢茶 | 安娜喜欢咖啡
"""


@pytest.mark.parametrize("line", CONTRADICTING.strip().splitlines())
def test_two_statements_that_cannot_both_hold(line):
    why, one, other = (part.strip() for part in line.split("|"))
    assert contradiction(one, other) == why
    assert contradiction(other, one) == why


@pytest.mark.parametrize(("one", "other"), pairs(BOTH_MAY_HOLD))
def test_two_statements_that_may_both_hold(one, other):
    assert contradiction(one, other) is None


def test_nothing_contradicts_what_is_about_something_else():
    statements = [before for block in CORRECTING.values() for before, _ in pairs(block)]
    found = [
        (one, other)
        for one in statements
        for other in statements
        if one < other and contradiction(one, other)
    ]
    assert found == []


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_breaks_it(one, other):
    contradiction(one, other)
    assert contradiction(one, one) is None


class Filed:
    """Keeps what is proposed."""

    def __init__(self, notes):
        self.proposals, self.failing = [], False
        notes._file = self

    def __call__(self, proposals):
        if self.failing:
            return (Notice("not-proposed", "no room"),)
        self.proposals += proposals
        return ()


@pytest.fixture
def notes(tmp_path):
    return make_notes(tmp_path)


def test_both_stay_and_the_result_names_the_other_with_its_date(notes):
    filed = Filed(notes)
    old = notes.add("memory", "The port is 8080").entry
    change = notes.add("memory", "The port is 8081")
    assert [entry.text for entry in notes.entries()] == ["The port is 8080", "The port is 8081"]
    assert [entry.id for entry in change.contradicted] == [old.id]
    (notice,) = change.notices
    assert notice.code == "contradicts"
    assert old.id in notice.text
    assert "2026-05-01" in notice.text
    (proposal,) = filed.proposals
    assert [(one.action, one.entry, one.by) for one in proposal.operations] == [
        ("close", old.id, change.entry.id)
    ]
    assert [seen.text for seen in proposal.evidence.entries] == ["The port is 8080", "The port is 8081"]


def test_what_may_not_be_closed_is_a_contradiction(notes):
    old = notes.add("memory", "The port is 8080").entry
    change = notes.add("memory", "The port is 8081, not 8080", origin="agent")
    assert not change.superseded
    assert [entry.id for entry in change.contradicted] == [old.id]


def test_what_several_entries_say_is_closed_in_none_and_contradicts_all(notes):
    notes.apply(
        "memory", [{"action": "add", "content": text} for text in ("Ana works at Birk", "ana works at birk")]
    )
    held = len(notes.entries())
    change = notes.add("memory", "Ana no longer works at Birk")
    assert len(change.superseded) + len(change.contradicted) == held


def test_that_it_could_not_be_filed_is_said_and_the_note_stays(notes):
    Filed(notes).failing = True
    notes.add("memory", "The port is 8080")
    change = notes.add("memory", "The port is 8081")
    assert [notice.code for notice in change.notices] == ["contradicts", "not-proposed"]
    assert len(notes.entries()) == 2


def test_it_is_shown_as_long_as_both_say_so(notes):
    notes.add("memory", "The port is 8080")
    second = notes.add("memory", "The port is 8081").entry
    (pair,) = standing(notes.entries())
    assert (pair.first.text, pair.second.id) == ("The port is 8080", second.id)
    notes.replace("memory", second.id, "The host is mole")
    assert list(standing(notes.entries())) == []


def test_a_secret_that_a_hand_wrote_is_put_into_no_proposal(notes, tmp_path):
    filed = Filed(notes)
    secret = "ghp_" + "0123456789abcdefghijklmnopqrstuvwxyzAB"
    path = tmp_path / "memories/MEMORY.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"The token is {secret}")
    notes.add("memory", "The token is not " + "x" * 8)
    notes.add("memory", f"The token is not {secret[:3]}")
    assert secret not in str(filed.proposals)


def test_two_scopes_do_not_contradict_each_other(notes):
    from archivist.records import Scope

    notes.add("memory", "The port is 8080")
    assert not notes.add("memory", "The port is 8081", scope=Scope(project="p")).contradicted


@pytest.mark.parametrize(
    "line", [line for line in CONTRADICTING.strip().splitlines() if "corrected" not in line]
)
def test_nothing_that_contradicts_is_passed_over(line):
    _, one, other = (part.strip() for part in line.split("|"))
    assert [found.id for found in contradicted_by(other, [("e1", one)])] == ["e1"]
    assert [found.id for found in contradicted_by(one, [("e1", other)])] == ["e1"]
