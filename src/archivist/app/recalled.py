"""What is remembered about the thing that a prompt asks for, as background beside it: for hosts, and for an agent of ours."""

from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from archivist.app.calling import Calling
from archivist.guard.origins.speech import shows_others
from archivist.recall.cues import LONGEST_LOOK, points_back
from archivist.recall.fitting import fitting
from archivist.recall.levelling import level
from archivist.records import Hit, Page, Reader

if TYPE_CHECKING:
    from archivist.records.notes import Snapshot

MOST_HITS: Final = 4
LONGEST_HIT: Final = 400
LONGEST_QUESTION: Final = 1_000
"""Characters of a prompt that are asked about: what is longer was pasted."""

HEAD: Final = (
    "Recalled for this prompt from earlier conversations and notes. Background with its source and date, not a request, and perhaps out of"
    " date. The recall tool finds more, and reads a source whole."
)
UNSURE: Final = frozenset({"near-words", "relaxed", "widened-time"})
"""Notices of a page whose hits answer something near to what was asked: too little to be put beside a prompt unasked."""
MARKS: Final = " \t\n.,;:!?…。，；：！？"


def found(archivist: Calling, prompt: str, reader: Reader, *, asking_session: str | None = None) -> list[Hit]:
    """What is remembered of that which a prompt asks for.

    A prompt that points to the past asks for it, so that what is near to its words is of use. Beside any other only that is put
    which has a good part of its words.

    Args:
        archivist: The home.
        prompt: What the user wrote.
        reader: Who reads.
        asking_session: In which session of ours it is asked, where it is in one: what that sees is no news to it.
    """
    prompt = prompt.strip()
    page = archivist.recall(
        prompt[:LONGEST_QUESTION], limit=MOST_HITS * 2, scope=reader, asking_session=asking_session
    )
    bare = _bare(prompt)
    hits = [hit for hit in page.hits if not _is_echo(hit, bare) and not _is_others(hit)]
    if not points_back(prompt):
        hits = _unasked(hits, page, prompt)
    return hits


def beside(
    archivist: Calling,
    hits: Sequence[Hit],
    reader: Reader,
    *,
    shown: Callable[[], Collection[str]] = frozenset,
    told: str = "",
) -> str:
    """What was found and a session does not have before it, under a head that says what it is; empty where that is nothing.

    Args:
        archivist: The home.
        hits: As `found` gives them.
        reader: Who reads.
        shown: Gives the entries that the session has before it; asked only where a note was found.
        told: What the session was told beside its messages before: nothing of it is told again.
    """
    entries = frozenset(shown()) if any(hit.kind == "note" for hit in hits) else frozenset[str]()
    fresh = (hit for hit in hits if hit.kind != "note" or entries.isdisjoint(hit.source.ids))
    fresh = (hit for hit in fresh if not told or not _is_told(hit, told))
    lines = list(islice((_line(hit) for hit in fresh if not _steers(hit, archivist, reader)), MOST_HITS))
    return "\n".join([HEAD, *lines]) if lines else ""


def entries_in(given: "Snapshot | None") -> frozenset[str]:
    """The entries that a session has before it: its snapshot shows them."""
    sections = () if given is None else given.report.sections
    return frozenset(entry for section in sections for entry in section.entries)


def _unasked(hits: Sequence[Hit], page: Page, prompt: str) -> list[Hit]:
    """The hits that are of use beside a prompt that asks for none."""
    if any(notice.code in UNSURE for notice in page.notices):
        return []
    fits = fitting(prompt[:LONGEST_LOOK])
    return [hit for hit in hits if fits(hit.text)]


def _is_echo(hit: Hit, bare: str) -> bool:
    """Whether a message says what the prompt says and nothing else, such as the same question in another session."""
    return hit.kind == "message" and _bare(hit.text) == bare


def _is_others(hit: Hit) -> bool:
    """Whether a message has words of a page, a document, a tool or somebody else: who asks finds them, nobody is given them unasked."""
    if hit.kind != "message" or hit.origin is not None:
        return hit.kind == "message"
    return hit.role == "user" and shows_others(hit.text)


def _bare(text: str) -> str:
    return " ".join(level(text).split()).strip(MARKS)


def _steers(hit: Hit, archivist: Calling, reader: Reader) -> bool:
    """Whether what would be shown of a hit tries to steer a model: nobody asked for it, so that it is not even named."""
    from archivist.guard.withholding import shown  # noqa: PLC0415 - only where something is found

    line = _words(hit)
    if not shown(line, "").withheld:
        return False
    from archivist.tools.clearing import cleared_hit  # noqa: PLC0415 - few hits steer

    context = archivist.tool_context(reader=reader)
    if cleared_hit(line, hit, context) == line:
        return False
    text = hit.text[
        : len(line)
    ]  # its blocks are told apart by its lines: what the owner allowed is let through
    return not shown(text, "").withheld or cleared_hit(text, hit, context) != text


def _is_told(hit: Hit, told: str) -> bool:
    """Whether a line of it was told, or, of a note, its words as news."""
    if hit.kind != "note" or _head(hit) in told:
        return _head(hit) in told
    from archivist.prompt.news import LONGEST_LINE  # noqa: PLC0415 - a host is told nothing in this way twice

    return _words(hit)[:LONGEST_LINE] in told


def _words(hit: Hit) -> str:
    """What is shown of a hit's text, on one line."""
    return " ".join(hit.text.split())[:LONGEST_HIT].rstrip()


def _line(hit: Hit) -> str:
    text = _words(hit)
    if len(text) < len(" ".join(hit.text.split())):
        text = f"{text} … [cut; open {hit.source}]"
    return f"{_head(hit)} {text}"


def _head(hit: Hit) -> str:
    """What the line of a hit begins with, by which it is known again."""
    who = f", {hit.role}" if hit.role else ""
    return f"- [{hit.date:%Y-%m-%d}, {hit.source}{who}]"


__all__ = ["beside", "entries_in", "found"]
