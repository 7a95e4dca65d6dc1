"""The composition root: settings become objects here, and only this room knows every other."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from archivist.app.archivist import Archivist

__all__ = ["Archivist"]


def __getattr__(name: str) -> object:
    """Load `Archivist` when it is first asked for: what a host's hook asks first must not cost so much."""
    if name == "Archivist":
        from archivist.app.archivist import Archivist  # noqa: PLC0415 - see above

        return Archivist
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
