"""The composition root: settings become objects here, and only this room knows every other."""

from archivist.late import loading_late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from archivist.app.archivist import Archivist

__all__ = ["Archivist"]

__getattr__ = loading_late(__name__, {"archivist.app.archivist": ("Archivist",)})
