"""Packages whose names are loaded when they are first asked for (PEP 562): who needs one of them does not wait for all."""

TYPE_CHECKING = False  # `typing` takes longer to load than all that a hook may need
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


def loading_late(package: str, homes: "Mapping[str, Iterable[str]]") -> "Callable[[str], object]":
    """What a package's `__getattr__` is.

    Args:
        package: Its name.
        homes: By module, the names that are taken from it.

    Raises:
        AttributeError: The package has no such name.
    """
    home_of = {name: module for module, names in homes.items() for name in names}

    def load(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        import sys  # noqa: PLC0415 - loaded already, whoever runs
        from importlib import import_module  # noqa: PLC0415 - only where something is loaded

        found: object = getattr(import_module(home_of[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    return load


__all__ = ["loading_late"]
