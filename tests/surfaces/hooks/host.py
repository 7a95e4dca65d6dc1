"""Claude Code as its hooks meet it: starts what was installed, as it says that it does, and reads answers as strictly as it does."""

import json
import os
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

Text = str | msgspec.UnsetType
Flag = bool | msgspec.UnsetType


class Strict(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """An object of the host's schema."""


class SessionStart(Strict, tag_field="hookEventName", tag=True):
    additional_context: Text = msgspec.UNSET
    initial_user_message: Text = msgspec.UNSET
    session_title: Text = msgspec.UNSET
    watch_paths: list[str] | msgspec.UnsetType = msgspec.UNSET
    reload_skills: Flag = msgspec.UNSET


class UserPromptSubmit(Strict, tag_field="hookEventName", tag=True):
    additional_context: Text = msgspec.UNSET
    session_title: Text = msgspec.UNSET
    suppress_original_prompt: Flag = msgspec.UNSET


class Stop(Strict, tag_field="hookEventName", tag=True):
    additional_context: Text = msgspec.UNSET


class SubagentStop(Strict, tag_field="hookEventName", tag=True):
    additional_context: Text = msgspec.UNSET


class Output(Strict):
    """What Claude Code 2.1.332 takes from a hook's standard output, field for field.

    PreCompact and SessionEnd have no output of their own.
    """

    continue_: Flag = msgspec.field(name="continue", default=msgspec.UNSET)
    suppress_output: Flag = msgspec.UNSET
    stop_reason: Text = msgspec.UNSET
    decision: Literal["approve", "block"] | msgspec.UnsetType = msgspec.UNSET
    system_message: Text = msgspec.UNSET
    terminal_sequence: Text = msgspec.UNSET
    reason: Text = msgspec.UNSET
    hook_specific_output: SessionStart | UserPromptSubmit | Stop | SubagentStop | msgspec.UnsetType = (
        msgspec.UNSET
    )


@dataclass
class Told:
    """What a hook answered."""

    code: int
    stdout: bytes
    stderr: str
    seconds: float

    @property
    def output(self) -> dict[str, Any]:
        """The answer, as the host's schema allows it; empty where the hook said nothing."""
        if not self.stdout:
            return {}
        msgspec.json.decode(self.stdout, type=Output)
        return json.loads(self.stdout)

    @property
    def context(self) -> str:
        return self.output.get("hookSpecificOutput", {}).get("additionalContext", "")

    @property
    def message(self) -> str:
        return self.output.get("systemMessage", "")


@dataclass
class Host:
    """A Claude Code whose plugin was installed into `config`."""

    config: Path
    folder: Path
    home: Path
    environ: dict[str, str] = field(default_factory=dict)
    """Of a hook, beside the little that it always has; nothing of the one in which the tests run."""

    @property
    def plugin(self) -> Path:
        return self.config / "skills" / "archivist"

    @property
    def hooks(self) -> dict[str, Any]:
        return json.loads((self.plugin / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]

    def command(self, event: str) -> tuple[list[str], int]:
        ((group,), (hook,)) = self.hooks[event], self.hooks[event][0]["hooks"]
        assert "matcher" not in group
        return [hook["command"], *hook["args"]], hook["timeout"]

    def transcript(self, session: str) -> Path:
        return self.config / "projects" / "-work" / f"{session}.jsonl"

    def tell(self, event: str, session: str = "s-1", **fields: Any) -> Told:
        """Send an event as this host does."""
        values = {
            "session_id": session,
            "transcript_path": str(self.transcript(session)),
            "cwd": str(self.folder),
            "hook_event_name": event,
            **fields,
        }
        return self.send(event, json.dumps(values).encode())

    def end(self, session: str = "s-1", reason: str = "other") -> Told:
        """End a session, and wait for what goes on without the host."""
        told = self.tell("SessionEnd", session, reason=reason)
        trace = self.home / "hosts" / "claude-code" / "sessions" / f"{session}.json"
        for _ in range(600):
            with suppress(ValueError, OSError):
                if json.loads(trace.read_bytes()).get("ending", "not begun") is None:
                    return told
            time.sleep(0.05)
        raise AssertionError(f"the end of {session} was not stored: {trace}")

    def send(self, event: str, payload: bytes | None, **more: Any) -> Told:
        """Start a hook from another folder, with a small environment, and wait for as long as the host does."""
        command, seconds = self.command(event)
        began = time.monotonic()
        ran = subprocess.run(
            command,
            input=payload,
            stdin=subprocess.DEVNULL if payload is None else None,
            cwd="/",
            env={"PATH": os.defpath, "CLAUDE_PROJECT_DIR": str(self.folder), **self.environ},
            capture_output=True,
            timeout=seconds,
            **more,
        )
        return Told(ran.returncode, ran.stdout, ran.stderr.decode(), time.monotonic() - began)

    def say(self, session: str, *words: str, cwd: str | None = None) -> None:
        """Write a turn into a session's transcript: the user's words, and the model's answer."""
        path = self.transcript(session)
        path.parent.mkdir(parents=True, exist_ok=True)
        known = path.read_text("utf-8").splitlines() if path.exists() else []
        parent = json.loads(known[-1])["uuid"] if known else None
        with path.open("a", encoding="utf-8") as file:
            for number, text in enumerate(words, start=len(known)):
                role = "assistant" if number % 2 else "user"
                content = [{"type": "text", "text": text}] if number % 2 else text
                message = {"role": role, "content": content}
                if number % 2:
                    message |= {
                        "id": f"msg_{session}_{number}",
                        "model": "claude-opus-5-5",
                        "stop_reason": "end_turn",
                    }
                line = {
                    "type": role,
                    "uuid": f"{session}-{number}",
                    "parentUuid": parent,
                    "sessionId": session,
                    "isSidechain": False,
                    "timestamp": f"2026-03-20T12:00:{number % 60:02}.000Z",
                    "cwd": cwd or str(self.folder),
                    "version": "2.1.332",
                    "message": message,
                }
                parent = line["uuid"]
                file.write(json.dumps(line) + "\n")

    def carry(self, session: str, *contexts: str) -> None:
        """Write into a session's transcript what hooks have put beside its words."""
        path = self.transcript(session)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            for text in contexts:
                told = {"type": "hook_additional_context", "content": [text]}
                file.write(json.dumps({"type": "attachment", "attachment": told}) + "\n")
