"""Answers without a model: what the user wants is read by rules, memory is asked, and what it has is quoted."""

from archivist.loop.quoting.responder import Quoting

__all__ = ["Quoting"]
