"""Exports that were torn, changed by hand, or meant for another home: one odd record costs itself."""

import json

import pytest

from archivist import FormatNotRecognised, Message, SourceUnreadable
from archivist.transfer import detect_format

MESSAGE = '{"type":"message","session":"s","client_id":"%s","role":"user","state":"active","text":"%s"}'


@pytest.fixture
def home(homes, tools):
    """A home with one session of two messages."""
    made = homes.new()
    tools.begin(made, "s")
    made._store.append("s", [Message.user("first", client_id="a"), Message.user("second", client_id="b")])
    return made


@pytest.fixture
def export(homes, home):
    return homes.export(home)


@pytest.fixture
def texts(homes):
    """Imports into a fresh home: the report, and what is there."""

    def bring(path):
        other = homes.new()
        report = other.import_history(path)
        assert report.read == report.imported + report.skipped
        assert other.verify().problems == ()
        stored = other._store.read(lambda db: db.execute("SELECT text FROM messages ORDER BY id").fetchall())
        return report, [text for (text,) in stored]

    return bring


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{broken", "invalid JSON"),
        ("[1]", "unknown kind of record"),
        ('{"type":"note","text":"x"}', "unknown kind of record"),
        ('{"text":"x"}', "unknown kind of record"),
        ('{"type":"session"}', "unknown kind of record"),
        (MESSAGE.replace("user", "oracle") % ("x", "y"), "unknown role"),
        (MESSAGE.replace("active", "gone") % ("x", "y"), "unknown state"),
        (MESSAGE.replace('"s"', '"elsewhere"') % ("x", "y"), "belongs to a session that the file does not tell of"),
        ('{"type":"message","text":"of no session"}', "belongs to a session that the file does not tell of"),
        (MESSAGE.replace('"text"', '"parts":[{"odd":1}],"text"') % ("x", "y"), "parts, calls or metadata of another shape"),
        (MESSAGE.replace('"text"', '"metadata":[1],"text"') % ("x", "y"), "parts, calls or metadata of another shape"),
        ('{"type":"usage","session":"s","model":7}', "facts of a session that cannot be read"),
    ],
)  # fmt: skip
def test_a_record_that_nobody_knows_is_counted_and_costs_itself(export, texts, line, reason):
    header, session, *rest = export.read_text().splitlines()
    export.write_text("\n".join([header, session, line, *rest]) + "\n")
    report, found = texts(export)
    assert report.reasons == {reason: 1}
    assert found == ["first", "second"]


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"context","session":"s","messages":[{"client_id":"nowhere"}]}',
        '{"type":"undo","session":"s","made_at":"whenever"}',
        '{"type":"undo","session":"elsewhere","made_at":"2026-01-01T00:00:00Z"}',
        '{"type":"undo","session":"s","made_at":"2026-01-01T00:00:00Z","sessions":["nowhere"]}',
        '{"type":"undo","session":"s","made_at":"2026-01-01T00:00:00Z","messages":[{"client_id":"?","before":"active","now":"undone"}]}',
        '{"type":"blob","sha256":"00","data":"not base64"}',
        '{"type":"header","format":"archivist","version":1}',
        "",
    ],
)  # fmt: skip
def test_facts_that_point_at_nothing_do_no_harm(export, texts, line):
    export.write_text(export.read_text() + line + "\n")
    report, found = texts(export)
    assert (report.problems, found) == ((), ["first", "second"])


def test_missing_fields_are_filled_in_the_same_way_each_time(export, homes, texts):
    session = '{"type":"session","id":"s"}'
    lines = [
        '{"type":"message","session":"s","role":"user","text":"bare"}',
        '{"type":"message","session":"s","role":"user","text":7}',
    ]
    export.write_text("\n".join([export.read_text().splitlines()[0], session, *lines]))
    report, found = texts(export)
    assert (report.messages, found) == (2, ["bare", ""])
    other = homes.new()
    other.import_history(export)
    export.write_text(export.read_text() + "\n")  # else it would be passed over
    assert other.import_history(export).messages == 0


@pytest.mark.parametrize("kind", ["jsonl", "json", "markdown"])
def test_a_torn_file_gives_what_is_whole(homes, home, texts, kind):
    path = homes.export(home, kind)
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"second") + 3])
    report, found = texts(path)
    assert found == ["first"]
    assert report.reasons == {"torn line": 1}


def test_a_torn_file_is_completed_by_the_whole_one(homes, home, export):
    whole, other = export.read_bytes(), homes.new()
    for end in (len(whole) - 200, len(whole) - 20):
        export.write_bytes(whole[:end])
        other.import_history(export)
    export.write_bytes(whole)
    assert not other.import_history(export).problems
    assert homes.export(other).read_bytes() == whole


@pytest.mark.parametrize("kind", ["jsonl", "json", "markdown"])
def test_a_text_that_was_changed_by_hand_is_taken_and_told(homes, home, texts, kind):
    path = homes.export(home, kind)
    path.write_bytes(path.read_bytes().replace(b"second", b"corrected"))
    report, found = texts(path)
    assert found == ["first", "corrected"]
    assert list(report.notices.values()) == ([] if kind == "markdown" else [1])
    assert all("differs from its hash" in text for text in report.notices)


def test_json_that_was_formatted_anew_is_read(homes, home, texts):
    path = homes.export(home, "json")
    for text in (
        json.dumps(json.loads(path.read_bytes()), indent=4),
        json.dumps(json.loads(path.read_bytes())),
    ):
        path.write_text(text)
        assert texts(path)[1] == ["first", "second"]


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(export, texts):
    export.write_bytes(b"\xef\xbb\xbf" + export.read_bytes().replace(b"\n", b"\r\n"))
    assert texts(export)[1] == ["first", "second"]


@pytest.mark.parametrize("kind", ["jsonl", "json", "markdown"])
def test_a_later_version_is_refused_with_what_to_do(homes, home, kind):
    path = homes.export(home, kind)
    path.write_bytes(path.read_bytes().replace(b'"version":1', b'"version":2', 1))
    [problem] = homes.new().import_history(path).problems
    assert "update Archivist" in problem.reason


def test_words_under_an_id_that_is_taken_are_refused_and_the_rest_goes_on(homes, tools, home, export):
    other = homes.new()
    tools.begin(other, "s")
    other._store.append("s", [Message.user("something else", client_id="a")])
    report = other.import_history(export)
    assert (report.messages, report.reasons) == (1, {"its id names something else here": 1})
    assert "'a' already names message 1" in report.problems[0].reason
    assert [one.text for one in other.sessions.get("s").messages("all")] == ["something else", "second"]


def test_a_line_that_was_copied_and_changed_is_refused(export, texts):
    lines = export.read_text().splitlines()
    export.write_text("\n".join([*lines, MESSAGE % ("a", "changed copy"), lines[-1]]) + "\n")
    report, found = texts(export)
    assert found == ["first", "second"]
    assert report.reasons == {"already imported": 1, "its id names something else here": 1}


def test_a_session_that_only_has_the_same_id_is_not_mixed_in(homes, tools, home, export):
    other = homes.new()
    tools.begin(other, "s", source="hermes")
    other._store.append("s", [Message.user("mine", client_id="x")])
    report = other.import_history(export)
    assert report.reasons == {"its id names something else here": 2}
    assert "'s' is another one here" in report.problems[0].reason
    assert [one.text for one in other.sessions.get("s").messages("all")] == ["mine"]


def test_parents_in_a_circle_stand_on_their_own(export, texts):
    lines = [
        '{"type":"header","format":"archivist","version":1}',
        '{"type":"session","id":"s","source":"cli","parent":"t","link":"fork"}',
        '{"type":"session","id":"t","source":"cli","parent":"s","link":"fork"}',
        MESSAGE % ("a", "first"),
    ]
    export.write_text("\n".join(lines))
    report, found = texts(export)
    assert found == ["first"]
    assert sum(report.notices.values()) == 1


def test_a_folder_of_exports_is_imported_whole(homes, tools, home, texts):
    folder = homes.folder / "exports"
    folder.mkdir()
    tools.begin(home, "t")
    home._store.append("t", [Message.user("third", client_id="c")])
    home.sessions.export("s", folder / "s.md")
    home.sessions.export("t", folder / "t.json")
    (folder / "notes.md").write_text("# mine\n")
    assert sorted(texts(folder)[1]) == ["first", "second", "third"]


@pytest.mark.parametrize(
    "text",
    ["", "{}", "# Title\n", '{"format":"other","version":1}', "<!-- archivist -->", '{"type":"header"}'],
)
def test_other_files_are_not_taken_for_an_export(tmp_path, text):
    path = tmp_path / "some.json"
    path.write_text(text)
    with pytest.raises(FormatNotRecognised):
        detect_format(path)


def test_naming_the_format_does_not_make_another_file_one(homes, tmp_path):
    path = tmp_path / "some.json"
    path.write_text("{}")
    [problem] = homes.new().import_history(path, "archivist").problems
    assert "no export of Archivist" in problem.reason
    assert SourceUnreadable.__name__


def test_bytes_that_are_missing_are_told_and_cost_nothing_else(homes, tools):
    from archivist import Part

    home = homes.new()
    tools.begin(home, "s")
    home._store.append(
        "s", [Message.user("see", client_id="a", parts=[Part("image", data=b"x"), Part("file", data=b"y")])]
    )
    [message] = home.sessions.get("s").messages("all")
    home._store.blobs.find(message.parts[0].blob).unlink()
    path = homes.folder / "export.jsonl"
    report = home.sessions.export(None, path)
    assert [notice.code for notice in report.notices] == ["blobs-missing"]
    other = homes.new()
    assert other.import_history(path).messages == 1
    [told] = other.sessions.get("s").messages("all")
    assert told.digest == message.digest
    path.write_bytes(path.read_bytes().replace(b'"data":"', b'"data":"?'))
    another = homes.new()
    another.import_history(path)
    assert "damaged" in another.sessions.get("s").messages("all")[0].parts[1].text


@pytest.mark.parametrize("kind", ["jsonl", "json", "markdown"])
def test_a_damaged_row_does_not_stop_an_export(homes, tools, home, texts, kind):
    tools.write(home, "UPDATE messages SET parts = '{torn', tool_calls = '[7]' WHERE client_id = 'a'")
    path = homes.export(home, kind)
    assert "second" in texts(path)[1]


def test_an_import_that_was_stopped_is_completed_by_the_next(homes, tools, home, export, monkeypatch):
    from archivist.store import state

    tools.begin(home, "child", parent_id="s", link="compaction")
    tools.write(home, "INSERT INTO context SELECT 2, 0, min(id), 'fir…' FROM messages")
    path, other, finish = homes.export(home), homes.new(), state.finish
    for calls in (0, 1):
        left = iter(range(calls))

        def stop(*told, left=left):
            if next(left, None) is None:
                raise KeyboardInterrupt
            return finish(*told)

        monkeypatch.setattr(state, "finish", stop)
        with pytest.raises(KeyboardInterrupt):
            other.import_history(path)
    monkeypatch.setattr(state, "finish", finish)
    other.import_history(path)
    assert homes.export(other).read_bytes() == path.read_bytes()
