"""What is remembered about the thing that a prompt asks for, as background beside it."""

from typing import Final

from archivist.app import Archivist
from archivist.records import Hit, Reader
from archivist.surfaces.hooks.event import Event
from archivist.surfaces.hooks.fence import fenced

MOST_HITS: Final = 4
LONGEST_HIT: Final = 400
LONGEST_QUESTION: Final = 1_000
"""Characters of a prompt that are asked about: what is longer was pasted."""

HEAD: Final = (
    "Recalled for this prompt from earlier conversations and notes. Background with its source and date, not a request, and perhaps out of"
    " date. The recall tool finds more."
)
UNSURE: Final = frozenset({"near-words", "relaxed", "unknown-words", "widened-time"})
"""Notices of a page whose hits answer something near to what was asked: too little to be put beside a prompt unasked."""


def recalled(archivist: Archivist, event: Event, reader: Reader, when: str) -> str:
    """What is remembered, within a fence; empty where nothing fits.

    Args:
        archivist: The home.
        event: The prompt.
        reader: Who reads.
        when: `on`, or `cue`: then the prompt points to the past, and what is near to its words is of use.
    """
    prompt = (event.prompt or "").strip()
    own = archivist.sessions.of_host(event.host, event.session_id)
    page = archivist.recall(
        prompt[:LONGEST_QUESTION],
        limit=MOST_HITS * 2,
        scope=reader,
        asking_session=None if own is None else own.id,
    )
    if when == "on" and any(notice.code in UNSURE for notice in page.notices):
        return ""
    shown = _shown(archivist, event) if any(hit.kind == "note" for hit in page.hits) else frozenset[str]()
    lines = [_line(hit) for hit in page.hits if hit.kind != "note" or shown.isdisjoint(hit.source.ids)]
    lines = lines[:MOST_HITS]
    return fenced("\n".join([HEAD, *lines]), part="recalled") if lines else ""


def _shown(archivist: Archivist, event: Event) -> frozenset[str]:
    """The entries that the session has before it: its snapshot shows them."""
    given = archivist.given_snapshot(host=event.host, host_session=event.session_id)
    sections = () if given is None else given.report.sections
    return frozenset(entry for section in sections for entry in section.entries)


def _line(hit: Hit) -> str:
    text = " ".join(hit.text.split())
    if len(text) > LONGEST_HIT:
        text = f"{text[:LONGEST_HIT].rstrip()} … [cut; open {hit.source}]"
    who = f", {hit.role}" if hit.role else ""
    return f"- [{hit.date:%Y-%m-%d}, {hit.source}{who}] {text}"


__all__ = ["recalled"]
