"""The composition root: settings become objects here, and only this room knows every other."""

from archivist.app.archivist import Archivist

__all__ = ["Archivist"]
