"""A damaged database costs what was damaged and nothing more: never a crash, never silence.

Pages are cut off, emptied, flipped, swapped; the log is removed, cut, flipped. Whatever differs is told of, and
after a salvage every message whose pages were left alone is back. Which those are is told by SQLite's own `dbstat`, not by the code
that is tested.
"""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest
from tests.damage import PAGE, flip_byte, pages_of, spoil

from archivist import EVERYTHING, Archivist, ArchivistError, Message, Scope, StoreDamaged, Usage
from archivist.records import SessionStart

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
SAMPLE, SOAK = 25, 500
FILES = ("state.db", "state.db-wal", "state.db-shm")


@dataclass
class Made:
    """A home as it was before the damage.

    Attributes:
        closed: Its folder, as closed.
        killed: The same, as a killed process left it: with a log.
        said: By message id, what is stored of it.
        pages: By message id, the pages of the closed file that hold it.
    """

    closed: Path
    killed: Path
    said: dict[int, tuple[str, str, str]]
    sessions: dict[str, tuple[str | None, str]]
    pages: dict[int, set[int]] = field(default_factory=dict)


def opened(home: Path) -> Archivist:
    return Archivist.open(home, clock=lambda: NOW, environ={})


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Made:
    folder = tmp_path_factory.mktemp("made")
    return make(folder)


def make(folder: Path) -> Made:
    chance = random.Random(11)
    home = folder / "home"
    with opened(home) as archivist:
        for number in range(14):
            scope = Scope(user="owner", project=f"p{number % 3}") if number % 5 else Scope(chat="group")
            session = archivist.sessions.start("test", title=f"lantern {number}", scope=scope)
            texts = [
                f"word{number}x{n} {'harbour light ' * chance.choice([1, 4, 20, 700])}" for n in range(24)
            ]
            session.append_many(
                [Message.user(text, client_id=f"{number}-{n}") for n, text in enumerate(texts)]
            )
            if number == 9:
                shutil.copytree(home, folder / "begun")
        archivist.catch_up()
        shutil.copytree(home, folder / "killed")
        said, sessions = content(archivist)
    return Made(home, folder / "killed", said, sessions, pages_of_messages(home / "state.db"))


def content(
    archivist: Archivist,
) -> tuple[dict[int, tuple[str, str, str]], dict[str, tuple[str | None, str]]]:
    """Everything that can be read, whoever it is of."""
    said, sessions = {}, {}
    for session in archivist.sessions.browse(scope=EVERYTHING, limit=1000).sessions:
        sessions[session.id] = (session.title, session.source)
        for message in archivist.sessions.read(session.id, scope=EVERYTHING, uncut=True).messages:
            said[message.id] = (message.role, message.text, session.id)
    return said, sessions


def pages_of_messages(file: Path) -> dict[int, set[int]]:
    """By message, the page that holds it and those on which it goes on, as SQLite's own `dbstat` says."""
    db = apsw.Connection(str(file))
    ids = [key for (key,) in db.execute("SELECT id FROM messages ORDER BY id")]
    rows = db.execute(
        "SELECT path, pageno, pagetype, ncell FROM dbstat WHERE name = 'messages' ORDER BY path"
    ).fetchall()
    db.close()
    found, at = {}, 0
    overflow: dict[tuple[str, int], set[int]] = {}
    for path, page, kind, _ in rows:
        if kind == "overflow":
            leaf, cell = path.rsplit("/", 1)
            overflow.setdefault((leaf + "/", int(cell.split("+")[0], 16)), set()).add(page)
    for path, page, kind, count in rows:
        if kind == "leaf":
            for cell in range(count):
                found[ids[at]] = {page, *overflow.get((path, cell), set())}
                at += 1
    assert at == len(ids)
    return found


@dataclass
class Outcome:
    """What was met on the way."""

    told: list[str] = field(default_factory=list)
    said: dict[int, tuple[str, str, str]] = field(default_factory=dict)
    sessions: dict[str, tuple[str | None, str]] = field(default_factory=dict)
    appended: int | None = None
    error: str = ""


def live_through(home: Path, made: Made) -> Outcome:
    """Use a damaged home as its owner would; only our own errors are errors."""
    outcome = Outcome()
    try:
        with opened(home) as archivist:
            outcome.told += [notice.code for notice in archivist.notices]
            use(archivist, made, outcome)
            outcome.told += ["verify"] * bool(archivist.verify().problems)
    except ArchivistError as error:
        outcome.error = str(error)
        outcome.told.append(type(error).__name__)
    return outcome


def use(archivist: Archivist, made: Made, outcome: Outcome) -> None:
    listed = archivist.sessions.browse(scope=EVERYTHING, limit=1000)
    outcome.told += [notice.code for notice in listed.notices]
    for session in listed.sessions:
        outcome.sessions[session.id] = (session.title, session.source)
        for notice, message in read_all(archivist, session.id):
            outcome.told += notice
            if message is not None:
                outcome.said[message.id] = (message.role, message.text, session.id)
                outcome.told += ["damaged"] * bool(message.metadata.get("damaged"))
    page = archivist.recall("word3x5", scope=EVERYTHING)
    outcome.told += [notice.code for notice in page.notices if notice.code not in {"no-such-words", "weak"}]
    new = archivist.sessions.start("test").append(Message.user("written after the damage"))
    outcome.appended = new
    archivist.catch_up()


def read_all(archivist: Archivist, session: str) -> Iterator[tuple[list[str], Message | None]]:
    passage = archivist.sessions.read(session, scope=EVERYTHING, uncut=True)
    yield [notice.code for notice in passage.notices], None
    for message in passage.messages:
        yield [], message


def judge(home: Path, made: Made, damaged: set[int] | None) -> Outcome:
    """Nothing silent, nothing lost that was not damaged.

    Args:
        home: Damaged.
        made: As it was.
        damaged: Pages of the closed file; None where the log was damaged.
    """
    outcome = live_through(home, made)
    kept = {key: value for key, value in outcome.said.items() if key in made.said}
    differs = kept != made.said or {k: outcome.sessions.get(k) for k in made.sessions} != made.sessions
    assert outcome.told or not differs, "something is missing and nobody was told"
    after = salvaged_content(home)
    if after is None:
        assert outcome.told
        assert damaged is not None
        assert all(pages & damaged for pages in made.pages.values()), "rows were there and nothing came back"
        return outcome
    if damaged is not None:
        back = {key for key, pages in made.pages.items() if not pages & damaged}
        missing = {key for key in back if after.get(key, ("", "", ""))[:2] != made.said[key][:2]}
        assert not missing, (sorted(missing)[:10], outcome.told)
    if outcome.appended is not None:
        assert after[outcome.appended][1] == "written after the damage"
    return outcome


def salvaged_content(home: Path) -> dict[int, tuple[str, str, str]] | None:
    try:
        with opened(home) as archivist:
            archivist.salvage()
            return content(archivist)[0]
    except ArchivistError:
        return None


# ---- the ways to damage a file ----


def flip(raw: bytearray, chance: random.Random) -> set[int]:
    at = chance.randrange(len(raw))
    raw[at] ^= 1 << chance.randrange(8)
    return {at // PAGE + 1}


def truncate(raw: bytearray, chance: random.Random) -> set[int]:
    before, length = len(raw), chance.randrange(PAGE, len(raw))
    del raw[length:]
    return set(range(length // PAGE + 1, before // PAGE + 1))


def empty_page(raw: bytearray, chance: random.Random) -> set[int]:
    page = chance.randrange(len(raw) // PAGE)
    raw[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    return {page + 1}


def fill_page(raw: bytearray, chance: random.Random) -> set[int]:
    page = chance.randrange(len(raw) // PAGE)
    raw[page * PAGE : (page + 1) * PAGE] = chance.randbytes(PAGE)
    return {page + 1}


def swap_pages(raw: bytearray, chance: random.Random) -> set[int]:
    one, two = (page * PAGE for page in chance.sample(range(len(raw) // PAGE), 2))
    raw[one : one + PAGE], raw[two : two + PAGE] = raw[two : two + PAGE], raw[one : one + PAGE]
    return {one // PAGE + 1, two // PAGE + 1}


HARMS: dict[str, Callable[[bytearray, random.Random], set[int]]] = {
    each.__name__: each for each in (flip, truncate, empty_page, fill_page, swap_pages)
}


def damage_file(made: Made, home: Path, kind: str, seed: int) -> set[int]:
    shutil.copytree(made.closed, home)
    raw = bytearray((home / "state.db").read_bytes())
    damaged = HARMS[kind](raw, random.Random(seed))
    (home / "state.db").write_bytes(raw)
    return damaged


def damage_log(made: Made, home: Path, kind: str, seed: int) -> None:
    shutil.copytree(made.killed, home)
    log, chance = home / "state.db-wal", random.Random(seed)
    raw = bytearray(log.read_bytes())
    if kind == "remove":
        log.unlink()
    elif kind == "cut":
        log.write_bytes(raw[: chance.randrange(len(raw))])
    else:
        flip(raw, chance)
        log.write_bytes(raw)


# ---- the suite ----


@pytest.mark.parametrize("kind", sorted(HARMS))
@pytest.mark.parametrize("seed", range(SAMPLE // len(HARMS)))
def test_a_damaged_file_costs_what_was_damaged_and_is_told(made, tmp_path, kind, seed):
    damaged = damage_file(made, tmp_path / "home", kind, seed)
    judge(tmp_path / "home", made, damaged)


@pytest.mark.parametrize("kind", ["remove", "cut", "flip"])
@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_log_is_told(made, tmp_path, kind, seed):
    damage_log(made, tmp_path / "home", kind, seed)
    judge(tmp_path / "home", made, None)


@pytest.mark.soak
def test_five_hundred_places(made, tmp_path):
    """Of the file, the ways in turn; and a tenth as many of the log."""
    kinds = sorted(HARMS)
    for seed in range(SOAK):
        home = tmp_path / str(seed)
        judge(home, made, damage_file(made, home, kinds[seed % len(kinds)], 1000 + seed))
        shutil.rmtree(home)
    for seed in range(SOAK // 10):
        home = tmp_path / f"log{seed}"
        damage_log(made, home, ("remove", "cut", "flip")[seed % 3], seed)
        judge(home, made, None)
        shutil.rmtree(home)


def test_whatever_stands_behind_a_broken_place_of_the_log_comes_back(made, tmp_path):
    shutil.copytree(made.killed, tmp_path / "home")
    log = tmp_path / "home" / "state.db-wal"
    flip_byte(log, 32 + 24 + 4 * (PAGE + 24) + 2000)  # the fifth frame: SQLite would forget all behind it
    with opened(tmp_path / "home") as archivist:
        assert [notice.code for notice in archivist.notices] == ["salvaged"]
        said = content(archivist)[0]
    lost = set(made.said) - set(said)
    assert len(lost) < 10
    assert {key: said[key][1] for key in said} == {key: made.said[key][1] for key in said}


def test_the_schema_and_the_head_may_be_gone(made, tmp_path):
    shutil.copytree(made.closed, tmp_path / "home")
    spoil(tmp_path / "home" / "state.db", 1)
    with opened(tmp_path / "home") as archivist:
        assert "salvaged" in {notice.code for notice in archivist.notices}
        assert content(archivist)[0] == made.said
        assert archivist.verify().problems == ()
        assert archivist.recall("word3x5", scope=EVERYTHING).hits


@pytest.mark.parametrize("place", [0, 16, 18, 20, 21, 28, 33, 44, 52, 56, 63, 71, 100, 101, 103, 105])
def test_no_byte_of_the_head_costs_a_message(made, tmp_path, place):
    """Among them the length of pages, the count of pages, the schema's number and the program's id."""
    home = tmp_path / "home"
    shutil.copytree(made.closed, home)
    flip_byte(home / "state.db", place, 0x21)
    outcome = live_through(home, made)
    assert {key: outcome.said.get(key) for key in made.said} == made.said, outcome


@pytest.mark.parametrize("raw", [random.Random(3).randbytes(50_000), b"no database " * 4000])
def test_what_was_never_a_database_is_refused_untouched(tmp_path, raw):
    """An encrypted store was ignored and an empty one put in its place: ruvnet/ruflo#2889."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "state.db").write_bytes(raw)
    with pytest.raises(StoreDamaged, match="no page of it can be read"):
        opened(home)
    assert (home / "state.db").read_bytes() == raw
    assert not list((home / "aside").glob("*"))


def test_a_log_that_was_removed_is_told(made, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(made.killed, home)
    (home / "state.db-wal").unlink()
    with opened(home) as archivist:
        assert "log-missing" in {notice.code for notice in archivist.notices}


def test_history_that_went_back_is_told_by_the_index(tmp_path):
    home = tmp_path / "home"
    with opened(home) as archivist:
        archivist.sessions.start("test").append(Message.user("first lantern"))
    earlier = (home / "state.db").read_bytes()
    with opened(home) as archivist:
        archivist.sessions.start("test").append(Message.user("second lantern"))
        archivist.catch_up()
    (home / "state.db").write_bytes(earlier)
    with opened(home) as archivist:
        page = archivist.recall("lantern")
        assert [hit.text for hit in page.hits] == ["first lantern"]
        assert "history-went-back" in {notice.code for notice in page.notices}


def lose_an_index(home):
    """Damage that SQLite does not notice and that costs nothing."""
    db = apsw.Connection(str(home / "state.db"))
    db.execute("DROP INDEX messages_client")
    db.close()


def test_a_sound_home_is_told_of_nothing_and_left_as_it_is(made, tmp_path):
    for name, source in (("closed", made.closed), ("killed", made.killed)):
        home = tmp_path / name
        shutil.copytree(source, home)
        with opened(home) as archivist:
            assert archivist.notices == ()
            for _ in range(5):  # nor is any of the salvages used up that happen by themselves
                report = archivist.salvage()
                assert (report.is_needless, report.is_whole, report.set_aside) == (True, True, None)
            assert report.messages == len(made.said)
            assert content(archivist) == (made.said, made.sessions)
        assert not (home / "aside").exists()


def test_what_costs_nothing_is_salvaged_to_the_same(made, tmp_path):
    for name, source in (("closed", made.closed), ("killed", made.killed)):
        home = tmp_path / name
        shutil.copytree(source, home)
        with opened(home) as archivist:
            assert archivist.notices == ()
            lose_an_index(home)
            report = archivist.salvage()
            assert report.is_whole
            assert not report.is_needless
            assert (report.messages, report.damaged_pages) == (len(made.said), 0)
            assert content(archivist) == (made.said, made.sessions)
            assert archivist.verify().problems == ()


def test_the_fourth_salvage_waits_for_a_person(made, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(made.closed, home)
    for number in range(3):
        (home / "aside" / f"state.db-damaged-2026010{number}-000000").mkdir(parents=True)
    spoil(home / "state.db", 1)
    with pytest.raises(StoreDamaged, match="salvaged 3 times already"):
        opened(home)


def test_a_question_that_meets_damage_is_answered_and_writing_goes_on(made, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(made.closed, home)
    leaf = min(made.pages[200])
    with opened(home) as archivist:
        spoil(home / "state.db", leaf)
        seen = content(archivist)[0]
        assert len(made.said) - 30 < len(seen) < len(made.said)
        archivist.sessions.start("test").append(Message.user("goes on"))
        assert archivist.verify().problems == ()
        assert archivist.verify().known_losses == len(made.said) - len(seen)


def test_messages_of_a_lost_session_are_seen_by_nobody_but_the_owner_of_everything(tmp_path):
    home = tmp_path / "home"
    with opened(home) as archivist:
        session = archivist.sessions.start("test", title="lantern", scope=Scope(user="ann"))
        key = session.append(Message.user("whose was it?"))
    spoil(home / "state.db", *pages_of(home / "state.db", "sessions"))
    with opened(home) as archivist:
        archivist.salvage()
        for reader in (Scope(user="ann"), Scope(user="owner"), None):
            assert archivist.sessions.browse(scope=reader).sessions == ()
            assert archivist.recall("whose", scope=reader).hits == ()
        [stand_in] = archivist.sessions.browse(scope=EVERYTHING).sessions
        assert (stand_in.id, stand_in.source) == (session.id, "salvaged")  # an index repeats the id
        assert content(archivist)[0][key][1] == "whose was it?"
        assert archivist.verify().problems == ()


def test_a_backup_gives_back_what_no_page_has(made, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(made.closed, home)
    with opened(home) as archivist:
        archivist.backup()
        session = archivist.sessions.start("test").id
        archivist.sessions.get(session).append(Message.user("after the backup"))
    spoil(home / "state.db", *pages_of(home / "state.db", "messages")[2:])
    with opened(home) as archivist:
        report = archivist.salvage()
        said = content(archivist)[0]
        assert {key: said.get(key) for key in made.said} == made.said
        assert archivist.verify().problems == ()
    assert report.messages_from_backup or "backup" in str(list((home / "aside").rglob("report.json")))


def test_ids_are_never_given_twice(made, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(made.closed, home)
    last = max(made.said)
    spoil(home / "state.db", *pages_of(home / "state.db", "changes"), *made.pages[last])
    with opened(home) as archivist:
        archivist.salvage()
        new = archivist.sessions.start("test").append(Message.user("new"))
    assert new > last


def test_what_was_deleted_does_not_come_back(tmp_path):
    home = tmp_path / "home"
    with opened(home) as archivist:
        for number in range(6):
            session = archivist.sessions.start("test", title=f"t{number}")
            session.append_many([Message.user(f"secretword{number} {n} " + "x" * 900) for n in range(30)])
            gone = session.id if number == 3 else None
            if gone:
                archivist.sessions.delete(gone)
    spoil(home / "state.db", 1)
    with opened(home) as archivist:
        assert len(content(archivist)[0]) == 150
        assert not [text for _, text, _ in content(archivist)[0].values() if "secretword3" in text]


def test_a_salvage_that_is_killed_leaves_the_old_or_the_new(made, tmp_path):
    """A child is killed at each of the renames and links by which the new file takes its place."""
    for step in range(1, 9):
        home = tmp_path / str(step)
        shutil.copytree(made.closed, home)
        spoil(home / "state.db", 1)
        child = os.fork()
        if not child:
            die_at(step, home)
        os.waitpid(child, 0)
        with opened(home) as archivist:
            assert content(archivist)[0] == made.said, step
            assert archivist.verify().problems == ()
        assert not [*home.glob("state.db-salvag*"), *home.glob("state.db-replac*")]
        assert len(list((home / "aside").glob("state.db-damaged-*/state.db"))) == 1


def die_at(step: int, home: Path) -> None:
    left = step

    def counted(real):
        def call(*arguments, **options):
            nonlocal left
            left -= 1
            if not left:
                os._exit(9)
            return real(*arguments, **options)

        return call

    from archivist.store import replacing

    replacing.os.link = counted(os.link)
    replacing.Path.replace = counted(Path.replace)
    replacing.Path.unlink = counted(Path.unlink)
    try:
        opened(home).close()
    finally:
        os._exit(0)


def test_several_processes_find_the_damage_at_once_and_one_salvages(made, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(made.closed, home)
    spoil(home / "state.db", 1)
    script = (
        "import sys; from archivist import Archivist, Message\n"
        "with Archivist.open(sys.argv[1], environ={}) as a: print(a.sessions.start('t').append(Message.user('hello')))"
    )
    crowd = [
        subprocess.Popen([sys.executable, "-c", script, str(home)], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    ids = {int(process.communicate(timeout=120)[0]) for process in crowd}
    assert len(ids) == 4
    assert len(list((home / "aside").glob("state.db-damaged-*"))) == 1
    with opened(home) as archivist:
        said = content(archivist)[0]
        assert {key: said[key] for key in made.said} == made.said
        assert ids <= set(said)


HAND_DAMAGE = [
    "UPDATE messages SET text = 'forged' WHERE id = 2",
    "UPDATE messages SET created_at = 'yesterday' WHERE id = 2",
    "UPDATE messages SET parts = '{broken' WHERE id = 2",
    "UPDATE messages SET tool_calls = '[1]' WHERE id = 2",
    "UPDATE messages SET metadata = '[]' WHERE id = 2",
    "UPDATE messages SET role = 'robot' WHERE id = 2",
    "UPDATE messages SET state = 'cctive' WHERE id = 2",
    "UPDATE messages SET text = CAST(x'e1ff' AS TEXT) WHERE id = 2",
    "UPDATE messages SET text = x'00ff' WHERE id = 2",
    "UPDATE messages SET digest = 'short' WHERE id = 2",
    "UPDATE sessions SET metadata = '{' WHERE key = 1",
    "UPDATE sessions SET started_at = 'then' WHERE key = 1",
]


@pytest.mark.parametrize("sql", HAND_DAMAGE)
def test_a_row_that_was_damaged_by_hand_costs_itself(tmp_path, sql):
    home = tmp_path / "home"
    with opened(home) as archivist:
        session = archivist.sessions.start("test", title="lantern").id
        archivist.sessions.get(session).append_many([Message.user(f"harbour {n}") for n in range(5)])
        archivist.sessions.start("test").append(Message.user("another harbour"))
    db = apsw.Connection(str(home / "state.db"))
    db.execute(sql)
    db.close()
    with opened(home) as archivist:
        archivist.sessions.browse()
        passage = archivist.sessions.read(session)
        assert len(passage.messages) >= 4
        marked = [message.id for message in passage.messages if message.metadata.get("damaged")]
        told = {notice.code for notice in passage.notices}
        assert bool(marked) == ("damaged-message" in told)
        assert archivist.verify().problems or marked or told
        assert marked in ([2], [])
        archivist.catch_up()
        assert archivist.recall("another").hits
        archivist.sessions.get(session).messages("all")
        archivist.sessions.get(session).append(Message.user("more"))
        archivist.doctor()


def test_whoever_has_the_file_open_while_another_salvages_goes_on_with_the_result(made, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(made.closed, home)
    with opened(home) as waiting, opened(home) as salvaging:
        session = waiting.sessions.start("test")
        session.append(Message.user("before"))
        lose_an_index(home)
        assert not salvaging.salvage().is_needless
        session.append(Message.user("after"))
        assert [message.text for message in session.messages()] == ["before", "after"]
        assert salvaging.sessions.get(session.id).messages() == session.messages()
    with opened(home) as archivist:
        assert [message.text for message in archivist.sessions.get(session.id).messages()] == [
            "before",
            "after",
        ]
        assert archivist.verify().problems == ()


NONSENSE = [
    "INSERT OR REPLACE INTO meta VALUES('erasing', '{')",
    "UPDATE meta SET value = x'ff' WHERE key = 'store_id'",
    "UPDATE messages SET conversation = 99 WHERE id = 2",
    "UPDATE messages SET session = 99 WHERE id = 3",
    "UPDATE messages SET id = 4611686018427387904 WHERE id = 3",
    "UPDATE sessions SET source = CAST(source AS BLOB)",
    "UPDATE sessions SET title = CAST(title AS BLOB) WHERE key = 1",
    "UPDATE sessions SET conversation = 77 WHERE key = 2",
    "UPDATE sessions SET parent = 78, link = 'fork' WHERE key = 2",
    "UPDATE sessions SET fork_message = 'x' WHERE key = 2",
    "UPDATE sessions SET title_origin = 'nobody' WHERE key = 1",
    "UPDATE sessions SET metadata = '[' WHERE key = 1",
    "UPDATE sessions SET scope = 9",
    "UPDATE scopes SET user = CAST('owner' AS BLOB)",
    "UPDATE changes SET last_message = 'x' WHERE seq = 1",
    "UPDATE changes SET last_message = 9223372036854775807 WHERE seq = 1",
    "UPDATE undos SET session = 99",
    "UPDATE undone SET message = 999",
    "UPDATE usage SET input = 'many'",
    "UPDATE usage SET input = 9223372036854775807, request_id = 'huge'",
]
"""What flipped bits can make of a row, without SQLite taking any offence."""


def everything(archivist: Archivist, into: Path) -> Iterator[Callable[[], object]]:
    """What a caller can ask and change, each by itself."""
    sessions = archivist.sessions
    for name in ("session-1", "session-2"):
        yield lambda name=name: sessions.read(name, scope=EVERYTHING)
        yield lambda name=name: sessions.get(name).messages("all")
        yield lambda name=name: sessions.get(name).usage()
        yield lambda name=name: sessions.get(name).append(Message.user("more"))
        yield lambda name=name: sessions.redo(name, scope=EVERYTHING)
        yield lambda name=name: sessions.undo(name, turns=1, scope=EVERYTHING)
        yield lambda name=name: sessions.fork(name, scope=EVERYTHING)
        yield lambda name=name: sessions.pin(name, scope=EVERYTHING)
        yield lambda name=name: sessions.rename(name, None, scope=EVERYTHING)
    yield lambda: sessions.browse(scope=EVERYTHING)
    yield lambda: [archivist.usage(scope=EVERYTHING, by=by) for by in ("model", "month")]
    yield archivist.counts
    yield lambda: archivist.recall("harbour", scope=EVERYTHING)
    yield archivist.catch_up
    yield archivist.doctor
    yield archivist.verify
    yield lambda: sessions.export(None, into, scope=EVERYTHING, replace=True)
    yield lambda: sessions.prune(0, scope=EVERYTHING, dry_run=True)
    yield lambda: sessions.delete("session-1", scope=EVERYTHING)
    yield lambda: sessions.start("test", title="lantern").append(Message.user("new"))
    yield lambda: archivist.tidy(1.0)


@pytest.mark.parametrize("is_tried_often", [False, True])
@pytest.mark.parametrize("sql", NONSENSE)
def test_damage_that_sqlite_does_not_notice_is_told_by_our_errors(tmp_path, sql, is_tried_often):
    """Before: KeyError, TypeError, AttributeError, msgspec's and apsw's own, in one or two of a hundred damages."""
    home = tmp_path / "home"
    with opened(home) as archivist:
        store = archivist._store
        for name in ("session-1", "session-2"):
            store.start(SessionStart("test", title="lantern", scope=Scope(user="owner")), session_id=name)
            store.append(name, [Message.user(f"harbour {n}") for n in range(3)])
            store.add_usage(name, [Usage(model="m", request_id="r", input=5)])
        archivist.sessions.undo("session-2", turns=1)
    if is_tried_often:  # so that nothing is salvaged by itself any more
        for number in range(3):
            (home / "aside" / f"state.db-damaged-2026010{number}-000000").mkdir(parents=True)
    db = apsw.Connection(str(home / "state.db"))
    db.execute(f"PRAGMA foreign_keys = OFF; {sql}")
    db.close()
    told = []
    try:
        with opened(home) as archivist:
            for ask in everything(archivist, tmp_path / "export.jsonl"):
                try:
                    ask()
                except ArchivistError as error:
                    told.append(str(error))
    except ArchivistError as error:
        told.append(str(error))
    assert not [line for line in told if "\n" in line]
