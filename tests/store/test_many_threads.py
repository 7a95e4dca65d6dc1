"""Many threads that read and end, all at once, as those of a server do: their connections end with them and take nothing else along."""

import subprocess
import sys

READ = """
import sys, threading
from pathlib import Path
from archivist.store.connection import OPEN_FILES, Readers, connect_to_write

path = Path(sys.argv[1])
db = connect_to_write(path)
db.execute("PRAGMA journal_mode = WAL; CREATE TABLE messages(text); INSERT INTO messages VALUES('x')").fetchall()
db.close()
readers = Readers(path)

def read():
    for number in range(40):
        assert readers.get().execute(f"SELECT {number}, text FROM messages").fetchall() == [(number, "x")]

for _ in range(3):
    threads = [threading.Thread(target=read) for _ in range(300)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
with OPEN_FILES.kept_closed(path) as is_closed:
    print("closed" if is_closed else "open")
"""


def test_hundreds_of_threads_read_and_end_and_their_connections_end_with_them(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", READ, str(tmp_path / "x.db")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "closed", "")
