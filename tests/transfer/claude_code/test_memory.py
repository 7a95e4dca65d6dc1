"""A long session costs memory for its tree, not for its text."""

import subprocess
import sys

import pytest

LINES = 100_000
WORDS = b"w" * 700

PROGRAM = """
import resource, sys
from pathlib import Path
from archivist.transfer import read_history

def read(path):
    [session] = read_history(Path(path))
    count = sum(message.message.state == "active" for message in session.messages)
    return count, session.read, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

_, _, before = read(sys.argv[1])
count, lines, after = read(sys.argv[2])
print(count, lines, after - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is counted in other units elsewhere")
def test_a_hundred_thousand_lines_are_read_in_less_memory_than_they_take(transcript, tmp_path):
    transcript.person("words")
    small = transcript.write(tmp_path / "small")
    first = transcript.lines[0].replace(b"words", WORDS)
    large = tmp_path / "large" / small.name
    large.parent.mkdir()
    with large.open("wb") as file:
        for number in range(LINES):
            parent = b'"id-%08d"' % (number - 1) if number else b"null"
            line = first.replace(b"11111111-0001", b"id-%08d" % number)
            file.write(line.replace(b'"parentUuid": null', b'"parentUuid": ' + parent) + b"\n")
    command = [sys.executable, "-c", PROGRAM, str(small), str(large)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    count, lines, more_bytes = map(int, told.split())
    assert count == lines == LINES
    assert more_bytes < large.stat().st_size * 0.9
    assert more_bytes < LINES * 1_000
