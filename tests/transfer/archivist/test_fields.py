"""A field is declared once; every form of an export has it."""

import pytest

from archivist.store.exporting import StoredMessage, StoredSession
from archivist.store.rows import Row
from archivist.transfer.archivist.fields import NOT_IN_MARKDOWN, record
from archivist.transfer.archivist.markdown import markdown
from archivist.transfer.archivist.markdown_reading import read_markdown
from archivist.transfer.archivist.shapes import NOTHING, MessageRecord, SessionRecord

JSON = {
    "parts": '[{"kind":"text","text":"words"}]',
    "tool_calls": '[{"id":"c1","name":"exec","arguments":"{}"}]',
    "metadata": '{"source_ids":["1"]}',
    "masked": '["jwt"]',
}
MESSAGE = {name: JSON.get(name, name) for name in Row.__struct_fields__}
MESSAGE |= {"role": "user", "state": "active", "created_at": 1_790_000_000_000, "digest": b"\x01" * 32}
TIMES = {"started_at", "ended_at", "archived_at", "pinned_at"}
UNSET = dict.fromkeys(StoredSession.__struct_fields__)


def test_every_field_of_a_message_stands_in_each_form():
    told = record(MessageRecord, StoredMessage("s", Row(**MESSAGE)).row, session="s")
    assert all(getattr(told, name) for name in MessageRecord.__struct_fields__)
    _, back = read_markdown(b"".join(markdown([told])).splitlines(keepends=True))
    for name in set(MessageRecord.__struct_fields__) - NOT_IN_MARKDOWN:
        assert bytes_of(getattr(back, name)) == bytes_of(getattr(told, name)), name


@pytest.mark.parametrize("name", sorted(set(StoredSession.__struct_fields__) - {"scope", "metadata"}))
def test_every_column_of_a_session_stands_under_its_name(name):
    stored = StoredSession(**UNSET | {name: 1_790_000_000_000 if name in TIMES else "told"})
    said = getattr(record(SessionRecord, stored), name)
    assert said == ("2026-09-21T14:13:20.000Z" if name in TIMES else "told")


def test_json_that_a_damaged_row_holds_is_left_out():
    damaged = Row(**MESSAGE | {"metadata": "{torn"})
    assert record(MessageRecord, damaged, session="s").metadata is NOTHING


def bytes_of(value):
    return value if isinstance(value, str) else bytes(value)
