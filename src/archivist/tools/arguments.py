"""Arguments as models write them, made into what a tool's schema asks for: a slip is put right where its meaning is plain, else named.

A number may come as a text, a list as one word, null for what is left out. A name that the schema does not have changes nothing, and
the result says so: least of all can it say whose memory is read.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

import msgspec

MOST_CHARS: Final = 200_000
"""Of all arguments together; whoever sends more has sent a file."""
MOST_SHOWN: Final = 60
"""Characters of a wrong value that an answer repeats."""
MOST_NAMED: Final = 5
_MISSING: Final = object()


class Refused(Exception):
    """The arguments are not what the tool takes; `str()` says what it takes."""


class Arguments(msgspec.Struct, frozen=True):
    """What was read.

    Attributes:
        values: By name, of the types of the schema; what was left out is not there.
        notices: What the result should say of them.
    """

    values: dict[str, Any]
    notices: tuple[str, ...] = ()

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 - values of JSON
        """The value of a name."""
        return self.values.get(name, default)


def read_arguments(given: Mapping[str, Any] | str, schema: Mapping[str, Any]) -> Arguments:
    """Read a call's arguments by the schema of its tool: texts, whole numbers, yes or no, lists of texts and lists of objects.

    Args:
        given: As the model gave them, also as JSON in a string.
        schema: JSON Schema of an object; a text with a `minLength` may be empty or blank.

    Raises:
        Refused: They cannot be meant.
    """
    given = as_object(given)
    known: Mapping[str, Any] = schema["properties"]
    values, notices = dict[str, Any](), list[str]()
    for name, form in known.items():
        value = given.get(name)
        if value is None:
            continue
        read = _read(name, value, form, notices)
        if read is not _MISSING:
            values[name] = read
    for name in schema.get("required", ()):
        if name not in values:
            raise Refused(f"{name} is missing: give {_what(known[name])}")
    notices += unknown_names(given, known)
    return Arguments(values, tuple(notices))


def as_object(given: Mapping[str, Any] | str) -> Mapping[str, Any]:
    """The arguments as an object.

    Raises:
        Refused: They are none, or too long.
    """
    read: object = given
    if isinstance(given, str):
        if len(given) > MOST_CHARS:
            raise Refused(_too_long(len(given)))
        try:
            read = json.loads(given or "{}")
        except (ValueError, RecursionError) as error:
            raise Refused(f"the arguments are no JSON ({error}); received: {shown(given)}") from error
    if not isinstance(read, Mapping):
        raise Refused(f"the arguments are no object; received: {shown(read)}")
    size = _size(read)
    if size > MOST_CHARS:
        raise Refused(_too_long(size))
    return read


def renamed(given: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The arguments under a tool's own names, where a model uses those that it knows from other tools."""
    found = {names.get(name, name): value for name, value in given.items() if name in names}
    return {**found, **{name: value for name, value in given.items() if name not in names}}


def check_whole(arguments: Arguments) -> None:
    """Look for half a character, which JSON can have and no file and no command.

    Raises:
        Refused: A text has one.
    """
    for name, value in arguments.values.items():
        if (
            isinstance(value, str)
            and not value.isascii()
            and any("\ud800" <= char <= "\udfff" for char in value)
        ):
            raise Refused(
                f"{name} has half of a character, which no file and no command can have: leave it out"
            )


def unknown_names(given: Iterable[str], known: Collection[str]) -> list[str]:
    """What to say of names that a tool does not have."""
    unknown = [str(name)[:MOST_SHOWN] for name in given if name not in known]
    if not unknown:
        return []
    named = ", ".join(unknown[:MOST_NAMED]) + (" …" if len(unknown) > MOST_NAMED else "")
    told = f"Not an argument, and without effect: {named}. There are: {', '.join(known)}. Whose memory this is, the host says."
    return [told]


def _read(name: str, value: object, form: Mapping[str, Any], notices: list[str]) -> object:
    if form["type"] == "integer":
        return _number(name, value, form, notices)
    if form["type"] == "boolean":
        return _yes_or_no(name, value)
    if form["type"] == "array":
        read = _objects if form["items"]["type"] == "object" else _texts
        return read(name, value, form)
    return _text(name, value, form)


def _text(name: str, value: object, form: Mapping[str, Any]) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = _digits(name, value, form)  # a model may leave the quotes of a year or an id out
    if not isinstance(value, str):
        raise Refused(f"{name} must be {_what(form)}, not {shown(value)}")
    if not value.strip() and "minLength" not in form:
        return _MISSING
    if len(value) > form.get("maxLength", MOST_CHARS):
        raise Refused(f"{name} has {len(value):,} characters; give at most {form['maxLength']:,}")
    if "enum" in form and value not in form["enum"]:
        raise Refused(f"{name} must be {_what(form)}, not {shown(value)}")
    return value


def _digits(name: str, value: float, form: Mapping[str, Any]) -> str:
    try:
        return str(value)
    except ValueError as error:  # it has thousands of them
        raise Refused(f"{name} must be {_what(form)}, not {shown(value)}") from error


def _number(name: str, value: object, form: Mapping[str, Any], notices: list[str]) -> object:
    number = _whole(value)
    if number is None:
        if isinstance(value, str) and not value.strip():
            return _MISSING
        raise Refused(f"{name} must be {_what(form)}, not {shown(value)}")
    low, high = form.get("minimum", number), form.get("maximum", number)
    within = min(max(number, low), high)
    if within != number:
        notices.append(f"{name} was taken for {within:,}: it is {_what(form)}.")
    return within


def _yes_or_no(name: str, value: object) -> object:
    word = str(value).strip().casefold()
    if word in {"true", "1", "yes"}:
        return True
    if word in {"false", "0", "no"}:
        return False
    if not word:
        return _MISSING
    raise Refused(f"{name} must be true or false, not {shown(value)}")


def _whole(value: object) -> int | None:
    """A whole number, also of a text or of a number with a fraction of nothing."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, str):
            value = float(value) if len(value) < MOST_SHOWN else None
        if isinstance(value, float):
            return int(value) if value == int(value) else None
    except (ValueError, OverflowError):
        return None
    return value if isinstance(value, int) else None


def _texts(name: str, value: object, form: Mapping[str, Any]) -> object:
    if isinstance(value, str):
        value = _list_in(value)
    allowed = form["items"].get("enum")
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Refused(f"{name} must be {_what(form)}, not {shown(value)}")
    texts = [one.strip() for one in value if one.strip()]
    wrong = [one for one in texts if allowed and one not in allowed]
    if wrong:
        raise Refused(f"{name} must be {_what(form)}, not {shown(wrong[0])}")
    return texts or _MISSING


def _objects(name: str, value: object, form: Mapping[str, Any]) -> object:
    """A list of objects; what stands in them is for whoever asked for them to read."""
    if isinstance(value, str):
        value = _list_in(value)
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise Refused(f"{name} must be {_what(form)}, not {shown(value)}")
    return value or _MISSING


def _list_in(text: str) -> object:
    """A list that was written as JSON in a text, or as words with commas between."""
    if text.lstrip().startswith("["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text.split(",")


def _what(form: Mapping[str, Any]) -> str:
    """What a form asks for, in words."""
    if form["type"] == "boolean":
        return "true or false"
    if form["type"] == "integer":
        if "maximum" in form:
            return f"a whole number from {form['minimum']} to {form['maximum']:,}"
        return f"a whole number from {form['minimum']}" if "minimum" in form else "a whole number"
    if form["type"] == "array" and form["items"]["type"] == "object":
        return f"a list of objects, each with {', '.join(form['items']['required'])}"
    if form["type"] == "array":
        return "a list of " + (", ".join(form["items"].get("enum", ())) or "texts")
    return "one of " + ", ".join(form["enum"]) if "enum" in form else "a text"


def shown(value: object) -> str:
    """A value that an answer repeats, as JSON and not longer than it must be to be known again."""
    try:
        text = "null" if value is None else json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # a number with thousands of digits, lists in lists without an end
        text = f"a {type(value).__name__} beyond all measure"
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _too_long(size: int) -> str:
    return f"the arguments have {size:,} characters; give at most {MOST_CHARS:,}: give what matters, not the whole, or go in parts"


def _size(value: object) -> int:
    """Characters of all texts in a value, as far as it matters how many there are."""
    waiting, size = [value], 0
    while waiting and size <= MOST_CHARS:
        one = waiting.pop()
        if isinstance(one, str):
            size += len(one)
        elif isinstance(one, Mapping):
            waiting += [*one.keys(), *one.values()]
            size += len(one)
        elif isinstance(one, list):
            waiting += one
            size += len(one)
    return size
