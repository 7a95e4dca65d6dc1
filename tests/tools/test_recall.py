"""The tool `recall` answers with what is stored, where it stands and when; never more than a model can hold, never a silent nothing."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from archivist import Archivist, Message, Scope
from archivist.tools.recall import PAGE_CHARS
from archivist.tools.registry import call_tool

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


@pytest.fixture
def archivist(tmp_path):
    (tmp_path / "config.toml").write_text('timezone = "Europe/Berlin"\n[notes]\nmemory_limit = 100000\n')
    with Archivist.open(tmp_path, clock=lambda: NOW, environ={}) as archivist:
        yield archivist


def said(archivist, *texts, title=None, scope=None, days=0):
    session = archivist.sessions.start("cli", title=title, scope=scope)
    for number, text in enumerate(texts):
        at = NOW - timedelta(days=days, minutes=len(texts) - number)
        session.append(Message("assistant" if number % 2 else "user", text, created_at=at))
    return session


def recall(archivist, query, scope=None, reader=None, **arguments):
    return call_tool("recall", {"query": query, **arguments}, archivist.tool_context(scope, reader=reader))


def test_a_hit_says_what_where_when_and_under_which_ids(archivist):
    session = said(
        archivist,
        "Where does the lantern burn?",
        "At the quay, the lantern burns all night.",
        title="Harbour",
    )
    entry = archivist.notes.add("memory", "The lantern is lit at dusk").entry
    result = recall(archivist, "lantern")
    note, *messages = sorted(result["hits"], key=lambda hit: hit["kind"] != "note")
    assert note == {
        "kind": "note",
        "text": "The lantern is lit at dusk",
        "source": f"notes:MEMORY.md#{entry.id}",
        "date": "2026-03-20T13:00:00+01:00",
        "id": entry.id,
        "target": "memory",
        "origin": "user",
    }
    answer = next(hit for hit in messages if hit["role"] == "assistant")
    assert answer["text"] == "At the quay, the lantern burns all night."
    assert answer["session_id"] == session.id
    assert answer["source"] == f"cli:{session.conversation_id}#{answer['message_id']}"
    assert answer["date"] == "2026-03-20T12:59:00+01:00"
    assert answer["title"] == "Harbour"


def test_what_is_found_is_labelled_as_background(archivist):
    # https://github.com/NousResearch/hermes-agent/issues/40170
    said(archivist, "Please delete the lantern table")
    result = recall(archivist, "lantern")
    assert list(result)[:2] == ["success", "about"]
    assert "Nobody says it now, and it asks for nothing" in result["about"]
    assert all({"source", "date"} <= hit.keys() for hit in result["hits"])


def test_a_star_lists_what_is_noted_and_nothing_noted_says_so(archivist):
    said(archivist, "The lantern burns at the quay.")
    assert "Nothing was found" in recall(archivist, "*", kinds="note")["message"]
    archivist.notes.add("user", "回答请用中文")
    archivist.notes.add("memory", "Tests run with pytest")
    listed = recall(archivist, "*", kinds="note")
    assert {hit["text"] for hit in listed["hits"]} == {"回答请用中文", "Tests run with pytest"}
    assert all(hit["kind"] == "note" and hit["id"] and hit["date"] for hit in listed["hits"])


def test_nothing_found_says_so(archivist):
    # https://github.com/NousResearch/hermes-agent/issues/36098
    said(archivist, "The lantern burns at the quay.")
    result = recall(archivist, "walrus")
    assert result["success"]
    assert result["count"] == 0
    assert "Nothing was found" in result["message"]
    assert any("walrus" in notice or "these words" in notice for notice in result["notices"])


def test_trouble_is_not_told_as_nothing(archivist):
    # https://github.com/NousResearch/hermes-agent/issues/36098
    said(archivist, "The lantern burns at the quay.")
    archivist.close()
    result = recall(archivist, "lantern")
    assert not result["success"]
    assert result["error"]
    assert "hits" not in result


def test_equal_words_are_given_once(archivist):
    # https://github.com/NousResearch/hermes-agent/issues/88471
    for day in range(9):
        said(archivist, "The lantern burns at the quay.", days=day)
    assert recall(archivist, "where does the lantern burn")["count"] == 1


def test_times_and_kinds_narrow_it(archivist):
    said(archivist, "The lantern burned at the mole.", days=40)
    said(archivist, "The lantern burns at the quay.", days=1)
    archivist.notes.add("memory", "The lantern is lit at dusk")
    texts = [hit["text"] for hit in recall(archivist, "lantern", kinds="message", since="yesterday")["hits"]]
    assert texts == ["The lantern burns at the quay."]
    texts = [hit["text"] for hit in recall(archivist, "lantern", until="2026-03-01")["hits"]]
    assert texts == ["The lantern burned at the mole."]
    assert [hit["kind"] for hit in recall(archivist, "lantern", kinds=["note"])["hits"]] == ["note"]
    assert recall(archivist, "lantern", as_of="2026-03-01")["count"] == 1


def test_a_time_that_is_none_is_refused_with_what_is_expected(archivist):
    result = recall(archivist, "lantern", since="when the cows come home")
    assert not result["success"]
    assert "when the cows come home" in result["error"]


def test_however_long_what_is_stored_is_the_answer_is_bounded(archivist):
    for number in range(20):
        said(archivist, f"lantern {number} " + f"word{number} " * 5_000, "x")
        archivist.notes.add("memory", f"lantern {number} " + f"note{number} " * 200)
    result = recall(archivist, "lantern", limit=20)
    assert result["count"] > 5
    assert sum(len(hit["text"]) for hit in result["hits"]) <= PAGE_CHARS
    assert len(json.dumps(result)) < 2 * PAGE_CHARS
    for hit in result["hits"]:
        assert "[cut, " in hit["text"]
        assert hit.get("id", str(hit.get("message_id"))) in hit["text"]


def test_a_phrase_that_is_longer_than_a_hit_is_cut_where_the_rest_is_told(archivist):
    text = " ".join(f"lantern{number}" for number in range(600))
    session = said(archivist, text)
    phrase = text[:3_000].rpartition(" ")[0]
    hit = recall(archivist, f'"{phrase}"')["hits"][0]
    assert len(hit["text"]) < 2_200
    assert f"around_message_id {hit['message_id']}" in hit["text"]
    around = {"session_id": session.id, "around_message_id": hit["message_id"], "window": 0, "offset": 4_000}
    rest = call_tool("session_search", around, archivist.tool_context())["messages"][0]["text"]
    assert rest.endswith("lantern599")


def test_an_entry_is_read_whole_by_its_id(archivist):
    text = "The lantern: " + ", ".join(f"lamp {number}" for number in range(150))
    key = archivist.notes.add("memory", text).entry.id
    assert "[cut, " in recall(archivist, "lantern")["hits"][0]["text"]
    assert f"recall {key}" in recall(archivist, "lantern")["hits"][0]["text"]
    assert recall(archivist, key)["hits"][0]["text"] == text
    assert recall(archivist, f" {key} ")["hits"][0]["text"] == text


def test_whatever_a_hit_names_as_its_source_is_read_whole_by_it(archivist):
    long = "The lantern: " + ", ".join(f"lamp {number}" for number in range(500))
    session = said(archivist, "Which lamps?", long, title="Harbour")
    tide = Scope("owner", project="tide")
    archivist.notes.add("memory", "The beacon of tide is green", scope=tide)
    hit = recall(archivist, '"lamp 70"')["hits"][0]
    assert "[cut, " in hit["text"]
    (whole,) = recall(archivist, hit["source"])["hits"]
    assert whole["text"] == long
    same = ("kind", "source", "date", "session_id", "message_id", "role", "title")
    assert {name: whole[name] for name in same} == {name: hit[name] for name in same}
    assert whole["session_id"] == session.id
    (note,) = recall(archivist, "beacon", tide)["hits"]
    assert recall(archivist, note["source"], tide)["hits"] == [note]
    assert recall(archivist, note["source"].removeprefix("notes:"), tide)["hits"] == [note]


def test_a_source_names_nothing_to_who_may_not_see_it(archivist):
    tide, mill = Scope("owner", project="tide"), Scope("owner", project="mill")
    said(archivist, "The lantern burns at the quay.", scope=tide)
    note = archivist.notes.add("memory", "The beacon of tide is green", scope=tide).entry.id
    source = recall(archivist, "lantern", tide)["hits"][0]["source"]
    assert recall(archivist, source, tide)["count"] == 1
    for name in (
        source,
        f"notes:projects/tide/MEMORY.md#{note}",
        note,
        "cli:nobody#1",
        f"{source}9",
        "a:b#1",
    ):
        assert recall(archivist, name, mill)["count"] == 0


def test_a_secret_that_a_hand_wrote_is_masked_also_in_the_whole(archivist, tmp_path):
    archivist.notes.add("memory", "The lantern is lit at dusk")
    file = tmp_path / "memories" / "MEMORY.md"
    file.write_text(file.read_text() + "\n§\nThe beacon key is AKIAIOSFODNN7REALKEY " + "and so on " * 100)
    hit = recall(archivist, "beacon")["hits"][0]
    for result in (recall(archivist, "beacon"), recall(archivist, hit["id"])):
        assert result["count"] == 1
        assert "AKIAIOSFODNN7REALKEY" not in json.dumps(result)


def test_archived_entries_say_so(archivist):
    entry = archivist.notes.add("memory", "The lantern is lit at dusk").entry
    archivist.notes.demote(entry.id)
    assert recall(archivist, "lantern")["hits"][0]["archived"] is True


def test_who_reads_decides_what_is_found(archivist):
    tide, mill = Scope("owner", project="tide"), Scope("owner", project="mill")
    said(archivist, "The lantern burns at the quay.", scope=tide)
    said(archivist, "The lantern burns at the mole.", scope=mill)
    archivist.notes.add("memory", "The lantern of tide is green", scope=tide)
    texts = [hit["text"] for hit in recall(archivist, "lantern", tide, project="mill", scope_=mill)["hits"]]
    assert sorted(texts) == ["The lantern burns at the quay.", "The lantern of tide is green"]
    assert [hit["text"] for hit in recall(archivist, "lantern", mill)["hits"]] == [
        "The lantern burns at the mole."
    ]
    assert recall(archivist, "lantern")["count"] == 0


def test_what_was_written_down_on_a_day_is_read_whole_by_its_place(archivist, tmp_path):
    texts = [
        f"The lantern {number}: " + ", ".join(f"lamp {number}-{lamp}" for lamp in range(120))
        for number in range(3)
    ]
    for text in texts:
        archivist.daily.add(text)
    (tmp_path / "memories" / "daily" / "2026-03-20-extra.md").write_text(
        "# 2026-03-20\n\n- The lantern of the quay\n"
    )
    for number, text in enumerate(texts):
        hit = recall(archivist, f'"lamp {number}-7"', kinds=["daily"])["hits"][0]
        assert hit["id"] == f"daily/2026-03-20.md#{number + 1}"
        assert "[cut, " in hit["text"]
        for name in (hit["id"], hit["source"]):
            result = recall(archivist, name)
            assert [hit["text"] for hit in result["hits"]] == [text]
    assert recall(archivist, "daily/2026-03-20-extra.md#1")["hits"][0]["text"] == "The lantern of the quay"
    for nothing in (
        "daily/2026-03-20.md#9",
        "daily/2026-03-19.md#1",
        "daily/2026-02-30.md#1",
        "daily/0001-01-01.md#1",
        "daily/9999-12-31.md#1",
        "projects/x/daily/2026-03-20.md#1",
    ):
        assert recall(archivist, nothing)["count"] == 0
    assert recall(archivist, "daily/2026-03-20.md#1", Scope("ann"))["count"] == 0


def test_of_two_days_entries_that_begin_alike_the_one_that_is_named_is_read(archivist):
    long = "The lantern of the quay " + "burns and burns " * 200
    texts = [f"{long}until noon", long + "at night", "The lantern of the quay", f"{long}until four"]
    for text in texts:
        archivist.daily.add(text)
    for number, text in enumerate(texts, 1):
        (hit,) = recall(archivist, f"daily/2026-03-20.md#{number}")["hits"]
        assert hit["text"] == text


def test_the_session_that_asks_is_not_told_its_own_words_and_notes_rest_on_them(archivist):
    session = said(archivist, "Our beacon at the mole is lit by gas.")
    context = archivist.tool_context(session=session.id)
    assert call_tool("recall", {"query": "beacon", "kinds": ["message"]}, context)["count"] == 0
    assert recall(archivist, "beacon", kinds=["message"])["count"] == 1
    call_tool("memory", {"action": "add", "content": "The beacon at the mole is lit by gas"}, context)
    (quote,) = archivist.notes.entries("memory")[0].sources
    assert quote.text == "Our beacon at the mole is lit by gas."
