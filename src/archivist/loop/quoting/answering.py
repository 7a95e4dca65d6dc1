"""What is answered: a call of a tool first, and with its result the text. Nothing but the request decides."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

import msgspec

from archivist.loop.quoting.meaning import entry_id_in, surely_meant
from archivist.loop.quoting.quotes import (
    LISTED_CHARS,
    MOST_QUOTES,
    Hit,
    asks_something,
    hits_in,
    listed,
    notices_in,
    place_of,
    quote_lines,
    quoted,
    repeats,
    reply_to,
    said_here,
    worth_quoting,
)
from archivist.loop.quoting.reading import Heard, Returned, object_in
from archivist.loop.quoting.telling import SENTENCES, Sentences
from archivist.loop.quoting.wishes import Kind, Wish, wish_of
from archivist.recall.telling import ONLY_HERE

MOST_ASKED: Final = 14
"""Hits that are asked for: some of them are echoes."""
MOST_NOTES: Final = 20
QUERY_CHARS: Final = 4_000
MOST_REPLIES: Final = 3
"""Questions to which it is looked up what was said to them."""
REPLY_WITHIN: Final = 3
"""Messages; a call and its result may stand between a question and its answer."""
TALKS: Final = 10
TOLD_CHARS: Final = 200


class Asking(msgspec.Struct, frozen=True):
    """A tool that is to be called."""

    tool: str
    arguments: Mapping[str, Any]


Next = tuple[Asking, ...] | str
"""Calls, or the text that ends the turn."""


def answer(heard: Heard) -> Next:
    """What comes next."""
    words = SENTENCES[heard.language]
    step = _next(heard, wish_of(heard.said), words)
    if isinstance(step, str):
        return step
    missing = next((asking.tool for asking in step if asking.tool not in heard.tools), None)
    return step if missing is None else words.no_tool.format(tool=missing)


def _next(heard: Heard, wish: Wish, words: Sentences) -> Next:
    fixed = _fixed(wish, words)
    if fixed is not None:
        return fixed
    return _STEPS[wish.kind](heard, wish, words)


def _fixed(wish: Wish, words: Sentences) -> str | None:
    """What is answered without looking anything up."""
    if wish.kind == "remember" and (wish.points or not wish.what):
        return words.what_to_note
    if wish.kind == "forget" and (wish.points or not wish.what):
        return words.what_to_forget
    if wish.kind == "forget" and wish.wants_all:
        return words.not_everything
    said: dict[Kind, str] = {
        "greet": words.greeting,
        "thank": words.thanks,
        "help": words.helping,
        "nothing": words.only_files,
    }
    return said.get(wish.kind)


def _remember(heard: Heard, wish: Wish, words: Sentences) -> Next:
    if not heard.returned:
        target = "user" if wish.about_user else "memory"
        return (Asking("memory", {"action": "add", "target": target, "content": wish.what}),)
    made = heard.returned[-1]
    result = object_in(made.text)
    if result.get("success") is not True:
        return _failure(made, result, words.note_failed, words)
    if waits := result.get("waits"):
        head = words.note_waits.format(id=waits)
    elif result.get("undo_id"):
        head = words.noted.format(place=place_of(result.get("target")))
    else:
        head = words.note_unchanged
    return "\n".join([head, quote_lines(wish.what), *_change_lines(result, words)])


def _change_lines(result: Mapping[str, Any], words: Sentences) -> list[str]:
    """What a change of the notes brought with it."""
    lines = []
    for field, sentence in (
        ("superseded", words.superseded),
        ("contradicts", words.contradicts),
        ("moved_to_archive", words.moved),
    ):
        found = result.get(field)
        lines += [sentence.format(text=one) for one in found] if isinstance(found, list) else []
    lines += _told(result, words)
    if usage := result.get("usage"):
        lines.append(words.usage.format(usage=usage))
    if undo := result.get("undo_id"):
        lines.append(words.undo.format(id=undo))
    return lines


def _failure(made: Returned, result: Mapping[str, Any], sentence: str, words: Sentences) -> str:
    """What a tool that did not do it says, whole."""
    if "error" not in result:
        return words.unreadable.format(tool=made.name, text=made.text[:TOLD_CHARS].strip())
    lines = [sentence.format(error=result["error"])]
    current, ids = result.get("current_entries"), result.get("merge_candidates")
    if isinstance(current, list) and isinstance(ids, list):
        lines += [
            words.nearest.format(text=one) for one in current if str(one).partition(":")[0] in map(str, ids)
        ]
    return "\n".join([*lines, *_told(result, words)])


def _told(result: Mapping[str, Any], words: Sentences) -> list[str]:
    """What a result says should be known besides; that only this conversation has the words of a question always holds."""
    return [words.noticed(text) for text in notices_in(result) if text != ONLY_HERE]


def _forget(heard: Heard, wish: Wish, words: Sentences) -> Next:
    if not heard.returned:
        query = entry_id_in(wish.what) or wish.what[:QUERY_CHARS]
        return (Asking("recall", {"query": query, "kinds": ["note"], "limit": MOST_NOTES}),)
    looked = heard.returned[0]
    result = object_in(looked.text)
    if result.get("success") is not True:
        return _failure(looked, result, words.remove_failed, words)
    notes = [hit for hit in hits_in(result.get("hits")) if hit.kind == "note" and hit.id]
    meant = surely_meant(wish.what, notes)
    if meant is None:
        return _candidates(notes, wish, result, words)
    if len(heard.returned) == 1:
        target = meant.target or "memory"
        return (Asking("memory", {"action": "remove", "target": target, "old_text": meant.id}),)
    return _removed(heard.returned[-1], meant, words)


def _candidates(notes: list[Hit], wish: Wish, result: Mapping[str, Any], words: Sentences) -> str:
    told = _told(result, words)
    if not notes:
        return "\n".join([words.no_such_note.format(what=_named(wish)), *told])
    shown = [quoted(hit, n, words, most=LISTED_CHARS) for n, hit in enumerate(notes[:MOST_QUOTES], 1)]
    more = len(notes) - len(shown)
    tail = [words.fewer.format(more=more)] if more > 0 else []
    return "\n\n".join([words.which_note, *shown, *tail, *told])


def _removed(made: Returned, meant: Hit, words: Sentences) -> str:
    result = object_in(made.text)
    if result.get("success") is not True:
        return _failure(made, result, words.remove_failed, words)
    if waits := result.get("waits"):
        head, tail = words.remove_waits.format(id=waits), []
    else:
        head, tail = words.removed.format(place=place_of(result.get("target"))), [words.talk_stays]
    gone = result.get("replaced")
    text = gone if isinstance(gone, str) else meant.text
    return "\n".join([head, quote_lines(text), *_change_lines(result, words), *tail])


def _list(heard: Heard, _wish: Wish, words: Sentences) -> Next:
    if not heard.returned:
        return (Asking("recall", {"query": "*", "kinds": ["note"], "limit": MOST_NOTES}),)
    made = heard.returned[-1]
    result = object_in(made.text)
    if result.get("success") is not True:
        return _failure(made, result, words.failed, words)
    hits = hits_in(result.get("hits"))
    told = _told(result, words)
    if not hits:
        return "\n\n".join([words.nothing_noted, *told])
    shown = [quoted(hit, n, words, most=LISTED_CHARS) for n, hit in enumerate(hits, 1)]
    return "\n\n".join([words.found_notes, *shown, *told])


def _talks(heard: Heard, wish: Wish, words: Sentences) -> Next:
    if not heard.returned:
        if wish.names_time:
            return (Asking("session_search", {"query": wish.what[:QUERY_CHARS], "limit": TALKS}),)
        return (Asking("session_search", {"limit": TALKS}),)
    made = heard.returned[-1]
    result = object_in(made.text)
    if result.get("success") is not True:
        return _failure(made, result, words.failed, words)
    told = _told(result, words)
    found = result.get("sessions")
    sessions = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    sessions = [one for one in sessions if one.get("is_this") is not True]
    if sessions:
        shown = [listed(one, n) for n, one in enumerate(sessions, 1)]
        return "\n\n".join([words.talks_listed, "\n".join(shown), *told])
    hits = [hit for hit in worth_quoting(hits_in(result.get("results"))) if not repeats(hit, wish.what)]
    hits = hits[:MOST_QUOTES]
    shown = [quoted(hit, n, words) for n, hit in enumerate(hits, 1)]
    return "\n\n".join([words.found_talks if hits else words.no_talks, *shown, *told])


def _ask(heard: Heard, wish: Wish, words: Sentences) -> Next:
    if not heard.returned:
        return (Asking("recall", {"query": wish.what[:QUERY_CHARS], "limit": MOST_ASKED}),)
    made = heard.returned[0]
    result = object_in(made.text)
    if result.get("success") is not True:
        return _failure(made, result, words.failed, words)
    hits = worth_quoting(hits_in(result.get("hits")))
    if len(heard.returned) == 1 and (reading := _reading_on(hits, heard)):
        return reading
    here = [quote_lines(text) for text in said_here(heard.earlier, heard.said)]
    found = list(islice(_with_replies(hits, heard, words), MOST_QUOTES))
    shown = [quoted(hit, n, words) + reply for n, (hit, reply) in enumerate(found, 1)]
    told = _told(result, words)
    hint = [] if wish.asks or shown or here else [words.note_hint]
    blocks = ["\n".join([words.said_here, *here])] if here else []
    if shown:
        blocks += [words.found, *shown]
    elif not here:
        blocks.append(words.nothing.format(what=_named(wish)))
    return "\n\n".join([*blocks, *told, *hint])


def _with_replies(hits: list[Hit], heard: Heard, words: Sentences) -> Iterator[tuple[Hit, str]]:
    """Hits with what was said to them; the same question, asked before, only where something was."""
    passages = {one.arguments.get("around_message_id"): one.text for one in heard.returned[1:]}
    for hit in hits:
        reply = reply_to(hit, passages.get(hit.message_id), words)
        if reply or not repeats(hit, heard.said):
            yield hit, reply


def _reading_on(hits: list[Hit], heard: Heard) -> tuple[Asking, ...]:
    """Where a question was found, what was said to it is looked up."""
    if "session_search" not in heard.tools:
        return ()
    first = hits[: MOST_QUOTES + MOST_REPLIES]
    questions = [hit for hit in first if asks_something(hit) or repeats(hit, heard.said)]
    return tuple(
        Asking(
            "session_search",
            {"session_id": hit.session_id, "around_message_id": hit.message_id, "window": REPLY_WITHIN},
        )
        for hit in questions[:MOST_REPLIES]
    )


def _named(wish: Wish) -> str:
    line = " ".join(wish.what.split())
    return line if len(line) <= TOLD_CHARS else f"{line[:TOLD_CHARS].rstrip()} …"


_STEPS: Final[Mapping[Kind, Callable[[Heard, Wish, Sentences], Next]]] = {
    "remember": _remember,
    "forget": _forget,
    "list": _list,
    "talks": _talks,
    "ask": _ask,
}

__all__ = ["Asking", "Next", "answer"]
