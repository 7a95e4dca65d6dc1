"""One text read by the frames."""

from collections.abc import Iterator
from itertools import islice

from archivist.guard.scanning.classes import vocabulary
from archivist.guard.scanning.findings import Finding, Severity
from archivist.guard.scanning.folding import fold
from archivist.guard.scanning.frames import Frame, masked_frames
from archivist.guard.scanning.judging import Account
from archivist.guard.scanning.tokens import Tokens, places, tokenize


class Reading:
    """A text, its tokens, and where they stand in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = fold(text)
        self.tokens: Tokens = tokenize(self.folded.text)
        self._numbers: list[int] = []
        self._places: list[int] = []
        self._occurs: dict[str, bool] = {}
        """By word, whether it begins with a capital anywhere."""
        self._coming = places(self.folded.text)

    def findings(self) -> Iterator[Finding]:
        """What the frames find, judged."""
        signs = "".join(self.tokens.signs)
        for needed, frame in masked_frames():
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
        numbers = self._numbered()
        first, last = numbers[start], numbers[end - 1]
        place = None if command is None else numbers[command]
        account = Account(self.tokens, first, last + 1, place, lambda: self._shouted(place))
        if not account.stands():
            return None
        severity: Severity = "warn" if account.reported() else frame.severity
        return Finding(frame.kind, self._original(first), self._end(last), severity, frame.reason)

    def _numbered(self) -> list[int]:
        """By sign, the number of its token; found out when the first match needs it."""
        if not self._numbers:
            self._numbers = [number for number, sign in enumerate(self.tokens.signs) if sign]
        return self._numbers

    def _place(self, token: int) -> int:
        """Where a token is, found out as far as findings need it."""
        if token >= len(self._places):
            self._places += islice(self._coming, token + 1 - len(self._places))
        return self._places[token]

    def _shouted(self, token: int | None) -> bool:
        if token is None:
            return False
        word = self.tokens.words[token]
        if word not in self._occurs:
            self._occurs[word] = word.capitalize() in self.text or word.upper() in self.text
        return self._occurs[word] and self.text[self._original(token)].isupper()

    def _original(self, token: int) -> int:
        return self.folded.original(self._place(token))

    def _end(self, token: int) -> int:
        """Where a token (with the rest of its phrase) ends in the original."""
        while token + 1 < len(self.tokens.signs) and not self.tokens.signs[token + 1]:
            token += 1
        return self.folded.original(self._place(token) + len(self.tokens.words[token]) - 1) + 1
