"""What a line is worth: how much it says that stands nowhere else, and what its form says about how long it holds.

Words that few lines of the conversation have say more than those that many have; identifiers, numbers and names more than plain words. Of
what is written without spaces, two characters are a word. What a person rules for the time to come is told by function words (a negation, a
modal), which every language has a handful of.
"""

import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from archivist.compress.asking import asks, is_request
from archivist.compress.lines import Line
from archivist.notes.commonplace import COMMON, GRAMMAR
from archivist.recall.stopwords import ENGLISH, LIGHT
from archivist.records.patterns import late_pattern

_WORD: Final = late_pattern(
    r"[^\W_](?:[\w./:@#~+-]*\w)?(?:(?<=\d),(?=\d{3})[\w./:@#~+-]*\w)*|[/~.][\w./-]{3,}|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+|\w"
)
_RUN: Final = late_pattern(r"[\u3400-\u9fff\u3040-\u30ff]+")
_PAIRS: Final = late_pattern(f"(?=([^{''.join(sorted(GRAMMAR))}]{{2}}))")
"""Two characters side by side, neither of grammar; each is the first of the next pair."""
_PIECES: Final = late_pattern(r"[\u3400-\u9fff\u3040-\u30ff]+|[^\u3400-\u9fff\u3040-\u30ff]+")
"""Chinese and Japanese stand beside names and numbers without a space between."""
_SHORT_CHARS: Final = 3
_LATIN: Final = late_pattern(r"[A-Za-z]{3,} [a-z]{2,}")
_MOST_CODED: Final = 2
"""A line of many identifiers is a list; what it says of each is little."""
_CODED_WORTH: Final = 2.0
_REPEATED: Final = 0.3
_UNTOLD, _TOLD = 0.3, 3.0
"""Of a coded word's worth, so much is its own; it has all of it beside plain words that are worth so much: they say what it is of."""
_PAIR: Final = 0.7
"""Of a word that is only two characters of a run: its neighbour says half of it again."""
_CODED: Final = late_pattern(r"(?=.*\d).{2,}|.+[./_:@#~].+|[a-z]+[A-Z].*|[A-Z]{3,}.*")
_MOST_WORDS: Final = 9
"""Of a line, its most telling words count: a longer line is not worth more for being long."""
_NEGATED: Final = late_pattern(
    r"\b(?:not|never|no|none|nothing|nobody|without|except|neither|nor|cannot|avoid|nicht|nichts|nie|niemals|niemand\w*|kein\w*|ohne"
    r"|ne|pas|jamais|sans|personne|nunca|nadie|jamás|ningún|ningun[ao]|não|nem|sem|не|нет|никогда|нельзя|без)\b|n['’]t\b|[不别勿禁莫未没]|ない|ません|않|못|말",
)
_MODAL: Final = late_pattern(
    r"\b(?:always|must|should|shall|(?:has|have|needs?) to|only|ever|from now on|every time|whenever|immer|muss|müssen|soll\w*|nur"
    r"|toujours|doit|dois|faut|siempre|debe\w*|sempre|deve\w*|всегда|должен|должны|нужно|только)\b|必须|必須|应该|總是|总是|一律|只能|只有|以后|今后|每次|まで|べき|いつも|항상|반드시",
)
"""Both are looked for in small letters: a search that overlooks the case itself takes more than twice as long."""
_NEXT_STEP: Final = late_pattern(
    r"(?i)(?:[\w'’]{1,12}[,.!:]? ){0,2}(?:let me|let['’]s|i['’]ll|i will|i(?:['’]m| am) (?:going|about) to|now)\b"
    r"|(?:现在|接下来)?(?:让我|我来|我先|我再)"
)
_POINTS_BACK: Final = late_pattern(
    r"(?i)(?:(?:and|but|so|then|also|or|well|ok|yes|no)[,.!:]? )?"
    r"(?:this|that|these|those|it|its|it['’]s|they|above|such|y|yes|yup|yeah|yep|no|ok|okay"
    r"|hmm+|agreed|sure|well|thanks|great|right"
    r"|ja|nein|oui|non|sí|sim|da|да|нет)\b|[\W]*(?:这|那|它|好的?|嗯|对|是的|行)(?![\u4e00-\u9fff]{6})"
)
"""A line that answers what was said just before, or points at it, says little alone; unless it rules, as "This one must never …" does."""
_ANSWERED_NO: Final = late_pattern(r"(?i)^(?:no|nope|nah|nein|non|нет)[,.!:;]")
"""No to what was said just before: that alone forbids nothing."""


class Weights:
    """What words are worth in one conversation.

    Args:
        texts: Of its lines, each once.
        elsewhere: Outputs and calls: an identifier that stands there too is read again there.
    """

    def __init__(self, texts: Sequence[str], elsewhere: Iterable[str] = ()) -> None:
        self._words: dict[str, tuple[str, ...]] = {}
        seen = Counter(chain.from_iterable(map(self.words, texts)))
        self._coded = frozenset(filter(is_coded, seen))
        self._lone = frozenset(word for word, times in seen.items() if times == 1)
        self._lone_plain = frozenset(word for word in self._lone - self._coded if not word.isdigit())
        worth = _worth(seen, len(texts), self._coded)
        once, twice = _held_by(elsewhere, self._coded)
        self._said, self._printed = _less(worth, once), _less(worth, twice)

    def words(self, text: str) -> tuple[str, ...]:
        """The telling words of a text, each once."""
        found = self._words.get(text)
        if found is None:
            found = self._words[text] = telling_words(text)
        return found

    def shape(self, text: str) -> tuple[str, ...] | None:
        """The telling words of a text but its names and numbers: what several readings of one thing have in common.

        None where no other text has the same.
        """
        if not self._lone_plain.isdisjoint(self.words(text)):
            return None
        coded = self._coded
        return tuple([word for word in self.words(text) if word not in coded and not word.isdigit()])

    def shared(self, text: str) -> list[str]:
        """Those of them that stand in more than one text."""
        return [word for word in self.words(text) if word not in self._lone]

    def worth(self, word: str) -> float:
        """What a word of these lines adds; 0 for one that none of them has."""
        return self._said.get(word, 0.0)

    def worths(self, line: Line) -> tuple[list[float], list[float]]:
        """What the words of a line add, the most first: all of them, and identifiers, paths, numbers alone.

        Of what outputs or calls hold beside the line itself little is left.
        """
        worth = self._printed if line.who == "tool" and line.message >= 0 else self._said
        words = self.words(line.text)
        coded = self._coded.intersection(words)
        every = sorted(map(worth.__getitem__, words), reverse=True)
        return every, sorted(map(worth.__getitem__, coded), reverse=True) if coded else []


def _worth(seen: Mapping[str, int], count: int, coded: Container[str]) -> dict[str, float]:
    """What words add: from 0 for one that all lines have to 1 for one that no other has; coded ones twice that.

    Args:
        seen: How many lines have each.
        count: Of the lines.
        coded: Which of them are identifiers, paths, numbers.
    """
    most = math.log(count + 2)
    rarities = {times: (1 - math.log(times) / most) ** 2 for times in set(seen.values())}
    return {
        word: rarities[times]
        * (_PAIR if len(word) == 2 and not word.isascii() else _CODED_WORTH if word in coded else 1.0)
        for word, times in seen.items()
    }


def _less(worth: Mapping[str, float], held: Iterable[str]) -> dict[str, float]:
    """What words add where some are held elsewhere too."""
    return {**worth, **{word: worth[word] * _REPEATED for word in held}}


def _held_by(texts: Iterable[str], words: Iterable[str]) -> tuple[list[str], list[str]]:
    """The words that stand with all of their parts in one text, and in two; of a long text its beginning and its end are read."""
    parts = {word: _apart(word) for word in words}
    wanted = set(chain.from_iterable(parts.values()))
    once, twice = set[bytes](), set[bytes]()
    for text in texts:
        short = text if len(text) <= 2 * _EDGE_CHARS else f"{text[:_EDGE_CHARS]} {text[-_EDGE_CHARS:]}"
        found = wanted.intersection(_apart(short))
        twice |= once & found
        once |= found
    return _made_of(once, parts), _made_of(twice, parts)


def _made_of(found: set[bytes], parts: Mapping[str, Sequence[bytes]]) -> list[str]:
    return [word for word, its in parts.items() if its and found.issuperset(its)]


def _apart(text: str) -> list[bytes]:
    """The tokens of a text as bytes, without the marks between them: forty times as quick as a pattern."""
    return text.encode("utf-8", "replace").translate(_MARKS).split()


_MARKS: Final = bytes(
    byte if byte >= 0x80 or chr(byte).isalnum() or chr(byte) in "_-./~@" else 0x20 for byte in range(256)
)
_EDGE_CHARS: Final = 3_000


def telling_words(text: str) -> tuple[str, ...]:
    """The words of a text that are not of grammar, each once; coded ones as they are, others in small letters."""
    tokens = _WORD.findall(text)
    words = dict.fromkeys(map(_as_told, tokens))
    if None in words:
        words = dict.fromkeys(chain.from_iterable(map(_told_apart, tokens)))
    return tuple(filter(None, words))


def _told_apart(token: str) -> Iterable[str | None]:
    word = _as_told(token)
    if word is not None:
        return (word,)
    return _PAIRS.findall(token) if _RUN.fullmatch(token) else _in_pieces(token)


def _in_pieces(token: str) -> Iterator[str | None]:
    for piece in _PIECES.findall(token):
        if _RUN.match(piece):
            yield from _PAIRS.findall(piece)
        elif any(map(str.isalnum, piece)):
            yield _as_told(piece.strip("./:@#~+-_"))


@lru_cache(maxsize=65_536)
def _as_told(token: str) -> str | None:
    """A word as it counts: empty where it says nothing, None where it is a run of several."""
    if not token.isascii() and _RUN.search(token):
        return None
    folded = token.lower()
    if folded in ENGLISH or (len(folded) < 3 and not folded.isdigit()):
        return ""
    return token if is_coded(token) else folded


@lru_cache(maxsize=32_768)
def is_coded(word: str) -> bool:
    """Whether a word is an identifier, a path, a number."""
    is_plain = word.isalpha() and word.islower()
    return not is_plain and _CODED.fullmatch(word) is not None


def value(line: Line, weights: Weights) -> float:
    """What it is worth to keep a line; 0 for what says nothing."""
    worths, coded = weights.worths(line)
    untold = max(0.0, 1.0 - _UNTOLD - (sum(worths) - sum(coded)) / _TOLD)
    worth = sum(worths[:_MOST_WORDS]) - untold * sum(coded[:_MOST_WORDS])
    if line.who == "owner":
        return _owners(line, worth)
    worth += (1.0 - untold) * sum(coded[:_MOST_CODED])
    held = _held_together(line.text)
    if line.who == "agent":
        return worth * _agents(line) * (1.0 if held > 1 else 0.4)
    return worth * _tools(held, has_code=bool(coded))


def _tools(held: int, *, has_code: bool) -> float:
    """Of a line that a tool returned: a sentence says something without a name or number in it, a row of words does not."""
    share = 1.0 if has_code else 0.9 if held > 1 else 0.3
    return share * (1.5 if held else 1.0)


def _agents(line: Line) -> float:
    """Of an agent's line: what it is about to do shows in what it does; what only leads to the next line says little."""
    share = 1.3 if line.is_last else 1.0
    if _NEXT_STEP.match(line.text):
        share *= 0.5
    if line.text.endswith((":", "：", ";")) or line.text[0].islower():
        share *= 0.6
    return share * (0.5 if asks(line.text) else 1.0)


def _held_together(text: str) -> int:
    """How many different words of grammar a text has: a list of names has none, a sentence several."""
    if not text.isascii() and not _LATIN.search(text):
        return 2
    words = text.split()
    found = len(ENGLISH.intersection(words))
    return found if found > 1 else len({word for word in words if word in ENGLISH or is_short(word)})


def is_short(word: str) -> bool:
    """Whether a word is as short as those of grammar are in all languages that have spaces."""
    return len(word) <= _SHORT_CHARS and word.isalpha() and word.islower()


def _owners(line: Line, worth: float) -> float:
    """Of the owner's lines: what is ruled weighs more, what is asked or pasted less."""
    if worth <= 0:
        return 0.0
    forbids = is_negated(_ANSWERED_NO.sub("", line.text))
    if forbids:
        worth += 3.0
    if _MODAL.search(line.text.lower()):
        worth += 1.5
    is_question = asks(line.text) and not is_request(line.text)
    points_back = not forbids and _POINTS_BACK.match(line.text) is not None
    if is_question or points_back or "..." in line.text or "…" in line.text:
        worth *= 0.5
    return worth * (0.35 if line.is_pasted else 1.0)


@lru_cache(maxsize=8_192)
def is_negated(text: str) -> bool:
    """Whether a text denies something."""
    return _NEGATED.search(text.lower()) is not None


def negations_in(text: str) -> int:
    """How many words of a text deny something."""
    return sum(1 for _ in _NEGATED.finditer(text.lower()))


@lru_cache(maxsize=8_192)
def is_ruled(text: str) -> bool:
    """Whether a text says what must or must not be, for as long as nothing else is said."""
    return is_negated(text) or _MODAL.search(text.lower()) is not None


def answers_no(text: str) -> bool:
    """Whether a text begins with a no to what was said before."""
    return _ANSWERED_NO.match(text) is not None


def commonplace(word: str) -> bool:
    """Whether many texts have a word, whatever they are about."""
    return word in COMMON or word in LIGHT


def tokens(text: str) -> int:
    """About how many tokens a line is, told by its bytes: good enough to choose among hundreds."""
    return len(text.encode("utf-8", "replace")) // 4 + 5


__all__ = [
    "Weights",
    "answers_no",
    "asks",
    "commonplace",
    "is_coded",
    "is_negated",
    "is_ruled",
    "is_short",
    "telling_words",
    "tokens",
    "value",
]
