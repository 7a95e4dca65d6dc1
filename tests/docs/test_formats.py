"""The pages about formats say what the code does, and the codec on them works."""

import re
import sys
from datetime import UTC, datetime
from types import ModuleType

from msgspec.structs import fields
from tests.docs.transcript import ROOT

from archivist import Archivist
from archivist.transfer.archivist.shapes import NESTED, RECORDS
from archivist.transfer.note_reasons import NOTE_REASONS
from archivist.transfer.reasons import MESSAGE_KEYS, REASONS, SESSION_KEYS
from archivist.transfer.registry import FORMATS

EXPORTING = (ROOT / "docs/exporting.md").read_text("utf-8")
IMPORTING = (ROOT / "docs/importing.md").read_text("utf-8")
ADDING = (ROOT / "docs/adding_a_format.md").read_text("utf-8")


def test_the_table_names_every_field_of_an_export_in_its_order():
    told = re.findall(r"^\| (?:in )?`([\w ]+)` \| `(\w+)` \|", EXPORTING, re.MULTILINE)
    shapes = [(shape.__struct_config__.tag, shape) for shape in RECORDS] + list(NESTED.items())
    assert told == [(name, field.name) for name, shape in shapes for field in fields(shape)]


def test_the_worked_example_of_a_codec_imports_its_history(tmp_path, monkeypatch):
    sample = re.search(r"```text\n(.*?)```", ADDING, re.DOTALL)[1]
    code = "\n".join(re.findall(r"```python\n(.*?)```", ADDING, re.DOTALL))
    made = ModuleType("chatlog")
    exec(compile(code, "adding_a_format.md", "exec"), made.__dict__)
    monkeypatch.setitem(sys.modules, "chatlog", made)
    monkeypatch.setitem(FORMATS, "chatlog", "chatlog:ChatlogWithNotes")
    log = tmp_path / ".chatlog" / "staging.chatlog"
    log.parent.mkdir()
    log.write_text(sample)
    log.with_name("facts.notes").write_text("# Staging\n\n- is on 8443\n")
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as archivist:
        [found] = [one for one in archivist.find_histories() if one.format == "chatlog"]
        first = archivist.import_history(found.path)
        log.write_text(f"{sample}2026-03-01T10:01:00Z ann> thanks\n")
        second = archivist.import_history(log)
        assert archivist.recall("which port is staging on").hits
        begun = archivist._store.read(lambda db: db.execute("SELECT started_at FROM sessions").get)
        assert datetime.fromtimestamp(begun / 1000, UTC).date().isoformat() == "2026-03-01"
        assert archivist.verify().problems == ()
        told = [entry.text for entry in archivist.notes.entries()]
    assert (first.format, first.messages, first.read, first.reasons) == (
        "chatlog",
        2,
        3,
        {"written by the program: events": 1},
    )
    assert (second.messages, second.already_known) == (1, 2)
    assert (first.notes_read, first.notes, told) == (1, 1, ["Staging: is on 8443"])


def test_the_tables_of_reasons_and_keys_are_those_of_the_code():
    rows = re.findall(r"^\| `([^`]+)`(?: …)? \| (.+) \|$", IMPORTING, re.MULTILINE)
    told = [*REASONS.items(), *NOTE_REASONS.items(), *MESSAGE_KEYS.items(), *SESSION_KEYS.items()]
    assert rows == [(name.rstrip(), meaning) for name, meaning in told]
