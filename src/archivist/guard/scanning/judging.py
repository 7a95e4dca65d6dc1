"""Whether what a frame found is a command to the reader, or somebody's account of one.

An account is a negation ("never ignore …"), a statement about others ("people ignore …"), or a report: words in quotation marks, or
after "to", beside what speaks of an attack or of a page that said so. A report is still a finding, but only a warning. Quotation marks
alone change nothing, and neither do they where the words around them speak to the reader.
"""

from collections.abc import Callable

import msgspec

from archivist.guard.scanning.classes import vocabulary
from archivist.guard.scanning.tokens import END, LINE, QUOTE, SOFT, Tokens

_NEGATION_REACH = 3
_COVERT_REACH = 10
"""The first for a verb, the second for "without telling …", whose verb stands before it."""
_QUOTE_REACH = 40
_CONTEXT_REACH = 25
_AFTER_REACH = 14
_REPORT_REACH = 12
_MARKS = frozenset({END, LINE, QUOTE, SOFT})
_UNDONE = frozenset(
    {
        "hesitate",
        "forget",
        "fail",
        "only",
        "just",
        "but",
        "matter",
        "problem",
        "longer",
        "need",
        "worry",
        "afraid",
    }
)
"""After which a negation does not negate: "do not hesitate to …"."""


_TOLD = frozenset({"did", "does", "was", "were", "had", "has", "have", "didn", "doesn"})
"""Before a negation that states something: "did not follow …"."""


_JOINS = frozenset({"and", "then", "please", "now", "just", "instead", "so", "but", "or"})
"""Before an English command whose object stands before it."""


class Account(msgspec.Struct, frozen=True):
    """The tokens around one match, by the numbers of tokens.

    Attributes:
        tokens: All tokens of the text.
        start: The first token of the match.
        end: The one after its last.
        command: The token that commands, if the frame names one.
        shouted: Says whether the command begins with a capital in the original.
    """

    tokens: Tokens
    start: int
    end: int
    command: int | None
    shouted: Callable[[], bool]

    def stands(self) -> bool:
        """Whether it is a command, and not a negation or a statement."""
        if self.command is None:
            return True
        if self.command > 0 and self._has(self.command - 1, "attackers"):
            return False
        return self._commands(self.command) and not self._negated(self.command)

    def reported(self) -> bool:
        """Whether somebody only reports it."""
        return self._quoted_report() or self._told_report()

    def _commands(self, command: int) -> bool:
        """Whether an English verb that is also an infinitive stands as an imperative."""
        if self._has(command, "no"):
            return command == 0 or not (
                self._has(command - 1, "subject") or self.tokens.words[command - 1] in _TOLD
            )
        before = command - 1
        while before >= 0 and not self.tokens.signs[before]:
            before -= 1
        if before >= 0 and self._has(before, "passive"):
            return False
        if self._has(command, "loose_imperative"):
            return before < 0 or not self._has(before, "unled")
        if not self._has(command, "imperative_only"):
            return True
        if command > self.start:
            return before >= 0 and self.tokens.words[before] in _JOINS
        return before < 0 or self.tokens.signs[before] in _MARKS or self._led(command, before)

    def _led(self, command: int, before: int) -> bool:
        """Whether the word before an English verb leaves it a command."""
        word = self.tokens.words[before]
        if word == "to":
            near = range(max(0, before - 4), before)
            others = self._has(command, "away") or self._has_any(near, "subject")
            return not others or self._has_any(near, "you")
        if self._has(before, "lead") or word.endswith("ly"):
            return True
        return not self._has(before, "subject") and not self._has(command, "send") and self.shouted()

    def _negated(self, command: int) -> bool:
        """Whether a negation stands before it in its clause, or right after it at the end."""
        if self._has(command, "no") and not self._has(command, "covert"):
            return False
        reach = _COVERT_REACH if self._has(command, "covert") else _NEGATION_REACH
        for at in range(command - 1, max(-1, command - 1 - reach), -1):
            if self.tokens.signs[at] in _MARKS or self.tokens.words[at] in _UNDONE:
                break
            if self._has(at, "no"):
                return True
        return command == self.end - 1 and self._has_any(
            range(self.end, min(self.end + 2, len(self.tokens.signs))), "no"
        )

    def _quoted_report(self) -> bool:
        span = self._quotation()
        if span is None:
            return False
        opening, closing = span
        before = self._sentence_before(opening, _CONTEXT_REACH)
        after = range(closing + 1, min(closing + 1 + _AFTER_REACH, len(self.tokens.signs)))
        around = [*before, *after]
        distant = self._has_any(around, "attack") or (
            self._has_any(around, "source") and self._has_any(around, "report")
        )
        return distant and not self._complies(before) and not self._complies(after)

    def _quotation(self) -> tuple[int, int] | None:
        """The quotation marks around the match, or the mark of a quoted line before it and the end of the text after."""
        signs, words = self.tokens.signs, self.tokens.words
        for at in range(self.start - 1, max(-1, self.start - 1 - _QUOTE_REACH), -1):
            if signs[at] in {LINE, END} and ">" in words[at]:
                return at, min(self.end + _QUOTE_REACH, len(signs))
            if signs[at] == QUOTE:
                mark = words[at]
                closing = next(
                    (
                        i
                        for i in range(self.end, min(self.end + _QUOTE_REACH, len(signs)))
                        if words[i] == mark
                    ),
                    None,
                )
                return (at, closing) if closing is not None and self._opens(at, mark) else None
        return None

    def _opens(self, at: int, mark: str) -> bool:
        """Whether a quotation mark opens: an odd one of its paragraph."""
        count = 0
        for i in range(at, max(-1, at - 200), -1):
            if self.tokens.words[i] == mark:
                count += 1
            elif self.tokens.words[i].count("\n") > 1 and mark != "`":
                break
        return count % 2 == 1

    def _told_report(self) -> bool:
        """Whether a third person is told "to …": the page told it to …; an attempt to …."""
        first = self.start if self.command is None else min(self.start, self.command)
        before = self._sentence_before(first, _REPORT_REACH)
        if not before or self._has_any(before, "you") or self._complies(before):
            return False
        if self._model_induced(before):
            return True
        led = self.tokens.words[before[0]] in {"to", "like", "as", "that"}
        distant = self._has_any(before, "attack") or (
            self._has_any(before, "report") and self._has_any(before, "source")
        )
        return distant and led

    def _model_induced(self, before: list[int]) -> bool:
        """Whether these tokens, the nearest first, speak of getting a model "to …"."""
        to = next((n for n, at in enumerate(before) if self.tokens.words[at] == "to"), len(before))
        told = before[to + 1 :]
        return self._has_any(told, "inducing") and (
            self._has_any(told, "machine") or self._has_any(told, "model")
        )

    def _sentence_before(self, place: int, reach: int) -> list[int]:
        """The tokens of the same sentence before a place, the nearest first."""
        found: list[int] = []
        for at in range(place - 1, max(-1, place - 1 - reach), -1):
            if self.tokens.signs[at] == END:
                break
            found.append(at)
        return found

    def _complies(self, places: "range | list[int]") -> bool:
        """Whether the words at these places tell the reader to do it."""
        for at in places:
            if self._has(at, "i_want_you"):
                return True
            if self._has(at, "comply") and not self._has_any(range(max(0, at - 2), at), "no"):
                return True
        return False

    def _has(self, at: int, name: str) -> bool:
        known = vocabulary()
        return bool(known.masks.get(self.tokens.signs[at], 0) & known.bits[name])

    def _has_any(self, places: "range | list[int]", name: str) -> bool:
        known = vocabulary()
        bit = known.bits[name]
        return any(known.masks.get(self.tokens.signs[at], 0) & bit for at in places)
