"""What was read before is passed over only while all that it gave is here."""

import json

import pytest
from tests.damage import PAGE, spoil

from archivist import EVERYTHING, Archivist


@pytest.fixture
def history(tmp_path):
    project = tmp_path / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    for name in ("one", "two"):
        line = {
            "type": "user", "uuid": f"{name}-1", "parentUuid": None, "sessionId": name, "isSidechain": False,
            "timestamp": "2026-03-01T10:00:00Z", "message": {"role": "user", "content": f"words of {name}"},
        }  # fmt: skip
        (project / f"{name}.jsonl").write_text(json.dumps(line) + "\n")
    return tmp_path / ".claude"


@pytest.fixture
def opened(tmp_path):
    def again():
        return Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)})

    return again


def test_an_import_after_a_deletion_says_what_stays_away(history, opened):
    with opened() as archivist:
        archivist.import_history(history)
        archivist.sessions.delete("one")
        report = archivist.import_history(history)
        assert report.reasons["deleted here, stays away"] == 1
        assert (report.messages, report.read) == (0, report.imported + report.skipped)
        assert archivist.import_history(history).read == 0


def test_a_line_taken_out_of_the_list_of_what_was_deleted_lets_it_back_in(history, opened):
    with opened() as archivist:
        archivist.import_history(history)
        archivist.sessions.delete("one")
        archivist.import_history(history)
        listed = archivist.home.path / "erased.jsonl"
    listed.write_text("")
    with opened() as archivist:
        assert archivist.import_history(history).messages == 1
        assert archivist.recall("words of one").hits
        assert archivist.verify().problems == ()


def test_so_does_the_whole_list(history, opened):
    with opened() as archivist:
        archivist.import_history(history)
        archivist.sessions.delete("two")
        archivist.import_history(history)
        listed = archivist.home.path / "erased.jsonl"
    listed.unlink()
    with opened() as archivist:
        assert archivist.import_history(history).messages == 1


def test_what_a_broken_disk_lost_comes_back_with_the_next_import(history, opened):
    project = history / "projects" / "p"
    with (project / "one.jsonl").open("a") as file:
        for number in range(400):
            line = {
                "type": "user", "uuid": f"one-more-{number}", "parentUuid": "one-1", "sessionId": "one",
                "timestamp": "2026-03-01T10:00:00Z", "message": {"role": "user", "content": f"turn {number} " + "x" * 300},
            }  # fmt: skip
            file.write(json.dumps(line) + "\n")
    with opened() as archivist:
        archivist.import_history(history)
        before = archivist.counts(scope=EVERYTHING)["messages"]
        state = archivist.home.state_file
    middle = state.stat().st_size // PAGE // 2 + 1
    spoil(state, *range(middle, middle + 5), filling=b"\0")
    with opened() as archivist:
        lost = archivist.salvage().messages_lost
        assert lost > 0
        archivist.import_history(history)
        assert archivist.counts(scope=EVERYTHING)["messages"] == before
        assert archivist.verify().problems == ()
