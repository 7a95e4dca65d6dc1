"""Which exports are recognised, whose they are, and that importing them again changes nothing."""

import json
import os
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist import Archivist
from archivist.transfer import (
    FormatNotRecognised,
    Reading,
    SourceUnreadable,
    codec_named,
    detect_format,
    detect_formats,
    find_histories,
    has_news,
    import_history,
    read_history,
)


def node(key, parent, role, text, time):
    message = {
        "id": key, "author": {"role": role}, "create_time": time, "weight": 1,
        "content": {"content_type": "text", "parts": [text]},
    }  # fmt: skip
    return {"id": key, "parent": parent, "message": message}


def chatgpt(key="g1", current="b", **more):
    nodes = {
        "a": node("a", None, "user", "one", 1.7e9),
        "b": node("b", "a", "assistant", "two", 1.7e9 + 1),
    } | more
    return {"title": "T", "id": key, "mapping": nodes, "current_node": current}


def claude(key="c1", messages=2):
    said = [
        {
            "uuid": f"{key}-{n}",
            "sender": "human",
            "text": f"words {n}",
            "created_at": f"2026-01-01T00:00:0{n}Z",
        }
        for n in range(messages)
    ]
    return {"uuid": key, "name": "N", "created_at": "2026-01-01T00:00:00Z", "chat_messages": said}


MAKERS = {"chatgpt": chatgpt, "claude": claude}


def folder(path, *conversations, name="conversations.json"):
    path.mkdir(parents=True, exist_ok=True)
    (path / name).write_text(json.dumps(conversations))
    return path


def packed(path, members, date=(2026, 1, 1, 0, 0, 0)):
    with zipfile.ZipFile(path, "w") as archive:
        for name, conversations in members.items():
            archive.writestr(zipfile.ZipInfo(name, date), json.dumps(conversations))
    return path


@pytest.mark.parametrize("name", MAKERS)
def test_every_way_to_point_at_an_export_is_recognised(tmp_path, name):
    made = MAKERS[name]()
    export = folder(tmp_path / "export", made)
    renamed = tmp_path / "my talks.json"
    renamed.write_text(json.dumps([made]))
    split = folder(tmp_path / "split", made, name="conversations-000.json")
    (tmp_path / "zips").mkdir()
    zipped = packed(tmp_path / "zips" / "one.zip", {"conversations-000.json": [made]})
    nested = packed(tmp_path / "nested.zip", {"data-2026/conversations.json": [made]})
    unnamed = tmp_path / "download"
    unnamed.write_bytes(zipped.read_bytes())
    for path in (
        export,
        export / "conversations.json",
        renamed,
        split,
        zipped,
        zipped.parent,
        nested,
        unnamed,
    ):
        assert detect_format(path) == name, path


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"[1, 2]",
        b'[{"messages": []}]',
        b"\xff\xfe[",
        b"PK\x03\x04",
        b'{"mapping": {}}',
    ],
)
def test_what_is_no_export_is_not_recognised(tmp_path, content):
    for name in ("conversations.json", "other"):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(FormatNotRecognised):
            detect_format(path)


def test_a_title_that_speaks_of_the_other_program_does_not_confuse(tmp_path):
    made = {"title": 'the "chat_messages": of', "inner": {"chat_messages": []}} | chatgpt()
    assert detect_format(folder(tmp_path / "x", made)) == "chatgpt"


def test_a_zip_file_that_is_damaged_says_so_instead_of_being_no_history(tmp_path):
    path = tmp_path / "x.zip"
    path.write_bytes(b"PK\x03\x04 half a download")
    with pytest.raises(SourceUnreadable, match=r"x\.zip: the ZIP file is damaged .*: get it again"):
        detect_format(path)


def damaged(path, kind):
    """An export with one fault, of which Python's own reader says something different each time."""
    method = zipfile.ZIP_LZMA if kind == "lzma" else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt(f"g{n}") for n in range(200)]))
    data = bytearray(path.read_bytes())
    directory = data.index(b"PK\x01\x02")
    if kind == "version":
        data[directory + 6] = 99
    elif kind == "header":
        data[:4] = b"XXXX"
    elif kind == "cut":
        del data[200:400]
    else:
        data[150] ^= 0xFF
        data[250] ^= 0xFF
    path.write_bytes(data)
    return path


FAULTS = ("version", "header", "cut", "flipped", "lzma")


@pytest.mark.parametrize("kind", FAULTS)
def test_whatever_is_wrong_with_a_zip_file_it_is_said_of_it(tmp_path, kind):
    with pytest.raises(
        SourceUnreadable, match=r"x\.zip.*: (the ZIP file is damaged|it cannot be unpacked) .*: "
    ):
        detect_format(damaged(tmp_path / "x.zip", kind))


@pytest.mark.parametrize("kind", FAULTS)
def test_a_damaged_zip_file_stops_no_other_beside_it_and_among_the_downloads(tmp_path, memory, kind):
    downloads = tmp_path / "Downloads"
    downloads.mkdir()
    damaged(downloads / "bad.zip", kind)
    good = packed(downloads / "good.zip", {"conversations.json": [chatgpt()]})
    os.mkfifo(downloads / "pipe.zip")
    found = [one.path for one in find_histories(tmp_path, {})]
    assert good in found
    report = import_history(downloads, memory)
    assert report.messages == 2
    assert len(report.problems) == 1
    assert "bad.zip" in report.problems[0].reason


@pytest.mark.parametrize("name", ["conversations-9.json", "b.zip", "a.md", "b.jsonl"])
def test_what_is_no_regular_file_hides_nothing_and_is_never_waited_for(tmp_path, memory, name):
    export = folder(tmp_path / "x", chatgpt())
    (export / f"loop-{name}").symlink_to(f"loop-{name}")
    (export / f"gone-{name}").symlink_to("/nowhere/at/all")
    os.mkfifo(export / name)
    assert detect_format(export) == "chatgpt"
    assert import_history(export, memory).messages == 2


@pytest.mark.parametrize(
    "name", ["Conversations.JSON", "my export\\conversations.json", "CONVERSATIONS-001.json"]
)
def test_a_zip_file_that_another_system_packed_is_known(tmp_path, memory, name):
    path = packed(tmp_path / "x.zip", {name: [chatgpt()]})
    assert detect_format(path) == "chatgpt"
    assert import_history(path, memory).messages == 2


@pytest.mark.parametrize("made", [chatgpt, claude])
def test_a_field_that_is_nested_too_deeply_costs_nothing_beside_it(tmp_path, memory, made):
    text = json.dumps([made() | {"odd": "DEEP"}]).replace('"DEEP"', '{"a":[' * 5000 + "1" + "]}" * 5000)
    export = tmp_path / "conversations.json"
    export.write_text(text)
    report = import_history(export, memory)
    assert (report.messages, report.problems) == (2, ())


def test_of_two_programs_exports_in_one_folder_each_reads_its_own(tmp_path, memory):
    packed(tmp_path / "a.zip", {"conversations.json": [chatgpt()]})
    packed(tmp_path / "b.zip", {"conversations.json": [claude()]})
    (tmp_path / "c.zip").write_bytes(b"nothing")
    report = import_history(tmp_path, memory, format="chatgpt")
    assert set(memory.starts) == {"g1"}
    import_history(tmp_path, memory, format="claude")
    assert set(memory.starts) == {"g1", "c1"}
    [problem] = report.problems
    assert (problem.path, "the ZIP file is damaged" in problem.reason) == (tmp_path / "c.zip", True)


@pytest.mark.parametrize("name", MAKERS)
def test_a_folder_and_then_its_zip_file_add_nothing(tmp_path, memory, kit, name):
    made = [MAKERS[name]("x"), MAKERS[name]("y")]
    export = folder(tmp_path / "export", *made)
    split = packed(
        tmp_path / "x.zip", {"conversations-000.json": made[:1], "conversations-001.json": made[1:]}
    )
    before = kit.digests(tmp_path)
    first = import_history(export, memory)
    everything = memory.everything()
    second = import_history(split, memory)
    assert (first.messages, second.messages, second.already_known) == (4, 0, 4)
    assert memory.everything() == everything
    assert kit.digests(tmp_path) == before


@pytest.mark.parametrize("name", MAKERS)
def test_an_unchanged_export_is_passed_over_wherever_it_lies_now(tmp_path, memory, name, monkeypatch):
    export = folder(
        tmp_path / "export",
        MAKERS[name]("x"),
        MAKERS[name]("y"),
        claude("empty", 0) if name == "claude" else 7,
    )
    zipped = packed(tmp_path / "x.zip", {"conversations.json": [MAKERS[name]("z")]})
    for path in (export, zipped):
        import_history(path, memory)
    export.rename(tmp_path / "moved")
    zipped.rename(tmp_path / "renamed.zip")
    monkeypatch.setattr("archivist.transfer.exports.read_elements", None)
    for path, sessions in ((tmp_path / "moved", 2), (tmp_path / "renamed.zip", 1)):
        assert not has_news(path, memory, format=name)
        report = import_history(path, memory)
        assert (report.files_unchanged, report.sessions_unchanged, report.read) == (1, sessions, 0)


def test_a_newer_export_adds_what_is_new_and_moves_the_branch(tmp_path, memory):
    import_history(folder(tmp_path / "old", chatgpt(), chatgpt("g2")), memory)
    edited = {
        "c": node("c", None, "user", "one again", 1.7e9 + 9),
        "d": node("d", "c", "assistant", "three", 1.7e9 + 10),
    }
    report = import_history(
        folder(tmp_path / "new", chatgpt(current="d", **edited), chatgpt("g2"), chatgpt("g3")), memory
    )
    assert (report.sessions_new, report.sessions_grown, report.sessions_unchanged) == (1, 1, 1)
    assert (report.messages, report.restated, report.already_known) == (4, 2, 4)
    assert [(m.text, m.state) for m in memory.of("g1")] == [
        ("one", "branch"), ("two", "branch"), ("one again", "active"), ("three", "active"),
    ]  # fmt: skip


def test_of_several_exports_in_a_folder_the_newest_has_the_last_word(tmp_path, memory):
    edited = {"c": node("c", None, "user", "one again", 1.7e9 + 9)}
    packed(
        tmp_path / "a.zip", {"conversations.json": [chatgpt(current="c", **edited)]}, (2026, 3, 1, 0, 0, 0)
    )
    packed(tmp_path / "b.zip", {"conversations.json": [chatgpt()]}, (2026, 1, 1, 0, 0, 0))
    import_history(tmp_path, memory)
    assert {m.text: m.state for m in memory.of("g1")} == {
        "one": "branch",
        "two": "branch",
        "one again": "active",
    }


def test_one_member_that_is_damaged_stops_no_other(tmp_path, memory):
    path = packed(
        tmp_path / "x.zip", {"conversations-000.json": [chatgpt()], "conversations-001.json": [chatgpt("g2")]}
    )
    data = bytearray(path.read_bytes())
    data[data.index(b'"one"') + 1] ^= 1
    path.write_bytes(data)
    report = import_history(path, memory, format="chatgpt")
    assert set(memory.starts) == {"g2"}
    assert [problem.path for problem in report.problems] == [path / "conversations-000.json"]


def test_exports_among_the_downloads_are_found(tmp_path):
    downloads = tmp_path / "Downloads"
    downloads.mkdir()
    assert find_histories(tmp_path, {}) == []
    one = packed(downloads / "data.zip", {"conversations.json": [claude()]})
    two = packed(downloads / "0a1b.zip", {"conversations-000.json": [chatgpt()]})
    packed(downloads / "photos.zip", {"photo.json": [1]})
    (downloads / "broken.zip").write_bytes(b"PK")
    (downloads / "folder.zip").mkdir()
    found = {found.format: found for found in find_histories(tmp_path, {})}
    assert {name: each.path for name, each in found.items()} == {"claude": one, "chatgpt": two}
    assert found["claude"].bytes == one.stat().st_size


def test_a_file_by_itself_has_the_images_of_its_export_and_of_no_other_folder(tmp_path):
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-X1"}
    seen = chatgpt()
    seen["mapping"]["a"]["message"]["content"] = {"content_type": "multimodal_text", "parts": [pointer]}
    export = folder(tmp_path / "x", seen)
    (export / "file-X1.png").write_bytes(b"png")

    def data():
        history = codec_named("chatgpt").open(export / "conversations.json", Reading())
        [session] = history.read(history.files[0], None).sessions
        return next(iter(session.messages)).message.parts[0].data

    assert data() is None
    (export / "user.json").write_text("{}")
    assert data() == b"png"


def talks(name, length, left):
    """A conversation as it was told after so many messages; edits leave what came before them, from `left` on."""
    if name == "claude":
        made = claude("g1", length)
        for number, message in enumerate(made["chat_messages"]):
            before = number - 1 if number != left else max(0, left - 2)
            message["parent_message_uuid"] = f"g1-{before}" if number else None
        return made | {"name": f"after {length}"}
    nodes = {}
    for number in range(length):
        before = number - 1 if number != left else max(0, left - 2)
        nodes[f"n{number}"] = node(
            f"n{number}", f"n{before}" if number else None, "user", f"words {number}", 1.7e9 + number
        )
    return {
        "title": f"after {length}", "id": "g1", "mapping": nodes, "current_node": f"n{length - 1}",
        "update_time": 1.7e9 + length,
    }  # fmt: skip


@pytest.mark.parametrize("name", MAKERS)
@given(lengths=st.permutations([2, 4, 5, 7]), left=st.integers(1, 6))
def test_tellings_end_equal_in_whatever_order_they_are_imported(name, lengths, left):
    ends = []
    for order in (lengths, sorted(lengths)):
        with tempfile.TemporaryDirectory() as place, Archivist.open(f"{place}/home", environ={}) as archivist:
            for length in order:
                archivist.import_history(folder(Path(place, f"e{length}"), talks(name, length, left)))
            conversation = archivist.sessions.get("g1")
            states = {message.client_id: message.state for message in conversation.messages("all")}
            ends.append((states, conversation.record().title))
            assert archivist.verify().problems == ()
    assert ends[0] == ends[1]


def test_all_formats_in_a_folder_are_imported_and_told_by_themselves(tmp_path, memory, transcript):
    packed(tmp_path / "a.zip", {"conversations.json": [chatgpt()]})
    packed(tmp_path / "b.zip", {"conversations.json": [claude()]})
    (tmp_path / "c.zip").write_bytes(b"PK damaged")
    transcript.person("hello")
    transcript.write(tmp_path)
    assert detect_formats(tmp_path) == ["claude-code", "chatgpt", "claude"]
    report = import_history(tmp_path, memory)
    assert report.format == "claude-code, chatgpt, claude"
    assert [(one.format, one.messages) for one in report.by_format] == [
        ("claude-code", 1), ("chatgpt", 2), ("claude", 2),
    ]  # fmt: skip
    assert report.messages == 5
    assert report.read == report.imported + report.skipped == 5
    assert [problem.path.name for problem in report.problems] == ["c.zip"]
    assert import_history(tmp_path, memory).messages == 0
    (tmp_path / "c.zip").unlink()
    assert {session.start.source for session in read_history(tmp_path)} == set(detect_formats(tmp_path))
    assert {session.start.source for session in read_history(tmp_path, "chatgpt")} == {"chatgpt"}


def test_a_file_is_read_by_the_format_that_knows_it(tmp_path, memory, transcript):
    transcript.person("hello")
    transcript.write(tmp_path)
    meta = {"type": "session_meta", "payload": {"id": "x", "cwd": "/src", "cli_version": "0.150.0"}}
    said = {"type": "event_msg", "payload": {"type": "user_message", "message": "hi"}}
    (tmp_path / "rollout-2026-06-01T10-00-00-x.jsonl").write_text(
        "".join(json.dumps({"timestamp": "2026-06-01T10:00:00Z", **line}) + "\n" for line in (meta, said))
    )
    report = import_history(tmp_path, memory)
    assert [(one.format, one.read) for one in report.by_format] == [("claude-code", 1), ("codex", 2)]


def test_of_one_format_there_is_one_report(tmp_path, memory):
    assert import_history(folder(tmp_path / "x", chatgpt()), memory).by_format == ()


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_a_zip_file_is_opened_as_often_whatever_it_holds(name, tmp_path, kit, monkeypatch):
    opened = []

    class Counted(zipfile.ZipFile):
        def __init__(self, *args, **kwargs):
            opened.append(args)
            super().__init__(*args, **kwargs)

    monkeypatch.setattr("archivist.transfer.containers.ZipFile", Counted)
    counts = {}
    for files in (3, 60):
        path = tmp_path / f"{files}.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for number in range(files):
                told = json.dumps([MAKERS[name](f"c{number}")])
                archive.writestr(f"conversations-{number:03}.json", told)
        opened.clear()
        assert import_history(path, kit.Memory()).sessions_new == files
        counts[files] = len(opened)
    assert counts[3] == counts[60]
