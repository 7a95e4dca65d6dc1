"""Keys of providers in the system's keyring, for who would rather have them there than in a file.

The keyring is asked by a process of its own, without a terminal and under a deadline: a keyring that is locked asks whoever sits there, and
where nobody does it must hang nobody.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import cache
from typing import Final

from archivist.records import ArchivistError

SERVICE: Final = "archivist"
SECONDS: Final = 5.0
_MISSING: Final = 3
_READ: Final = "found = keyring.get_password(*sys.argv[1:3]) or ''"
_WRITE: Final = "found = ''; keyring.set_password(*sys.argv[1:3], sys.stdin.read())"
_REMOVE: Final = (
    "found = ''; keyring.get_password(*sys.argv[1:3]) is None or keyring.delete_password(*sys.argv[1:3])"
)
_PROGRAM: Final = """
import sys
out, sys.stdout = sys.stdout, sys.stderr
try:
    import keyring
except ImportError:
    sys.exit({missing})
try:
    {act}
except Exception as error:
    sys.exit(type(error).__name__)
out.write(found)
"""


class KeyringNotUsable(ArchivistError):
    """The system's keyring gives nothing, or takes nothing."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the system's keyring cannot be used ({reason}); unlock it, or keep keys elsewhere")


@cache
def ring_keys(account: str) -> tuple[str, ...]:
    """The keys that the keyring has under a name, with commas between them there; asked once.

    Raises:
        KeyringNotUsable: It says nothing.
    """
    return tuple(part.strip() for part in _call(_READ, account).split(",") if part.strip())


def write_ring(account: str, keys: tuple[str, ...]) -> None:
    """Keep keys under a name, in place of what was kept there; none at all, where there are none.

    Raises:
        KeyringNotUsable: It took nothing.
    """
    ring_keys.cache_clear()
    _call(_WRITE if keys else _REMOVE, account, ",".join(keys))


def _call(act: str, account: str, text: str = "") -> str:
    program = _PROGRAM.format(missing=_MISSING, act=act)
    command = [sys.executable, "-P", "-c", program, SERVICE, account]  # -P: no module of the working folder
    pipe = subprocess.PIPE
    process = subprocess.Popen(  # noqa: S603 - Python itself, and a program that stands here
        command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
    )
    try:
        out, err = process.communicate(text.encode(), timeout=SECONDS)
    except subprocess.TimeoutExpired:
        _end(process)
        raise KeyringNotUsable(f"it did not answer within {SECONDS:g} s") from None
    if process.returncode == _MISSING:
        raise KeyringNotUsable("its client is not installed: pip install 'archivist[keyring]'")
    if process.returncode:
        lines = err.decode("utf-8", "replace").split()
        raise KeyringNotUsable(lines[-1][:100] if lines else "it failed")
    return out.decode("utf-8", "replace")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End it and all that it began; whoever has its pipes is not waited for."""
    with suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    process.wait()


__all__ = ["KeyringNotUsable", "ring_keys", "write_ring"]
