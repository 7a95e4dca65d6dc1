"""A hook as a process: reads what the host sent, answers in time, and never breaks the host."""

import os
from _thread import allocate_lock, start_new_thread
from time import sleep

from archivist.app.hosts.traces import Traces
from archivist.config.place import chosen_folder
from archivist.surfaces.hooks.claude_code import HOST, SHOWS_MESSAGES, read_event, written
from archivist.surfaces.hooks.event import Answer, Event, NotUnderstood
from archivist.surfaces.hooks.quiet import has_nothing_to_say, has_nothing_to_store

LONGEST_INPUT = 32 << 20
"""Bytes; a prompt with more in it is let through without memory."""
READ_BYTES = 1 << 16

SECONDS = {
    "SessionStart": 8.0,
    "UserPromptSubmit": 4.0,
    "PreCompact": 25.0,
    "Stop": 25.0,
    "SubagentStop": 25.0,
    "SessionEnd": 25.0,
}
"""What a hook may take; the host waits a little longer, see `app.hosts.claude_code`."""

LAST = "SessionEnd"
"""The host ends with it, and stops a hook of a plugin after 1.5 seconds, whatever it was told."""


def main(arguments: list[str]) -> int:
    """Answer one event: `EVENT [--home FOLDER] [--profile NAME]`."""
    options = _Options(arguments)
    code = run(options.event, options.home, options.profile)
    os._exit(code)  # everything is written and closed: what is loaded need not be taken apart


def run(event: str, home: str | None = None, profile: str | None = None) -> int:
    """Answer one event of Claude Code, whose JSON stands on standard input; the exit code is always 0.

    Args:
        event: For which the hook was called.
        home: The home's folder; found as everywhere where unset.
        profile: A home of its own below it.
    """
    if event not in SECONDS:
        return 0  # of a newer host; nothing is asked of us
    traces = Traces(chosen_folder(home, profile, environ=os.environ), HOST)
    voice = _Voice(event, traces)
    if event != LAST:  # whose host waits for hardly a second, and which goes on without it
        start_new_thread(_give_up, (voice, SECONDS[event]))
    try:
        voice.say(_answered(event, home, profile, traces, voice))
    except NotUnderstood as error:
        voice.say(_trouble(f"{error}; nothing was remembered here"))
    except BaseException as error:  # noqa: BLE001 - the boundary to the host, which goes on whatever happened here
        from archivist.surfaces.hooks.trouble import one_line  # noqa: PLC0415 - only where something went wrong

        voice.say(_trouble(one_line(error)))
    voice.finish()
    return 0


def _answered(event: str, home: str | None, profile: str | None, traces: Traces, voice: "_Voice") -> Answer:
    happened = read_event(event, _received())
    voice.heard(happened, home, profile)
    if happened.name != event or has_nothing_to_say(happened, traces):
        return Answer()
    if has_nothing_to_store(happened, home, profile, traces):
        return Answer()
    if event == LAST:
        traces.see(happened.session_id, transcript=happened.transcript, ending=happened.trigger or "ended")
        if not _goes_on_alone(voice):
            return Answer()
    from archivist.surfaces.hooks.answering import answer  # noqa: PLC0415 - most prompts end here

    return answer(happened, home, profile, traces, SECONDS[event])


def _goes_on_alone(voice: "_Voice") -> bool:
    """Whether this is the process that does the work: a copy of the hook, for which the host does not wait."""
    if hasattr(os, "fork"):
        if os.fork():
            return False
        os.setsid()
        voice.fall_silent()
    start_new_thread(_give_up, (voice, SECONDS[LAST]))
    return True


class _Options:
    """The arguments, read without a parser: it would cost as much as everything else."""

    def __init__(self, arguments: list[str]) -> None:
        self.event, self.home, self.profile = "", None, None
        left = iter(arguments)
        for one in left:
            if one == "--home":
                self.home = next(left, None)
            elif one == "--profile":
                self.profile = next(left, None)
            else:
                self.event = one


class _Voice:
    """Standard output, which carries one answer and nothing else: whatever is printed meanwhile goes to standard error."""

    def __init__(self, event: str, traces: Traces) -> None:
        self._event, self._traces, self._turn, self._is_said = event, traces, allocate_lock(), False
        self._heard: tuple[Event, str | None, str | None] | None = None
        self._out = _claimed()

    def heard(self, happened: Event, home: str | None, profile: str | None) -> None:
        """Know what is answered, and by which home."""
        self._heard = (happened, home, profile)

    def say(self, answer: Answer) -> None:
        """Answer, unless somebody has."""
        with self._turn:
            if self._is_said:
                return
            self._is_said = True
            if answer.is_trouble and self._heard is not None:
                from archivist.surfaces.hooks.declining import declined  # noqa: PLC0415 - only where something went wrong

                answer = declined(*self._heard, answer)
            self._traces.ran(self._event, (answer.refusal or answer.message) if answer.is_trouble else "")
            if answer.message and self._event not in SHOWS_MESSAGES:
                _write(2, answer.message.encode("utf-8", "replace") + b"\n")
            _write(self._out, written(self._event, answer))

    def fall_silent(self) -> None:
        """Let go of everything that the host waits for; what goes wrong is found in the traces."""
        nothing = os.open(os.devnull, os.O_RDWR)
        for handle in (0, 1, 2):
            os.dup2(nothing, handle)
        if self._out > 2:
            os.close(self._out)
        self._out = -1

    def finish(self) -> None:
        """Wait for who is answering."""
        self._turn.acquire()


def _claimed() -> int:
    """Standard output for ourselves; -1 where there is none."""
    try:
        own = os.dup(1)
        os.dup2(2, 1)
    except OSError:
        return -1 if not _is_open(1) else 1
    return own


def _is_open(handle: int) -> bool:
    try:
        os.fstat(handle)
    except OSError:
        return False
    return True


def _write(handle: int, content: bytes) -> None:
    """All of it, as long as somebody reads."""
    try:
        while content and handle >= 0:
            content = content[os.write(handle, content) :]
    except OSError:
        return  # the host is gone: nobody is left to be told


def _received() -> bytes:
    """What the host sent.

    Raises:
        NotUnderstood: It is too much.
    """
    parts, size = [], 0
    try:
        while part := os.read(0, READ_BYTES):
            size += len(part)
            parts.append(part if size <= LONGEST_INPUT else b"")  # read to the end: the host waits for it
    except OSError as error:
        raise NotUnderstood(f"the host sent nothing that can be read ({error.strerror})") from error
    if size > LONGEST_INPUT:
        raise NotUnderstood(f"the host sent more than {LONGEST_INPUT >> 20} MB")
    return b"".join(parts)


def _give_up(voice: _Voice, seconds: float) -> None:
    """End the process when its time is over; what it was doing is safe to stop at any instant."""
    sleep(seconds)
    voice.say(_trouble(f"not done within {seconds:g} s, so left out here; see `archivist doctor`"))
    os._exit(0)


def _trouble(text: str) -> Answer:
    return Answer(message=f"archivist: {text}", is_trouble=True)


__all__ = ["main", "run"]
