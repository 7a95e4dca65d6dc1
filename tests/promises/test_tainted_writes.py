"""Nothing untrusted becomes a standing rule: what a page, a document, a tool or somebody else led an agent to note waits for its owner.

The scenarios stand in `trust/`: what was said, called and given, and what the agent then wants to note. Whose words those are is told from
the messages alone.
"""

import pytest
from tests.promises.trust.speaking import scenarios

from archivist.curate.trust import doubt_of
from archivist.guard.origins import Context
from archivist.records import OWNER, Scope

LED, IN_GROUPS = scenarios("led.txt"), scenarios("led_in_groups.txt")
OWNERS, ORDINARY = scenarios("owners.txt"), scenarios("ordinary.txt")
MOST_REVIEWED = 0.1


def doubt(scenario, scope=OWNER):
    return doubt_of(scenario.notes, scenario.removes, Context.of(scenario.messages, scope))


@pytest.mark.parametrize("scenario", LED, ids=[one.name for one in LED])
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


@pytest.mark.parametrize("scenario", OWNERS, ids=[one.notes[0] for one in OWNERS])
def test_what_the_owner_said_is_noted_whatever_was_read_beside_it(scenario):
    assert doubt(scenario) is None


def test_hardly_anything_that_an_agent_learns_at_its_work_is_sent_to_review():
    reviewed = [one.notes[0] for one in ORDINARY if doubt(one) is not None]
    assert len(reviewed) <= MOST_REVIEWED * len(ORDINARY), reviewed


def test_there_is_enough_of_each():
    assert len(LED) + len(IN_GROUPS) >= 80
    assert len(OWNERS) >= 80
    assert len(ORDINARY) >= 80
