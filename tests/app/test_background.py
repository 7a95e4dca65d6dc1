"""What a model was given beside what was said: nobody said it, so that nobody finds it, and no title, quote or use is made of it."""

from datetime import UTC, datetime

import pytest

from archivist import Archivist, Message
from archivist.records import Part

BACKGROUND = Part("context", "It was recalled that the heron nests at the weir.")


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", environ={"TZ": "UTC"}) as opened:
        yield opened


def test_what_a_model_was_given_beside_what_was_said_is_not_found(archivist):
    session = archivist.sessions.start("chat")
    said = "Where does the kestrel sit?"
    session.append(Message.user(said, parts=(Part("text", said), BACKGROUND)))
    archivist.catch_up()
    assert archivist.recall("kestrel").hits
    assert not archivist.recall("heron weir").hits
    assert not archivist.sessions.search("heron").hits
    assert archivist.verify().is_clean


def test_it_is_not_found_in_what_no_index_has_yet(archivist):
    archivist.sessions.start("chat").append(
        Message.user("kestrel", parts=(Part("text", "kestrel"), BACKGROUND))
    )
    assert not archivist.sessions.search("heron").hits


def test_no_title_is_made_of_it(archivist):
    session = archivist.sessions.start("chat")
    session.append(Message.user("", parts=(BACKGROUND,)))
    session.append(Message.user("Where does the kestrel sit?"))
    (shown,) = archivist.sessions.browse().sessions
    assert "heron" not in (shown.title or "")


def test_no_note_rests_on_it_and_none_is_used_by_it(tmp_path):
    time = datetime(2026, 5, 1, 9, tzinfo=UTC)
    with Archivist.open(tmp_path / "home", clock=lambda: time) as archivist:
        archivist.take_in_uses()
        noted = archivist.notes.add("memory", "the heron nests at the weir").entry
        time = datetime(2026, 5, 2, 9, tzinfo=UTC)
        session = archivist.sessions.start("chat")
        said = "Where does the kestrel sit?"
        session.append(Message.user(said, parts=(Part("text", said), BACKGROUND)))
        session.end()
        assert archivist.quotes(session.id, "the heron nests at the weir") == ()
        archivist.take_in_uses()
        assert {use.kind for use in archivist.notes.uses_of([noted.id])[noted.id]} == {"present"}


def test_captions_and_names_of_what_was_attached_are_found(archivist):
    shown = Part("file", "a heron on the weir", name="birds.pdf")
    archivist.sessions.start("chat").append(Message.user("look", parts=(Part("text", "look"), shown)))
    assert archivist.sessions.search("heron").hits
