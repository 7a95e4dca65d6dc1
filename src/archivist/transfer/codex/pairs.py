"""Texts that are told twice: once for the screen, once for the model, in either order and side by side.

Each text waits for its other telling until the talk has gone on; so the same words said again later are words
of their own.
"""

from typing import Literal

import msgspec

View = Literal["model", "screen"]
Said = Literal["user", "assistant", "plan"]

CITATION_OPEN, CITATION_CLOSE = "<oai-mem-citation>", "</oai-mem-citation>"
MOST_WAITING = 32


class Pairs(msgspec.Struct):
    """What has been told in one view and may come in the other."""

    waiting: dict[tuple[View, Said], list[tuple[int, bool]]] = msgspec.field(default_factory=dict)

    def find(self, view: View, said: Said, text: str, *, has_media: bool = False) -> tuple[bool, bool]:
        """Whether the other view told the text just before, and whether it told the images too; if it did not, the text waits."""
        key = hash(plain_words(text))
        others = self.waiting.get(("screen" if view == "model" else "model", said), [])
        for place, (other, had_media) in enumerate(others):
            if other == key:
                del others[place]
                return True, had_media
        own = self.waiting.setdefault((view, said), [])
        own.append((key, has_media))
        del own[:-MOST_WAITING]
        return False, False

    def end(self, *said: Said) -> None:
        """What was said so far in these roles is not told again."""
        for view in ("model", "screen"):
            for one in said:
                self.waiting.pop((view, one), None)


def plain_words(text: str) -> str:
    """The text without spaces, in which the two views differ, and without what one of them hides."""
    if CITATION_OPEN in text:
        before, *cited = text.split(CITATION_OPEN)
        text = before + "".join(piece.partition(CITATION_CLOSE)[2] for piece in cited)
    return "".join(text.split())
