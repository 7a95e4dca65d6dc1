"""Messages and their parts as values."""

import copy
import pickle

import pytest

from archivist.records import Message, Part


def test_a_part_does_not_show_its_bytes():
    shown = repr(Message.user("look", parts=[Part("image", "a boat", "image/png", data=b"secret bytes")]))
    assert "secret bytes" not in shown
    assert "text='a boat'" in shown
    assert "media_type='image/png'" in shown


def test_a_message_cannot_be_changed_and_has_the_hash_of_what_equals_it():
    part = Part("text", "hello")
    message = Message.user("hello", client_id="c-1", parts=[part])
    with pytest.raises(AttributeError):
        message.text = "goodbye"
    assert message == Message.user("hello", client_id="c-1", parts=[part])
    assert hash(part) == hash(Part("text", "hello"))
    assert copy.deepcopy(part) == pickle.loads(pickle.dumps(part)) == part
