"""What results of tools have in common."""

import pytest

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
