"""The process that gets killed while it adds daily notes: `python daily_victim.py FOLDER NAME DONE`.

Says what is on the disk, a line each; begins with the first that is not done.
"""

import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from archivist.notes.daily import DailyNotes

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    notes = DailyNotes(folder, history=folder.with_name("history"), sleep=time.sleep)
    for number in range(int(sys.argv[3]), 25):
        text = f"from {sys.argv[2]} number {number:02d}\nand a second line of {sys.argv[2]}-{number:02d}"
        notes.add(text, datetime(2026, 3, 20, 9, number, tzinfo=UTC))
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
