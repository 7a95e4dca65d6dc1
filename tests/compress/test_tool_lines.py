"""An old output as one line: what matters later stays, and the id leads back to the rest."""

import json

import pytest

from archivist.compress.tool_lines import FAMILIES, family_of, line_of

LONG = "\n".join(f"line {number} of nothing special" for number in range(100))


def line(tool, text, **arguments):
    return line_of(tool, json.dumps(arguments), text, "m7")


def test_there_are_families_for_what_agents_do():
    assert len(FAMILIES) >= 25
    assert len({name for family in FAMILIES for name in family.names.split()}) > 200


def test_no_tool_is_of_two_families_without_saying_which_comes_first():
    names = [name for family in FAMILIES for name in family.names.split()]
    assert {name for name in names if names.count(name) > 1} <= {"query"}


@pytest.mark.parametrize(
    ("tool", "verb"),
    [
        ("terminal", "ran"),  # Hermes
        ("Bash", "ran"),  # Claude Code
        ("exec_command", "ran"),  # Codex
        ("exec", "ran"),  # OpenClaw
        ("read_file", "read"),
        ("Read", "read"),
        ("mcp__filesystem__read_text_file", "read"),
        ("apply_patch", "patched"),
        ("mcp__github__create_issue", "worked on the ticket"),
        ("github.create_pull_request", "worked on the ticket"),
        ("sessions_spawn", "gave away"),
        ("delegate_task", "gave away"),
        ("TodoWrite", "kept the list of tasks"),
        ("update_plan", "kept the list of tasks"),
        ("AskUserQuestion", "asked the user"),
        ("clarify", "asked the user"),
        ("browser_navigate", "opened"),
        ("mcp__playwright__browser_click", "acted on the page"),
        ("WebFetch", "fetched"),
        ("skill_view", "looked up the skill"),
        ("frobnicate", "called"),
    ],
)
def test_a_tool_is_known_under_the_name_that_its_program_gives_it(tool, verb):
    assert family_of(tool).verb == verb


def test_a_command_keeps_how_it_ended_what_it_counted_and_what_went_wrong():
    text = f"{LONG}\nE   AssertionError: 3 != 4\nFAILED tests/test_sums.py::test_sum\n1 failed, 41 passed in 3.2s\nexit code: 1"
    said = line("Bash", text, command="pytest -q")
    for kept in ("m7", "pytest -q", "exit 1", "1 failed", "41 passed", "tests/test_sums.py"):
        assert kept in said, kept
    assert "\n" not in said
    assert len(said) < 500


def test_a_command_that_went_well_is_not_said_to_have_failed():
    assert "0 errors" in line("Bash", f"{LONG}\n0 errors, 12 files checked", command="lint")
    assert line("Bash", f"{LONG}\nAll good: 0 errors", command="lint").count("0 errors") == 1


def test_a_json_answer_keeps_the_fields_that_say_how_it_went():
    said = line(
        "terminal", json.dumps({"output": LONG, "exit_code": 2, "error": "no such file"}), command="make"
    )
    assert "exit_code 2" in said
    assert "no such file" in said


def test_a_file_that_was_read_keeps_its_path_and_length():
    said = line("read_file", LONG, path="src/app.py")
    assert "src/app.py" in said
    assert "100 lines" in said


def test_a_search_keeps_the_first_places():
    said = line("Grep", "src/a.py:3: x\nsrc/b.py:9: x\n" * 50, pattern="x")
    assert "src/a.py" in said
    assert "src/b.py" in said


def test_a_tool_that_nobody_knows_keeps_its_arguments_and_both_ends_of_its_answer():
    said = line(
        "frobnicate",
        f"started well\n{LONG}\nended with 17 widgets",
        size="large",
        colour="blue",
        shape="round",
    )
    for kept in ("size=large", "colour=blue", "started well", "17 widgets"):
        assert kept in said, kept


@pytest.mark.parametrize("arguments", ["", "no json", "[1]", '"text"', "null"])
def test_arguments_that_say_nothing_do_no_harm(arguments):
    assert line_of("Read", arguments, LONG, "m7").startswith("[m7, ")


def test_other_languages_say_what_went_wrong_too():
    assert "权限不足" in line("Bash", f"{LONG}\n错误：权限不足\n{LONG[:600]}", command="部署")
