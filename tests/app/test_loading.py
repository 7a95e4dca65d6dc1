"""What a quick question loads: nothing that only changes, imports and checks need."""

import subprocess
import sys

from archivist import Archivist, Message

RARE = (
    "archivist.app.backing_up",
    "archivist.app.belongings",
    "archivist.app.checkup",
    "archivist.config.projects",
    "archivist.guard.secrets",
    "archivist.store.adopting",
    "archivist.store.deriving",
    "archivist.store.forking",
    "archivist.store.naming",
    "archivist.store.reception",
    "archivist.store.undoing",
    "archivist.store.verifying",
    "archivist.transfer",
)
ASK = f"""
import sys
from archivist.surfaces.cli.root import root, run
code = run(root, ["recall", "kestrel"])
print(code, sorted(set({RARE!r}) & set(sys.modules)))
"""


def test_a_question_loads_nothing_that_it_does_not_use(tmp_path, monkeypatch):
    with Archivist.open(tmp_path) as archivist:
        archivist.sessions.start(title="Birds").append(Message.user("the kestrel hovers"))
        archivist.catch_up()
    monkeypatch.setenv("ARCHIVIST_HOME", str(tmp_path))
    asked = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)
    assert "kestrel hovers" in asked.stdout
    assert asked.stdout.splitlines()[-1] == "0 []"
