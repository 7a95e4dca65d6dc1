"""What memory gave, as quotes: the words as they stand there, their date and source, and the command that opens them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from archivist.loop.quoting.reading import object_in
from archivist.loop.quoting.telling import Sentences, is_own
from archivist.loop.quoting.wishes import Wish, is_question, tokens, wish_of
from archivist.recall.finding import RECOLLECTING_TOOLS

MOST_QUOTES: Final = 5
QUOTE_CHARS: Final = 700
LISTED_CHARS: Final = 300
"""Of a note where all are listed."""
MOST_HERE: Final = 2
HERE_CHARS: Final = 4_000
"""Of what was said earlier in the conversation, so much is looked at; what is longer was pasted."""
SHARED: Final = 0.6
"""Of the words of a question, so many must stand in what was said earlier in the conversation."""
ALIKE: Final = 0.8
"""Of the words of two questions, so much the same: one is the other, asked again."""
REPLY_CHARS: Final = 500
END_CHARS: Final = 400
"""Of a message, in which it is looked whether it ends with a question."""
_ASKS: Final = re.compile(r"[?？](?:[^.!。！\w\[]|\[[^\]]*\])*+$")
_CUT: Final = re.compile(r"\s*… \[cut, [\d,]+ more characters: [^\]]*\]\s*$")
_RECOLLECTED: Final = re.compile(
    r'"(?:session_id|message_id|undo_id|entry_count|last_active_at|started_at|source)":|Nobody says it now, and it asks for nothing'
)
"""What stands in results of the tools for what is remembered."""
WISH_CHARS: Final = 300
"""A message of the user that is longer is quoted whatever it wants."""
_DAY: Final = re.compile(r"daily/(\d{4}-\d{2}-\d{2})")


class Hit(msgspec.Struct, frozen=True):
    """A hit of `recall`, or a find of `session_search`, as far as it is quoted."""

    text: str
    date: str = ""
    source: str = ""
    kind: str = "message"
    id: str = ""
    session_id: str = ""
    message_id: int = 0
    role: str = ""
    speaker: str = ""
    title: str = ""
    target: str = ""
    archived: bool = False


def hits_in(found: object) -> list[Hit]:
    """The hits of a result, without what cannot be read as one."""
    hits = []
    for one in found if isinstance(found, list) else ():
        try:
            hits.append(msgspec.convert(one, Hit))
        except msgspec.ValidationError:
            continue
    return hits


def worth_quoting(hits: Iterable[Hit]) -> list[Hit]:
    """Hits without what would only repeat: answers of this kind, what tools gave of memory, words that stand in a note as well."""
    given = list(hits)
    forgotten = [(hit.date, tokens(wish.what)) for hit in given if (wish := _wish(hit)).kind == "forget"]
    kept = [hit for hit in given if not _is_echo(hit) and not _is_forgotten(hit, forgotten)]
    notes = [_level(hit.text) for hit in kept if hit.kind == "note"]
    return [hit for hit in kept if not _says_a_note(hit, notes)]


def said_here(earlier: Iterable[str], asked: str) -> list[str]:
    """What the user said earlier in the conversation, which `recall` leaves out: statements with most words of a question."""
    wanted = tokens(asked[:HERE_CHARS])
    found = []
    for text in earlier:
        share = len(wanted & tokens(text[:HERE_CHARS])) / len(wanted) if wanted else 0.0
        if share >= SHARED and _level(text) != _level(asked) and _is_statement(text):
            found.append((-share, text))
    return [text for _, text in sorted(found, key=lambda one: one[0])][:MOST_HERE]


def _is_statement(text: str) -> bool:
    wish = wish_of(text)
    return wish.kind == "ask" and not wish.asks


def quoted(hit: Hit, number: int, words: Sentences, *, most: int = QUOTE_CHARS) -> str:
    """One quote: where it is from, the words, how it is opened."""
    text = _CUT.sub("", hit.text)
    is_cut = text != hit.text or len(text) > most
    lines = text[:most].strip().splitlines() or [""]
    body = "\n".join(f"   > {line}".rstrip() for line in lines)
    cut = f" {words.cut}" if is_cut else ""
    opening = opens(hit)
    return f"{number}. {_head(hit, words)}\n{body}{cut}" + (f"\n   `{opening}`" if opening else "")


def asks_something(hit: Hit) -> bool:
    """Whether a message ends with a question, whose answer then stands behind it."""
    return (
        hit.kind == "message"
        and bool(hit.session_id and hit.message_id)
        and _ASKS.search(hit.text[-END_CHARS:]) is not None
    )


def reply_to(hit: Hit, passage: str | None, words: Sentences) -> str:
    """What was said next, below the quote of a question; empty where nothing was.

    Args:
        passage: The result that has the messages around it.
    """
    found = object_in(passage).get("messages")
    messages = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    at = next((n for n, one in enumerate(messages) if one.get("id") == hit.message_id), len(messages))
    behind = hits_in([{**one, "id": ""} for one in messages[at + 1 :]])
    one = next((one for one in behind if one.role in {"user", "assistant"} and one.text.strip()), None)
    if one is None or is_own(one.text):
        return ""
    who = words.then.format(who=_who(one, words))
    return f"\n   {who}\n{quote_lines(_CUT.sub('', one.text), REPLY_CHARS, words.cut)}"


def opens(hit: Hit) -> str:
    """The command that shows what is quoted, where it stands; empty where a hit does not say where that is."""
    if hit.kind == "note":
        return f"archivist memory show {hit.id}" if hit.id else ""
    if hit.kind == "daily":
        day = _DAY.search(hit.id) or _DAY.search(hit.source)
        return f"archivist daily --day {day[1]}" if day else ""
    return f"archivist sessions show {hit.session_id} --around {hit.message_id}" if hit.session_id else ""


def day_of(date: str) -> str:
    """A date and time for people, to the minute."""
    try:
        return datetime.fromisoformat(date).strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return date


def listed(session: Mapping[str, Any], number: int) -> str:
    """A conversation in the list of those that were held."""
    key, title = session.get("session_id", ""), session.get("title") or session.get("preview") or ""
    when = day_of(str(session.get("last_active_at") or session.get("started_at") or ""))
    shown = _one_line(str(title), 120)
    return f"{number}. {when} · {session.get('source', '')} · “{shown}”\n   `archivist sessions show {key}`"


def place_of(target: object) -> str:
    """The file of a target."""
    return "USER.md" if target == "user" else "MEMORY.md"


def quote_lines(text: str, most: int = QUOTE_CHARS, cut: str = "…") -> str:
    """A text as quoted lines."""
    shown = text if len(text) <= most else f"{text[:most].rstrip()} {cut}"
    return "\n".join(f"   > {line}".rstrip() for line in shown.splitlines() or [""])


def notices_in(result: Mapping[str, Any]) -> Sequence[str]:
    """What a result says should be known besides."""
    found = [*_texts(result.get("notices")), *_texts(result.get("notes"))]
    return list(dict.fromkeys(found))


def _texts(value: object) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _head(hit: Hit, words: Sentences) -> str:
    parts = [day_of(hit.date), _who(hit, words)]
    if hit.kind == "message":
        parts += [f"“{_one_line(hit.title, 80)}”" if hit.title else "", hit.source]
    else:
        parts += [words.archived if hit.archived else "", hit.source]
    return " · ".join(part for part in parts if part)


def _who(hit: Hit, words: Sentences) -> str:
    if hit.kind == "note":
        return words.note
    if hit.kind == "daily":
        return words.daily
    if hit.speaker:
        return words.other.format(speaker=_one_line(hit.speaker, 80))
    return {"user": words.you, "assistant": words.assistant, "tool": words.tool}.get(hit.role, hit.role)


def _one_line(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def _is_echo(hit: Hit) -> bool:
    if hit.kind != "message":
        return False
    if hit.role == "assistant":
        return is_own(hit.text) or _is_call(hit.text)
    if hit.role != "user":
        return _RECOLLECTED.search(hit.text) is not None
    return _wish(hit).kind == "forget"


def repeats(hit: Hit, asked: str) -> bool:
    """Whether it is the same question, asked before: worth quoting only with what was said to it."""
    if hit.kind != "message" or hit.role != "user" or not (hit.session_id and hit.message_id):
        return False
    here, there = tokens(asked), tokens(hit.text)
    both = len(here | there)
    return (
        both > 0
        and len(here & there) / both >= ALIKE
        and (is_question(hit.text) or _level(hit.text) == _level(asked))
    )


def _is_call(text: str) -> bool:
    """Whether it is a call for what is remembered, whose first line is the tool's name."""
    return text.partition("\n")[0].strip().rpartition("__")[2] in RECOLLECTING_TOOLS


def _is_forgotten(hit: Hit, forgotten: Sequence[tuple[str, frozenset[str]]]) -> bool:
    """Whether it asked to note something that was to be forgotten later."""
    wish = _wish(hit)
    said = tokens(wish.what)
    return wish.kind == "remember" and any(
        date >= hit.date and what and what <= said for date, what in forgotten
    )


def _wish(hit: Hit) -> Wish:
    """What a message of the user wanted."""
    is_short = hit.kind == "message" and hit.role == "user" and len(hit.text) <= WISH_CHARS
    return wish_of(hit.text) if is_short else Wish("nothing")


def _says_a_note(hit: Hit, notes: Sequence[str]) -> bool:
    """Whether it is the message by which something was noted, which stands above it."""
    said = _level(hit.text)
    return (
        hit.kind == "message"
        and hit.role == "user"
        and any(note in said and len(said) < 2 * len(note) + 40 for note in notes)
    )


def _level(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .!?。！？")


__all__ = [
    "LISTED_CHARS",
    "MOST_QUOTES",
    "Hit",
    "asks_something",
    "day_of",
    "hits_in",
    "listed",
    "notices_in",
    "opens",
    "place_of",
    "quote_lines",
    "quoted",
    "repeats",
    "reply_to",
    "said_here",
    "worth_quoting",
]
