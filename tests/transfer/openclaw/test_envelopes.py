"""What a channel's program wrote around a person's words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        "Hosts (untrusted network):\nfirst line of mine\nsecond\n\nthird",
        "Notes (untrusted source):\n```json\n{}\n```\nmine",
        "System: all is well",
        "System: [draft] all is well",
        "[Chat messages since your last reply - for context]\nis what it wrote",
        "look: [Current message - respond to this]\nmine",
        "Read HEARTBEAT.md if it exists and tell me what it says",
        "Read HEARTBEAT.md if it exists. Follow it strictly. Then write to Ann.",
        "A new session was started via /new or /reset. Why?",
        "Untrusted context (metadata, as I call it):\nmine",
        "he wrote [message_id: 5] in the middle",
        "Context: is everything",
    ],
)
def test_words_that_only_look_like_one_stay_to_the_letter(text):
    assert open_envelope(text) == Opened(text)


def test_in_a_group_that_the_envelope_names_the_speaker_stands_before_the_words():
    text = "[Telegram Family id:-100123 2026-06-10 09:11 UTC] Ada: where are you: home?"
    assert open_envelope(text) == Opened(
        "where are you: home?", "telegram", None, "Ada", None, "-100123", True
    )


@pytest.mark.parametrize(
    "text",
    [
        "System: [2026-06-10 09:11:02 UTC] Exec completed (abc, code 0)\n\n[Telegram Ada id:7 2026-06-10 09:11 UTC] Which port?",
        "System (untrusted): [2026-06-10 09:11:02 UTC] Exec completed\nSystem: [Wed 2026-06-10 09:11 UTC] Done\n\nWhich port?",
        (
            "[Chat messages since your last reply - for context]\n[Telegram Fam id:-1 2026-06-10 09:11 UTC] Bob: other words\n\n"
            "[Current message - respond to this]\n[Telegram Fam id:-1 2026-06-10 09:12 UTC] Ann: Which port?"
        ),
        'Replied message (untrusted, for context):\n```json\n{"body": "hi"}\n```\n\nWhich port?',
    ],
)
def test_what_the_program_noted_and_what_others_said_before_is_not_the_persons(text):
    assert open_envelope(text).text == "Which port?"


@pytest.mark.parametrize(
    ("text", "program"),
    [
        (
            "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.\nCurrent time: Wednesday",
            "heartbeat",
        ),
        (
            (
                "System: [2026-06-10 09:11:02 UTC] Exec completed\n\n"
                "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly."
                " Do not infer or repeat old tasks from prior chats. If nothing needs attention, reply HEARTBEAT_OK.\n"
                "When reading HEARTBEAT.md, use workspace file /x (exact case).\nCurrent time: Friday"
            ),
            "heartbeat",
        ),
        (
            "A new session was started via /new or /reset. Then greet the user in your configured persona.",
            "new session",
        ),
        (
            "Pre-compaction memory flush. Store memories. If there is nothing to store, reply with NO_REPLY.",
            "memory flush",
        ),
    ],
)
def test_a_message_that_the_program_wrote_holds_no_words(text, program):
    opened = open_envelope(text)
    assert (opened.text, opened.program) == ("", program)


OWN = st.text(st.characters(exclude_characters="<[\u27e6", exclude_categories=["Cs"]), min_size=1).filter(
    lambda text: (
        text.strip()
        and "untrusted" not in text.lower()
        and not text.startswith(("System", "Read H", "A new", "Pre-"))
    )
)
FRAMES = st.sampled_from(
    [
        "",
        "[Telegram Ada id:7 2026-06-10 09:11 UTC] ",
        "[Sat 2026-04-18 22:09 GMT-3] ",
        f"{SENDER}\n\n",
        f"Conversation info: \u27e6openclaw:ctx\u27e7\n{INFO}\n\n",
        "System: [2026-06-10 09:11:02 UTC] Exec completed\n",
        "[Chat messages since your last reply - for context]\nBob: hi\n\n[Current message - respond to this]\n",
        "<relevant-memories>\nrecalled\n</relevant-memories>\n",
    ]
)


@given(
    frames=st.lists(FRAMES, max_size=4),
    own=OWN,
    end=st.sampled_from(["", "\n[message_id: 5]", "\n[from: Ada]"]),
)
def test_a_persons_own_words_never_vanish_whatever_stands_around_them(frames, own, end):
    assert open_envelope("".join(frames) + own + end).text.strip() == own.strip()


@pytest.mark.parametrize("text", ["[message_id:" + " " * 200_000, "[Telegram " * 50_000, "Context:\n<active_memory_plugin>\n" * 20_000,
                                  "x (untrusted):\n" * 20_000, "\n" * 300_000 + "x"])  # fmt: skip
def test_long_texts_are_read_in_one_go(text):
    open_envelope(text)
