"""Where a request has too many bytes, the oldest pictures go first, and no word does."""

from tests.compress.making import agent, user

from archivist import check_messages
from archivist.compress.shedding import shed_pictures


def picture(size):
    return {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * size}}


def seen(text, size):
    return {"role": "user", "content": [{"type": "text", "text": text}, picture(size)]}


MESSAGES = [
    seen("first", 50_000),
    agent("one"),
    seen("second", 50_000),
    agent("two"),
    seen("third", 50_000),
    agent("three"),
]


def test_the_oldest_pictures_go_until_the_rest_fits():
    """NousResearch/hermes-agent#47339: the body was too large in bytes, and making text shorter could not help."""
    done = shed_pictures(MESSAGES, 110_000)
    assert done.shed == 1
    assert done.bytes <= 110_000
    assert "read #0" in done.messages[0]["content"][1]["text"]
    assert done.messages[1:] == MESSAGES[1:]
    assert check_messages(done.messages) == ()


def test_the_newest_message_of_the_owner_keeps_its_picture():
    done = shed_pictures(MESSAGES, 10)
    assert done.shed == 2
    assert done.messages[4] == MESSAGES[4]


def test_what_fits_stays_as_it_is():
    done = shed_pictures([user("hi"), *MESSAGES], 1_000_000)
    assert (done.shed, done.messages) == (0, [user("hi"), *MESSAGES])


def test_the_messages_that_were_given_are_left_as_they_are():
    shed_pictures(MESSAGES, 10)
    assert MESSAGES[0] == seen("first", 50_000)
