"""Hermes histories as sessions.

A row is a message, a summary, or a message written again by a compaction; the first are imported, the others
counted. Nothing is read from the column that repeats a message with recalled memory behind it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from archivist.records import Message, Role, Scope, State
from archivist.transfer.curated import Curated
from archivist.transfer.databases import (
    count_sessions,
    database_print,
    index_column,
    is_sqlite,
    naming_damage,
    opened_copy,
    size_of,
)
from archivist.transfer.fingerprints import Fingerprint
from archivist.transfer.foreign import (
    Content,
    ForeignMessage,
    ForeignSession,
    Found,
    Reading,
    Replay,
    SourceFile,
    SourceUnreadable,
)
from archivist.transfer.gateways import Owners, owners_among, scope_of
from archivist.transfer.hermes.compaction import Key, plan
from archivist.transfer.hermes.content import REASONING_COLUMNS, read_calls, read_reasoning
from archivist.transfer.hermes.memories import curated_in, memory_files
from archivist.transfer.hermes.rows import HermesRows, MessageRow, SessionRow
from archivist.transfer.hermes.sessions import (
    SOURCE,
    Lineage,
    external_id,
    lineages,
    speaker_of,
    start_of,
    usage_of,
    whose,
)
from archivist.transfer.pieces import facts
from archivist.transfer.reasons import EMPTY, REPEATED, REPLACED_BYTES, SUMMARY, UNKNOWN_ROLE
from archivist.transfer.recalled import RECALLED, words_outside
from archivist.transfer.times import UNKNOWN, parse_time

READER_REVISION = 1
DATABASE, CONFIG = "state.db", "config.yaml"
ROLES: Mapping[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
DETACHED = "session with a missing or circular parent stands alone"


class Judged(msgspec.Struct, frozen=True):
    """A session after the first pass over its rows.

    Attributes:
        rows: How many there are.
        states: The rows that are messages.
        skipped: The others, by reason.
        live: What a session that continues this one begins with.
        replaced: Rows with bytes that were no UTF-8.
    """

    rows: int
    states: dict[int, State]
    skipped: Counter[str]
    live: list[Key]
    replaced: int = 0


class Hermes:
    """The codec."""

    name = SOURCE

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Found]:
        """The databases of every profile."""
        configured = environ.get("HERMES_HOME")
        folder = Path(configured).expanduser() if configured else home / ".hermes"
        paths = database_paths(folder)
        if not paths:
            noted = [path for _, path in memory_files(folder)]
            return [Found(SOURCE, folder, 0, size_of(noted))] if noted and _is_home(folder) else []
        size = size_of(paths)
        return [Found(SOURCE, folder, count_sessions(paths, _sessions_in, size), size)]

    def recognises(self, path: Path) -> bool:
        """A folder with `state.db`, or a database with the tables that it has; or a home that has nothing yet but notes."""
        return any(_is_hermes(found) for found in database_paths(path)) or _is_home(path)

    def owned(self, path: Path) -> Sequence[Path]:
        """A home or a profile, but not a folder that has nothing of it but a database."""
        is_one = _is_named(path) or (path / CONFIG).is_file() or bool(memory_files(path))
        return [path] if is_one else []

    def open(self, path: Path, reading: Reading) -> "Databases":
        """Open a database, a profile or a home with its profiles."""
        folder = path.absolute() if path.is_dir() else path.absolute().parent
        return Databases([_source_file(found) for found in database_paths(path)], reading, folder)


class Databases:
    """Databases, opened, and the notes beside the first of them."""

    def __init__(self, files: Sequence[SourceFile], reading: Reading, folder: Path) -> None:
        self.files = files
        self._reading, self._folder = reading, folder

    def curated(self) -> Iterator[Curated]:
        """What the home or profile that was asked for has noted."""
        return curated_in(self._folder, profile_of(self._folder / DATABASE))

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """Profiles know nothing of each other."""
        return changed

    def read(self, file: SourceFile, earlier: str | None) -> Content:  # noqa: ARG002 - part of the interface
        """Open one database.

        Raises:
            SourceUnreadable: It is no Hermes database, or damaged.
        """
        with ExitStack() as stack:
            db = stack.enter_context(opened_copy(file.path))
            with naming_damage(file.path):
                rows = HermesRows(db)
                if rows.missing:
                    advice = "give the path of a Hermes state.db"
                    raise SourceUnreadable(file.path, f"it has no {rows.missing[0]}", advice)
                index_column(db, "messages", "session_id")
                listed = lineages(rows.sessions())
            database = _Database(file.path, rows, profile_of(file.path), self._reading)
            fingerprint = Fingerprint(file.print, len(listed)).text()
            return Content(database.sessions(listed), fingerprint, stack.pop_all().close)


class _Database(msgspec.Struct):
    """One database while it is read."""

    path: Path
    rows: HermesRows
    profile: str | None
    reading: Reading

    def sessions(self, listed: Sequence[Lineage]) -> Iterator[ForeignSession]:
        """Parents first; a child of a session without messages goes on from that session's parent."""
        found, named = whose(listed), self.reading.owners
        owners = owners_among(found.values()) if named is None else Owners(named)
        continued = {lineage.parent for lineage in listed if lineage.link == "compaction"}
        live: dict[str, list[Key]] = {}
        shown_as: dict[str, str | None] = {}
        for lineage in listed:
            session = str(lineage.row["id"])
            inherited = live.get(lineage.parent or "", []) if lineage.link == "compaction" else []
            with naming_damage(self.path):
                judged = self._judge(session, inherited)
            if session in continued:
                live[session] = judged.live
            parent = shown_as.get(lineage.parent) if lineage.parent else None
            shown_as[session] = session if judged.states else parent
            yield self._session(
                lineage, judged, parent, scope_of(found[session], owners, self._project(lineage.row))
            )

    def _judge(self, session: str, inherited: Sequence[Key]) -> Judged:
        light = []
        odd: dict[int, str] = {}
        replaced = 0
        for row in self.rows.messages(session):
            light.append(row.light())
            replaced += row.replaced
            if reason := _oddity(row):
                odd[row.id] = reason
        made = plan(light, inherited)
        reasons = odd | dict.fromkeys(made.copies, REPEATED) | dict.fromkeys(made.summaries, SUMMARY)
        states = {key: state for key, state in made.states.items() if key not in reasons}
        return Judged(len(light), states, Counter(reasons.values()), made.live, replaced)

    def _project(self, row: SessionRow) -> str | None:
        return self.reading.project_of(row["cwd"]) if row["cwd"] else None

    def _session(self, lineage: Lineage, judged: Judged, parent: str | None, scope: Scope) -> ForeignSession:
        with naming_damage(self.path):
            usage = usage_of(lineage.row, self.rows.usage(str(lineage.row["id"])))
            prompt = self.rows.prompt(str(lineage.row["id"]))
        notices = {DETACHED: int(lineage.was_detached), REPLACED_BYTES: judged.replaced}
        return ForeignSession(
            start=start_of(lineage, self.profile, scope, prompt),
            parent_external_id=external_id(parent, self.profile) if parent else None,
            messages=Replay(partial(self._messages, lineage, judged, speaker_of(lineage.row, scope))),
            usage=usage,
            read=judged.rows,
            skipped=judged.skipped,
            notices={notice: count for notice, count in notices.items() if count},
        )

    def _messages(self, lineage: Lineage, judged: Judged, speaker: str | None) -> Iterator[ForeignMessage]:
        session = external_id(str(lineage.row["id"]), self.profile)
        time = parse_time(lineage.row["started_at"]) or UNKNOWN
        with naming_damage(self.path):
            for row in self.rows.messages(str(lineage.row["id"])):
                if row.time is not None:
                    time = datetime.fromtimestamp(row.time, UTC)
                if row.id in judged.states:
                    client_id = f"{SOURCE}:{session}:{row.id}"
                    yield ForeignMessage(
                        _message(
                            row,
                            judged.states[row.id],
                            client_id,
                            time,
                            speaker,
                            by_agent=lineage.link == "subagent",
                        )
                    )


def database_paths(path: Path) -> list[Path]:
    """Databases at a path: itself, a profile's, or those of a home and its profiles."""
    if path.is_file():
        return [path]
    found = [path / DATABASE, *sorted(path.glob(f"profiles/*/{DATABASE}"))]
    return [each for each in found if each.is_file()]


def profile_of(path: Path) -> str | None:
    """The profile of a database; None for the home's own."""
    return path.parent.name if path.parent.parent.name == "profiles" else None


def _source_file(path: Path) -> SourceFile:
    """A database and its log as they are now; one that cannot be read is named all the same."""
    full = path.resolve()
    size, print_ = database_print(full)
    profile = profile_of(full)
    name = f"profiles/{profile}/{full.name}" if profile else full.name
    return SourceFile(path, name, size, f"{READER_REVISION}|{print_}" if print_ else "")


def _is_home(path: Path) -> bool:
    """Whether a folder is a home or profile with notes: by its name or by what stands beside them."""
    return path.is_dir() and bool(memory_files(path)) and (_is_named(path) or (path / CONFIG).is_file())


def _is_named(path: Path) -> bool:
    return path.name.startswith(".hermes") or path.parent.name == "profiles"


def _is_hermes(path: Path) -> bool:
    """Its name is enough: whether it has the tables is known when it is read, and then said."""
    if path.name == DATABASE:
        return is_sqlite(path)
    if not is_sqlite(path):
        return False
    try:
        with opened_copy(path) as db, naming_damage(path):
            return not HermesRows(db).missing
    except SourceUnreadable:
        return False


def _sessions_in(path: Path) -> int:
    with opened_copy(path) as db, naming_damage(path):
        rows = HermesRows(db)
        return 0 if rows.missing else len(rows.sessions())


def _oddity(row: MessageRow) -> str | None:
    """Why a row is no message, apart from compactions."""
    if row.role not in ROLES:
        return UNKNOWN_ROLE
    has_more = (
        row.words.parts or row.columns["tool_calls"] or any(row.columns[name] for name in REASONING_COLUMNS)
    )
    return None if has_more or row.role == "tool" or _words(row).strip() else EMPTY


def _words(row: MessageRow) -> str:
    return words_outside(row.words.text, (RECALLED,)) if row.role == "user" else row.words.text


def _message(
    row: MessageRow, state: State, client_id: str, time: datetime, speaker: str | None, *, by_agent: bool
) -> Message:
    is_user = row.role == "user"
    metadata = facts([str(row.id)], is_inferred=row.time is None, by_agent=by_agent and is_user)
    if row.observed:
        metadata["observed"] = True
    if row.columns["platform_message_id"]:
        metadata["platform_message_id"] = row.columns["platform_message_id"]
    return Message(
        role=ROLES[row.role],
        text=_words(row),
        parts=row.words.parts,
        tool_calls=read_calls(row.columns["tool_calls"]),
        tool_call_id=row.columns["tool_call_id"],
        tool_name=row.columns["tool_name"],
        reasoning=read_reasoning({name: row.columns[name] for name in REASONING_COLUMNS}),
        speaker=speaker if is_user else None,
        created_at=time,
        client_id=client_id,
        state=state,
        metadata=metadata,
    )
