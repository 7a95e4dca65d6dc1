"""Importing through the front door: one odd record costs itself and nothing more."""

import json

import pytest

from archivist import EVERYTHING, Archivist, FormatNotRecognised


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as opened:
        yield opened


def write(folder, name="s1", **changes):
    line = {
        "type": "user", "uuid": f"{name}-1", "parentUuid": None, "sessionId": name, "isSidechain": False,
        "timestamp": "2026-03-01T10:00:00Z", "cwd": "/src/tide", "message": {"role": "user", "content": f"words of {name}"},
    } | changes  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jsonl").write_text(json.dumps(line) + "\n")


@pytest.mark.parametrize(
    "changes",
    [
        {"cwd": "/a\0b"},
        {"cwd": "/" + "a" * 400},
        {"timestamp": "9999-12-31T23:59:59.9999Z"},
        {"timestamp": "0001-01-01T00:00:00+14:00"},
        {"timestamp": 1e308},
        {
            "type": "assistant",
            "message": {
                "role": "assistant",
                "content": "x",
                "usage": {"input_tokens": 10**30, "output_tokens": -4},
            },
        },
        {
            "type": "assistant",
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": "t", "name": "n", "input": json.loads("[" * 900 + "]" * 900)}
                ],
            },
        },
    ],
)
def test_one_odd_record_stops_neither_the_import_nor_what_comes_after(archivist, tmp_path, changes):
    project = tmp_path / ".claude" / "projects" / "p"
    write(project, "odd", **changes)
    write(project, "plain")
    report = archivist.import_history(tmp_path / ".claude")
    assert report.read == report.imported + report.skipped
    assert archivist.recall("words of plain").hits
    found = archivist.sessions.browse(scope=EVERYTHING)
    for session in found.sessions:
        archivist.sessions.read(session.id, scope=EVERYTHING)
    assert archivist.catch_up().complete
    assert archivist.verify().problems == ()
    assert archivist.import_history(tmp_path / ".claude").imported == 0


def test_a_file_with_a_name_that_is_no_text_is_imported(archivist, tmp_path):
    project = tmp_path / ".claude" / "projects" / "p"
    write(project, "plain")
    (project / "plain.jsonl").rename(project / "x\udcff.jsonl")
    archivist.import_history(tmp_path / ".claude")
    assert archivist.recall("words").hits


def test_a_format_that_is_named_wrongly_is_refused(archivist, tmp_path):
    write(tmp_path / ".claude" / "projects" / "p")
    with pytest.raises(FormatNotRecognised, match="hermes"):
        archivist.import_history(tmp_path / ".claude", format="hermes")


def test_histories_are_found_where_the_environment_says_and_have_news_until_imported(archivist, tmp_path):
    write(tmp_path / ".claude" / "projects" / "p")
    [found] = archivist.find_histories()
    assert archivist.has_news(found)
    archivist.import_history(found.path)
    assert not archivist.has_news(found)
    write(tmp_path / ".claude" / "projects" / "p", "s2")
    assert archivist.has_news(found)
