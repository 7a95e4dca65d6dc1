"""What of a tool's output matters later, told by its form: how it ended, what it counted, what went wrong, which files it names."""

import json
from collections.abc import Iterator
from typing import Any, Final

from archivist.records.patterns import late_pattern

_EDGE_CHARS: Final = 2_000
"""How a command went stands at the beginning or at the end of what it printed."""
_LINE_CHARS: Final = 140
_NEAR_CHARS: Final = 60
"""A line that only mentions trouble somewhere is about something else."""
_EXIT: Final = late_pattern(
    r"(?i)\b(?:exit(?:ed)?(?: with)?[ _-]?(?:code|status)?|return[ _-]?code)\"?[:= ]{1,3}(-?\d{1,3})\b"
)
_COUNTED: Final = late_pattern(
    r"(?<![\w.:/-])\d[\d,]*(?:\.\d+)?(?: |(?=%|ms\b|s\b))"
    r"(?:[a-z]+ )?(?:pass(?:ed)?|fail(?:ed|ures?)?|errors?|warnings?|skipped|tests?|files?(?: changed)?|insertions?|deletions?"
    r"|matches|results?|rows?|items?|lines?|packages?|commits?|issues?|problems?|vulnerabilities|seconds?|ms|s|%)(?!\w)[^\S\n]*(?:\([+-]\))?"
)
_TROUBLE: Final = late_pattern(
    "Error|Exception|Warning|error|fatal|panic|failed|denied|FAILED|ERROR|FATAL|CRITICAL"
    "|错误|失败|异常|エラー|失敗|Fehler|Erreur|ошибка"
)
_NONE_OF_IT: Final = late_pattern(r"\b(?:0|no|without)\s+(?:\w+\s+)?(?:errors?|warnings?|failed|failures?)")
_PATH: Final = late_pattern(r"(?<![\w/.:-])(?:~|\.{1,2})?/?(?:[\w@.+-]+/)+[\w@+-]+(?:\.[\w-]+)?(?::\d+)?")
_STATED: Final = (
    "exit_code",
    "returncode",
    "status",
    "success",
    "error",
    "message",
    "title",
    "url",
    "id",
    "total",
    "count",
)
"""Fields of a JSON answer that say how a call went, in the order in which they are told."""


def edges(text: str) -> str:
    """The beginning and the end of a text."""
    return text if len(text) <= 2 * _EDGE_CHARS else f"{text[:_EDGE_CHARS]}\n{text[-_EDGE_CHARS:]}"


def exit_code(text: str) -> str | None:
    """The code that a process ended with, the last that is named."""
    found = _EXIT.findall(edges(text))
    return f"exit {found[-1]}" if found else None


def counts(text: str, most: int = 3) -> Iterator[str]:
    """What was counted, such as "3 failed": the last are the sums."""
    found = dict.fromkeys(one.strip() for one in _COUNTED.findall(edges(text)))
    yield from list(found)[-most:]


def trouble(text: str) -> str | None:
    """The last line that names what went wrong near its beginning, rather than how often it did."""
    read, last = edges(text), ""
    for found in _TROUBLE.finditer(read):
        start = read.rfind("\n", 0, found.start()) + 1
        if found.start() - start <= _NEAR_CHARS:
            line = read[start:].partition("\n")[0]
            last = last if _NONE_OF_IT.search(line) or (last and _COUNTED.search(line)) else line
    return one_line(last) if last else None


def paths(text: str, most: int = 3) -> Iterator[str]:
    """The first files that are named."""
    yield from list(dict.fromkeys(_PATH.findall(text[:_EDGE_CHARS])))[:most]


def first_line(text: str) -> str | None:
    """The first line that says something."""
    return next(
        (one_line(line) for line in text[:_EDGE_CHARS].splitlines() if any(map(str.isalnum, line))), None
    )


def last_line(text: str) -> str | None:
    """The last of several lines that says something."""
    if "\n" not in text.strip():
        return None
    lines = text[-_EDGE_CHARS:].splitlines()
    return next(
        (
            one_line(line)
            for line in reversed(lines)
            if any(map(str.isalnum, line)) and not _EXIT.search(line)
        ),
        None,
    )


def stated(text: str) -> Iterator[str]:
    """The fields of a JSON answer that say how it went."""
    for name in _STATED:
        value = _answer(text).get(name)
        if isinstance(value, str | int | float) and value != "":
            yield f"{name} {one_line(str(value), 60)}"


def _answer(text: str) -> dict[str, Any]:
    if not text.startswith("{") or len(text) > 20_000:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def one_line(text: str, most: int = _LINE_CHARS) -> str:
    """A text in one line, its end cut with a mark."""
    joined = " ".join(text[: 4 * most].split())
    return joined if len(joined) <= most else f"{joined[:most].rstrip()} …"


__all__ = ["counts", "exit_code", "first_line", "last_line", "one_line", "paths", "stated", "trouble"]
