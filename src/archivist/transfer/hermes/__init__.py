"""Hermes Agent's `state.db`: sessions and messages as rows, compactions in place, other profiles beside."""

from archivist.transfer.hermes.codec import Hermes

__all__ = ["Hermes"]
