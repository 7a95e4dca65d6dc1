"""Lists of messages measured by the providers' own types: the parameters of their Python packages."""

import functools
import typing
from collections.abc import Iterator, Mapping

import typing_extensions
from pydantic import TypeAdapter, ValidationError

_adapter = functools.cache(TypeAdapter)  # kept, also because what is iterable asks it again


def takes(kind, value):
    """Whether a value is of a provider's type, all that it holds among it."""
    try:
        _gone_through(_adapter(kind).validate_python(value, strict=True))
    except ValidationError:
        return False
    return True


def _gone_through(value):
    """Every value looked at: what is declared as iterable is only checked as it is gone through."""
    if isinstance(value, Mapping):
        value = value.values()
    if not isinstance(value, str | bytes) and isinstance(value, typing.Iterable):
        for one in value:
            _gone_through(one)


def kinds_of(union) -> Iterator[tuple[str, type]]:
    """The classes of a union by the `type` of their values; those of messages are left out."""
    for one in typing.get_args(union):
        told = typing_extensions.get_type_hints(one).get("type") if isinstance(one, type) else None
        for name in typing.get_args(told):
            if isinstance(name, str):
                yield name, one


def required(kind) -> set[str]:
    """The fields that a value must have, `type` left out."""
    hints = typing_extensions.get_type_hints(kind, include_extras=True)
    return {
        name
        for name, hint in hints.items()
        if typing_extensions.get_origin(hint) is typing_extensions.Required and name != "type"
    }
