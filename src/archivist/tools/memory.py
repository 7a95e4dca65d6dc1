"""The tool `memory`: what a model notes, changes and takes back, by the contract that models know.

`action` add, replace, edit, remove; `target` memory, user or daily; `content`, `old_text`; or `operations`, a list of the same, done whole
or not at all. The result is an object with `success`, `done`, `target`, `usage`, `entry_count` and `message`, and what a failure needs:
`current_entries`, `matches`. What waits for the owner has `waits`: the id by which they, and nothing that a model can call, decide.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from archivist.guard import mask
from archivist.notes.making_room import NotesFull
from archivist.notes.matching import NoSuchEntry, SeveralEntries, new_text_exists, preview
from archivist.notes.notes import Notes
from archivist.notes.operations import OperationFailed
from archivist.records import ArchivistError
from archivist.records.counts import counted
from archivist.records.display import plain
from archivist.records.notes import Entry, NoteChange, NoteUsage, Target
from archivist.tools.arguments import Arguments, Refused, as_object, read_arguments
from archivist.tools.clearing import cleared, cleared_entry
from archivist.tools.context import Context, Turn, WriteDown
from archivist.tools.results import cut_text, failure, for_model, schema_of, within_room
from archivist.tools.tool import Result, Tool

MOST_FAILURES: Final = 3
"""In a row within one turn; the next one ends the matter."""
ACTIONS: Final = ("add", "replace", "edit", "remove")
DAILY: Final = "daily"
ENTRY_CHARS: Final = 4_000
"""Of one entry that is listed."""
LIST_CHARS: Final = 16_000
"""Of all entries that are listed, or of the words of one that went."""
_TEXTS: Final = {"type": "array", "items": {"type": "string"}}


def call_memory(
    notes: Notes, arguments: Mapping[str, Any] | str, turn: Turn, *, write_down: WriteDown | None = None
) -> Result:
    """Do what a model asks for; a failure is a result too, and says what to do next.

    Args:
        notes: Where to.
        arguments: As the model gave them, also as JSON in a string.
        turn: The turn; it counts failures.
        write_down: Adds a text to today's notes, for the target `daily`; there is none without it.
    """
    try:
        read = read_arguments(_renamed(as_object(arguments)), MEMORY.schema)
        if write_down is not None and read.get("target") == DAILY:
            result = _written_down(write_down, read, turn)
        else:
            result = _Call(notes, read, turn).run()
    except _Refused as refused:
        return _failed(turn, refused.result)
    except (Refused, ArchivistError) as error:
        return _failed(turn, {"error": str(error)})
    turn.failures = 0
    return result | {"notes": [*result.get("notes", ()), *read.notices]} if read.notices else result


def _renamed(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments under their names here: some models call the new text so."""
    if "new_text" not in given:
        return given
    return {"content": given["new_text"], **{name: given[name] for name in given if name != "new_text"}}


def _written_down(write_down: WriteDown, arguments: Arguments, turn: Turn) -> Result:
    """A text added to today's notes, which only grow."""
    content = arguments.get("content")
    if arguments.get("action") != "add" or content is None:
        raise _Refused(error="target daily takes action add with content: daily notes only grow")
    entry = write_down(content, turn.scope)
    message = "Written down for today." if entry.added else "Today's notes have this already."
    result: Result = {"success": True, "done": True, "target": DAILY, "message": message}
    if entry.proposal is not None:
        result |= {"waits": entry.proposal, "message": _waits(entry.proposal)}
    return (
        result | {"notes": [for_model(notice.text) for notice in entry.notices]} if entry.notices else result
    )


class _Refused(Exception):
    """Ends a call with a result."""

    def __init__(self, **result: Any) -> None:  # noqa: ANN401 - values of JSON
        self.result = result
        super().__init__(str(result))


class _Call:
    def __init__(self, notes: Notes, arguments: Arguments, turn: Turn) -> None:
        self.notes, self.turn, self.arguments = notes, turn, arguments
        self.action, self.operations = arguments.get("action"), arguments.get("operations")
        self.target = _target(arguments.get("target"))

    def run(self) -> Result:
        """The result of a success; every other way out is an exception."""
        try:
            return self._told(self._done())
        except NotesFull as full:
            raise _Refused(
                error=f"{full}. Do it in this turn, in one call with operations."
                if full.candidates
                else str(full),
                current_entries=self._list_of(full.entries),
                merge_candidates=[entry.id for entry in full.candidates],
                usage=f"{full.usage.chars:,}/{full.usage.limit:,}",
            ) from full
        except (NoSuchEntry, SeveralEntries, OperationFailed) as error:
            raise self._missed(error) from error

    def _done(self) -> NoteChange:
        common: dict[str, Any] = {
            "scope": self.turn.scope,
            "origin": "agent",
            "session": self.turn.session,
            "heard": self.turn.hears() if self.turn.hears is not None else None,
        }
        if self.operations is not None:
            return self.notes.apply(self.target, self.operations, **common)
        if self.action is None:
            raise _Refused(error=f"action is missing: give one of {', '.join(ACTIONS)}; or give operations")
        if self.action == "add":
            text, rests_on = self._text("content"), self.turn.rests_on
            sources = rests_on(text) if rests_on is not None else ()
            return self.notes.add(self.target, text, sources=sources, **common)
        old_text = self._text("old_text")
        if self.action == "remove":
            return self.notes.remove(self.target, old_text, **common)
        change = self.notes.replace if self.action == "replace" else self.notes.edit
        return change(self.target, old_text, self._text("content"), **common)

    def _text(self, name: str) -> str:
        if (value := self.arguments.get(name)) is not None:
            return str(value)
        entries, usage = self._present()
        given = ", ".join(sorted(self.arguments.values)) or "nothing"
        raise _Refused(
            error=f"{self.action} needs {name}, a text that is not empty; given: {given}",
            current_entries=entries,
            usage=f"{usage.chars:,}/{usage.limit:,}",
        )

    def _missed(self, error: NoSuchEntry | SeveralEntries | OperationFailed) -> _Refused:
        entries, usage = self._present()
        found: Result = {
            "error": str(error),
            "current_entries": entries,
            "usage": f"{usage.chars:,}/{usage.limit:,}",
        }
        reason = error.reason if isinstance(error, OperationFailed) else error
        if isinstance(reason, NoSuchEntry | SeveralEntries):
            found["matches"] = [self._shown(entry) for entry in reason.candidates]
        same = self._already_said()
        if same is not None:
            found["already_noted"] = self._shown(same)
        return _Refused(**found)

    def _already_said(self) -> Entry | None:
        """The entry that has the new text already, so that it is not added a second time after a miss."""
        content = self.arguments.get("content")
        if content is None:
            return None
        return new_text_exists(self.notes.entries(self.target, "all", self.turn.scope), content)

    def _present(self) -> tuple[list[str], NoteUsage]:
        entries = self.notes.entries(self.target, "core", self.turn.scope)
        return self._list_of(entries), self.notes.usage(self.target, self.turn.scope)

    def _told(self, change: NoteChange) -> Result:
        target = change.entry.target if change.entry is not None else self.target
        result: Result = {
            "success": True,
            "done": True,
            "target": target,
            "usage": str(change.usage),
            "entry_count": change.usage.entries,
            "message": _message(change, is_batch=self.operations is not None),
        }
        if change.proposal is not None:
            result["waits"] = change.proposal
        if change.id:
            result["undo_id"] = change.id
        if change.before is not None:
            result["replaced"] = self._former(change.before, change)
        if change.lost and change.action == "replace":
            gone = within_room((self._former(one, change) for one in change.lost), LIST_CHARS)
            more = len(change.lost) - len(gone)
            result["sentences_gone"] = [*gone, f"… {more} more"] if more else gone
        if change.superseded:
            result["superseded"] = [self._shown(entry) for entry in change.superseded]
        if change.contradicted:
            result["contradicts"] = [self._shown(entry) for entry in change.contradicted]
        if change.moved:
            result["moved_to_archive"] = [self._shown(entry) for entry in change.moved]
        if change.notices:
            result["notes"] = [for_model(notice.text) for notice in change.notices]
        return result

    def _list_of(self, entries: Sequence[Entry]) -> list[str]:
        """Entries as far as there is room; a file that a hand made may be longer than any budget."""
        told = within_room(map(self._whole, entries), LIST_CHARS)
        more = len(entries) - len(told)
        return [*told, f"… {more} more: recall with query * and kinds note lists them"] if more else told

    def _whole(self, entry: Entry) -> str:
        text = cleared_entry(entry, self.notes.allowed)
        return f"{entry.id}: {cut_text(text, ENTRY_CHARS, f'recall {entry.id}')}"

    def _shown(self, entry: Entry) -> str:
        return f"{entry.id}: {preview(cleared_entry(entry, self.notes.allowed))}"

    def _former(self, text: str, change: NoteChange) -> str:
        """Words that went; nobody knows any more who put them there."""
        key = "" if change.entry is None else f" {change.entry.id}"
        told = cleared(mask(text).text, f"memory log{key}", self.notes.allowed)
        return cut_text(told, LIST_CHARS, f"its owner finds it at {change.id} in the log")


def _failed(turn: Turn, result: Mapping[str, Any]) -> Result:
    turn.failures += 1
    found: Result = {"success": False, **result, "error": for_model(mask(str(result["error"])).text)}
    if turn.failures > MOST_FAILURES:
        stop = "Stop trying to change the memory in this turn: answer the user, and say what was not noted."
        found |= {"done": True, "error": f"{found['error']}. {stop}"}
    return found


def _waits(proposal: str, *, is_batch: bool = False) -> str:
    whole = ", all of it or none" if is_batch else ""
    return (
        f"Nothing was changed yet: this waits for the owner{whole}. They decide with"
        f" `archivist review accept {proposal}`; do not ask for it again."
    )


def _message(change: NoteChange, *, is_batch: bool) -> str:
    if change.proposal is not None:
        return _waits(change.proposal, is_batch=is_batch)
    if change.action == "batch":
        return f"Did {counted(len(change.entries), 'operation')}."
    if change.action == "unchanged":
        return "There was nothing to change."
    done = {
        "add": "Noted",
        "replace": "Replaced",
        "edit": "Edited",
        "remove": "Removed",
        "promote": "Brought back",
    }
    word, entry = done.get(change.action, change.action), change.entry
    if entry is None:
        return f"{word}."
    where = f" in the project {plain(entry.scope.project)}" if entry.scope.project else ""
    return f"{word} {entry.id}{where}."


def _target(named: str | None) -> Target:
    if named == DAILY:
        raise _Refused(error="no daily notes are kept here: use target memory for what must last")
    return "user" if named == "user" else "memory"


def _call(arguments: Mapping[str, Any] | str, context: Context) -> Result:
    try:
        notes = context.notes()
    except ArchivistError as error:
        return failure(error)
    return call_memory(notes, arguments, context.turn, write_down=context.write_down)


MEMORY: Final = Tool(
    name="memory",
    title="Memory",
    description=(
        "Keep what must hold beyond this conversation. target=user: who the person is, preferences, corrections of you."
        " target=memory: the environment, conventions, lessons. target=daily: what happened today (add only). One short statement an"
        " entry. replace swaps the whole entry that old_text (a part only it has, or its id) names, edit that part. operations: several."
    ),
    schema={
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": list(ACTIONS)},
            "target": {"type": "string", "enum": [*get_args(Target), DAILY]},
            "content": {
                "type": "string",
                "description": "The new text; for edit what takes the place of old_text.",
            },
            "old_text": {
                "type": "string",
                "description": "A part of the entry that no other has, or its id.",
            },
            "operations": {
                "type": "array",
                "description": "In place of the others: several, done whole or not at all.",
                "items": {
                    "type": "object",
                    "properties": {
                        "action": {"type": "string", "enum": list(ACTIONS)},
                        "target": {"type": "string", "enum": list(get_args(Target))},
                        "content": {"type": "string"},
                        "old_text": {"type": "string"},
                    },
                    "required": ["action"],
                },
            },
        },
    },
    output=schema_of(
        done={"type": "boolean"},
        target={"type": "string"},
        usage={"type": "string"},
        entry_count={"type": "integer"},
        message={"type": "string"},
        undo_id={"type": "string"},
        waits={"type": "string"},
        replaced={"type": "string"},
        sentences_gone=_TEXTS,
        superseded=_TEXTS,
        contradicts=_TEXTS,
        moved_to_archive=_TEXTS,
        notes=_TEXTS,
        current_entries=_TEXTS,
        matches=_TEXTS,
        merge_candidates=_TEXTS,
        already_noted={"type": "string"},
    ),
    is_read_only=False,
    is_destructive=True,
    is_idempotent=False,
    call=_call,
)
