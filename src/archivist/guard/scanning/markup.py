"""What markup hides: comments, elements that are not shown, links that are comments, images that carry data away."""

from collections.abc import Iterator
from typing import NamedTuple

from archivist.guard.scanning.findings import Finding
from archivist.records.patterns import late_pattern

_TAG = late_pattern(r"<[a-zA-Z][^<>]{0,1000}>")
_UNSEEN = late_pattern(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:px|pt|em|%)?\s*[;\"']|opacity\s*:\s*0(?:\.0\d?)?\s*[;\"']"
    r"|[^-]color\s*:\s*(?:white|#fff(?:fff)?\b|transparent)|\shidden\b|aria-hidden\s*=|left\s*:\s*-\d{3,}|height\s*:\s*0"
)
_LINK_COMMENT = late_pattern(r"(?m)^[ \t]*\[[^\]\n]{1,80}\]:[ \t]*(?:#|<>)[^\n]{1,4000}$")
_IMAGE = late_pattern(
    r"!\[[^\]\n]{0,200}\]\(\s*https?://[^\s)]{1,500}|<img[^<>]{1,100}src\s*=\s*[\"']?https?://[^\s<>\"']{1,500}"
)
_ASKED = late_pattern(r"(?<=://)[^/?]{1,200}[/?]")
_CARRIED = late_pattern(
    r"(?i)(?:\{\{?|\$\{?|<|\[|%7b|__|\()[\w .-]{0,40}?(?:conversation|chat|histor|secret|passw|key|token|prompt|memor"
    r"|message|summar|user|e-?mail|base64|encod|credential|context|data|content|info|env|密码|对话|记忆)"
)
_LONGEST_ELEMENT = 20_000


class Hidden(NamedTuple):
    """A stretch that a reader of the page does not see: all of it, and its words."""

    start: int
    end: int
    inner_start: int
    inner_end: int


def hidden_stretches(text: str) -> Iterator[Hidden]:
    """Comments, and elements that are not shown."""
    yield from _comments(text)
    if "<" in text:
        done = 0
        for tag in _TAG.finditer(text):
            if tag.start() >= done and _UNSEEN.search(tag.group()):
                name = tag.group()[1:].split(None, 1)[0].rstrip(">").lower()
                close = text.find(f"</{name}", tag.end(), tag.end() + _LONGEST_ELEMENT)
                end = close if close >= 0 else min(len(text), tag.end() + _LONGEST_ELEMENT)
                done = end
                yield Hidden(tag.start(), end, tag.end(), end)
    if "]:" in text:
        for link in _LINK_COMMENT.finditer(text):
            yield Hidden(link.start(), link.end(), text.index("]:", link.start()) + 2, link.end())


def _comments(text: str) -> Iterator[Hidden]:
    at = text.find("<!--")
    while at >= 0:
        close = text.find("-->", at + 4)
        end = close if close >= 0 else len(text)
        yield Hidden(at, min(len(text), end + 3), at + 4, end)
        at = text.find("<!--", end)


def find_beacons(text: str) -> Iterator[Finding]:
    """Images whose address would carry something of the conversation away."""
    if "![" in text or "<img" in text:
        for image in _IMAGE.finditer(text):
            asked = _ASKED.search(text, image.start(), image.end())
            if asked and _CARRIED.search(text, asked.start(), image.end()):
                yield Finding(
                    "exfiltration",
                    *image.span(),
                    "block",
                    "has an image whose address carries the conversation away",
                )
