"""A title for a conversation that has none: made of the first real thing that was said in it, without a model.

Pure functions over text. What a program put around the words, code, greetings and masks of secrets are no title; a path or an
address is one only where nothing better was said.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from archivist.records.display import plain
from archivist.records.patterns import late_pattern

MOST_CHARS: Final = 60
READ_CHARS: Final = 8_000
"""Of a message, as far as a title is sought in it."""
SHORTEST_SENTENCE: Final = 12
"""A full stop after fewer characters ends no title, such as the one in "No. 5 fails"."""

_MASK = re.compile(r"\[masked [a-z0-9-]{2,32}(?: …[A-Za-z0-9_-]{1,4})?\]")
_WRAPPED = re.compile(r"<([a-z][a-z0-9_-]{2,40})(?:\s[^<>]{0,400})?>.*?</\1>", re.DOTALL)
_UNCLOSED = re.compile(
    r"^\s*<[a-z][a-z0-9]*(?:-[a-z0-9]+)+(?:\s[^<>]{0,400})?>.*\Z", re.DOTALL | re.MULTILINE
)
_FENCED = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_FENCE_LINE = re.compile(r"^\s*(?:```|~~~).*$", re.MULTILINE)
_LEAD = re.compile(r"^(?:[#>*+\-–—•\s]+|\d{1,3}[.)]\s+)+")
_ADDRESS = re.compile(r"https?://([^\s?#]+)[^\s]*")
_NOT_WORDS = re.compile(r"^(?:[~.]{0,2}/\S*|[A-Za-z]:\\\S*|@?[\w.@~-]+(?:[/\\][\w.@~-]+)+/?|https?://\S+)$")
_GREETING = late_pattern(
    r"^(?:(?:hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening)|greetings|dear|thanks|thank you|ok|okay|hallo|bonjour|hola|ciao)"
    r"(?: (?:there|all|again|everyone|team|claude|assistant|hermes|gpt|chatgpt|codex))?(?=[\s,.!:;]|$)"
    r"|你好|您好|嗨|哈喽|大家好|早上好|下午好|晚上好|早安|晚安|在吗|こんにちは|おはよう|안녕하세요|안녕)"
    r"[\s,.!:;，。！：；~～呀啊👋]*",
    re.IGNORECASE,
)
_SENTENCE = late_pattern(r"[.!?](?=\s)|[。！？]")
_CLAUSE = late_pattern(r"[，、；：,;]")
_JOINERS = frozenset("\u200d\ufe0f\ufe0e")


def derive_title(said: Iterable[str], answered: Iterable[str], day: str | None) -> str:
    """A title of at most 60 characters on one line, never empty.

    Args:
        said: What the user said, in order.
        answered: What the assistant said, in order.
        day: When it began, as 2026-05-18; the last resort. None where that is not known.
    """
    texts = [_bared(text) for text in said]
    attempts = (_worded(texts), _weak(texts), _worded(map(_bared, answered)))
    last = f"Conversation of {day}" if day else "Conversation without words"
    return next((title for attempt in attempts for title in attempt), last)


def _bared(text: str) -> str:
    """A text without what a program put around it; a mask in it becomes three dots."""
    text = _MASK.sub("…", plain(text[:READ_CHARS]))
    return _UNCLOSED.sub("\n", _WRAPPED.sub("\n", text)) if "<" in text else text


def _worded(texts: Iterable[str]) -> Iterator[str]:
    """Titles made of words."""
    for text in texts:
        for line in _FENCED.sub("\n", text).splitlines():
            words = _greetless(_LEAD.sub("", line).strip())
            if _has_words(words) and not _NOT_WORDS.match(words):
                yield _cut(_sentence(words))


def _weak(texts: Iterable[str]) -> Iterator[str]:
    """Titles made of code, paths and addresses."""
    for text in texts:
        for line in _FENCE_LINE.sub("", text).splitlines():
            words = _greetless(line.strip())
            if _has_words(words):
                is_path = _NOT_WORDS.match(words) and not words.startswith("http")
                yield _cut_front(words) if is_path else _cut(_shortened(words))


def _greetless(words: str) -> str:
    while (found := _GREETING.match(words)) and found.end():
        words = words[found.end() :]
    return words


def _has_words(words: str) -> bool:
    """Whether there is a letter, or a number of several digits."""
    return any(character.isalpha() for character in words) or sum(map(str.isdigit, words)) > 1


def _sentence(words: str) -> str:
    """The first sentence, without the full stop or colon at its end."""
    words = _shortened(words)
    for end in _SENTENCE.finditer(words):
        if end.end() >= SHORTEST_SENTENCE or words[end.start()] in "。！？?!":
            words = words[: end.end()]
            break
    return words.rstrip(" .。:：,，;；") or words


def _shortened(words: str) -> str:
    """Addresses without what only a machine needs of them; spaces once."""
    return " ".join(_ADDRESS.sub(r"\1", words).split())


def _cut(words: str) -> str:
    """As many words as fit, with three dots where some do not; in scripts without spaces, up to a comma, else characters."""
    if len(words) <= MOST_CHARS:
        return words
    room = words[: MOST_CHARS - 1]
    if not words[MOST_CHARS - 1].isspace():
        places = [room.rfind(" "), *(found.start() for found in _CLAUSE.finditer(room))]
        place = max(places)
        if place >= MOST_CHARS // 2:
            room = room[:place]
    while room and _continues(words[len(room) : len(room) + 1]):
        room = room[:-1]
    return f"{room.rstrip(' ,，、;；:：.。')}…"


def _cut_front(words: str) -> str:
    """A path's end, which tells more than its beginning."""
    if len(words) <= MOST_CHARS:
        return words
    return f"…{words[-(MOST_CHARS - 1) :]}"


def _continues(character: str) -> bool:
    """Whether a character belongs to the one before it."""
    return bool(character) and (bool(unicodedata.combining(character)) or character in _JOINERS)
