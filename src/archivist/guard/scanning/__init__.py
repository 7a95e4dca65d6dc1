"""The scanner of untrusted text: pure functions from text to findings."""

from archivist.guard.scanning.findings import Finding, Severity
from archivist.guard.scanning.scanning import scan

__all__ = ["Finding", "Severity", "scan"]
