"""Codecs that read the histories of other programs, and the import that stores them.

A codec reads and never writes: not one byte of a source changes. What it gives is a pure function of the
source, so that importing again, or importing a history that has grown, adds exactly what is new.
"""

from typing import TYPE_CHECKING

from archivist.late import loading_late

if TYPE_CHECKING:
    from archivist.transfer.databases import SourceBusy
    from archivist.transfer.foreign import (
        Codec,
        ForeignMessage,
        ForeignSession,
        Found,
        Reading,
        SourceChanged,
        SourceUnreadable,
        TransferError,
    )
    from archivist.transfer.importing import has_news, import_history, read_history
    from archivist.transfer.receiving import Receiver
    from archivist.transfer.registry import (
        FormatNotRecognised,
        HistoryNotFound,
        UnknownFormat,
        codec_named,
        detect_format,
        detect_formats,
        find_histories,
    )
    from archivist.transfer.report import ImportReport, LeftOut, Problem, Progress

__all__ = [
    "Codec",
    "ForeignMessage",
    "ForeignSession",
    "FormatNotRecognised",
    "Found",
    "HistoryNotFound",
    "ImportReport",
    "LeftOut",
    "Problem",
    "Progress",
    "Reading",
    "Receiver",
    "SourceBusy",
    "SourceChanged",
    "SourceUnreadable",
    "TransferError",
    "UnknownFormat",
    "codec_named",
    "detect_format",
    "detect_formats",
    "find_histories",
    "has_news",
    "import_history",
    "read_history",
]

_HOMES = {
    "archivist.transfer.databases": ("SourceBusy",),
    "archivist.transfer.foreign": (
        "Codec",
        "ForeignMessage",
        "ForeignSession",
        "Found",
        "Reading",
        "SourceChanged",
        "SourceUnreadable",
        "TransferError",
    ),
    "archivist.transfer.importing": (
        "has_news",
        "import_history",
        "read_history",
    ),
    "archivist.transfer.receiving": ("Receiver",),
    "archivist.transfer.registry": (
        "FormatNotRecognised",
        "HistoryNotFound",
        "UnknownFormat",
        "codec_named",
        "detect_format",
        "detect_formats",
        "find_histories",
    ),
    "archivist.transfer.report": (
        "ImportReport",
        "LeftOut",
        "Problem",
        "Progress",
    ),
}
__getattr__ = loading_late(__name__, _HOMES)
