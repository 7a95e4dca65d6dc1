"""Letta's agent files: one JSON file with agents and what they have said."""

from archivist.transfer.letta.codec import Letta

__all__ = ["Letta"]
