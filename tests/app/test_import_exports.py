"""Exports of chat programs through the front door: what a search finds of them, and what it must not."""

import json
import zipfile

import pytest

from archivist import EVERYTHING, Archivist


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as opened:
        yield opened


def node(key, parent, role, content, time, **fields):
    content = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    message = {
        "id": key,
        "author": {"role": role},
        "create_time": time,
        "content": content,
        "weight": 1.0,
        "metadata": {},
    }
    return {"id": key, "parent": parent, "children": [], "message": message | fields}


HIDDEN = {"is_visually_hidden_from_conversation": True}
CHATGPT = {
    "title": "Bread", "id": "bread", "create_time": None, "current_node": "a6",
    "mapping": {
        "a0": {"id": "a0", "parent": None, "children": ["a1"], "message": None},
        "a1": node("a1", "a0", "system", "knead the sourdough politely", None, weight=0.0, metadata=HIDDEN),
        "a2": node("a2", "a1", "user", {"content_type": "user_editable_context", "user_instructions": "sourdough in grams"}, None),
        "a3": node("a3", "a2", "user", "wheat sourdough with less sugar?", 1767000000.0),
        "a4": node("a4", "a2", "user", "rye sourdough with less sugar?", 1767000100.0),
        "a5": node("a5", "a4", "assistant", {"content_type": "thoughts", "thoughts": [{"content": "sourdough enzyme"}]}, 1767000150.0),
        "a6": node("a6", "a5", "assistant", "Let the rye sourdough rest for 16 hours.\ud83d", 1767000200.0),
    },
}  # fmt: skip

CLAUDE = {
    "uuid": "lease", "name": "", "created_at": "2026-02-14T10:00:00Z", "project_uuid": "p-1",
    "chat_messages": [
        {"uuid": "m1", "sender": "human", "text": "", "content": [], "created_at": "2026-02-14T10:00:00Z",
         "parent_message_uuid": "00000000-0000-4000-8000-000000000000",
         "attachments": [{"file_name": "lease.txt", "extracted_content": "Clause 7: three months' notice to the landlord."}]},
        {"uuid": "m2", "sender": "assistant", "text": "", "created_at": "2026-02-14T10:01:00Z", "parent_message_uuid": "m1",
         "content": [{"type": "thinking", "thinking": "tenancy musing"},
                     {"type": "tool_use", "id": "t", "name": "web_search", "input": {"query": "quarter ends"}},
                     {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "31 March"}]},
                     {"type": "text", "text": "Write before 31 March."}]},
        {"uuid": "m3", "sender": "human", "text": "wrong branch", "created_at": "2026-02-14T10:02:00Z", "parent_message_uuid": "m2"},
        {"uuid": "m4", "sender": "human", "text": "山笑う", "created_at": "2026-02-15T00:10:00+09:00", "parent_message_uuid": "m2"},
    ],
}  # fmt: skip


def export(folder, *conversations):
    folder.mkdir(exist_ok=True)
    (folder / "conversations.json").write_text(json.dumps(conversations))
    (folder / "memories.json").write_text('[{"conversations_memory": "derived by the vendor"}]')
    return folder


def found(archivist, query, **options):
    page = archivist.sessions.search(query, limit=50, scope=EVERYTHING, **options)
    return {key for hit in page.hits for key in hit.source.ids}


def test_what_a_person_saw_is_found_and_nothing_else(archivist, tmp_path):
    report = archivist.import_history(export(tmp_path / "x", CHATGPT))
    assert (report.read, report.imported, report.messages) == (7, 4, 3)
    assert found(archivist, "sourdough") == {"a4", "a6"}
    assert found(archivist, "sourdough", branches=True) == {"a3", "a4", "a6"}
    assert found(archivist, "enzyme") == found(archivist, "grams") == found(archivist, "politely") == set()
    [hit] = archivist.sessions.search("16 hours", limit=3).hits[:1]
    assert hit.text.endswith("16 hours.\ufffd")


def test_the_text_of_attachments_is_found_and_thinking_is_not(archivist, tmp_path):
    archivist.import_history(export(tmp_path / "x", CLAUDE))
    assert found(archivist, "landlord notice") == {"m1"}
    assert found(archivist, "lease.txt") == {"m1"}
    assert found(archivist, "31 March") == {"m2"}
    assert found(archivist, "山笑う") == {"m4"}
    assert (
        found(archivist, "tenancy musing")
        == found(archivist, "wrong branch")
        == found(archivist, "derived vendor")
        == set()
    )
    [session] = archivist.sessions.browse(scope=EVERYTHING).sessions
    assert session.scope.project == "claude:p-1"
    assert session.title != ""


@pytest.mark.parametrize("conversation", [CHATGPT, CLAUDE])
def test_a_second_import_in_another_wrapping_changes_nothing(archivist, tmp_path, conversation):
    folder = export(tmp_path / "x", conversation)
    packed = tmp_path / "x.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(folder / "conversations.json", "conversations-000.json")
    first = archivist.import_history(folder)
    again, zipped, unchanged = (archivist.import_history(path) for path in (folder, packed, packed))
    assert first.messages > 0
    assert again.files_unchanged == unchanged.files_unchanged == 1
    assert zipped.changed_nothing
    assert zipped.already_known == first.imported
    assert archivist.verify().problems == ()


def test_images_become_blobs(archivist, tmp_path):
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_0001"}
    seen = node(
        "a", None, "user", {"content_type": "multimodal_text", "parts": ["a kiln", pointer]}, 1767000000.0
    )
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps([{"id": "c", "mapping": {"a": seen}}]))
        archive.writestr("user-x/file_0001-sanitized.png", b"\x89PNG")
    archivist.import_history(tmp_path / "x.zip")
    [hit] = archivist.sessions.search("kiln").hits
    [message] = archivist.sessions.read(hit.session_id).messages
    [part] = [part for part in message.parts if part.kind == "image"]
    assert (part.media_type, part.name, len(part.blob)) == ("image/png", "file_0001-sanitized.png", 64)
