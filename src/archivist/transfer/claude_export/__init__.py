"""Claude's data export: conversations as lists of messages with their parents, attachments with their text."""

from archivist.transfer.claude_export.codec import ClaudeExport

__all__ = ["ClaudeExport"]
