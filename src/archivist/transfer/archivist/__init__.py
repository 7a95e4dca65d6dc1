"""Archivist's own exports: conversations as JSON, JSONL and Markdown, and the codec that reads them back."""

from archivist.transfer.archivist.codec import OwnExports
from archivist.transfer.archivist.writing import FORMATS, UnknownExportFormat, export_format, written

__all__ = ["FORMATS", "OwnExports", "UnknownExportFormat", "export_format", "written"]
