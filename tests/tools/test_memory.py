"""The tool `memory` keeps the contract that models know, and its failures say what to do next."""

import json
import re
from datetime import date
from pathlib import Path

import pytest
from tests.notes.making import Kept, make_notes, save

from archivist.notes.admitting import Waits
from archivist.notes.daily import DailyEntry
from archivist.notes.limits import Limits
from archivist.records import Quote, Scope
from archivist.tools.memory import ENTRY_CHARS, LIST_CHARS, MEMORY, Turn, call_memory


def call(notes, turn=None, **arguments):
    return call_memory(notes, arguments, turn or Turn(Scope()))


def test_the_description_fits_and_names_both_files() -> None:
    assert len(MEMORY.description) < 400
    assert "user" in MEMORY.description
    assert "memory" in MEMORY.description
    assert json.loads(json.dumps(MEMORY.schema)) == MEMORY.schema


def test_an_entry_is_added_and_not_echoed(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    result = call(notes, action="add", target="memory", content="The staging port is 6390")
    assert {key: result[key] for key in ("success", "done", "target", "usage", "entry_count")} == {
        "success": True,
        "done": True,
        "target": "memory",
        "usage": "1% — 24/2,200 chars",
        "entry_count": 1,
    }
    assert "6390" not in json.dumps(result)
    assert notes.entries()[0].origin == "agent"


def test_what_is_there_already_is_a_success_that_says_so(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    call(notes, action="add", content="The staging port is 6390")
    result = call(notes, action="add", content="the staging port is 6390.")
    assert result["success"]
    assert "already" in result["notes"][0]
    assert result["entry_count"] == 1


def test_a_result_says_in_which_project_it_was_noted(tmp_path: Path) -> None:
    notes, turn = make_notes(tmp_path), Turn(Scope("owner", project="host.example/o/n"))
    noted = call(notes, turn, action="add", content="The staging port is 6390")
    entry = notes.entries(scope=turn.scope)[0].id
    assert noted["message"] == f"Noted {entry} in the project host.example/o/n."
    own = call(notes, turn, action="add", target="user", content="Prefers tea")
    assert re.fullmatch(r"Noted e\w+\.", own["message"])


def test_a_text_that_reads_like_a_correction_of_nothing_is_noted_with_what_to_do(tmp_path: Path) -> None:
    result = call(make_notes(tmp_path), action="add", content="The queue is River, not Redis")
    assert result["success"]
    (note,) = result["notes"]
    assert "none was closed: replace or remove one that holds no more" in note
    assert "archivist" not in note


def test_a_miss_names_no_command_of_the_owner(tmp_path: Path) -> None:
    missed = call(make_notes(tmp_path), action="remove", old_text="zither")
    assert missed["error"] == "no entry has “zither”: give an id, or words that stand in one entry"


def test_an_action_that_is_left_out_is_said_to_be_missing(tmp_path: Path) -> None:
    told = call(make_notes(tmp_path))["error"]
    assert told == "action is missing: give one of add, replace, edit, remove; or give operations"


def test_a_text_that_no_merging_makes_room_for_is_to_be_shortened(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    call(notes, action="add", content="The staging port is 6390")
    result = call(notes, action="add", content="word " * 700)
    assert "shorten the text" in result["error"]
    assert "operations" not in result["error"]
    assert result["merge_candidates"] == []


def test_what_a_correction_closes_is_named(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    call(notes, action="add", content="Ana works at Birk")
    old = notes.entries()[0].id
    result = call(notes, action="add", content="Ana no longer works at Birk")
    assert result["superseded"] == [f"{old}: Ana works at Birk"]
    assert result["undo_id"]
    assert result["notes"][0].endswith("It is kept")
    assert result["entry_count"] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"action": "burn"},
        {"action": "add"},
        {"action": "add", "content": ""},
        {"action": "add", "content": ["x"]},
        {"action": "add", "content": "x", "target": "diary"},
        {"action": "replace", "content": "x"},
        {"action": "remove"},
        {"action": "add", "content": "a\n§\nb"},
        {"action": "add", "content": "my key is AKIAIOSFODNN7REALKEY and secret"},
        {"operations": []},
        {"operations": "nonsense"},
        {"operations": [{"action": "add"}]},
        "no json",
        "[1]",
    ],
)
def test_what_cannot_be_done_is_a_result_and_changes_nothing(tmp_path: Path, arguments) -> None:
    notes = make_notes(tmp_path)
    result = call_memory(notes, arguments, Turn(Scope()))
    assert result["success"] is False
    assert result["error"]
    assert notes.entries(tier="all") == ()


def test_a_missing_argument_says_what_was_received(tmp_path: Path) -> None:
    # https://github.com/NousResearch/hermes-agent/issues/23381
    notes = make_notes(tmp_path)
    call(notes, action="add", content="one")
    result = call(notes, action="replace", content="two")
    assert "action, content" in result["error"]
    assert result["current_entries"][0].endswith("one")
    assert result["usage"] == "3/2,200"


def test_arguments_arrive_as_json_in_a_string_too(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    call(notes, action="add", content="one")
    operations = json.dumps([{"action": "replace", "old_text": "one", "content": "two"}])
    assert call_memory(notes, json.dumps({"operations": operations}), Turn(Scope()))["success"]
    assert [entry.text for entry in notes.entries()] == ["two"]


def test_replace_gives_back_what_it_replaced(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    call(notes, action="add", content="Port 1. Host a.")
    result = call(notes, action="replace", old_text="Port 1", content="Port 2.")
    assert (result["replaced"], result["sentences_gone"]) == ("Port 1. Host a.", ["Port 1.", "Host a."])
    notes.undo(result["undo_id"])
    assert notes.entries()[0].text == "Port 1. Host a."


def test_several_hits_are_named_and_so_is_what_says_the_new_text_already(tmp_path: Path) -> None:
    # https://github.com/NousResearch/hermes-agent/issues/60089
    notes = make_notes(tmp_path)
    for text in ("UI dark mode in app a", "UI dark mode in app b", "prefers dark"):
        call(notes, action="add", target="user", content=text)
    result = call(notes, action="replace", target="user", old_text="dark mode", content="prefers dark")
    assert len(result["matches"]) == 2
    assert result["already_noted"].endswith("prefers dark")


def test_a_full_store_is_told_with_its_entries_and_exact_numbers(tmp_path: Path) -> None:
    notes = make_notes(tmp_path, limits=Limits(memory=100, on_full="reject"))
    call(notes, action="add", content="x" * 95)
    result = call(notes, action="add", content="y" * 10)
    assert result["usage"] == "95/100"
    assert "108" in result["error"]
    assert result["current_entries"][0].endswith("x" * 95)
    assert len(result["merge_candidates"]) == 1


def test_of_a_file_beyond_all_measure_as_much_is_told_as_a_model_can_read(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    lamps = [f"lamp {number} " + "burns. " * (9_000 if number == 0 else 20) for number in range(900)]
    save(tmp_path / "memories/MEMORY.md", "\n§\n".join(lamps))
    result = call(notes, action="remove", old_text="nothing of that")
    *told, rest = result["current_entries"]
    assert len("".join(told)) <= LIST_CHARS + ENTRY_CHARS
    assert f"{900 - len(told)} more" in rest
    assert " … [cut, 59,006 more characters: recall e" in told[0]
    replaced = call(notes, action="replace", old_text="lamp 0 ", content="no lamp")
    assert replaced["replaced"].startswith("lamp 0 burns.")
    assert replaced["undo_id"] in replaced["replaced"]
    assert len(json.dumps(replaced)) < 3 * LIST_CHARS


def test_a_model_that_fails_again_and_again_is_stopped(tmp_path: Path) -> None:
    # https://github.com/NousResearch/hermes-agent/issues/42405
    notes, turn = make_notes(tmp_path), Turn(Scope())
    results = [call(notes, turn, action="remove", old_text="nothing") for _ in range(5)]
    assert [result.get("done", False) for result in results] == [False, False, False, True, True]
    assert "Stop" in results[3]["error"]
    assert call(notes, turn, action="add", content="one")["success"]
    assert not call(notes, turn, action="remove", old_text="nothing").get("done")
    assert "Stop" not in call(notes, Turn(Scope()), action="remove", old_text="nothing")["error"]


def test_the_scope_is_the_hosts_and_not_the_models(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    turn = Turn(scope=Scope(user="u1"))
    call_memory(notes, {"action": "add", "content": "of u1", "scope": {"user": "owner"}}, turn)
    assert notes.entries() == ()
    assert [entry.text for entry in notes.entries(scope=Scope(user="u1"))] == ["of u1"]
    notes.add("memory", "of the owner")
    assert not call(notes, turn, action="remove", old_text="of the owner")["success"]


def test_a_model_that_takes_the_wrong_file_is_put_right(tmp_path: Path) -> None:
    result = call(make_notes(tmp_path), action="add", target="memory", content="User prefers short answers")
    assert result["target"] == "user"
    assert any("went to user" in note for note in result["notes"])


def test_what_happened_today_goes_to_the_daily_notes(tmp_path: Path) -> None:
    written: list[tuple[str, Scope]] = []

    def write_down(text: str, scope: Scope) -> DailyEntry:
        written.append((text, scope))
        return DailyEntry(date(2026, 3, 20), text, added=len(written) == 1)

    notes, turn = make_notes(tmp_path), Turn(scope=Scope(project="p"))
    daily = {"action": "add", "target": "daily", "content": "met Ann"}
    assert call_memory(notes, daily, turn, write_down=write_down)["message"] == "Written down for today."
    assert "already" in call_memory(notes, daily, turn, write_down=write_down)["message"]
    assert written[0] == ("met Ann", Scope(project="p"))
    assert not call_memory(notes, {**daily, "action": "remove"}, turn, write_down=write_down)["success"]
    assert notes.entries(tier="all") == ()


def test_a_note_names_the_words_that_the_host_finds_for_it(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    turn = Turn(Scope(), session="s1", rests_on=lambda text: (Quote(f"as was said: {text}", 7, "s1"),))
    call(notes, turn, action="add", content="port 6390")
    (entry,) = notes.entries()
    assert entry.sources == (Quote("as was said: port 6390", 7, "s1"),)


def test_a_secret_that_a_hand_wrote_reaches_no_model(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    save(tmp_path / "memories/MEMORY.md", f"The token is {secret}\n§\nThe port is 6390")
    notes, turn = make_notes(tmp_path), Turn(Scope())
    for arguments in (
        {"action": "remove", "old_text": "nowhere"},
        {"action": "replace", "content": "x"},
        {"action": "remove", "old_text": "The"},
        {"action": "replace", "old_text": "token", "content": "The token is in the safe"},
    ):
        assert secret not in json.dumps(call_memory(notes, arguments, turn))


def test_a_mark_that_is_no_character_is_replaced_and_not_raised(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    assert call(notes, action="add", content="half \ud800 a pair")["success"]
    assert notes.entries()[0].text == "half \ufffd a pair"
    assert not call(notes, operations=[{"action": "add", "content": "x", "target": ["m"]}])["success"]


def test_a_model_without_a_project_changes_nothing_of_any(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    notes.add("memory", "of project p", scope=Scope(project="p"))
    assert not call(notes, action="remove", old_text="of project p")["success"]
    assert [entry.text for entry in notes.entries()] == ["of project p"]


def waiting(tmp_path, **how):
    return make_notes(tmp_path, admit=lambda _: Waits("approval", "agents wait here"), **how)


def test_what_waits_is_a_success_that_says_that_nothing_was_changed_and_who_decides(tmp_path: Path) -> None:
    kept = Kept()
    result = call(waiting(tmp_path, keep=kept), action="add", content="The staging port is 6390")
    (proposal,) = kept.waiting
    assert (result["success"], result["done"], result["waits"]) == (True, True, proposal.id)
    assert "Nothing was changed" in result["message"]
    assert f"archivist review accept {proposal.id}" in result["message"]
    assert result["entry_count"] == 0
    assert "undo_id" not in result


def test_a_batch_waits_whole(tmp_path: Path) -> None:
    kept = Kept()
    result = call(
        waiting(tmp_path, keep=kept),
        operations=[{"action": "add", "content": f"the port of host {n} is 6390"} for n in range(3)],
    )
    assert (result["waits"], result["entry_count"]) == (kept.waiting[0].id, 0)
    assert len(kept.waiting[0].operations) == 3
    assert "all of it or none" in result["message"]


def test_a_batch_of_which_one_cannot_be_done_says_that_nothing_was(tmp_path: Path) -> None:
    """NousResearch/hermes-agent, pull request 85992: the reply to a discarded batch read as if part of it had been saved."""
    key = "token = ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    operations = [{"action": "add", "content": text} for text in ("port 6390", "port 6391", key)]
    for notes in (make_notes(tmp_path / "a"), waiting(tmp_path / "b", keep=Kept())):
        result = call(notes, operations=operations)
        assert result["success"] is False
        assert "operation 3 (add) cannot be done, and nothing was changed" in result["error"]
        assert result["current_entries"] == []
        assert notes.entries() == ()


def test_what_cannot_be_kept_for_review_is_a_failure(tmp_path: Path) -> None:
    result = call(waiting(tmp_path), action="add", content="The staging port is 6390")
    assert result["success"] is False
    assert "nothing was noted" in result["error"]
    assert "waits" not in result


def test_of_a_change_that_waits_nothing_is_said_to_be_replaced(tmp_path: Path) -> None:
    make_notes(tmp_path).add("memory", "the port is 6390")
    for how in ({"action": "replace", "content": "the port is 6391"}, {"action": "remove"}):
        result = call(waiting(tmp_path, keep=Kept()), old_text="6390", **how)
        assert result["waits"]
        assert not {"replaced", "sentences_gone", "undo_id"} & result.keys()


def test_a_text_whose_quotes_a_model_left_out_is_a_text(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    assert call(notes, action="add", content=6390)["success"]
    assert call(notes, action="edit", old_text=6390, content=6391)["success"]
    assert [entry.text for entry in notes.entries()] == ["6391"]


def test_what_is_no_list_of_objects_is_named_with_what_is_expected(tmp_path: Path) -> None:
    result = call(make_notes(tmp_path), operations=["add"])
    assert result["error"] == 'operations must be a list of objects, each with action, not ["add"]'


def test_one_thing_that_waits_is_not_told_as_several(tmp_path: Path) -> None:
    told = call(waiting(tmp_path, keep=Kept()), action="add", content="port 6390")["message"]
    assert "this waits for the owner. They decide" in told
