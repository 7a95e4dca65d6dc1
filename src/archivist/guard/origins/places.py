"""Which files hold words of others: documents, what was downloaded, and what came with a dependency.

The project's own source, its data and its settings are none: they are what an agent works on.
"""

from typing import Final

from archivist.records.patterns import late_pattern

_KINDS: Final = frozenset(
    "pdf doc docx docm odt rtf pages html htm xhtml mhtml mht epub mobi azw3 djvu ps ppt pptx odp key xls xlsx xlsm ods numbers"
    " eml emlx msg mbox mbx ics vcf md mdx markdown mkd rst adoc asciidoc org textile wiki tex txt text srt vtt"
    " png jpg jpeg gif webp bmp tif tiff heic avif mp3 m4a wav ogg opus flac mp4 mov mkv webm avi".split()
)
_NAMES: Final = frozenset(
    "readme agents agent claude gemini contributing changelog changes news history license licence copying notice authors"
    " maintainers security support install installing howto faq skill llms notes todo copilot-instructions .cursorrules"
    " .windsurfrules .clinerules .goosehints".split()
)
_FOLDERS: Final = frozenset(
    "node_modules site-packages dist-packages bower_components vendor vendored third_party third-party thirdparty"
    " deps _deps pods .venv venv virtualenv .tox .cargo .rustup .m2 .gradle .npm .pnpm-store .yarn .cache"
    " downloads download inbox attachments attachment maildir mail uploads upload incoming received shared-with-me".split()
)
_LISTS: Final = late_pattern(
    r"(?:requirements|constraints|dev-requirements|test-requirements|packages|cmakelists|robots|manifest|runtime|version|versions|"
    r"pinned|lock|words|wordlist|output|out|result|results|coverage|expected|fixture|fixtures)[\w.-]*\.(?:txt|in)|.*\.(?:cmake|lock)"
)
_APART: Final = late_pattern(r"[/\\]+")


def is_document(path: str) -> bool:
    """Whether a file holds words that others wrote for readers, by its name and by where it stands."""
    parts = [part for part in _APART.split(path.strip().strip("\"'`").lower()) if part not in {"", ".", ".."}]
    if not parts:
        return False
    if not _FOLDERS.isdisjoint(parts[:-1]):
        return True
    name = parts[-1]
    if _LISTS.fullmatch(name):
        return False
    stem, _, kind = name.rpartition(".") if not name.startswith(".") else (name, "", "")
    return (
        kind in _KINDS
        or name in _NAMES
        or (stem or name).split(".")[0] in _NAMES
        or name.startswith("readme")
    )


def is_below_foreign(path: str) -> bool:
    """Whether a folder holds what others wrote."""
    return not _FOLDERS.isdisjoint(part.lower() for part in _APART.split(path))


__all__ = ["is_below_foreign", "is_document"]
