"""Conversations that go: deleted, pruned; and what they used, which stays counted."""

from archivist.app.held import Held


class Removing(Held):
    """Conversations that go: deleted, pruned; and what they used, which stays counted."""
