"""Calls as a model meant them, where that is plain: names in other letters, arguments in another dress than JSON.

Nothing is guessed. What could be meant otherwise, such as a text that does not end or a backslash that JSON does not know, stays as it
came, and its tool tells the model what is wrong with it.
"""

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, Final, NoReturn

from msgspec.structs import replace

from archivist.records import ToolCall
from archivist.tools.arguments import MOST_CHARS

_FOREIGN: Final = re.compile(r"^(?:functions?|tools?|default_api)[.:/]|:\d+$", re.IGNORECASE)
"""What some models write before and behind a name, as they write it in calls of their own form."""
_BETWEEN: Final = re.compile(r"[\s_-]+")
_FENCE: Final = re.compile(r"\s*```[\w-]*\s(.*?)(?:```\s*)?", re.DOTALL)
_MARK: Final = re.compile(
    r"""\s+|"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'|[{}\[\],:]|[^\s{}\[\],:"'\\]+""", re.DOTALL
)
_IN_TEXT: Final = re.compile(r'\\(.)|"', re.DOTALL)
_WORDS: Final = {"True": "true", "False": "false", "None": "null"}
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_CLOSING: Final = {"{": "}", "[": "]"}
_INNER: Final = 3
"""How often a text may hold the arguments as a text."""


def mended(call: ToolCall, names: Collection[str]) -> ToolCall:
    """A call under the name of a tool and with an object of arguments, where it is plain that these are meant; else as it came.

    Args:
        call: As the model made it.
        names: Of the tools that it is offered.
    """
    return replace(call, name=_meant(call.name, names), arguments=mended_arguments(call.arguments))


def mended_arguments(text: str) -> str:
    """The arguments of a call as the JSON of an object; as they came where they are that, or nobody can say what they are."""
    if len(text) > MOST_CHARS:
        return text
    try:
        if isinstance(_read(text), dict):
            return text
    except (ValueError, RecursionError):
        pass
    try:
        found = _object_in(text)
    except (ValueError, RecursionError):
        return text
    return text if found is None else json.dumps(found, ensure_ascii=False)


def _meant(name: str, names: Collection[str]) -> str:
    """The one tool that is called so but for case, dashes and what stands around it; the name itself where there is none."""
    if name in names:
        return name
    bare = _bare(_FOREIGN.sub("", name.strip()))
    found = [one for one in names if _bare(one) == bare]
    return found[0] if len(found) == 1 else name


def _bare(name: str) -> str:
    return _BETWEEN.sub("", name).casefold()


def _object_in(text: str, inner: int = _INNER) -> dict[str, Any] | None:
    """The one object that a text has, in a fence or in a text, or beside empty ones and itself again."""
    fenced = _FENCE.fullmatch(text)
    text = (fenced[1] if fenced else text).strip()
    if text in {"", "null", "None"}:
        return {}
    values = list(_values_in("".join(_as_json(text))))
    if len(values) == 1 and isinstance(values[0], str) and inner:
        return _object_in(values[0], inner - 1)
    told = [value for value in values if value != {}] or values[:1]
    is_one = all(isinstance(value, dict) and value == told[0] for value in told)
    return told[0] if is_one and told else None


def _values_in(text: str) -> Iterator[Any]:
    """What stands in a text, one behind the other."""
    decoder, at = json.JSONDecoder(strict=False, parse_constant=_no_json), 0
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value


def _as_json(text: str) -> Iterator[str]:
    """A text in the marks of JSON: what Python and JavaScript write otherwise, commas and brackets too many, brackets that are not closed.

    Raises:
        ValueError: It is none of these.
    """
    marks, open_ = _marks(text), list[str]()
    for mark, following in zip(marks, [*marks[1:], ""], strict=True):
        if mark in _CLOSING:
            open_.append(_CLOSING[mark])
        elif mark in {"}", "]"}:
            if not open_:
                continue
            if open_.pop() != mark:
                raise ValueError(mark)
        elif mark == "," and following in {"}", "]"}:
            continue
        yield _mark_as_json(mark, is_key=following == ":")
    if open_ and not (marks[-1][0] in "\"'}]" or marks[-1] in {*_WORDS, *_WORDS.values()}):
        raise ValueError(marks[-1])  # a number may go on
    yield from reversed(open_)


def _marks(text: str) -> list[str]:
    marks, at = list[str](), 0
    while at < len(text):
        mark = _MARK.match(text, at)
        if mark is None:
            raise ValueError(text[at])
        at = mark.end()
        if not mark[0].isspace():
            marks.append(mark[0])
    return marks


def _mark_as_json(mark: str, *, is_key: bool) -> str:
    if mark[0] in "\"'":
        return f'"{_IN_TEXT.sub(_in_text, mark[1:-1])}"'
    if is_key and _NAME.fullmatch(mark):
        return f'"{mark}"'
    return _WORDS.get(mark, f"{mark} " if mark[0].isalnum() or mark[0] == "-" else mark)


def _in_text(found: re.Match[str]) -> str:
    """A quotation mark as JSON has it; other marks as they are."""
    if found[0] == '"':
        return '\\"'
    return "'" if found[1] == "'" else found[0]


def _read(text: str) -> object:
    return json.loads(text, parse_constant=_no_json)


def _no_json(name: str) -> NoReturn:
    raise ValueError(name)


__all__ = ["mended", "mended_arguments"]
