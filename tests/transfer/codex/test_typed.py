"""What a person typed is theirs, whatever it looks like; what another program puts around words is no business of this one's."""

import pytest

LOOKS_LIKE_THE_PROGRAM = [
    "# AGENTS.md instructions are too long, shorten them",
    "<skill>\nwhat is this?\n</skill>",
    "<user_shell_command>\nls\n</user_shell_command>",
    "<environment_context>\npasted\n</environment_context>",
    "look at this:\n<system-reminder>\nbe brief\n</system-reminder>\nwhy?",
    "<system-reminder>\nbe brief\n</system-reminder>",
]


@pytest.mark.parametrize("text", LOOKS_LIKE_THE_PROGRAM)
@pytest.mark.parametrize("first", ["heard", "typed"])
def test_what_was_shown_as_typed_is_kept_to_the_letter_and_once(rollout, home, memory, codex, text, first):
    rollout.person("hello")
    rollout.answer("hi")
    tell = [rollout.heard, rollout.typed] if first == "heard" else [rollout.typed, rollout.heard]
    for one in tell:
        one(text)
    rollout.answer("done")
    codex.imported(rollout.write(home), memory)
    said = [message.text for message in memory.of(codex.FIRST) if message.role == "user"]
    assert said == ["hello", text]


def test_what_begins_like_the_programs_own_heading_and_goes_on_otherwise_was_typed(
    rollout, home, memory, codex
):
    rollout.heard("# AGENTS.md instructions for /home/someone\n\n<INSTRUCTIONS>\nbe brief\n</INSTRUCTIONS>")
    rollout.heard("# AGENTS.md instructions are too long, shorten them")
    rollout.gave("done")
    report = codex.imported(rollout.write(home), memory)
    said = [message.text for message in memory.of(codex.FIRST) if message.role == "user"]
    assert said == ["# AGENTS.md instructions are too long, shorten them"]
    assert report.reasons["written by the program: AGENTS.md"] == 1
