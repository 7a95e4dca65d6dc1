"""What results of tools have in common."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import archivist
from archivist import UnknownSession
from archivist.notes.telling import UnknownEntry
from archivist.tools.results import failure, for_model


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("one stands beside it; `archivist review list` asks which of them holds", "one stands beside it"),
        (
            "It is kept (`archivist memory show e1`); `archivist memory undo c1` takes both back",
            "It is kept",
        ),
        ("not searched yet; ask again, or run `archivist index`.", "not searched yet; ask again."),
        (
            "Nothing is noted here yet; `archivist memory add` and `archivist daily` note something.",
            "Nothing is noted here yet.",
        ),
        ("state.db is damaged: run `archivist salvage`", "state.db is damaged: run `archivist salvage`"),
        ("nothing of the kind; and a semicolon", "nothing of the kind; and a semicolon"),
    ],
)
def test_a_model_is_told_of_no_command_that_only_its_owner_runs(said, told):
    assert for_model(said) == told


def test_nor_in_a_failure():
    assert failure(UnknownEntry("e1"))["error"] == "no entry 'e1' is known here"
    assert failure(UnknownSession("s1"))["error"] == "no conversation 's1'"


def texts_of(room: str) -> Iterator[tuple[str, str]]:
    """The texts in a room's code that are no documentation, and where each stands."""
    for file in sorted(Path(archivist.__file__).parent.joinpath(room).rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
                yield f"{file.name}:{node.lineno}", node.value


@pytest.mark.parametrize("room", ["notes", "curate", "recall", "tools"])
def test_a_command_that_is_named_stands_between_marks_by_which_a_model_is_spared_it(room):
    bare = re.compile(r"(?<!`)\barchivist (?:memory|daily|review|sessions|snapshot|recall|index) [a-zA-Z{]")
    assert [where for where, text in texts_of(room) if bare.search(text)] == []
