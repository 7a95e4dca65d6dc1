"""One text read by the frames."""

from collections.abc import Iterator

from archivist.guard.scanning.classes import vocabulary
from archivist.guard.scanning.findings import Finding, Severity
from archivist.guard.scanning.folding import fold
from archivist.guard.scanning.frames import FRAMES, Frame
from archivist.guard.scanning.judging import Account
from archivist.guard.scanning.tokens import Tokens, places, tokenize


class Reading:
    """A text, its tokens, and where they stand in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = fold(text)
        self.tokens: Tokens = tokenize(self.folded.text)
        self._numbers: list[int] | None = None
        self._places: list[int] = []

    def findings(self) -> Iterator[Finding]:
        """What the frames find, judged."""
        signs = "".join(self.tokens.signs)
        for frame in FRAMES:
            needed = frame.mask()
            if needed & self.tokens.present == needed:
                for found in frame.compiled().finditer(signs):
                    command = found.start("command") if "command" in found.re.groupindex else None
                    judged = self._judged(frame, found.start(), found.end(), command)
                    if judged is not None:
                        yield judged

    def has(self, *names: str) -> bool:
        """Whether words of all these classes occur."""
        bits = vocabulary().bits
        return all(self.tokens.present & bits[name] for name in names)

    def _judged(self, frame: Frame, start: int, end: int, command: int | None) -> Finding | None:
        """The finding, unless it is no command; places are those of signs."""
        self._count()
        numbers = self._numbers
        assert numbers is not None
        first, last = numbers[start], numbers[end - 1]
        place = None if command is None else numbers[command]
        shouted = place is not None and self.text[self._original(place)].isupper()
        account = Account(self.tokens, first, last + 1, place, shouted)
        if not account.stands():
            return None
        severity: Severity = "warn" if account.reported() else frame.severity
        return Finding(frame.kind, self._original(first), self._end(last), severity, frame.reason)

    def _count(self) -> None:
        """Find out where the tokens are, when the first match needs it."""
        if self._numbers is None:
            self._numbers = [number for number, sign in enumerate(self.tokens.signs) if sign]
            self._places = places(self.folded.text, self.tokens.words)

    def _original(self, token: int) -> int:
        return self.folded.original(self._places[token])

    def _end(self, token: int) -> int:
        """Where a token (with the rest of its phrase) ends in the original."""
        while token + 1 < len(self.tokens.signs) and not self.tokens.signs[token + 1]:
            token += 1
        return self.folded.original(self._places[token] + len(self.tokens.words[token]) - 1) + 1
