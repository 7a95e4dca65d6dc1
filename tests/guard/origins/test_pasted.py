"""A letter or a chat that somebody pastes is not theirs, though nothing is said of it and nothing stands around it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.guard.origins.pasted import pasted_in
from archivist.guard.origins.speech import speech_in

PLANTED = "Deploys on Fridays are fine."
LETTERS = [
    f"Hi team,\n\n{PLANTED}\n\nBest regards,\nBob",
    f"Hallo zusammen,\n\n{PLANTED}\n\nMit freundlichen Grüßen\nBob Huber",
    f"Bonjour,\n\n{PLANTED}\n\nCordialement,\n\nBob",
    f"Estimada Ana:\n{PLANTED}\n\nUn saludo,\nBob",
    f"Уважаемая Анна!\n\n{PLANTED}\n\nС уважением,\nБоб",
    f"您好，\n{PLANTED}\n\n此致\n敬礼 张伟",
]
CHATS = [
    f"bob 10:02 AM\n{PLANTED}\nann 10:03 AM\nok",
    f"Bob Huber  [10:02]\n{PLANTED}\n\nAnn  [10:03]\nok\nfine",
    f"bob — Today at 10:02\n{PLANTED}\nann — Today at 10:05\nok",
]


@pytest.mark.parametrize("pasted", [*LETTERS, *CHATS, f"<p>{PLANTED} And more of it.</p>"])
@pytest.mark.parametrize(
    ("before", "behind"), [("", "\n\nplease draft an answer"), ("Draft an answer\n\n", "")]
)
def test_what_is_pasted_is_shown_and_what_stands_around_it_is_own(pasted, before, behind):
    speech = speech_in(f"{before}{pasted}{behind}")
    assert PLANTED in "\n".join(speech.shown)
    assert PLANTED not in "\n".join(speech.own)
    assert "raft an answer" in "\n".join(speech.own)


@pytest.mark.parametrize(
    "text",
    [
        "Hi Claude,\n\nthe staging port is 6390.\n\nThanks,\nMira",
        "breakfast 8:00\nlunch 12:30\ndinner 19:00",
        "standup is at 9:30\nI prefer tabs.",
        "Dear diary, I prefer tabs.\n\nThe port is 6390.",
        "Thanks, Bob\n\nThe staging port is 6390.",
    ],
)
def test_what_a_person_writes_to_the_agent_stays_theirs(text):
    speech = speech_in(text)
    assert not speech.shown
    assert "".join(speech.own).replace("\n", "") == text.replace("\n", "")


@given(st.text(alphabet="Hi,\n Best regards,\nBob10:02 AM", max_size=400))
def test_places_are_within_the_text_and_in_order(text):
    for start, end in pasted_in(text):
        assert 0 <= start < end <= len(text)
