"""Exports that were torn, changed by hand, or meant for another home: one odd record costs itself."""

import json

import pytest

from archivist import FormatNotRecognised, Message, Part, Scope, SourceUnreadable
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
        ("[1]", "invalid JSON"),
        ('{"type":"note","text":"x"}', "unknown line type: note"),
        ('{"text":"x"}', "unknown line type: none"),
        ('{"type":"session"}', "damaged record"),
        (MESSAGE.replace("user", "oracle") % ("x", "y"), "unknown role"),
        (MESSAGE.replace("active", "gone") % ("x", "y"), "damaged record"),
        (MESSAGE.replace('"s"', '"elsewhere"') % ("x", "y"), "belongs to a session that the file does not tell of"),
        ('{"type":"message","text":"of no session"}', "belongs to a session that the file does not tell of"),
        (MESSAGE.replace('"text"', '"parts":[{"odd":1}],"text"') % ("x", "y"), "damaged record"),
        (MESSAGE.replace('"text"', '"metadata":[1],"text"') % ("x", "y"), "damaged record"),
        ('{"type":"usage","session":"s","model":7}', "damaged record"),
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
        '{"type":"context","session":"s","left_out":["a"],"cited":[{"client_id":"a","cited_as":9223372036854775808}]}',
        '{"type":"context","session":"s","left_out":["a"],"cited":[{"client_id":"a","cited_as":-1}]}',
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


@pytest.mark.parametrize(
    "scope", [Scope(user="ann"), Scope(user="owner", chat="c1"), Scope(user="owner", project="p")]
)
@pytest.mark.parametrize("ids", [("s", None), ("t", "e")])
def test_words_of_one_scope_never_come_into_a_session_of_another(homes, tools, home, scope, ids):
    there, external_id = ids
    if external_id:
        tools.write(home, "UPDATE sessions SET external_id = ?", external_id)
    other = homes.new()
    tools.begin(other, there, scope=scope, external_id=external_id)
    report = other.import_history(homes.export(home))
    assert (report.messages, report.reasons) == (0, {"its id names something else here": 2})
    assert "its scope differs" in report.problems[0].reason
    assert tools.rows(other, "messages") == []


def test_what_came_from_a_session_that_was_refused_is_none_of_the_other_ones(homes, tools, home):
    tools.begin(home, "child", parent_id="s", link="fork")
    home._store.append("child", [Message.user("mine alone", client_id="c")])
    other = homes.new()
    tools.begin(other, "s", scope=Scope(user="ann"))
    report = other.import_history(homes.export(home))
    assert report.messages == 1
    assert other.sessions.get("child").record().parent_id is None
    query = "SELECT s.id FROM messages AS m JOIN sessions AS s ON s.key = m.conversation"
    assert other._store.read(lambda db: db.execute(query).fetchall()) == [("child",)]


def test_bytes_that_are_named_and_held_nowhere_are_said_to_be_missing(homes, tools, tmp_path):
    there = homes.new()
    tools.begin(there, "s")
    picture = Part("image", media_type="image/png", name="cat.png", data=b"png")
    there._store.append("s", [Message.user("look", client_id="a", parts=(picture,))])
    whole = homes.export(there)
    path = tmp_path / "without.jsonl"
    path.write_text(
        "".join(line for line in whole.read_text().splitlines(keepends=True) if '"blob","sha256"' not in line)
    )
    other = homes.new()
    report = other.import_history(path)
    assert (report.messages, other.verify().problems) == (1, ())
    [message] = other.sessions.get("s").messages()
    [part] = message.parts
    assert (part.name, part.blob, part.text) == ("cat.png", "", "[missing: the bytes were not in the export]")
    assert other.import_history(path).changed_nothing
    assert there.import_history(path).changed_nothing
    assert there.verify().problems == ()


@pytest.mark.parametrize("kind", ["jsonl", "json", "markdown"])
def test_an_undo_in_an_export_takes_back_nothing_that_is_active_here(homes, tools, home, kind):
    other, _, _ = homes.moved(home)
    home.sessions.undo("s")
    report = other.import_history(homes.export(home, kind))
    assert (report.restated, report.problems) == (0, ())
    assert [one.state for one in other.sessions.get("s").messages("all")] == ["active", "active"]
    assert other.import_history(homes.export(home, kind)).restated == 0
    fresh = homes.new()
    fresh.import_history(homes.export(home, kind))
    states = [[one.state for one in each.sessions.get("s").messages("all")] for each in (fresh, home)]
    assert states[0] == states[1]
    assert "undone" in states[0]


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
    assert [(part.kind, part.text) for part in told.parts] == [
        ("image", "[missing: the bytes were not in the export]"),
        ("file", ""),
    ]
    assert other.verify().problems == ()
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
    from archivist.store import reception

    tools.begin(home, "child", parent_id="s", link="compaction")
    tools.write(
        home,
        "INSERT INTO context(session, position, message, text_as_sent) SELECT 2, 0, min(id), 'fir…' FROM messages",
    )
    path, other, finish = homes.export(home), homes.new(), reception.finish
    for calls in (0, 1):
        left = iter(range(calls))

        def stop(*told, left=left):
            if next(left, None) is None:
                raise KeyboardInterrupt
            return finish(*told)

        monkeypatch.setattr(reception, "finish", stop)
        with pytest.raises(KeyboardInterrupt):
            other.import_history(path)
    monkeypatch.setattr(reception, "finish", finish)
    other.import_history(path)
    assert homes.export(other).read_bytes() == path.read_bytes()
