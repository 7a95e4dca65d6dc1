"""Codex's rollout files: one JSON object a line, what people saw and what the model saw beside each other."""

from archivist.transfer.codex.codec import Codex

__all__ = ["Codex"]
