"""What hooks leave behind in a home, beside what they remember: when each ran, what went wrong last, and what each session has seen.

All of it is derived: whoever deletes it loses a little speed. No words of anybody's stand in it. It is read and written with as little as
can be, because a hook that has nothing to do must cost next to nothing.
"""

import json
import os
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
            _write(path, {"trouble": trouble, "at": time.time()}, self._home)
            return
        try:
            os.utime(path)
        except OSError:
            _write(path, {}, self._home)

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
        """Remember something of a session beside what is known of it."""
        if _is_name(session):
            _write(self._path(SESSIONS, f"{session}.json"), self.seen(session) | values, self._home)

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
                if (
                    isinstance(path, str)
                    and (size := size_of(path)) is not None
                    and size != known.get("stored")
                ):
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


def _write(path: str, values: dict[str, object], home: str) -> None:
    """Half of it may be written by a kill, and is then read as nothing; where it cannot be written nothing is lost."""
    try:
        if not os.path.isdir(home):  # noqa: PTH112 - a home is not made for this
            return
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)  # noqa: PTH103, PTH120 - as above
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(handle, json.dumps(values).encode())
        finally:
            os.close(handle)
    except OSError:
        return


def _remove(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108 - as above
    except OSError:
        return


__all__ = ["Stamp", "Traces", "is_as_stamped", "size_of", "stamps_of"]
