"""Conversations as files."""

from archivist.app.held import Held


class Exporting(Held):
    """Conversations as files."""
