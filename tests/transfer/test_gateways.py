"""Whose a session is: who is unknown is never taken for the owner."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.records import OWNER, Scope
from archivist.transfer.gateways import (
    Correspondent,
    Owners,
    Sender,
    Whose,
    by_key,
    by_senders,
    is_group_id,
    owners_among,
    private,
    scope_of,
)

CHANNELS = st.sampled_from(["telegram", "discord", ""])
PEOPLE = st.builds(Correspondent, CHANNELS, st.sampled_from("1234"))
SESSIONS = st.one_of(
    st.builds(lambda person: private(*person, "s"), PEOPLE),
    st.builds(lambda people: Whose("local", "s", frozenset(people)), st.sets(PEOPLE, max_size=3)),
    st.builds(lambda people: Whose("group", "g", frozenset(people)), st.sets(PEOPLE, max_size=3)),
)


@given(st.lists(SESSIONS, max_size=6))
def test_nobody_is_the_owner_where_two_people_write_on_a_channel(found):
    owners = owners_among(found)
    people = {person for one in found if one.kind != "group" for person in one.writers}
    for channel in {person.channel for person in people} - {""}:
        there = [person for person in people if person.channel == channel]
        if len({person.id for person in there}) > 1:
            assert not any(person in owners for person in there)
    for one in found:
        scope = scope_of(one, owners, None)
        assert (scope.user == OWNER.user) == (
            one.kind != "group" and all(each in owners for each in one.writers)
        )


@given(st.lists(SESSIONS, max_size=6), st.sets(st.sampled_from("1234")))
def test_named_owners_are_the_only_ones(found, ids):
    owners = Owners(frozenset(ids))
    for one in found:
        is_owners = scope_of(one, owners, None).user == OWNER.user
        assert is_owners == (one.kind != "group" and {each.id for each in one.writers} <= ids)


@pytest.mark.parametrize(
    "key",
    [
        "-1001234",
        "120363@g.us",
        "!room:example.org",
        "19:a@thread.tacv2",
        "oc_5ad1",
        "a" * 43 + "=",
        "C0123ABCD",
    ],
)
def test_ids_of_groups_are_told_by_their_form(key):
    assert is_group_id(key)
    assert scope_of(private("telegram", key, "s"), Owners(), None) == Scope(chat=key)


@pytest.mark.parametrize(
    "key", ["104729", "+4915112345", "U0123ABCD", "@ada:example.org", "ada", "", None, "ou_5ad1", "-"]
)
def test_ids_of_people_are_not(key):
    assert not is_group_id(key)


@pytest.mark.parametrize(
    "parts", [["abc"], ["telegram", "odd", "7"], ["a", "b", "c", "direct", "7"], ["telegram", "direct", ""]]
)
def test_another_form_of_key_says_nothing(parts):
    assert by_key(parts, "telegram") is None


@pytest.mark.parametrize(
    ("senders", "scope"),
    [
        ([], OWNER),
        ([Sender()], OWNER),
        ([Sender("webchat", "x", "Ada")], OWNER),
        ([Sender(id="openclaw-control-ui")], OWNER),
        ([Sender("telegram", "openclaw-control-ui")], Scope(user="openclaw-control-ui")),
        ([Sender("telegram")], Scope(chat="s")),
        ([Sender("telegram", "7"), Sender("telegram")], Scope(chat="s")),
        ([Sender("telegram", "7", "Ada"), Sender(name="Ada")], Scope(user="7")),
        ([Sender("telegram", "7", "Ada"), Sender(name="Bo")], Scope(chat="s")),
        ([Sender("whatsapp", name="+1555")], Scope(user="+1555")),
        ([Sender("telegram", "7"), Sender("telegram", "8")], Scope(chat="s")),
        ([Sender("telegram", "7"), Sender("telegram", chat="-1", is_group=True)], Scope(chat="-1")),
        ([Sender("telegram", chat=chat, is_group=True) for chat in ("-1", "-2")], Scope(chat="s")),
    ],
)
def test_envelopes_tell_whose_a_session_is(senders, scope):
    assert scope_of(by_senders(senders, "s"), Owners(), None) == scope
