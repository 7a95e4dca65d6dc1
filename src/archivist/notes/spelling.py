"""The words of a text, whatever way it is written, and between them the marks that may matter.

Width, ordinary quotes and brackets around a phrase, and the capital at the beginning of a sentence or of one long word mean nothing. Any
other capital does: 10 MB is not 10 Mb, Go is not "go", PATH is not Path, Polish is not polish. So does a mark that stands alone or before
a word, what stands in code marks, and how lines are indented where not all are alike.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from archivist.notes.wordings import (
    ALSO_NAMES,
    ARTICLES_BEFORE,
    AS_IS_IN_CAPITALS,
    BESIDE_A_NAME,
    DROPPED,
    EMPHASIZED,
    GRAMMAR,
    MEANT_AS,
    NAMING,
    NO_NOUN,
)
from archivist.records.patterns import late_pattern
from archivist.store.index.folding import UNSEGMENTED

_LETTERS: Final = str.maketrans(
    {
        **{raised: f"^{unicodedata.normalize('NFKC', raised)}" for raised in "⁰¹²³⁴⁵⁶⁷⁸⁹"},
        **dict.fromkeys("’‘ʼ＇", "'"),
        **dict.fromkeys("“”„«»「」『』", '"'),
        **dict.fromkeys("−‐‑", "-"),
        "—": " — ",
        "。": ". ",
        "、": " and ",
        "，": ", ",
        "；": "; ",
        "：": ": ",
        "？": "? ",
        "！": "! ",
    }
)
_THING: Final = "(?=项目|仓库|代码库|工程|服务)"
# each way begins with a letter of its own, so that the others are passed over quickly
_PHRASES: Final = late_pattern(
    "使(?<!不使)用しています|使用している|使用します|使用する|使っています|使っている|使います|使(?<!不使)用(?!户)"
    f"|以及(?=.)|和(?=.)|与(?=.)|及(?=.)|这个{_THING}|该{_THING}|本{_THING}|您"
    f"|的(?<!目的)(?![士确])(?=[{UNSEGMENTED}])"  # at the end 这是我的 is not 这是我
)
_INSTEAD: Final = {
    **dict.fromkeys(["使用しています", "使用している", "使用します", "使用する", "使っています", "使っている", "使います"], "使う"),
    **dict.fromkeys(["以及", "和", "与", "及"], " and "),
    "使用": "用",
    "您": "你",
}  # fmt: skip
_GUILLEMETS: Final = late_pattern(r"(?<=«)\s+(?=[^«»]*»)|(?<=[^\s«»])\s+(?=»)")
_RUN: Final = late_pattern(rf"((?:(?<!\S)[^\s\w]+)?[{UNSEGMENTED}]+[.,;:!?]*)")
_GAP: Final = late_pattern(f"(?<=[{UNSEGMENTED}]) +(?=[{UNSEGMENTED}])")
_BOLD: Final = late_pattern(r"(?<!\w)\*\*(\S(?:[^*]*\S)?)\*\*(?!\w)")
_CODE: Final = late_pattern(r"`([^`\n]+)`")
_IN_QUOTES: Final = late_pattern(
    r"""(?<![^\s(])(?:"([^\s"](?:[^"\n]*[^\s"])?)"|'([^\s'](?:[^'\n]*[^\s'])?)')(?![^\s).,;:!?])"""
)
_IN_BRACKETS: Final = late_pattern(r"(?<!\S)\(([^\s()](?:[^()\n]*[^\s()])?)\)(?![^\s.,;:!?])")
_BULLET: Final = late_pattern(r"\A\s*[-*•–]\s+(?=[^\s\d])")
_BULLET_BELOW: Final = late_pattern(r"(?m)^([ \t]*)[*•](?=[ \t]+\S)")
_SHOUT: Final = late_pattern("[A-Z]{4}")
_DASHES: Final = frozenset("-–—")
_ENDINGS: Final = ".,;:!?"
_OPENING: Final = "\"'("
_AROUND: Final = ".,;:!?\"'()"
_END_OF: Final = {".": ".", "!": ".", ";": ".", ",": ",", ":": ":"}
_HELD, _HELD_END = "\ue000", "\ue001"
_SIGN: Final = late_pattern(f"{_HELD}[0-9]+{_HELD_END}")
_LONGEST_REMEMBERED: Final = 48
_LEAST_SHOUTED: Final = 4
_LEAST_CAPITALISED: Final = 5
_LEAST_WORDS_OF_A_SHOUT: Final = 3
_LEAST_BEFORE_AN_END: Final = 4
"""A shorter word before a full stop may be "St." or "Mr."."""


def words_of(text: str) -> list[str]:
    """The words of a text; `,`, `.`, `:`, `-` and `?` behind one of them are words too, and a mark that is said itself is in brackets."""
    if "``" in text or _HELD in text:
        return [text]
    text, held = _with_code_held(_with_lines_marked(text))
    chunks = _levelled(text).split()
    if (not text.isascii() and any(map(str.isupper, chunks))) or text.isupper() or _SHOUT.search(text):
        chunks = list(_quietened(chunks))
    if any(chunk[:1].isupper() for chunk in chunks[1:]):
        chunks = list(_uncapitalised(chunks))
    words = _read_all(chunks)
    if chunks and chunks[-1][-1] in ",;:" and len(chunks[-1]) > 1:
        words.append(f"({chunks[-1][-1]})")  # no text ends so, unless that is what it tells
    if words[:1] == ["A"] and words[1:] and may_follow_an_article(words[1]):
        words[0] = "a"
    if held:
        words = [_SIGN.sub(lambda found: held[found[0]], word) if _HELD in word else word for word in words]
    return words


def may_follow_an_article(word: str) -> bool:
    """Whether "the" before a word can be an article: before a capital it may be part of a name."""
    return word.islower() and word.isalpha() and word not in NO_NOUN


def _with_lines_marked(text: str) -> str:
    """With a mark for the indentation of each line, where they differ."""
    if "\n" not in text:
        return text
    text = _BULLET_BELOW.sub(r"\1-", text)
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    indents = [line[: len(line) - len(line.lstrip())] for line in lines]
    if len(set(indents)) < 2:
        return text
    shown = (indent.replace(" ", "s").replace("\t", "t") for indent in indents)
    marked = [f"¶{indent} {line}" for indent, line in zip(shown, lines, strict=True)]
    return "\n".join([marked[0] if indents[0] else lines[0], *marked[1:]])


def _with_code_held(text: str) -> tuple[str, dict[str, str]]:
    """With a sign for each piece in code marks, and what the signs stand for."""
    held: dict[str, str] = {}
    if "`" not in text:
        return text, held
    parts = _CODE.split(text)
    for at in range(1, len(parts), 2):
        sign = f"{_HELD}{at}{_HELD_END}"
        held[sign] = _code(parts[at].strip() or parts[at])
        parts[at] = sign
    return "".join(parts), held


def _code(content: str) -> str:
    """A word as it is without code marks too; anything that is read otherwise without them keeps them."""
    is_word = (
        content.isascii() and _read.__wrapped__(content) == (content,) and content.lower() not in GRAMMAR
    )
    return content if is_word and not any(map(str.isspace, content)) else f"`{content}`"


def _levelled(text: str) -> str:
    """In one width, and without the quotes, brackets and stars around phrases."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _GUILLEMETS.sub("", text).translate(_LETTERS))
        text = _PHRASES.sub(lambda found: _INSTEAD.get(found[0], ""), text)
        text = " ".join(_RUN.split(_GAP.sub("", " ".join(text.split()))))
    if "**" in text:
        text = _BOLD.sub(r"\1", text)
    if '"' in text or "'" in text:
        text = _IN_QUOTES.sub(lambda found: found[1] or found[2], text)
    if "(" in text:
        text = "".join(_IN_BRACKETS.split(text))
    return _BULLET.sub("", text)


def _quietened(chunks: list[str]) -> Iterator[str]:
    """With words in capitals that only stress as they are without; those that may be names stay."""
    bare = [_bare(chunk) for chunk in chunks]
    if not NAMING.isdisjoint(map(str.lower, bare)):
        yield from chunks
        return
    letters = [word for word in bare if word.isalpha()]
    is_all = len(letters) >= _LEAST_WORDS_OF_A_SHOUT and all(map(str.isupper, letters))
    begins = True
    for at, (chunk, word) in enumerate(zip(chunks, bare, strict=True)):
        least = 2 if is_all else _LEAST_SHOUTED
        is_loud = word.isalpha() and word.isupper() and len(word) >= least and word not in AS_IS_IN_CAPITALS
        is_name = BESIDE_A_NAME.intersection(part.lower() for part in bare[max(at - 1, 0) : at + 2])
        before = chunks[at - 1] if at else ""
        is_named = is_name or (before.endswith((":", "=")) and not is_all)
        may = is_all or not begins or word.lower() in EMPHASIZED
        yield chunk.lower() if is_loud and may and not is_named else chunk
        begins = chunk.endswith((".", "!", "?"))


def _uncapitalised(chunks: list[str]) -> Iterator[str]:
    """With long words that stand alone among small ones without their capital, unless they may be names."""
    bare = [_bare(chunk) for chunk in chunks]
    if not NAMING.isdisjoint(map(str.lower, bare)):
        yield from chunks
        return
    for at, (chunk, word) in enumerate(zip(chunks, bare, strict=True)):
        beside = bare[max(at - 1, 0) : at] + bare[at + 1 : at + 2]
        yield _begun(chunk) if at and _is_only_capitalised(word, beside, is_second=at == 1) else chunk


def _is_only_capitalised(word: str, beside: list[str], *, is_second: bool) -> bool:
    """Whether a word within a sentence has its capital for no reason that can be seen."""
    low = word.lower()
    if len(word) < _LEAST_CAPITALISED or not (word.isascii() and word.isalpha() and word[1:].islower()):
        return False
    if low in ALSO_NAMES or low in MEANT_AS or not BESIDE_A_NAME.isdisjoint(beside):
        return False
    if beside[0].lower() in ARTICLES_BEFORE:
        return False
    return not any(other[:1].isupper() for other in (beside[1:] if is_second else beside))


def _read_all(chunks: list[str]) -> list[str]:
    words: list[str] = []
    begins = True
    for chunk in chunks:
        begun = _begun(chunk) if begins else chunk
        words += _read(begun) if len(begun) <= _LONGEST_REMEMBERED else _read.__wrapped__(begun)
        begins = chunk[-1] in ".!?" and len(chunk.strip(_AROUND)) >= _LEAST_BEFORE_AN_END
    for at in {0, -1} if chunks else ():
        if chunks[at] in _DASHES:
            words[at] = f"({chunks[at]})"
    return words


def _begun(chunk: str) -> str:
    """The first word of a sentence as it is elsewhere, if it has a capital only for that."""
    core = _bare(chunk)
    if core[:1].isupper() and core[1:].islower() and core.replace("'", "").replace("-", "").isalpha():
        return chunk.replace(core, core[0].lower() + core[1:], 1)
    return chunk


def _bare(chunk: str) -> str:
    return chunk.lstrip(_OPENING).rstrip(_AROUND)


@lru_cache(maxsize=16_384)
def _read(chunk: str) -> tuple[str, ...]:
    """What stands between two spaces: a word, or several, and the mark behind it."""
    if chunk in _DASHES:
        return ("-",)
    core = chunk.rstrip(_ENDINGS)
    if not core or (core != chunk and not any(map(str.isalnum, core))):
        return ("?",) if chunk == "?" else (f"({chunk})",)
    behind = chunk[len(core) :]
    mark = next((_END_OF[character] for character in behind if character in _END_OF), "")
    is_own = "!" in behind and core.isascii() and (core[-1].isdigit() or len(core) == 1)  # 5! is 120
    said = (f"{core}!",) if is_own else _word(core.replace("–", "-"))
    return (*said, *(("?",) if "?" in behind else ()), *((mark,) if mark else ()))


def _word(core: str) -> tuple[str, ...]:
    if core in MEANT_AS:
        return MEANT_AS[core]
    if core.isalpha():
        return (core,)
    if "'" in core and core.replace("'", "").isalpha():
        return _contracted(core)
    if core[:1].isalpha() and core[-1:].isalpha() and core.replace("-", "").isalpha() and "--" not in core:
        return _parted(core)
    return (core,)


def _parted(core: str) -> tuple[str, ...]:
    """The parts of a word with hyphens, where each could stand alone."""
    parts = core.split("-")
    if any(part in DROPPED or part in {"a", "an", "the"} for part in parts):
        return (core,)
    return tuple(word for part in parts for word in _word(part))


def _contracted(core: str) -> tuple[str, ...]:
    base, _, ending = core.partition("'")
    if core.endswith("n't"):
        return (*_word(core[:-3]), "not")
    if ending in {"re", "ve", "ll", "m"}:
        return (*_word(base), {"re": "are", "ve": "have", "ll": "will", "m": "am"}[ending])
    if ending == "s" and base in {"it", "that", "he", "she", "there", "what", "here"}:
        return (base, "is")
    if base == "l" and ending.islower():
        return _word(ending)
    return (core,)


def in_letters(words: Iterable[str]) -> list[str]:
    """Words of a script without spaces by their characters, and others as they are."""
    return [part for word in words for part in ((word,) if word.isascii() or not _RUN.match(word) else word)]


__all__ = ["in_letters", "may_follow_an_article", "words_of"]
