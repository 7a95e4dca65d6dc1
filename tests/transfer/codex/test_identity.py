"""A turn is known by its session, by who says what in it and how often before; never by a file's name, a line, or the order of files."""

import json
import random
import shutil
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archivist import Archivist

OTHER = "019e0000-0000-7000-8000-000000000002"
THIRD = "019e0000-0000-7000-8000-000000000003"


def packed(path, beside=False):
    zstd = pytest.importorskip("backports.zstd")
    target = path.with_name(f"{path.name}.zst")
    target.write_bytes(zstd.compress(path.read_bytes()))
    if not beside:
        path.unlink()
    return target


def forked(codex, parent, session=OTHER, *, restamped, day=2):
    begin = datetime(2026, 3, day, 9, 0, tzinfo=UTC)
    fork = codex.Rollout(session, begin=begin, forked_from_id=parent.session)
    for raw in parent.lines[1:]:
        line = json.loads(raw)
        copied_at = f"2026-03-{day:02}T09:00:02Z" if restamped else line["timestamp"]
        fork.line(line["type"], time=copied_at, **line["payload"])
    fork.seconds = 300
    return fork


def talk(made, *turns):
    for words in turns:
        made.person(words)
        made.think(f"thought of {words}")
        made.call(f"{made.session}-{len(made.lines)}")
        made.answer(f"on {words}")
        made.tokens({"input_tokens": 10 * len(made.lines)}, {"input_tokens": 10})


def said(memory):
    return Counter(message.text for _, message in memory.messages.values() if message.role == "user")


def once(kit, codex, *made):
    """What is stored of rollouts that come together, each once and under its name."""
    memory = kit.Memory()
    with tempfile.TemporaryDirectory() as folder:
        for one in made:
            one.write(Path(folder))
        codex.imported(Path(folder), memory)
    return memory


@pytest.mark.parametrize(
    "name",
    [
        "copy.jsonl",
        "rollout-2027-01-01T00-00-00-019e0000-0000-7000-8000-0000000000ff.jsonl",
        "rollout-2026-03-01-backup.jsonl",
    ],
)
def test_a_file_that_was_renamed_is_the_same_session(rollout, home, memory, kit, codex, name):
    talk(rollout, "one", "one", "two")
    path = rollout.write(home)
    codex.imported(path, memory)
    before = memory.everything()
    renamed = path.rename(path.with_name(name))
    assert codex.imported(renamed, memory).changed_nothing
    assert memory.everything() == before == once(kit, codex, rollout).everything()


@pytest.mark.parametrize("restamped", [True, False])
@pytest.mark.parametrize("is_real", [True, False])
def test_a_fork_that_is_read_before_its_origin_leaves_every_turn_once(
    rollout, tmp_path, codex, restamped, is_real
):
    talk(rollout, "lay the table", "lay the table")
    fork = forked(codex, rollout, restamped=restamped)
    talk(fork, "lay the table", "otherwise")
    talk(rollout, "lay the table", "go on")
    wanted = Counter({"lay the table": 4, "otherwise": 1, "go on": 1})
    with Archivist.open(tmp_path / "archivist", environ={"HOME": str(tmp_path)}) as archivist:
        for one in (fork, rollout) if is_real else (rollout, fork):
            archivist.import_history(one.write(tmp_path / one.session))
        query = "SELECT text, count(*) FROM messages WHERE role = 'user' GROUP BY text"
        assert dict(archivist._store.read(lambda db: db.execute(query).fetchall())) == wanted
        usage = "SELECT sum(input), count(*) FROM usage"
        spent = archivist._store.read(lambda db: db.execute(usage).get)
        assert spent[1] == 6
        assert archivist.verify().problems == ()
        conversations = "SELECT count(DISTINCT conversation) FROM sessions"
        assert archivist._store.read(lambda db: db.execute(conversations).get) == 1


@pytest.mark.parametrize("restamped", [True, False])
@pytest.mark.parametrize("where", ["origin", "fork", "both"])
@pytest.mark.parametrize("damage", [lambda raw: raw[:30], lambda raw: raw.replace(b"words", b"wor\xffs")])
def test_a_copied_line_that_is_damaged_costs_no_more_than_itself(
    rollout, home, memory, codex, restamped, where, damage
):
    talk(rollout, "words one", "words two", "words three")
    fork = forked(codex, rollout, restamped=restamped)
    talk(fork, "otherwise")
    for made in {"origin": [rollout], "fork": [fork], "both": [rollout, fork]}[where]:
        number = next(number for number, raw in enumerate(made.lines) if b"words two" in raw)
        made.lines[number] = damage(made.lines[number])
    rollout.write(home)
    fork.write(home)
    codex.imported(home, memory)
    assert sum(said(memory).values()) <= (4 if where == "fork" or damage(b"words") == b"words" else 5)
    for words in ("words one", "words two", "words three", "otherwise"):
        assert said(memory)[words] == 1, (words, said(memory))


@pytest.mark.parametrize("times", [2, 3])
@pytest.mark.parametrize("between", [b"", b"\n", b'{"torn'])
def test_a_file_whose_contents_are_doubled_tells_each_turn_once(
    rollout, home, memory, kit, codex, times, between
):
    talk(rollout, "go on", "go on", "enough")
    path = rollout.write(home)
    path.write_bytes(between.join([rollout.bytes()] * times))
    codex.imported(path, memory)
    assert memory.everything() == once(kit, codex, rollout).everything()


def test_a_doubled_file_without_times_tells_each_turn_once(home, memory, codex):
    lines = [b'{"id":"%s","timestamp":"2025-01-01T00:00:00Z"}' % codex.FIRST.encode()]
    for words in ("go on", "go on", "enough"):
        content = [{"type": "input_text", "text": words}]
        lines.append(json.dumps({"type": "message", "role": "user", "content": content}).encode())
    path = home / codex.Rollout().name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\n".join([*lines, *lines, lines[-1]]) + b"\n")
    codex.imported(path, memory)
    assert said(memory) == {"go on": 2, "enough": 2}


def test_the_same_words_at_a_clock_that_was_set_back_are_said_again(rollout, home, memory, codex):
    rollout.person("go on")
    rollout.seconds -= 60
    rollout.person("go on")
    codex.imported(rollout.write(home), memory)
    assert said(memory) == {"go on": 2}


@pytest.mark.parametrize("folder", ["sessions/2026/03/01", "archived_sessions"])
@pytest.mark.parametrize("is_cut", [True, False])
def test_a_session_that_lies_packed_and_plain_is_told_once_and_whole(
    rollout, home, memory, kit, codex, folder, is_cut
):
    talk(rollout, "one", "two", "two")
    packed(rollout.write(home, folder))
    path = rollout.write(home)
    if is_cut:
        path.write_bytes(rollout.bytes()[: len(rollout.bytes()) // 2])
    codex.imported(home, memory)
    assert said(memory) == said(once(kit, codex, rollout)) == {"one": 1, "two": 2}
    again = codex.imported(home, memory)
    assert (again.changed_nothing, again.files_unchanged) == (True, 2)


def test_a_line_that_is_damaged_in_one_of_two_copies_is_told_as_the_whole_one_has_it(
    rollout, home, memory, codex
):
    talk(rollout, "words one", "words two")
    path = rollout.write(home)
    path.with_name(f"{path.stem} copy.jsonl").write_bytes(
        rollout.bytes().replace(b"words one", b"words \xffne")
    )
    codex.imported(home, memory)
    assert said(memory) == {"words one": 1, "words two": 1}


WORDS = st.lists(st.sampled_from(["go on", "yes", "no"]), max_size=4)
COPIES = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["as it is", "renamed", "doubled", "cut", "packed"])),
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(
    first=WORDS,
    then=WORDS,
    own=WORDS,
    last=WORDS,
    copies=COPIES,
    restamped=st.booleans(),
    seed=st.integers(0, 99),
)
def test_any_order_and_any_copies_give_the_same_messages(
    kit, codex, first, then, own, last, copies, restamped, seed
):
    origin = codex.Rollout()
    talk(origin, *first)
    fork = forked(codex, origin, restamped=restamped)
    talk(origin, *then)
    talk(fork, *own)
    other = codex.Rollout(THIRD, begin=datetime(2026, 3, 5, 9, 0, tzinfo=UTC))
    talk(other, *last)
    made = (origin, fork, other)
    wanted = once(kit, codex, *made)
    assert said(wanted) == Counter([*first, *then, *own, *last])
    with tempfile.TemporaryDirectory() as folder:
        places = [one.write(Path(folder, f"p{number}")) for number, one in enumerate(made)]
        for number, (which, how) in enumerate(copies):
            places.append(copied(made[which], Path(folder, f"c{number}"), how))
        random.Random(seed).shuffle(places)
        memory = kit.Memory()
        for place in places:
            codex.imported(place, memory)
        together = Path(folder, "together")
        for number, place in enumerate(places):
            target = together / "sessions" / "2026" / "03" / f"{number + 1:02}" / place.name
            target.parent.mkdir(parents=True)
            shutil.copy(
                place, target.with_name(f"rollout-{number}.jsonl") if place.name[:4] == "copy" else target
            )
        joint = kit.Memory()
        codex.imported(together, joint)
        for one in (memory, joint):
            ids = {(owner, message.client_id, message.text) for owner, message in one.messages.values()}
            assert ids == {
                (owner, message.client_id, message.text) for owner, message in wanted.messages.values()
            }


def copied(made, folder, how):
    """A copy of a rollout, not as it was written."""
    path = made.write(folder)
    if how == "doubled":
        path.write_bytes(path.read_bytes() * 2)
    elif how == "cut":
        path.write_bytes(b"\n".join(path.read_bytes().split(b"\n")[: len(made.lines) * 3 // 4]))
    elif how == "renamed":
        path = path.rename(path.with_name("copy of it.jsonl"))
    return packed(path) if how == "packed" else path
