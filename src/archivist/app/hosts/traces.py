"""What hooks leave behind in a home, beside what they remember: when each ran, what went wrong last, and what each session has seen.

All of it is derived: whoever deletes it loses a little speed. No words of anybody's stand in it. It is read and written with as little as
can be, because a hook that has nothing to do must cost next to nothing.
"""

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator

FOLDER = "hosts"
SESSIONS = "sessions"
OLD_SECONDS = 30 * 86_400.0
"""After which nobody asks what a session has seen."""
QUIET_SECONDS = 60.0
"""After which a session whose hooks are silent is not at work any more."""
MOST_LOOKED_AT = 200
LONGEST_NAME = 100
LOCK = "traces.lock"
LOCK_SECONDS = 1.0
"""For which others that write are waited for; each needs less than a thousandth of it."""
LOCK_PAUSE = 0.002

_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")

Stamp = list[int] | None
"""When a file was changed, its size and its number on the disk; None where there is none."""


class Traces:
    """Those of one host in one home."""

    def __init__(self, home: str, host: str) -> None:
        self._home = home
        self._folder = os.path.join(home, FOLDER, host)  # noqa: PTH118 - pathlib takes long to load

    # ---- hooks ----

    def ran(self, event: str, trouble: str = "") -> None:
        """Remember that a hook has run, and what went wrong."""
        path = self._path(f"{event}.json")
        if trouble:
            self._put(path, {"trouble": trouble, "at": time.time()})
            return
        try:
            os.utime(path)
        except OSError:
            self._put(path, {})

    def runs(self, events: Iterable[str]) -> "Iterator[tuple[str, float, str, float]]":
        """The hooks that have run: the event, when last, what went wrong last, and when that was; in seconds since 1970."""
        for event in events:
            path = self._path(f"{event}.json")
            try:
                at = os.stat(path).st_mtime  # noqa: PTH116 - as above
            except OSError:
                continue
            known = _read(path)
            when = known.get("at")
            yield (
                event,
                at,
                str(known.get("trouble", "")),
                float(when) if isinstance(when, int | float) else 0.0,
            )

    # ---- sessions ----

    def seen(self, session: str) -> dict[str, object]:
        """What is remembered of a session; nothing where it was not seen."""
        return _read(self._path(SESSIONS, f"{session}.json")) if _is_name(session) else {}

    def see(self, session: str, **values: object) -> None:
        """Remember something of a session beside what is known of it, whoever else does at the same time."""
        if _is_name(session):
            self._put(self._path(SESSIONS, f"{session}.json"), values, is_added=True)

    def behind(self, but: str) -> list[tuple[str, str]]:
        """Sessions that are not at work, and whose transcripts have grown since they were stored or whose end was not noted yet.

        With their transcripts.

        Args:
            but: Not this session.
        """
        now, found = time.time(), list[tuple[str, str]]()
        for name, changed in self._newest():
            session = name.removesuffix(".json")
            if now - changed > OLD_SECONDS:
                _remove(self._path(SESSIONS, name))
            elif session != but and now - changed > QUIET_SECONDS:
                known = self.seen(session)
                path = known.get("transcript")
                if isinstance(path, str) and _is_behind(known, size_of(path)):
                    found.append((session, path))
        return found

    def _newest(self) -> list[tuple[str, float]]:
        try:
            with os.scandir(self._path(SESSIONS)) as inside:
                found = [
                    (entry.name, entry.stat().st_mtime) for entry in inside if entry.name.endswith(".json")
                ]
        except OSError:
            return []
        return sorted(found, key=lambda one: -one[1])[:MOST_LOOKED_AT]

    def _put(self, path: str, values: dict[str, object], *, is_added: bool = False) -> None:
        """Write what is known anew, or add to it; where it cannot be written nothing is lost."""
        try:
            if not os.path.isdir(self._home):  # noqa: PTH112 - a home is not made for this
                return
            os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)  # noqa: PTH103, PTH120 - as above
            lock = os.open(self._path(LOCK), os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _wait_for(lock)
                _exchange(path, json.dumps((_read(path) if is_added else {}) | values).encode())
            finally:
                os.close(lock)  # which lets go of it
        except OSError:
            return

    def _path(self, *names: str) -> str:
        return os.path.join(self._folder, *names)  # noqa: PTH118 - as above


def stamps_of(paths: Iterable[str]) -> dict[str, Stamp]:
    """How files are now."""
    return {path: _stamp(path) for path in paths}


def is_as_stamped(stamps: object) -> bool:
    """Whether files are as they were."""
    return (
        isinstance(stamps, dict)
        and bool(stamps)
        and all(_stamp(path) == stamp for path, stamp in stamps.items())
    )


def size_of(path: str) -> int | None:
    """The size of a file; None where there is none."""
    try:
        return os.stat(path).st_size  # noqa: PTH116 - as above
    except (OSError, ValueError):
        return None


def _stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)  # noqa: PTH116 - as above
    except (OSError, ValueError):
        return None
    return [found.st_mtime_ns, found.st_size, found.st_ino]


def _is_name(session: str) -> bool:
    return 0 < len(session) <= LONGEST_NAME and _NAME_CHARACTERS.issuperset(session)


def _read(path: str) -> dict[str, object]:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            known = json.loads(file.read(1 << 16))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _is_behind(known: dict[str, object], size: int | None) -> bool:
    """Whether a transcript of this size has something that is not stored, or its session an end that was not noted."""
    return size is not None and (size != known.get("stored") or isinstance(known.get("ending"), str))


def _wait_for(lock: int) -> None:
    """Hold a lock file, without what `archivist.files` loads for it; nothing is held where the system has no such locks.

    Raises:
        OSError: Others held it all the time.
    """
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - there alone

        msvcrt.locking(lock, msvcrt.LK_LOCK, 1)
        return
    import fcntl  # noqa: PLC0415 - not everywhere

    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise
            time.sleep(LOCK_PAUSE)
        except OSError:
            return  # a disk without locks
        else:
            return


def _exchange(path: str, content: bytes) -> None:
    """Write beside, then put it in place: a reader finds what was or what is."""
    beside = f"{path}.new"
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(handle, content)
    finally:
        os.close(handle)
    os.replace(beside, path)  # noqa: PTH105 - as above


def _remove(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108 - as above
    except OSError:
        return


__all__ = ["Stamp", "Traces", "is_as_stamped", "size_of", "stamps_of"]
