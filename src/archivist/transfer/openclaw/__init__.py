"""OpenClaw's histories: transcripts as files or in one database per agent, and the dated notes of its workspaces."""

from archivist.transfer.openclaw.codec import OpenClaw

__all__ = ["OpenClaw"]
