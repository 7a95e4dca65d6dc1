"""What a hook loads while a person waits for it: nothing that the event does not need."""

import json
import os
import subprocess
import sys

import pytest

from archivist import Archivist

SEARCH = (
    "archivist.app.archivist",
    "archivist.recall.finding",
    "archivist.recall.search",
    "archivist.store.index.search_index",
)
CHANGES = (
    "archivist.notes.adopting",
    "archivist.notes.drafting",
    "archivist.notes.notes",
    "archivist.notes.placing",
    "archivist.notes.planning",
    "archivist.notes.recovery",
)
SCANNER = ("archivist.guard.scanning", "archivist.guard.withholding")
OTHERS = ("archivist.notes.using", "archivist.transfer", "click", "dataclasses", "hashlib", "rich")
RUN = """
import sys
from archivist.surfaces.hooks.running import run
run(sys.argv[1], sys.argv[2])
print(*sys.modules, file=sys.stderr)
"""


def loaded_by(event, home, folder, **fields):
    """The modules that were loaded when an event was answered."""
    told = {"session_id": "s-1", "cwd": str(folder), "hook_event_name": event} | fields
    ran = subprocess.run(
        [sys.executable, "-I", "-c", RUN, event, str(home)],
        input=json.dumps(told).encode(),
        env={"PATH": os.defpath},
        capture_output=True,
        check=True,
    )
    return ran.stdout, set(ran.stderr.decode().split())


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_who_only_tells_a_session_of_the_notes_loads_nothing_that_searches_or_changes_them(
    event, home, noted, tmp_path
):
    loaded_by("SessionStart", home, tmp_path, source="startup")
    with Archivist.open(home) as archivist:
        archivist.notes.add("memory", "Deploys happen on Tuesdays")
    fields = {"source": "clear"} if event == "SessionStart" else {"prompt": "fix the test"}
    answer, loaded = loaded_by(event, home, tmp_path, **fields)
    assert b"Deploys happen on Tuesdays" in answer
    assert loaded.isdisjoint((*SEARCH, *CHANGES, *SCANNER, *OTHERS))


def test_a_session_that_is_given_what_the_last_one_was_given_waits_for_nothing_that_renders_or_masks_it(
    home, noted, tmp_path
):
    first, _ = loaded_by("SessionStart", home, tmp_path, source="startup")
    second, loaded = loaded_by("SessionStart", home, tmp_path, source="clear")
    assert noted.encode() in first
    assert second == first
    assert loaded.isdisjoint(("archivist.guard", "archivist.prompt.snapshot", "archivist.notes.saying"))
