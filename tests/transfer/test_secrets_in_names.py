"""A secret is masked wherever a source has put it: in the name of a tool, of a model, or of an attachment."""

import json
import zipfile

from tests.transfer.codex.conftest import Rollout

from archivist import Archivist

SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"


def told_by_codex(folder):
    made = Rollout()
    made.line("turn_context", model=f"model {SECRET}", cwd="/x")
    made.person("hello")
    made.call("c1", name=f"run {SECRET}")
    made.result("c1")
    made.tokens({"input_tokens": 10}, {"input_tokens": 10})
    return made.write(folder / "codex")


def told_by_claude(folder):
    said = {"uuid": "m1", "sender": "human", "text": "see", "created_at": "2026-01-01T00:00:00Z"}
    said |= {
        "attachments": [{"file_name": f"{SECRET}.txt", "extracted_content": "x"}],
        "files": [{"file_name": f"{SECRET}.png", "file_uuid": "f1"}],
    }
    path = folder / "claude.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "conversations.json", json.dumps([{"uuid": "c", "name": "N", "chat_messages": [said]}])
        )
        archive.writestr(f"files/f1-{SECRET}.png", b"bytes of a picture")
    return path


def test_names_are_masked_as_texts_are(tmp_path):
    home = tmp_path / "archivist"
    with Archivist.open(home, environ={"HOME": str(tmp_path)}) as archivist:
        for path in (told_by_codex(tmp_path), told_by_claude(tmp_path)):
            report = archivist.import_history(path)
            assert (report.problems, report.messages > 0) == ((), True)
            again = archivist.import_history(path)
            assert again.changed_nothing
        archivist.catch_up()
        assert archivist.verify().problems == ()
    held = [path for path in home.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert held == []
