"""A copy of a rollout beside it tells what it alone holds."""

from datetime import UTC, datetime

import pytest

from archivist import EVERYTHING, Archivist


@pytest.mark.parametrize("mark", [" copy", " (1)", "-copy", ".bak", "_2"])
@pytest.mark.parametrize("grown", [False, True])
def test_a_copy_beside_a_rollout_adds_only_what_it_alone_holds(rollout, home, memory, codex, mark, grown):
    rollout.person("one")
    rollout.answer("two")
    rollout.seconds += 600
    rollout.person("three")
    rollout.answer("four")
    path = rollout.write(home)
    if grown:
        rollout.person("five")
        rollout.answer("six")
    path.with_name(f"{path.stem}{mark}.jsonl").write_bytes(rollout.bytes())
    codex.imported(home, memory)
    said = [message.text for _, message in memory.messages.values()]
    assert sorted(said) == sorted(["one", "two", "three", "four", *(["five", "six"] if grown else [])])
    assert codex.imported(home, memory).changed_nothing


def test_a_session_that_was_put_away_was_so_since_it_was_last_used_whenever_it_is_imported(
    rollout, home, tmp_path
):
    rollout.person("one")
    rollout.answer("two")
    rollout.write(home, "archived_sessions")
    exports = []
    for number in (1, 2):
        clock = datetime(2027, number, 1, tzinfo=UTC)
        place = tmp_path / f"home-{number}"
        with Archivist.open(
            place, environ={"HOME": str(tmp_path)}, clock=lambda clock=clock: clock
        ) as archivist:
            archivist.import_history(home)
            row = archivist._store.read(
                lambda db: db.execute("SELECT archived_at, last_active_at FROM sessions").get
            )
            assert row[0] == row[1]
            assert archivist.verify().problems == ()
            archivist.sessions.export(None, tmp_path / f"{number}.jsonl", scope=EVERYTHING)
        exports.append((tmp_path / f"{number}.jsonl").read_bytes().splitlines()[1:])
    assert exports[0] == exports[1]
