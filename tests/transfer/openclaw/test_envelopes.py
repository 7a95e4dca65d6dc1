"""What a channel's program wrote around a person's words."""

import pytest

from archivist.transfer.openclaw.envelopes import Opened, open_envelope

INFO = '```json\n{"message_id":"5421","sender":"Ada"}\n```'
SENDER = 'Sender (untrusted metadata):\n```json\n{"label":"Ada (7)","id":"7","name":"Ada"}\n```'
GROUP = '```json\n{"chat_id":"telegram:-100","sender":{"id":"7","name":"Ada"},"group_subject":"Team"}\n```'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[Telegram Ada Lovelace id:104729 2026-06-10 09:11 UTC] Which port?\n[message_id: 5417]",
            Opened("Which port?", "telegram", "104729", "Ada Lovelace", "5417"),
        ),
        (
            "[Discord #release-room Grace id:8821 2026-06-11 18:02 UTC] up\n[message_id: 1122]",
            Opened("up", "discord", "8821", "Grace", "1122", "#release-room", True),
        ),
        ("[WhatsApp +15550001 +5m 2026-06-11T18:02Z] hi", Opened("hi", "whatsapp", None, "+15550001")),
        ("[Google Chat Ada id:7 2026-06-11 18:02 UTC] hi", Opened("hi", "googlechat", "7", "Ada")),
        ("[Sat 2026-04-18 22:09 GMT-3] alive?", Opened("alive?")),
        (f"Conversation info (untrusted metadata):\n{INFO}\n\nNo wait.", Opened("No wait.", None, None, "Ada", "5421")),
        (f"Conversation info: \u27e6openclaw:ctx\u27e7\n{INFO}\n\nNo wait.", Opened("No wait.", None, None, "Ada", "5421")),
        (
            f"Conversation info (untrusted metadata):\r\n{INFO}\n\n{SENDER}\n\n[Sat 2026-04-18 22:09 GMT-3] So?",
            Opened("So?", None, "7", "Ada", "5421"),
        ),
        (
            f"Conversation info: \u27e6openclaw:ctx\u27e7\n{GROUP}\nhi",
            Opened("hi", "telegram", "7", "Ada", None, "telegram:-100", True),
        ),
        (
            "Conversation context (untrusted, chronological):\n#1 Ada: earlier\n#2 Bo: words\n\nnow",
            Opened("now"),
        ),
        ("hi\n\nContext: \u27e6openclaw:ctx\u27e7\nsomething fetched", Opened("hi")),
        ("Context:\n<active_memory_plugin>\nrecalled\n</active_memory_plugin>\n\nhi", Opened("hi")),
        ("<relevant-memories>\nrecalled\n</relevant-memories>\nhi", Opened("hi")),
        ("[from: Grace (+1555)]\nhello", Opened("hello", sender="Grace (+1555)")),
    ],
)  # fmt: skip
def test_an_envelope_is_taken_off_and_told(text, expected):
    assert open_envelope(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "  with spaces around ",
        "[2026-06-10 09:11] a line of a log",
        "[Discord is down] again",
        "[ ] buy milk",
        "Conversation info (untrusted metadata):\n```json\n{never closed",
        "Notes (untrusted, for context): are a heading of its own",
        "Notes (untrusted, for context):\nwords up to the end",
        "he wrote [message_id: 5] in the middle",
        "Context: is everything",
    ],
)
def test_words_that_only_look_like_one_stay_to_the_letter(text):
    assert open_envelope(text) == Opened(text)


def test_in_a_group_that_the_envelope_names_the_speaker_stands_before_the_words():
    text = "[Telegram Family id:-100123 2026-06-10 09:11 UTC] Ada: where are you: home?"
    assert open_envelope(text, in_group=True) == Opened(
        "where are you: home?", "telegram", None, "Ada", None, "-100123", True
    )


@pytest.mark.parametrize("text", ["[message_id:" + " " * 200_000, "[Telegram " * 50_000, "Context:\n<active_memory_plugin>\n" * 20_000,
                                  "x (untrusted):\n" * 20_000, "\n" * 300_000 + "x"])  # fmt: skip
def test_long_texts_are_read_in_one_go(text):
    open_envelope(text)
