"""Words without the blocks that one program puts around them.

Each program has tags of its own. A block in those of another was pasted by the person who wrote: it stays, as everything of theirs does.
"""

import re
from collections.abc import Collection
from typing import Final

from archivist.guard.wrappers import DROPPED, UNWRAPPED, person_words

RECALLED: Final = "memory-context"
"""The tag of recalled memory, in which Archivist gives it to any program."""

MARK: Final = "\ufdd0"
"""A code point that Unicode has set aside for a program's own use."""


def words_outside(text: str, tags: Collection[str]) -> str:
    """The text without blocks between some tags; what stands between others stays to the letter.

    Args:
        text: What a person wrote, and the program beside it.
        tags: Those of the program.
    """
    others = [re.escape(name) for name in (*DROPPED, *UNWRAPPED) if name not in tags]
    mark = MARK * (
        1 + max(map(len, re.findall(f"{MARK}+", text)), default=0)
    )  # longer than any that is there
    hidden = re.sub(rf"<(?=/?(?:{'|'.join(others)})[\s>])", f"<{mark}", text)
    return person_words(hidden).replace(f"<{mark}", "<")
