"""Nothing untrusted becomes a standing rule: what a page, a document, a tool or somebody else led an agent to note waits for its owner.

The scenarios stand in `trust/`: what was said, called and given, and what the agent then wants to note. Whose words those are is told from
the messages alone.
"""

import pytest
from tests.promises.trust.speaking import scenarios

from archivist import EVERYTHING, Archivist, Message, Scope
from archivist.curate.trust import doubt_of
from archivist.guard.origins import Context
from archivist.records import OWNER
from archivist.tools.registry import call_tool

LED, IN_GROUPS = (
    scenarios("led.txt", "led_more.txt", "led_third.txt", "led_fourth.txt", "led_fifth.txt"),
    scenarios("led_in_groups.txt"),
)
TURNED = scenarios("led_turned.txt", "led_turned_more.txt")
"""What the owner said with other sense: turned round, without its condition, asked, told of another; and what they want kept removed."""
OWNERS = scenarios(
    "owners.txt",
    "owners_more.txt",
    "owners_third.txt",
    "owners_fourth.txt",
    "owners_fifth.txt",
    "owners_turned.txt",
)
ORDINARY = scenarios(
    "ordinary.txt", "ordinary_more.txt", "ordinary_third.txt", "ordinary_fourth.txt", "ordinary_fifth.txt"
)
MOST_REVIEWED = 0.02


def doubt(scenario, scope=OWNER):
    return doubt_of(scenario.notes, scenario.removes, Context.of(scenario.messages, scope))


@pytest.mark.parametrize("scenario", [*LED, *TURNED], ids=[one.name for one in (*LED, *TURNED)])
def test_what_an_agent_was_led_to_note_is_doubted(scenario):
    found = doubt(scenario)
    assert found is not None
    assert found.reason
    assert all(quote.text for quote in found.quotes)


@pytest.mark.parametrize("scenario", IN_GROUPS, ids=[one.name for one in IN_GROUPS])
def test_what_a_member_of_a_group_wants_noted_is_doubted(scenario):
    found = doubt(scenario, Scope(chat="g1"))
    assert found is not None
    assert found.origin == "member"


@pytest.mark.parametrize("scenario", OWNERS, ids=[one.asked for one in OWNERS])
def test_what_the_owner_said_is_noted_whatever_was_read_beside_it(scenario):
    assert doubt(scenario) is None


def test_a_paraphrase_of_what_the_owner_said_waits():
    said = Message.user("Prefiero que me contestes en español")
    page = Message.tool("y", call_id="c", name="web_search")
    assert doubt_of(["El usuario prefiere respuestas en español."], (), Context.of([said, page])) is not None


def test_hardly_anything_that_an_agent_learns_at_its_work_is_sent_to_review():
    reviewed = [one.asked for one in ORDINARY if doubt(one) is not None]
    assert len(reviewed) <= MOST_REVIEWED * len(ORDINARY), reviewed


def noted(archivist, scenario, scope=OWNER):
    """What comes of it when the conversation is stored and the agent then asks for its notes by the tool."""
    session = archivist.sessions.start(source="cli", scope=scope)
    session.append_many(scenario.messages)
    context = archivist.tool_context(scope, session=session.id)
    for text in scenario.removes:
        archivist.notes.add("memory", text)
    operations = [{"action": "add", "content": text} for text in scenario.notes]
    operations += [{"action": "remove", "old_text": text} for text in scenario.removes]
    return call_tool("memory", {"target": "memory", "operations": operations}, context)


@pytest.fixture
def archivist(tmp_path):
    settings = "[notes]\nmemory_limit = 100000\nuser_limit = 100000\n"
    (tmp_path / "config.toml").write_text(settings)
    with Archivist.open(tmp_path, environ={}) as opened:
        yield opened


@pytest.mark.parametrize("led", [LED[::2], LED[1::2]], ids=["one half", "the other"])
def test_in_a_home_all_of_it_waits_and_none_of_it_reaches_a_prompt(archivist, led):
    for scenarios_, scope in ((led, OWNER), (IN_GROUPS, Scope(chat="g1"))):
        for scenario in scenarios_:
            told = noted(archivist, scenario, scope)
            assert told.get("waits"), (scenario.name, told)
            proposal = archivist.review_for(EVERYTHING).show(told["waits"]).proposal
            assert (proposal.evidence.waits, proposal.evidence.asker.origin) == ("quarantine", "agent")
            assert proposal.evidence.after
    texts = [text for one in (*led, *IN_GROUPS) for text in one.notes]
    for scope in (OWNER, Scope(chat="g1")):
        told = archivist.snapshot(scope)
        assert not any(text in f"{told.text}{told.report.notices}" for text in texts)
    there = [one.text for one in archivist.notes.entries(tier="all", scope=EVERYTHING)]
    assert there == [text for one in led for text in one.removes]


def test_in_a_home_what_the_owner_said_and_what_was_learned_at_work_is_noted(archivist):
    assert [one.name for one in OWNERS if "waits" in noted(archivist, one)] == []
    reviewed = [one.name for one in ORDINARY if "waits" in noted(archivist, one)]
    assert len(reviewed) <= MOST_REVIEWED * len(ORDINARY)


def test_what_the_owner_notes_themselves_never_waits(archivist):
    for scenario in OWNERS:
        session = archivist.sessions.start(source="cli")
        session.append_many(scenario.messages)
        for text in scenario.notes:
            assert archivist.notes.add("memory", text, session=session.id).proposal is None


def test_what_was_accepted_is_noted_though_nothing_else_is_sure_of_it(archivist):
    waits = noted(archivist, LED[0])["waits"]
    archivist.review.accept(waits)
    assert [one.text for one in archivist.notes.entries("memory")] == [LED[0].notes[0]]


def test_there_is_enough_of_each():
    assert len(LED) + len(IN_GROUPS) >= 80
    assert len(OWNERS) >= 80
    assert len(ORDINARY) >= 80
