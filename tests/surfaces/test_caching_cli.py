"""What requests shared, on the command line."""

import pytest
from tests.app.test_caching import FIRST, MOVED, row

from archivist import Archivist
from archivist.records import SessionStart, Usage
from archivist.store.requests import add_request


@pytest.fixture
def asked(home):
    with Archivist.open(home) as archivist:
        store = archivist._store
        held = store.start(SessionStart("claude-code", external_id="x", title="Held"))
        store.add_usage(held, [Usage("m", "a", input=10, cache_read=90)])
        key = archivist.sessions.start("chat", title="Harbour \x1b[2J").id
        rows = (
            row(1, **FIRST),
            row(2, **MOVED),
            row(3, began="model", epoch=2),
            row(4, **(MOVED | {"broke": "message", "broke_why": "undone", "broke_at": 7})),
        )
        for one in rows:
            store.write(lambda db, one=one: add_request(db, key, one, b""))
        store.add_usage(key, [Usage("m", f"r{n}", input=1_000, cache_write=9_000) for n in range(1, 4)])
    return key


def test_each_conversation_is_a_row_where_the_terminal_is_wide(asked, call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "130")
    head, harbour, held, legend = call("cache").out.splitlines()
    assert head.split()[:3] == ["last", "active", "requests"]
    assert asked in harbour
    assert "\x1b" not in harbour
    assert held.split()[2:7] == ["1", "100", "?", "90", "%"]
    assert "archivist cache ID" in legend


def test_it_is_told_in_sentences_where_it_is_narrow(asked, call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    lines = call("cache").out.splitlines()
    told = " ".join(" ".join(lines[1:4]).split())
    assert told.startswith("4 requests, 30,000 tokens: 25 % stable, 0 % read from a cache, paid 36,750,")
    assert "2 breaks" in told
    assert all(len(line) <= 60 for line in lines)
    assert all(len(line) <= 60 for line in call("cache", asked).out.splitlines() if line[:5].isspace())
    assert call("cache", "--limit", "1").out.count("requests,") == 1


def test_each_request_is_a_line_and_each_break_says_what_where_and_what_it_cost(asked, call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "130")
    done = call("cache", asked)
    told = done.out
    assert "1. 1970-01-01 00:00  10,000 tokens: first, 0 % read, paid 12,250" in told
    assert "broke at tool 2: something came in there; 1 of 9 blocks stayed; cost 10,100 tokens" in told
    assert "epoch 2: another model answers; 9 of 9 blocks stayed; cost 10,100 tokens" in told
    assert "4. 1970-01-01 00:00  about 10,000 tokens: 5 % stable, ? read" in told
    assert "broke at message 7: something was taken back; 1 of 9 blocks stayed\n" in told
    assert "of 1 of 4 requests" in done.err


def test_json_has_all_of_it(asked, call):
    found = call("cache", "--json").json["conversations"]
    assert [one["shared"] is None for one in found] == [False, True]
    one = call("cache", asked, "--json").json
    assert [each["broke_why"] for each in one["each"]] == [None, "added", None, "undone"]
    assert one["each"][1]["lost"] > 10_000


def test_an_unknown_conversation_is_a_failure_in_one_line_and_none_at_all_is_said(call):
    assert "no request is known yet" in call("cache").out
    assert call("cache", "--json").json == {"conversations": []}
    assert call("cache", "nobody", status=1).err.count("\n") == 1
