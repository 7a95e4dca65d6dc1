"""A text file of entries, every byte of it: what a change does not touch stays as it stands on disk.

Entries stand between lines that are only `§`, as Hermes writes them; white space around an entry, and entries of nothing but it, are no
part of what is read. A change cuts or puts in exactly one stretch at the end of an entry's words, so that to add and then to remove
gives the same bytes back, and a file that only we wrote is its entries joined by `DELIMITER`. Where Hermes would take a `§` for words
(on the first or last line, below another one, or beside blanks) it still divides here: so no text that was read carries a delimiter.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from archivist.notes.blocks import blocks_of, is_structured
from archivist.records.patterns import late_pattern

DELIMITER: Final = "\n§\n"

_SIGN: Final = "§"
_BOM: Final = "\ufeff"
_ENDED_BY_A_SIGN: Final = late_pattern(r"§(?:[^\S\r\n]|\ufeff)*(?=[\r\n]|\Z)")
_BELOW_A_SIGN: Final = "\n\n"
"""Before the first entry of a file that ends in a bare `§`: not one line end, so that it is known again when the entry goes."""
_BAD_BYTE: Final = late_pattern("[\udc80-\udcff]")
SURROGATE: Final = late_pattern("[\ud800-\udfff]")
_NO_BYTE: Final = late_pattern("[\ud800-\udc7f\udd00-\udfff]")
_LINE_END: Final = late_pattern("\r\n?|\n")
_CONFLICT: Final = late_pattern(r"^(?:<<<<<<< |=======(?=[ \t\r]*$)|>>>>>>> )", re.MULTILINE)
_UNSEEN: Final = frozenset(("Cc", "Cf", "Mn", "Me", "Zl", "Zp", "Zs"))
_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that have no form."""
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")

Span = tuple[int, int]


class Document(msgspec.Struct, frozen=True):
    """A file of entries.

    Attributes:
        body: All of it, decoded; bytes that are no UTF-8 as lone surrogates.
        texts: The entries, stripped, their lines ended by a line feed, without a byte order mark; a bad byte is shown as U+FFFD.
        spans: Where each of them stands in the body.
    """

    body: str
    texts: tuple[str, ...]
    spans: tuple[Span, ...]

    @classmethod
    def parse(cls, raw: bytes) -> "Document":
        """What the bytes of a file say."""
        return cls._read(raw.decode("utf-8", "surrogateescape"))

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Document":
        """A new file of some entries; none of them may be empty or carry a delimiter."""
        return cls._read(joined([_one_entry(text) for text in texts]))

    @classmethod
    def _read(cls, body: str) -> "Document":
        spans = tuple(_spans(body))
        texts = [body[start:end] for start, end in spans]
        if "\r" in body:
            texts = [_line_feeds(text) for text in texts]
        if _has_bad_bytes(body):
            texts = [_BAD_BYTE.sub("\ufffd", text) for text in texts]
        return cls(body, tuple(texts), spans)

    def render(self) -> bytes:
        """The bytes of the file."""
        return self.body.encode("utf-8", "surrogateescape")

    def words(self, index: int) -> str:
        """An entry as `added` and `replaced` take it: its text, but bytes that are no UTF-8 as lone surrogates, so that they last."""
        start, end = self.spans[index]
        return _line_feeds(self.body[start:end])

    def added(self, text: str, at: int | None = None) -> "Document":
        """With one more entry.

        Args:
            text: One entry's words.
            at: Which entry it becomes; the last one without.

        Raises:
            ValueError: The text is empty or carries a delimiter.
        """
        text = self._line_ended(_one_entry(text))
        if not self.spans:
            return self._first(text)
        at = len(self.spans) if at is None else at
        if not 0 <= at <= len(self.spans):
            message = f"no place {at} among {len(self.spans)} entries"
            raise ValueError(message)
        delimiter = self._line_ended(DELIMITER)
        if at == 0:
            begin = self.spans[0][0]
            return self._spliced(begin, begin, text + delimiter, (0, 0), begin, text)
        end = self.spans[at - 1][1]
        return self._spliced(end, end, delimiter + text, (at, at), end + len(delimiter), text)

    def removed(self, index: int) -> "Document":
        """Without one of its entries, and without the delimiter that nothing needs any more."""
        start, end = self.spans[index]
        if index:
            return self._spliced(self.spans[index - 1][1], end, "", (index, index + 1))
        if len(self.spans) > 1:
            return self._spliced(start, self.spans[1][0], "", (0, 1))
        return self._with(self._start_of_only(start, end), end, "")

    def replaced(self, index: int, text: str) -> "Document":
        """With other words in the place of one of its entries.

        Raises:
            ValueError: The text is empty or carries a delimiter.
        """
        if text == self.texts[index]:
            return self
        (start, end), words = self.spans[index], self._line_ended(_one_entry(text))
        return self._spliced(start, end, words, (index, index + 1), start, words)

    @property
    def flaws(self) -> tuple[str, ...]:
        """What is odd about the file, for those who look after it; none of it keeps the file from being read.

        bom: begins with a byte order mark; crlf: lines end as on Windows; bad-bytes: something is no UTF-8; utf-16: it is
        in UTF-16; nul: has zero bytes; no-delimiter: Markdown of several statements that nothing divides; loose-delimiter: a `§`
        that divides here and not in Hermes; conflict: has the marks of a merge of git's that is not finished.
        """
        return tuple(self._flaws())

    def _flaws(self) -> Iterator[str]:
        body = self.body
        if body.startswith(_BOM):
            yield "bom"
        if "\r\n" in body:
            yield "crlf"
        if _has_bad_bytes(body):
            yield "bad-bytes"
        if body[:2].encode("utf-8", "surrogateescape") in _UTF_16:
            yield "utf-16"
        if "\0" in body:
            yield "nul"
        if len(self.texts) == 1 and not any(_delimiters(body)) and is_structured(self.texts[0]):
            yield "no-delimiter"
        if _SIGN in body and _is_loose(body):
            yield "loose-delimiter"
        if has_conflict(body):
            yield "conflict"

    def _with(self, start: int, end: int, words: str) -> "Document":
        return self._read(self.body[:start] + words + self.body[end:])

    def _spliced(
        self, start: int, end: int, words: str, entries: Span, begin: int = 0, text: str = ""
    ) -> "Document":
        """The same as `_with`, where it is known what will be read: a file of many entries is not read again for one.

        Args:
            start: Where the stretch begins that goes; it lies between entries, or is all of one.
            end: Where it ends.
            words: What stands there instead.
            entries: The entries that go, the first and the one behind the last.
            begin: Where the entry begins that comes.
            text: Its words; empty where none comes.
        """
        if not (self._is_plain() and text.replace("\n", " ").isprintable()):
            return self._with(start, end, words)
        body, shift = self.body[:start] + words + self.body[end:], len(words) - (end - start)
        first, behind = entries
        moved = self.spans[behind:] if not shift else ((a + shift, b + shift) for a, b in self.spans[behind:])
        come = ((begin, begin + len(text)),) if text else ()
        texts = (*self.texts[:first], *((text,) if text else ()), *self.texts[behind:])
        return Document(body, texts, (*self.spans[:first], *come, *moved))

    def _is_plain(self) -> bool:
        """Whether entries are read exactly as they stand."""
        body = self.body
        return "\r" not in body and _BOM not in body and not _has_bad_bytes(body)

    def _line_ended(self, text: str) -> str:
        """Words with the line ends of this file."""
        is_windows = 2 * self.body.count("\r\n") > self.body.count("\n")
        return text.replace("\n", "\r\n") if is_windows else text

    def _first(self, text: str) -> "Document":
        """With an entry where there is none; `_start_of_only` must find where it begins."""
        end = max((end for _, end in _delimiters(self.body)), default=None)
        if end is None:
            at = len(self.body) - len(self.body.lstrip(_BOM))
        elif after := _LINE_END.match(self.body, end):
            at = after.end()
        else:
            at, text = end, _BELOW_A_SIGN + text
        return self._with(at, at, text)

    def _start_of_only(self, start: int, end: int) -> int:
        """Where what goes with the only entry begins: at its words, unless `_first` put lines before them."""
        before = start - len(_BELOW_A_SIGN)
        is_put = end == len(self.body) and self.body[max(0, before) : start] == _BELOW_A_SIGN
        return before if is_put and any(stop == before for _, stop in _delimiters(self.body)) else start


def has_conflict(body: str) -> bool:
    """Whether two versions of a text stand in it one below the other, between the marks with which git leaves them."""
    wanted = iter(("<<<<<<< ", "=======", ">>>>>>> "))
    mark = next(wanted)
    if mark in body:
        for found in _CONFLICT.finditer(body):
            if found[0] == mark and (mark := next(wanted, "")) == "":
                return True
    return False


def shown(words: str) -> str:
    """The words of an entry as they are shown: bytes that are no UTF-8 as U+FFFD, one for each."""
    return _BAD_BYTE.sub("\ufffd", words)


def joined(texts: Iterable[str]) -> str:
    """Entries as in a file that nobody else wrote."""
    return DELIMITER.join(texts)


def joined_length(texts: Iterable[str]) -> int:
    """How many characters `joined` would have: what counts against a budget."""
    lengths = [len(text) for text in texts]
    return sum(lengths) + len(DELIMITER) * max(0, len(lengths) - 1)


def carries_delimiter(text: str) -> bool:
    """Whether a text would be divided, or lose something, when it is read again: a line of it is only `§`."""
    return _SIGN in text and any(_delimiters(trimmed(text)))


def _one_entry(text: str) -> str:
    text = trimmed(_line_feeds(_NO_BYTE.sub("\ufffd", text)))
    if not text or carries_delimiter(text):
        message = "an entry has no words, or a line that is only §: ask `carries_delimiter` first"
        raise ValueError(message)
    return text


def _line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def trimmed(text: str) -> str:
    """A text without white space and byte order marks around it."""
    text = text.strip()
    while text.startswith(_BOM) or text.endswith(_BOM):
        text = text.strip(_BOM).strip()
    return text


def shows_nothing(text: str) -> bool:
    """Whether there is nothing to be seen of a text: white space, and characters that only join or divide others."""
    return all(unicodedata.category(one) in _UNSEEN or one in _BLANKS for one in text)


def _has_bad_bytes(body: str) -> bool:
    try:
        body.encode()
    except UnicodeEncodeError:
        return True
    return False


def _delimiters(body: str) -> Iterator[Span]:
    """Where the lines that are only `§` begin and end, their line ends left out."""
    line = 0
    for found in _ENDED_BY_A_SIGN.finditer(body):
        at, end = found.span()
        if at and body[at - 1] in "\r\n":
            yield at, end
        else:
            line = max(body.rfind("\n", line, at) + 1, body.rfind("\r", line, at) + 1, line)
            if not trimmed(body[line:at]):
                yield line, end
        line = end


def _spans(body: str) -> Iterator[Span]:
    start, has_marks = 0, _BOM in body
    for end, after in [*_delimiters(body), (len(body), len(body))]:
        words = body[start:end].lstrip()
        at = end - len(words)
        words = words.rstrip()
        if has_marks and (bare := trimmed(words)) != words:
            at, words = at + words.index(bare), bare
        if words:
            yield at, at + len(words)
        start = after


def _is_loose(body: str) -> bool:
    """Whether Hermes would take a `§` for words that divides here."""
    return any(_SIGN in part and any(_delimiters(part)) for part in _line_feeds(body).split(DELIMITER))


__all__ = ["DELIMITER", "Document", "blocks_of", "carries_delimiter", "joined", "joined_length"]
