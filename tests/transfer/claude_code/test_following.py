"""Transcripts that are followed: whatever becomes of a file, the store holds what one import of it would hold, and what it once had."""

import os
import tempfile
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.transfer.claude_code.author import STEPS, written

from archivist.app.world import real_world
from archivist.config import Home
from archivist.guard import Masked
from archivist.store import StateStore
from archivist.store.deleting import delete_sessions, members_of
from archivist.store.following import Following
from archivist.store.homes import find_home, is_away, is_known
from archivist.transfer import import_history
from archivist.transfer.claude_code import stretches
from archivist.transfer.claude_code.files import is_session_file, session_paths
from archivist.transfer.claude_code.following import Transcripts, of_run
from archivist.transfer.foreign import Reading

KEY = b"a key"
FORK = "22222222-2222-4222-8222-222222222222"


@dataclass
class Keeper:
    """A store that follows transcripts."""

    store: StateStore
    world: object

    def following(self):
        return Following(self.store, self.world, "claude-code")

    def transcripts(self, following=None, *, now=None, is_late=lambda: False, is_thorough=False):
        reading = Reading(lambda cwd: cwd, now, None, self.store.fingerprint, KEY)
        return Transcripts(following or self.following(), reading, is_late, is_thorough)

    def follow(self, path, *, now=None, **options):
        touch(path, now)
        run = self.transcripts(now=now, **options)
        outcomes = list(run.follow(of_run(session_paths(path))))
        assert not [one.problem for one in outcomes if one.problem]
        return outcomes

    def bring_in(self, path, *, now=None):
        touch(path, now)
        report = import_history(
            path, self.store, format="claude-code", project_of=lambda cwd: cwd, now=now, key=KEY,
            home_of=partial(find_home, self.store), is_away=partial(is_away, self.store), is_known=partial(is_known, self.store),
        )  # fmt: skip
        assert not report.problems
        return report

    def rows(self):
        """Every message of every session, in order."""
        ids = self.store.read(lambda db: db.execute("SELECT id FROM sessions ORDER BY id").fetchall())
        found = {}
        for (name,) in ids:
            session = self.store.session(name)
            told = [one for one in self.store.lineage(name) if one.session_id == name]
            found[session.external_id] = [plain(one) for one in told]
        return found

    def everything(self):
        """What is stored, and what was used; titles that were made of what was said at first are left out."""
        used = {
            self.store.session(name).external_id: self.store.usage(name)
            for (name,) in self.store.read(lambda db: db.execute("SELECT id FROM sessions").fetchall())
        }
        return used, self.rows()


def touch(path, now):
    """Let transcripts have been written at a time."""
    for one in session_paths(path) if now is not None else ():
        os.utime(one, (now.timestamp(), now.timestamp()))


def delete(store):
    """Delete every session, as its owner does."""

    def change(db):
        found = dict(
            pair for (key,) in db.execute("SELECT key FROM sessions") for pair in members_of(db, key).items()
        )
        store.erased.add(list(found.values()), "2026-01-01")
        delete_sessions(db, list(found))

    store.write(change)


def plain(message):
    """What a message says, whatever it is called here."""
    return (
        message.role, message.text, message.tool_calls, message.tool_call_id, message.tool_name, message.reasoning,
        None if message.metadata.get("time") else message.created_at, message.state,
    )  # fmt: skip


@pytest.fixture
def keeper(store, clock):
    return Keeper(store, clock.surroundings())


@contextmanager
def keepers(folder, *names):
    """Stores of their own below a folder."""
    opened, world = [], real_world()
    try:
        for name in names:
            home = Home(folder / name)
            opened.append(
                StateStore.open(
                    home.state_file, spool=home.spool_folder, media=home.media_folder, program="0.1.0",
                    world=world,
                )
            )  # fmt: skip
        yield [Keeper(one, world) for one in opened]
    finally:
        for one in opened:
            one.close()


@settings(max_examples=40, deadline=None)
@given(steps=STEPS, data=st.data())
def test_growing_by_any_bytes_ends_as_one_import_does(kit, steps, data):
    made = written(kit, steps)
    whole = made.bytes()
    now = kit.BEGIN + timedelta(seconds=made.number + 1)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=6)))
    with tempfile.TemporaryDirectory() as name, keepers(Path(name), "grown", "once") as (grown, once):
        path = Path(name) / f"{kit.SESSION}.jsonl"
        with stretches_of(data.draw(st.sampled_from([1, 700, stretches.STRETCH_BYTES]))):
            grow(grown, path, [whole[:cut] for cut in cuts], now, data)
        path.write_bytes(whole)
        grown.follow(path, now=now)
        grown.follow(path)
        once.bring_in(path)
        assert grown.everything() == once.everything()
        assert grown.bring_in(path).changed_nothing
        assert once.follow(path)[0].receipt.added == 0
        assert grown.everything() == once.everything()


def grow(grown, path, versions, now, data):
    """Follow a file as it grows; now and then an import comes between."""
    for content in versions:
        path.write_bytes(content)
        if data.draw(st.integers(0, 3)):
            grown.follow(path, now=now)
        else:
            grown.bring_in(path, now=now)


@contextmanager
def stretches_of(size):
    """Read so many bytes in one transaction."""
    usual = stretches.STRETCH_BYTES
    stretches.STRETCH_BYTES = size
    try:
        yield
    finally:
        stretches.STRETCH_BYTES = usual


@st.composite
def rewritings(draw, lines):
    """A file as somebody left it: cut, without some lines, with other words in some."""
    kept = [line for line in lines if draw(st.integers(0, 5))]
    for place, line in enumerate(kept):
        if not draw(st.integers(0, 6)):
            kept[place] = (
                line.replace(b"words", b"other").replace(b"part", b"bit").replace(b"end of", b"close of")
            )
    content = b"".join(line + b"\n" for line in kept)
    return content[: draw(st.integers(0, len(content)))] if draw(st.booleans()) else content


def test_what_comes_before_an_answer_stands_there_though_the_answer_waits_again(kit, keeper, tmp_path):
    made = kit.Transcript()
    made.person("asked")
    made.answer("r1", "answered")
    path, now = tmp_path / f"{kit.SESSION}.jsonl", kit.BEGIN + timedelta(seconds=made.number + 1)
    path.write_bytes(made.lines[1] + b"\n")
    keeper.follow(path)
    path.write_bytes(made.bytes())
    keeper.follow(path, now=now)
    keeper.follow(path)
    (rows,) = keeper.rows().values()
    assert [(row[1], row[-1]) for row in rows] == [("asked", "active"), ("answered", "active")]


@settings(max_examples=40, deadline=None)
@given(steps=STEPS, data=st.data())
def test_rewriting_in_any_way_keeps_what_vanished_as_a_branch(kit, steps, data):
    made = written(kit, steps)
    now = kit.BEGIN + timedelta(seconds=made.number + 1)
    versions = data.draw(st.lists(rewritings(made.lines), min_size=1, max_size=4))
    with tempfile.TemporaryDirectory() as name, keepers(Path(name), "grown", "once") as (grown, once):
        path = Path(name) / f"{kit.SESSION}.jsonl"
        for content in versions:
            path.write_bytes(content)
            grown.follow(path, now=now)
        grown.follow(path)
        once.bring_in(path)
        agree(without_derived(grown.rows()), without_derived(once.rows()))
        before = grown.everything()
        assert grown.bring_in(path).changed_nothing
        grown.follow(path)
        assert grown.everything() == before


def without_derived(rows):
    """Messages without what follows from lines around them: what is stored never changes, though those lines may."""
    return {name: [(*row[:4], *row[5:]) for row in told] for name, told in rows.items()}


def pieces(rows):
    """What is said, line by line, however the lines of a response were put together."""
    for role, text, *facts in rows:
        for line in text.split("\n"):
            yield role, line, *facts


def agree(grown, once):
    """Everything that the file says now is there as the file says it; what it said before is a branch."""
    for name in {*grown, *once}:
        had, has = Counter(pieces(grown.get(name, ()))), Counter(pieces(once.get(name, ())))
        missing, more = has - had, had - has
        assert not missing, (name, missing, more)
        assert {row[-1] for row in more} <= {"branch"}, (name, more)


# ---- what becomes of a file ----


@pytest.fixture
def path(tmp_path, kit):
    return tmp_path / "claude" / f"{kit.SESSION}.jsonl"


def save(path, made, *, replaced=None):
    """Write a transcript as it stands, with other words in it where that is wanted."""
    content = made.bytes()
    for old, new in (replaced or {}).items():
        assert old in content
        content = content.replace(old, new)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)


def texts(keeper, name=None):
    (told,) = keeper.rows().values() if name is None else [keeper.rows()[name]]
    return [(row[1], row[-1]) for row in told]


def test_a_file_that_is_as_it_was_is_not_read(keeper, transcript, path):
    transcript.person("one")
    save(path, transcript)
    keeper.follow(path)
    assert [one.is_unchanged for one in keeper.follow(path)] == [True]


def test_half_a_line_waits_until_it_is_whole(keeper, transcript, path):
    transcript.person("one")
    transcript.person("two")
    save(path, transcript)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    keeper.follow(path)
    assert texts(keeper) == [("one", "active")]
    assert keeper.follow(path)[0].is_unchanged
    path.write_bytes(whole)
    keeper.follow(path)
    assert texts(keeper) == [("one", "active"), ("two", "active")]


def test_a_last_line_without_its_end_is_whole_when_it_says_all(keeper, transcript, path):
    transcript.person("one")
    save(path, transcript)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    keeper.follow(path)
    transcript.person("two")
    save(path, transcript)
    assert keeper.follow(path)[0].receipt.added == 1
    assert texts(keeper) == [("one", "active"), ("two", "active")]


def test_other_words_under_an_id_are_a_new_message_and_the_old_one_is_a_branch(keeper, transcript, path):
    transcript.person("blue it is")
    transcript.answer("r1", "noted", stop="end_turn")
    save(path, transcript)
    keeper.follow(path)
    save(path, transcript, replaced={b"blue": b"green"})
    keeper.follow(path)
    assert texts(keeper) == [("blue it is", "branch"), ("green it is", "active"), ("noted", "active")]
    assert keeper.bring_in(path).changed_nothing
    save(path, transcript)
    keeper.follow(path)
    assert texts(keeper) == [("blue it is", "active"), ("green it is", "branch"), ("noted", "active")]


def test_an_import_notices_other_words_under_an_id_too(keeper, transcript, path):
    transcript.person("blue it is")
    save(path, transcript)
    keeper.bring_in(path)
    save(path, transcript, replaced={b"blue": b"green"})
    keeper.bring_in(path)
    assert texts(keeper) == [("blue it is", "branch"), ("green it is", "active")]
    assert keeper.follow(path)[0].receipt.added == 0
    assert texts(keeper) == [("blue it is", "branch"), ("green it is", "active")]


@pytest.mark.parametrize("how", ["in place", "by another file", "to nothing"])
def test_lines_that_are_gone_from_a_file_stay_as_a_branch(keeper, transcript, path, how):
    transcript.person("stays")
    transcript.person("goes")
    save(path, transcript)
    keeper.follow(path)
    first = transcript.lines[0] + b"\n"
    content = b"" if how == "to nothing" else first
    if how == "by another file":
        path.with_suffix(".tmp").write_bytes(content)
        path.with_suffix(".tmp").replace(path)
    else:
        path.write_bytes(content)
    done = keeper.follow(path)
    stays = "branch" if how == "to nothing" else "active"
    assert texts(keeper) == [("stays", stays), ("goes", "branch")]
    assert done[0].receipt.branched == (2 if how == "to nothing" else 1)
    save(path, transcript)
    keeper.follow(path)
    assert texts(keeper) == [("stays", "active"), ("goes", "active")]


def test_a_file_that_is_gone_takes_nothing_with_it(keeper, transcript, path):
    transcript.person("one")
    save(path, transcript)
    keeper.follow(path)
    path.unlink()
    assert keeper.follow(path.parent) == []
    assert texts(keeper) == [("one", "active")]
    save(path, transcript)
    assert keeper.follow(path)[0].receipt.added == 0


def test_a_folder_that_was_moved_or_is_reached_by_a_link_adds_nothing(keeper, transcript, path, tmp_path):
    transcript.person("one")
    save(path, transcript)
    keeper.follow(path.parent)
    (tmp_path / "link").symlink_to(path.parent)
    assert keeper.follow(tmp_path / "link" / path.name)[0].is_unchanged
    path.parent.rename(tmp_path / "moved")
    assert keeper.follow(tmp_path / "moved")[0].receipt.added == 0
    transcript.person("two")
    save(tmp_path / "moved" / path.name, transcript)
    keeper.follow(tmp_path / "moved")
    assert texts(keeper) == [("one", "active"), ("two", "active")]


def long(transcript, words, count=400):
    for number in range(count):
        transcript.person(f"{words} {number} " + "x" * 500)


def test_only_what_was_added_is_read_where_nothing_is_odd(keeper, transcript, path):
    """A change of the same length amid a long file, in place, is all that a hurry passes over; without one it is noticed."""
    long(transcript, "words")
    save(path, transcript)
    keeper.follow(path)
    content = path.read_bytes().replace(b"words 200 ", b"lyric 200 ")
    with path.open("r+b") as file:
        file.write(content)
    transcript.person("new")
    with path.open("ab") as file:
        file.write(transcript.lines[-1] + b"\n")
    assert keeper.follow(path)[0].receipt.added == 1
    transcript.person("newer")
    with path.open("ab") as file:
        file.write(transcript.lines[-1] + b"\n")
    assert keeper.follow(path, is_thorough=True)[0].receipt.added == 2
    states = {text[:9]: state for text, state in texts(keeper)}
    assert (states["words 200"], states["lyric 200"]) == ("branch", "active")


def test_a_file_put_in_the_place_of_another_is_looked_at_whole(keeper, transcript, path):
    long(transcript, "words")
    save(path, transcript)
    keeper.follow(path)
    other = path.with_suffix(".tmp")
    other.write_bytes(path.read_bytes().replace(b"words 200 ", b"lyric 200 "))
    other.replace(path)
    assert keeper.follow(path)[0].receipt.added == 1


def test_what_the_deadline_cut_off_is_read_the_next_time(keeper, transcript, path):
    long(transcript, "words", 6)
    save(path, transcript)
    late = iter([False, True])
    with stretches_of(700):
        (done,) = keeper.follow(path, is_late=lambda: next(late))
    assert done.receipt.added == 1
    assert done.left == path.stat().st_size - len(transcript.lines[0] + b"\n")
    (passed,) = keeper.follow(path, is_late=lambda: True)
    assert passed.left == done.left
    keeper.follow(path)
    assert len(texts(keeper)) == 6


def test_a_file_that_cannot_be_read_is_named_and_stops_no_other(keeper, transcript, kit, path):
    transcript.person("one")
    save(path, transcript)
    other = kit.Transcript(FORK)
    other.person("two")
    save(path.with_name(f"{FORK}.jsonl"), other)
    run = keeper.transcripts()
    path.with_name("bad.jsonl").mkdir()
    outcomes = {
        one.path.name: one
        for one in run.follow([path.with_name("bad.jsonl"), path.with_name(f"{FORK}.jsonl")])
    }
    assert "bad.jsonl" in outcomes["bad.jsonl"].problem
    assert outcomes[f"{FORK}.jsonl"].receipt.added == 1
    assert [one.problem for one in keeper.following().files().values() if one.problem]


def test_a_file_that_is_exchanged_while_it_is_read_is_read_again(keeper, transcript, path, monkeypatch):
    transcript.person("one")
    save(path, transcript)
    digest = stretches.edge_digest

    def exchanged(file, size):
        monkeypatch.undo()
        transcript.person("two")
        save(path.with_suffix(".tmp"), transcript, replaced={b"one": b"uno"})
        path.with_suffix(".tmp").replace(path)
        return digest(file, size)

    monkeypatch.setattr(stretches, "edge_digest", exchanged)
    (done,) = keeper.transcripts().follow([path])
    assert "rewritten while it was read" in done.problem
    assert keeper.rows() == {}
    keeper.follow(path)
    assert texts(keeper) == [("uno", "active"), ("two", "active")]


# ---- whose a line is ----


def forked(transcript, kit, session=FORK):
    """A file that repeats another under its own session's name and goes on."""
    fork = kit.Transcript(session)
    fork.lines = [line.replace(transcript.session.encode(), session.encode()) for line in transcript.lines]
    fork.number, fork.last = transcript.number + 20, transcript.last
    return fork


@pytest.mark.parametrize("given", ["the folder", "the fork alone", "one after the other"])
def test_a_fork_refers_to_what_it_repeats(keeper, transcript, kit, path, given):
    transcript.person("root")
    transcript.answer("r1", "answer", stop="end_turn")
    save(path, transcript)
    if given == "one after the other":
        keeper.follow(path)
    fork = forked(transcript, kit)
    save(path.with_name(f"{FORK}.jsonl"), fork)
    if given != "the folder":
        keeper.follow(path.with_name(f"{FORK}.jsonl"))  # a fork may be seen before it has a line of its own
    fork.person("goes on")
    save(path.with_name(f"{FORK}.jsonl"), fork)
    keeper.follow(path.parent if given == "the folder" else path.with_name(f"{FORK}.jsonl"))
    assert texts(keeper, kit.SESSION) == [("root", "active"), ("answer", "active")]
    assert texts(keeper, FORK) == [("goes on", "active")]
    session = keeper.store.session(FORK)
    assert (session.parent_id, session.link) == (kit.SESSION, "fork")
    assert keeper.bring_in(path.parent).changed_nothing


def test_the_lines_of_a_response_and_sub_agents_in_files_of_their_own(keeper, transcript, kit, path):
    transcript.person("root")
    transcript.answer("r1", kit.call("t1", "Agent"), stop="tool_use")
    save(path, transcript)
    agent = kit.Transcript(kit.SESSION, ids="agent", isSidechain=True, agentId="7f")
    agent.person("find it")
    agent.answer("s1", "found", stop="end_turn")
    (path.parent / kit.SESSION).mkdir()
    save(path.parent / kit.SESSION / "subagents" / "agent-7f.jsonl", agent)
    keeper.follow(path)
    name = f"{kit.SESSION}/agent-7f"
    assert texts(keeper, name) == [("find it", "active"), ("found", "active")]
    assert keeper.store.session(name).conversation_id == kit.SESSION
    assert keeper.bring_in(path.parent).changed_nothing


# ---- what is kept ----


def test_a_text_is_known_again_whatever_the_rules_of_masking_are(keeper, transcript, path, monkeypatch):
    secret = "ghp_" + "abcdefghij0123456789ABCDEFGHIJ012345"
    transcript.person(f"the key is {secret}")
    transcript.person("words")
    transcript.line(type="custom-title", customTitle=f"about {secret}", sessionId=transcript.session)
    save(path, transcript)
    keeper.follow(path)
    kept = [one.read_bytes() for one in path.parent.parent.iterdir() if one.is_file()]
    assert kept
    assert not any(secret.encode() in one for one in kept)
    monkeypatch.setattr("archivist.store.preparing.mask", lambda text: Masked(text, ()))
    save(path, transcript, replaced={b"words": b"other"})
    done = keeper.follow(path)
    assert done[0].receipt.added == 1
    assert len(texts(keeper)) == 3


def test_what_was_deleted_here_stays_away(keeper, transcript, path):
    transcript.person("one")
    save(path, transcript)
    keeper.follow(path)
    delete(keeper.store)
    transcript.person("two")
    save(path, transcript)
    for _ in range(2):
        assert keeper.follow(path)[0].receipt.added == 0
    assert keeper.rows() == {}


def test_two_that_read_the_same_lines_store_them_once(keeper, transcript, path):
    """The second finds that the first has moved on, looks again and finds nothing new."""
    transcript.person("one")
    save(path, transcript)
    following = keeper.following()
    steps = []

    class Beside(Following):
        def advance(self, step):
            if not steps:
                steps.append(following.advance(step))
            return super().advance(step)

    run = keeper.transcripts(Beside(keeper.store, keeper.world, "claude-code"))
    (done,) = run.follow([path])
    assert steps[0].added == 1
    assert done.receipt.added == 0
    assert texts(keeper) == [("one", "active")]


@pytest.mark.parametrize("kind", ["hook_additional_context", "hook_success", "prompt_snapshot"])
def test_what_we_have_put_into_a_prompt_is_never_taken_for_what_was_said(keeper, transcript, kit, path, kind):
    ours = '<memory-context part="news">\nthe owner likes tea\n</memory-context>'
    transcript.chained("attachment", attachment={"type": kind, "content": [ours], "stdout": ours})
    transcript.line(type="api-request-blob", message={"role": "system", "content": ours})
    transcript.person(f"what do I like?\n\n{ours}")
    transcript.person(
        f"<system-reminder>\nUserPromptSubmit hook additional context: {ours}\n</system-reminder>"
    )
    transcript.answer("r1", kit.call("t1", "mcp__archivist__recall"), stop="tool_use")
    transcript.result("t1", "the owner likes tea (from yesterday)")
    save(path, transcript)
    keeper.follow(path)
    (told,) = keeper.rows().values()
    assert [row[:2] for row in told if row[0] == "tool" or "tea" in row[1]] == [("tool", "")]
    assert [row[1] for row in told if row[0] == "user"] == ["what do I like?"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_among_the_transcripts_is_not_waited_for(keeper, transcript, path):
    transcript.person("one")
    save(path, transcript)
    subagents = path.with_suffix("") / "subagents"
    subagents.mkdir(parents=True)
    memory = path.parent / "memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("- The gate is green.\n")
    for pipe in (path.with_name(f"{FORK}.jsonl"), path.with_name("0.jsonl"), subagents / "agent-1.jsonl"):
        os.mkfifo(pipe)
    keeper.follow(path.parent)
    assert texts(keeper) == [("one", "active")]
    assert keeper.bring_in(path.parent).messages == 0
    assert not is_session_file(path.with_name("0.jsonl"))


@pytest.mark.parametrize("days", [-1, 1])
def test_how_long_a_response_waits_is_told_by_the_file_and_not_by_the_clock_of_its_lines(
    keeper, transcript, kit, path, days
):
    now = kit.BEGIN + timedelta(days=days)
    transcript.person("go on")
    for piece in ("one", "two"):
        transcript.answer("r1", piece)
        save(path, transcript)
        keeper.follow(path, now=now)
    transcript.answer("r1", "three", stop="end_turn")
    save(path, transcript)
    keeper.follow(path, now=now)
    assert texts(keeper) == [("go on", "active"), ("one\ntwo\nthree", "active")]
