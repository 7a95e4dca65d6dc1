"""Texts whose letters are disguised, read as they are meant.

A disguise says where it occurs, and gives a stretch anew without it: a frame that then matches shows that the disguise had a purpose.
Whether one occurs at all is mostly asked of the different words of a text, which are few.
"""

from codecs import encode
from collections.abc import Callable, Iterator
from functools import cache
from unicodedata import normalize

import msgspec

from archivist.guard.scanning.classes import vocabulary
from archivist.guard.scanning.rewriting import Rewriting, mirrored
from archivist.guard.scanning.vocabulary.english import ENGLISH
from archivist.records.patterns import late_pattern

Spans = Iterator[tuple[int, int]]

_LOOKS = str.maketrans(
    "авеёзіїјкмнорстухѕԁһӏԛԝҽпгьѵилοαβεικνρτυχηωγμςσδոսցհօքʀɪɢɴᴏʙʜʟᴀᴄᴅᴇᴊᴋᴍᴘᴛᴜᴠᴡᴢꜱꜰʏɡɑɩⅼꞌꓲꓓꓮꓳꓢꓰꓠꓡꓣꓔꭰꭱ",
    "abee3iijkmhopctyxsdhlqwenrbvunoabeikvptuxnwyucodnughoprignobhlacdejkmptuvwzsfygail'idaosenlrtde",
)
"""Letters of other scripts, in lower case, by the Latin ones that they look like."""
_ALIKE = frozenset(map(chr, _LOOKS))
_DRAWN = late_pattern("[ʀ-ʟᴀ-ᴢꜰꜱɢɪɴʏꓐ-ꓽ]")
_CYRILLIC_LOOKS = str.maketrans("aehkmopctxybuni", "аенкморстхувипі")
"""The other way round: Latin letters in Cyrillic words."""
_CYRILLIC = late_pattern("[а-я]")
_PART = late_pattern("[\u1100-\u11ff\u3099\u309a]")
_PARTS = late_pattern("[\u1100-\u11ff]+|[\u3040-\u30ff][\u3099\u309a]")
_LATIN = late_pattern("[a-z]")
_DIGITS = str.maketrans("0134578@$!", "oieastbasi")
_DIGIT_MARKS = late_pattern(r"[@$!](?<=[a-z].)(?=[a-z])")
_WORD = late_pattern(r"[^\W_]++")
_SPACED = late_pattern(r"[^\W_](?:[\W_]{1,3}[^\W_]){5,}(?![^\W_])")
_APART_SPACED = late_pattern(r"[\W_][^\W_](?:[\W_]{1,3}[^\W_]){5,}(?![^\W_])")
"""The same after what is no letter: a pattern that begins with a set is looked for much faster than one with a look behind."""
_GAP = late_pattern(r"[\W_]+")
_CUT_MARK = late_pattern(r"[-\xad._*/|~·+\\](?<=[^\W\d_].)(?=[-\xad._*/|~·+\\]?[^\W\d_]|[ \t]?\n)")
_CUT = late_pattern(r"[^\W\d_]++(?:(?:-[ \t]?\n[ \t]*|[-\xad._*/|~·+\\]{1,2})[^\W\d_]++)+")
_TAG_MARK = late_pattern(r"[<*\x60\x1b](?<=[^\W_].)")
_TAG = late_pattern(
    r"(?:</?[a-z]{1,10}>|<!--[^<>]{0,200}-->|\*\*|\x60|\x1b\[[0-9;]{0,8}m){1,4}(?=[^\s!-/:-@\[-\x60{-~])"
)
_ENTITY = late_pattern(r"&#(?:x[0-9a-fA-F]{1,6}|\d{1,7});")
_LONGEST_WORD = 24
_LONGEST_KNOWN = 16
_TELLING = (
    "drop",
    "order",
    "prior",
    "secret",
    "password",
    "leak",
    "prompt",
    "send",
    "machine",
    "ethics",
    "whose",
    "reveal",
)


class Disguise(msgspec.Struct, frozen=True):
    """One disguise.

    Attributes:
        name: What its letters are in, to follow "in".
        places: Where it occurs in a folded text of these words.
        undone: A stretch of a folded text without it.
    """

    name: str
    places: Callable[[str, set[str]], Spans]
    undone: Callable[[str], Rewriting]


def _same_places(text: str) -> Rewriting:
    return Rewriting(text, [0], [0], [-1])


def _words_among(folded: str, chosen: set[str]) -> Spans:
    """Where these words stand."""
    if chosen:
        for found in _WORD.finditer(folded):
            if found.group() in chosen:
                yield found.span()


def _alike(folded: str, words: set[str]) -> Spans:
    """Words of two scripts that look like one, or of letters that are only drawn."""
    if not folded.isascii():
        mixed = {word for word in words if not word.isascii() and not _ALIKE.isdisjoint(word)}
        yield from _words_among(
            folded, {word for word in mixed if _LATIN.search(word) or _DRAWN.search(word)}
        )


def _alike_cyrillic(folded: str, words: set[str]) -> Spans:
    """Cyrillic words with Latin letters that look like theirs."""
    if not folded.isascii():
        mixed = {
            word for word in words if not word.isascii() and _CYRILLIC.search(word) and _LATIN.search(word)
        }
        yield from _words_among(folded, mixed)


def _taken_apart(folded: str, _: set[str]) -> Spans:
    """Korean syllables and kana in their parts."""
    if not folded.isascii() and _PART.search(folded):
        yield from (found.span() for found in _PARTS.finditer(folded))


def _with_digits(folded: str, words: set[str]) -> Spans:
    """Words that would be telling if their digits were letters."""
    doubtful = [
        word for word in words if not word.isalpha() and not word.isdigit() and len(word) <= _LONGEST_WORD
    ]
    yield from _words_among(folded, {word for word in doubtful if _tells_whole(word.translate(_DIGITS))})
    yield from (found.span() for found in _DIGIT_MARKS.finditer(folded))


def _spaced(folded: str, _: set[str]) -> Spans:
    """Letters apart from each other."""
    first = _SPACED.match(folded)
    if first:
        yield first.span()
    for found in _APART_SPACED.finditer(folded, first.end() if first else 0):
        yield found.start() + 1, found.end()


def _joined(run: str) -> str:
    """The words of spaced letters: by wider gaps where there are some, else by the words that are known."""
    gaps = {len(gap) for gap in _GAP.findall(run)}
    if len(gaps) == 1:
        return " ".join(_known_words(_GAP.sub("", run)))
    least = min(gaps)
    return _GAP.sub(lambda gap: "" if len(gap.group()) == least else " ", run)


def _known_words(letters: str) -> Iterator[str]:
    """The words in letters without spaces: at each place the longest that is known, else the letter alone."""
    if letters[0] >= "\u2e80" and not "가" <= letters[0] <= "힣":
        yield letters
        return
    known = vocabulary()
    at = 0
    while at < len(letters):
        sizes = range(_LONGEST_KNOWN, 1, -1)
        size = next(
            (n for n in sizes if (word := letters[at : at + n]) in known.words or word in known.stems), 1
        )
        yield letters[at : at + size]
        at += size


def _cut(folded: str, words: set[str]) -> Spans:
    """Telling words cut by marks, or at the end of a line."""
    done = 0
    for mark in _CUT_MARK.finditer(folded):
        if mark.start() >= done:
            found = _CUT.match(folded, _word_start(folded, mark.start()))
            if found:
                done = found.end()
                whole = _GAP.sub("", found.group())
                if len(whole) <= _LONGEST_WORD and whole not in words and _tells(whole):
                    yield found.span()


def _word_start(folded: str, end: int) -> int:
    """Where the letters that end here begin, at most a long word before."""
    start = end
    while start and end - start <= _LONGEST_WORD and folded[start - 1].isalpha():
        start -= 1
    return start


def _tagged(folded: str, _: set[str]) -> Spans:
    """Words with markup inside."""
    done = 0
    for mark in _TAG_MARK.finditer(folded):
        found = _TAG.match(folded, mark.start()) if mark.start() >= done else None
        if found:
            done = found.end()
            yield found.span()


def _composed(parts: str) -> str:
    return normalize("NFC", parts)


def _entities(folded: str, _: set[str]) -> Spans:
    """Letters as numeric entities."""
    if "&#" in folded:
        yield from (found.span() for found in _ENTITY.finditer(folded))


def _entity(text: str) -> str:
    number = int(text[3:-1], 16) if text[2] == "x" else int(text[2:-1])
    return chr(number).lower() if number <= 0x10FFFF else " "


def _rotated(folded: str, words: set[str]) -> Spans:
    """Letters moved by thirteen places."""
    return _words_among(folded, words & _turned()[0])


def _backwards(folded: str, words: set[str]) -> Spans:
    """Words written from their end."""
    return _words_among(folded, words & _turned()[1])


@cache
def _turned() -> tuple[frozenset[str], frozenset[str]]:
    """Telling English words, moved by thirteen places and backwards."""
    known = {w for name in _TELLING for w in ENGLISH[name].split() if len(w) > 4 and "_" not in w}
    return frozenset(encode(w, "rot13") for w in known), frozenset(w[::-1] for w in known)


def _tells(word: str) -> bool:
    """Whether a word is of a class that an injection needs."""
    known = vocabulary()
    mask = known.masks.get(known.sign(word), 0)
    return any(mask & known.bits[name] for name in _TELLING)


def _tells_whole(word: str) -> bool:
    """Whether it is one as it stands, and of a length that chance does not bring about."""
    return len(word) > 3 and word in vocabulary().words and _tells(word)


def _rewritten(text: str, places: Spans, anew: Callable[[str], str]) -> Rewriting:
    return Rewriting.of(text, ((start, end, anew(text[start:end])) for start, end in places))


DISGUISES = (
    Disguise("look-alike letters", _alike, lambda text: _same_places(text.translate(_LOOKS))),
    Disguise(
        "look-alike letters", _alike_cyrillic, lambda text: _same_places(text.translate(_CYRILLIC_LOOKS))
    ),
    Disguise(
        "parts of syllables",
        _taken_apart,
        lambda text: _rewritten(text, _taken_apart(text, set()), _composed),
    ),
    Disguise("digits for letters", _with_digits, lambda text: _same_places(text.translate(_DIGITS))),
    Disguise("spaced letters", _spaced, lambda text: _rewritten(text, _spaced(text, set()), _joined)),
    Disguise(
        "cut words", _cut, lambda text: _rewritten(text, _cut(text, set()), lambda run: _GAP.sub("", run))
    ),
    Disguise(
        "markup inside words", _tagged, lambda text: _rewritten(text, _tagged(text, set()), lambda _: "")
    ),
    Disguise("entities", _entities, lambda text: _rewritten(text, _entities(text, set()), _entity)),
    Disguise("rot13", _rotated, lambda text: _same_places(encode(text, "rot13"))),
    Disguise("reversed words", _backwards, mirrored),
)
