"""Whatever becomes of files that repeat each other, each reads as it stands, and every line is stored once.

A history is written by random steps: lines are added, paths left, files forked, cut, changed and removed. In the end three stores must
agree with what the files say: one that followed them step by step, one that follows what is left, one that imports it.
"""

import json
import tempfile
from collections import Counter
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.transfer.claude_code.test_following import Keeper, delete, keepers

from archivist import Archivist
from archivist.store.forking import fork
from archivist.store.lines import count_shown, path_ids
from archivist.store.places import longest_run
from archivist.store.relatives import read_line
from archivist.store.sessions import require_session
from archivist.store.undoing import plan_undo

ORIGIN, FORK = str(UUID(int=1)), str(UUID(int=2))

STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "say",
                "say",
                "rewind",
                "fork",
                "cut",
                "change",
                "remove",
                "follow",
                "follow",
                "follow one",
                "import",
            ]
        ),
        st.integers(0, 7),
        st.integers(0, 7),
    ),
    min_size=2,
    max_size=16,
)


@pytest.fixture
def keeper(store, clock):
    return Keeper(store, clock.surroundings())


class Files:
    """Transcripts that a program writes, and what each says."""

    def __init__(self, kit, folder):
        self.kit, self.folder, self.made, self.number = kit, folder, {}, 0
        bystander = kit.Transcript(str(UUID(int=99)), ids="bystander")
        bystander.person("apart")
        bystander.write(folder)
        self.begin()

    def begin(self):
        session = str(UUID(int=len(self.made) + 1))
        self.made[session] = self.kit.Transcript(session, ids=f"f{len(self.made)}")
        return self.made[session]

    def there(self):
        return [one for one in self.made.values() if self.path(one).exists()]

    def path(self, made):
        return self.folder / f"{made.session}.jsonl"

    def say(self, made, _=0):
        self.number += 1
        if self.number % 3:
            made.person(f"words {self.number}")
        else:
            made.answer(f"r{self.number}", f"words {self.number}", stop="end_turn")
        self.save(made)

    def rewind(self, made, choice):
        lines = self.lines(made)
        made.last = lines[choice % len(lines)]["uuid"] if lines else None
        self.say(made)

    def fork(self, made, _):
        if len(self.made) > 3 or not made.lines:
            return
        fork = self.begin()
        fork.lines = [line.replace(made.session.encode(), fork.session.encode()) for line in made.lines]
        fork.number, fork.last = made.number, made.last
        self.save(fork)

    def cut(self, made, choice):
        del made.lines[choice:]
        lines = self.lines(made)
        made.last = lines[-1]["uuid"] if lines else None
        self.save(made)

    def change(self, made, choice):
        if made.lines:
            self.number += 1
            place = choice % len(made.lines)
            made.lines[place] = made.lines[place].replace(b"words", b"other %d" % self.number)
            self.save(made)

    def remove(self, made, _):
        self.path(made).unlink()

    def save(self, made):
        self.path(made).write_bytes(made.bytes())

    def lines(self, made):
        return [json.loads(line) for line in made.lines]

    def path_of(self, made):
        """What the person sees: the lines from the last one back to the beginning, in order."""
        lines = self.lines(made)
        by_id = {line["uuid"]: line for line in lines}
        at, path = lines[-1]["uuid"] if lines else None, set()
        while at in by_id and at not in path:
            path.add(at)
            at = by_id[at]["parentUuid"]
        return [text_of(line) for line in lines if line["uuid"] in path]


def text_of(line):
    content = line["message"]["content"]
    return content if isinstance(content, str) else content[0]["text"]


def act(files, keeper, step, which, choice):
    there = files.there()
    if step == "follow":
        keeper.follow(files.folder)
    elif step == "import":
        keeper.bring_in(files.folder)
    elif not there:
        files.say(files.begin())
    elif step == "follow one":
        keeper.follow(files.path(there[which % len(there)]))
    else:
        getattr(files, step)(there[which % len(there)], choice)


def read(keeper, session):
    """What is read as a session's conversation; None for one that is not here."""
    known = keeper.store.read(lambda db: db.execute("SELECT id FROM sessions WHERE id = ?", (session,)).get)
    return None if known is None else [one.text for one in keeper.store.context(session)]


def check(keeper, files):
    for made in files.there():
        assert read(keeper, made.session) in (files.path_of(made), None), made.session
    rows = [row for told in keeper.rows().values() for row in told]
    assert max(Counter(row[1] for row in rows).values(), default=1) == 1
    shown = {text for made in files.there() for text in files.path_of(made) if read(keeper, made.session)}
    assert shown <= {row[1] for row in rows if row[-1] == "active"}
    assert keeper.store.verify().problems == ()


COPY_THAT_TOLD_NOTHING = [
    ("fork", 0, 0),
    ("fork", 0, 0),
    ("follow", 0, 0),
    ("say", 0, 0),
    ("say", 1, 0),
    ("import", 0, 0),
]
"""A second fork was read and nothing of it stored: what its origin said first stays its origin's."""
ORIGIN_BEGUN_ANEW = [
    ("follow", 0, 0),
    ("cut", 0, 0),
    ("say", 0, 0),
    ("follow", 0, 0),
    ("fork", 0, 0),
    ("cut", 0, 0),
]
"""The fork begins later than the conversation of its origin, of which nothing is left in a file."""


@example(steps=COPY_THAT_TOLD_NOTHING)
@example(steps=ORIGIN_BEGUN_ANEW)
@settings(max_examples=40, deadline=None)
@given(steps=STEPS)
def test_step_by_step_at_once_and_by_an_import_files_read_as_they_stand(kit, steps):
    with tempfile.TemporaryDirectory() as name, keepers(Path(name), "grown", "again", "once") as keepers_of:
        grown, again, once = keepers_of
        files = Files(kit, Path(name) / "claude")
        files.say(next(iter(files.made.values())))
        for step in steps:
            act(files, grown, *step)
        grown.follow(files.folder)
        again.follow(files.folder)
        once.bring_in(files.folder)
        for keeper in keepers_of:
            check(keeper, files)
        before = grown.everything()
        assert grown.bring_in(files.folder).messages == 0
        assert [one.receipt.added for one in grown.follow(files.folder) if one.receipt.added] == []
        assert grown.everything() == before
        check(grown, files)


# ---- what becomes of a fork ----


@pytest.fixture
def files(kit, tmp_path):
    """A transcript of three lines, whose fork goes on with a fourth."""
    files = Files(kit, tmp_path / "claude")
    origin = files.made[ORIGIN]
    for _ in range(3):
        files.say(origin)
    files.fork(origin, 0)
    files.say(files.made[FORK])
    return files


def states(keeper, session):
    return {row[1]: row[-1] for row in keeper.rows().get(session, ())}


def key_of(db, session):
    return db.execute("SELECT key FROM sessions WHERE id = ?", (session,)).get


def shown(keeper, session):
    """What is shown of a conversation to people, who see no path that was left."""

    def ask(db):
        key = key_of(db, session)
        assert count_shown(db, [key], None)[key] == len(path_ids(db, key, None))
        return path_ids(db, key, None)

    told = {one.id: one.text for one in keeper.store.lineage(session)}
    return [told[message] for message in keeper.store.read(ask)]


WORDS = ["words 1", "words 2", "words 3", "words 4"]


@pytest.mark.parametrize("how", ["cut", "left"])
def test_what_a_fork_repeats_stays_on_its_path_whatever_its_origin_leaves(keeper, files, how):
    keeper.follow(files.folder)
    if how == "cut":
        files.cut(files.made[ORIGIN], 1)
    else:
        files.rewind(files.made[ORIGIN], 0)
    keeper.follow(files.folder)
    own = [] if how == "cut" else ["words 5"]
    assert keeper.store.read(lambda db: [one.id for one in read_line(db, key_of(db, FORK), None)]) == [
        ORIGIN,
        FORK,
    ]
    assert read(keeper, FORK) == shown(keeper, FORK) == WORDS
    assert [one.text for one in keeper.store.lineage(FORK)] == WORDS
    assert read(keeper, ORIGIN) == shown(keeper, ORIGIN) == ["words 1", *own]
    assert set(states(keeper, ORIGIN).values()) == {"active"}
    assert keeper.bring_in(files.folder).changed_nothing


def test_what_no_file_has_on_its_path_any_more_is_a_branch(keeper, files):
    keeper.follow(files.folder)
    files.rewind(files.made[ORIGIN], 0)
    keeper.follow(files.folder)
    files.rewind(files.made[FORK], 0)
    keeper.follow(files.folder)
    assert [text for text, state in states(keeper, ORIGIN).items() if state == "branch"] == WORDS[1:3]
    assert read(keeper, FORK) == ["words 1", "words 6"]
    files.made[ORIGIN].last = json.loads(files.made[ORIGIN].lines[2])["uuid"]
    files.say(files.made[ORIGIN])
    keeper.follow(files.folder)
    assert read(keeper, ORIGIN) == [*WORDS[:3], "words 7"]
    assert keeper.store.verify().problems == ()


@pytest.mark.parametrize("way", ["follow", "bring_in"])
@pytest.mark.parametrize("first", ["origin", "fork"])
def test_a_fork_and_its_origin_may_come_in_either_order(keeper, files, way, first):
    wanted = files.folder / f"{FORK if first == 'fork' else ORIGIN}.jsonl"
    other = files.folder / f"{ORIGIN if first == 'fork' else FORK}.jsonl"
    content = other.read_bytes()
    other.unlink()
    getattr(keeper, way)(wanted)
    other.write_bytes(content)
    getattr(keeper, way)(files.folder)
    files.say(files.made[ORIGIN])
    getattr(keeper, way)(files.folder)
    assert read(keeper, FORK) == shown(keeper, FORK) == WORDS
    assert read(keeper, ORIGIN) == shown(keeper, ORIGIN) == [*WORDS[:3], "words 5"]
    assert sum(map(len, keeper.rows().values())) == 6


@pytest.mark.parametrize("way", ["follow", "bring_in"])
def test_a_fork_whose_origin_was_cleared_away_refers_to_what_is_stored_of_it(keeper, files, way):
    fork = files.folder / f"{FORK}.jsonl"
    content = fork.read_bytes()
    fork.unlink()
    getattr(keeper, way)(files.folder)
    files.path(files.made[ORIGIN]).unlink()
    fork.write_bytes(content)
    getattr(keeper, way)(files.folder)
    assert states(keeper, FORK) == {"words 4": "active"}
    assert read(keeper, FORK) == WORDS
    assert keeper.store.session(FORK).parent_id == ORIGIN


def test_what_was_deleted_here_does_not_come_back_with_a_fork(keeper, files):
    fork = files.folder / f"{FORK}.jsonl"
    content = fork.read_bytes()
    fork.unlink()
    keeper.follow(files.folder)
    delete(keeper.store)
    fork.write_bytes(content)
    keeper.follow(files.folder)
    assert {text for rows in keeper.rows().values() for _, text, *_ in rows} <= {"words 4"}


def marked(content, own_ids):
    """What a fork repeats, with whose it is, as the program writes it; with `own_ids` its copies have ids of their own."""
    renamed, lines = {}, []
    for number, line in enumerate(map(json.loads, content.splitlines())):
        if number < 3:
            renamed[line["uuid"]] = f"copy-{number}" if own_ids else line["uuid"]
            line["forkedFrom"] = {"sessionId": ORIGIN, "messageUuid": line["uuid"]}
        line["parentUuid"] = renamed.get(line["parentUuid"], line["parentUuid"])
        line["uuid"] = renamed.get(line["uuid"], line["uuid"])
        lines.append(json.dumps(line).encode() + b"\n")
    return b"".join(lines)


@pytest.mark.parametrize("way", ["follow", "bring_in"])
@pytest.mark.parametrize("is_origin_there", [True, False])
def test_copies_with_ids_of_their_own_are_the_lines_that_the_program_says(
    keeper, files, way, is_origin_there
):
    # what `forkSession` writes: https://github.com/microsoft/vscode/pull/322828
    fork = files.folder / f"{FORK}.jsonl"
    content = marked(fork.read_bytes(), own_ids=True)
    fork.unlink()
    getattr(keeper, way)(files.folder)
    if not is_origin_there:
        files.path(files.made[ORIGIN]).unlink()
    fork.write_bytes(content)
    getattr(keeper, way)(files.folder)
    assert states(keeper, FORK) == {"words 4": "active"}
    assert read(keeper, FORK) == shown(keeper, FORK) == WORDS
    assert keeper.store.verify().problems == ()


@pytest.mark.parametrize("way", ["follow", "bring_in"])
@pytest.mark.parametrize("own_ids", [True, False])
def test_what_was_deleted_here_does_not_come_back_with_a_fork_that_says_whose_it_is(
    keeper, files, way, own_ids
):
    fork = files.folder / f"{FORK}.jsonl"
    content = marked(fork.read_bytes(), own_ids)
    fork.unlink()
    getattr(keeper, way)(files.folder)
    delete(keeper.store)
    files.path(files.made[ORIGIN]).unlink()
    fork.write_bytes(content)
    for _ in range(2):
        getattr(keeper, way)(files.folder)
        assert [text for _, text, *_ in keeper.rows()[FORK]] == ["words 4"]


@pytest.mark.parametrize("ways", ["follow follow", "bring_in bring_in", "follow bring_in", "bring_in follow"])
def test_a_message_that_was_changed_stands_in_its_place(keeper, files, ways):
    first, second = ways.split()
    files.remove(files.made[FORK], 0)
    getattr(keeper, first)(files.folder)
    files.change(files.made[ORIGIN], 1)
    getattr(keeper, second)(files.folder)
    assert read(keeper, ORIGIN) == shown(keeper, ORIGIN) == ["words 1", "other 5 2", "words 3"]
    assert [one.text for one in keeper.store.lineage(ORIGIN)] == [
        "words 1",
        "words 2",
        "other 5 2",
        "words 3",
    ]
    files.change(files.made[ORIGIN], 0)
    getattr(keeper, second)(files.folder)
    assert read(keeper, ORIGIN) == ["other 6 1", "other 5 2", "words 3"]
    keeper.follow(files.folder)
    assert read(keeper, ORIGIN) == ["other 6 1", "other 5 2", "words 3"]


@pytest.mark.parametrize("way", ["follow", "bring_in"])
def test_a_message_that_waits_and_is_taken_later_stands_before_what_was_here(
    keeper, transcript, tmp_path, kit, way
):
    for words in ("one", "two"):
        transcript.person(words, time=None)
    path = transcript.write(tmp_path / "claude")
    whole = path.read_bytes()
    path.write_bytes(transcript.lines[1] + b"\n")
    getattr(keeper, way)(path)
    path.write_bytes(whole)
    getattr(keeper, way)(path, now=kit.BEGIN)  # no line tells the time: all of it may still be written
    getattr(keeper, way)(path)
    assert shown(keeper, transcript.session) == ["one", "two"]


def test_a_message_that_was_changed_in_its_origin_stays_as_it_was_in_the_fork(keeper, files):
    keeper.follow(files.folder)
    files.change(files.made[ORIGIN], 1)
    keeper.follow(files.folder)
    assert read(keeper, ORIGIN) == ["words 1", "other 5 2", "words 3"]
    assert read(keeper, FORK) == WORDS
    assert set(states(keeper, ORIGIN).values()) == {"active"}


def test_a_fork_can_be_forked_and_taken_back_here(keeper, files):
    keeper.follow(files.folder)
    files.rewind(files.made[ORIGIN], 0)
    keeper.follow(files.folder)
    borrowed = keeper.store.context(FORK)[2]

    def change(db):
        key = require_session(db, FORK).key
        for name, at in (("here", None), ("there", borrowed.id)):
            fork(db, key, at=at, title=None, scopes=None, session_id=name, now=keeper.world.now())
        return [one[0] for one in plan_undo(db, key, to=None, turns=1, scopes=None).states]

    own = keeper.store.context(FORK)[3]
    assert keeper.store.write(change) == [own.id]
    assert read(keeper, "here") == shown(keeper, "here") == WORDS
    assert read(keeper, "there") == shown(keeper, "there") == WORDS[:3]


def test_the_most_that_stands_in_order_is_found():
    assert longest_run([]) == set()
    assert longest_run([3, 1, 2, 5, 4]) in ({1, 2, 4}, {1, 2, 5})


@pytest.mark.parametrize("format_", ["jsonl", "json"])
def test_an_export_tells_what_a_fork_repeats(files, tmp_path, format_):
    out, again = tmp_path / f"out.{format_}", tmp_path / f"again.{format_}"
    with Archivist.open(tmp_path / "here") as here, Archivist.open(tmp_path / "there") as there:
        here.ingest(folder=files.folder)
        files.rewind(files.made[ORIGIN], 0)
        files.change(files.made[ORIGIN], 0)
        here.ingest(folder=files.folder)
        here.sessions.export(None, out)
        for _ in range(2):
            there.import_history(out)
        there.sessions.export(None, again)
        for session in (ORIGIN, FORK):
            for which in ("context", "all"):
                told = [(one.text, one.state) for one in here.sessions.get(session).messages(which)]
                assert [(one.text, one.state) for one in there.sessions.get(session).messages(which)] == told
        assert there.verify().problems == ()
