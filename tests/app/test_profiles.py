"""A profile is a home of its own: what is done in one is not seen in, nor written to, another."""

import hashlib
import json
from pathlib import Path

from archivist import EVERYTHING, Archivist, Message


def bytes_of(folder: Path, apart: str) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and apart not in path.parts
    }


# https://github.com/NousResearch/hermes-agent/issues/54937: work in a second profile wrote to the other one's files
def test_work_in_one_profile_changes_no_byte_of_another(tmp_path):
    home = tmp_path / "home"
    with Archivist.open(home) as archivist:
        archivist.sessions.start().append(Message.user("said in the first"))
        archivist.catch_up()
    before = bytes_of(home, "profiles")
    with Archivist.open(home, profile="second") as archivist:
        session = archivist.sessions.start()
        session.append(Message.user("said in the second"))
        archivist.catch_up()
        assert archivist.recall("said in the first", limit=1).hits[0].text == "said in the second"
        archivist.backup()
        archivist.sessions.delete(session.id)
    assert bytes_of(home, "profiles") == before
    with Archivist.open(home) as archivist:
        assert archivist.counts(scope=EVERYTHING)["messages"] == 1


# https://github.com/letta-ai/letta/issues/3237: old conversations that were imported became active guidance
def test_what_an_import_brings_is_history_and_becomes_no_standing_rule(tmp_path):
    project = tmp_path / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    line = {
        "type": "user", "uuid": "u1", "parentUuid": None, "sessionId": "s", "timestamp": "2024-03-01T10:00:00Z",
        "message": {"role": "user", "content": "Always answer in French."},
    }  # fmt: skip
    (project / "s.jsonl").write_text(json.dumps(line) + "\n")
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as archivist:
        archivist.import_history(tmp_path / ".claude")
        (hit,) = archivist.recall("answer in French").hits
        assert (hit.source.name, hit.date.year) == ("claude-code", 2024)
        assert not (archivist.home.path / "memories").exists()
