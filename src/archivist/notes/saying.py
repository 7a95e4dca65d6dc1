"""What a text says, in one form for all ways of writing it that mean the same.

Two texts say the same only if their forms are equal. The form keeps numbers, dates, negations, names, paths, and the order of the words;
it gives up case, width, marks between words, articles, "is using" for "uses", 使用 for 用, and the order of what a list only names. To take
two texts for the same loses one of them; to miss it costs a line: whatever might change the meaning stays.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from archivist.notes.wordings import (
    ARTICLES_BEFORE,
    BEING,
    CHINESE_HEADS,
    CHINESE_ORDER,
    DROPPED,
    ENGLISH,
    LIKING,
    LIST_HEADS,
    LIST_LABELS,
    MEANT_AS,
    NEGATIONS,
    NOT_IN_A_LIST,
    PROGRESSIVE,
    TELLS_AN_ORDER,
)
from archivist.records.patterns import late_pattern
from archivist.store.index.folding import UNSEGMENTED

_LETTERS: Final = str.maketrans(
    {
        **{raised: f"^{unicodedata.normalize('NFKC', raised)}" for raised in "⁰¹²³⁴⁵⁶⁷⁸⁹"},
        **dict.fromkeys("’‘ʼ＇", "'"),
        **dict.fromkeys("“”„«»「」『』", '"'),
        **dict.fromkeys("–−‐‑", "-"),
        "—": " , ",
        "…": " ",
        "。": " 。 ",
        "、": " and ",
        "，": " , ",
        "；": " ; ",
        "：": " : ",
        "？": " ? ",
        "！": " ! ",
    }
)
_THING: Final = "(?=项目|仓库|代码库|工程|服务)"
# each way begins with a letter of its own, so that the others are passed over quickly
_PHRASES: Final = late_pattern(
    "使(?<!不使)用しています|使用している|使用します|使用する|使っています|使っている|使います|使(?<!不使)用(?!户)"
    f"|以及(?=.)|和(?=.)|与(?=.)|及(?=.)|这个{_THING}|该{_THING}|本{_THING}|您|的"
)
_INSTEAD: Final = {
    **dict.fromkeys(["使用しています", "使用している", "使用します", "使用する", "使っています", "使っている", "使います"], "使う"),
    **dict.fromkeys(["以及", "和", "与", "及"], " and "),
    "使用": "用",
    "您": "你",
}  # fmt: skip
_RUN: Final = late_pattern(f"([{UNSEGMENTED}]+)")
_GAP: Final = late_pattern(f"(?<=[{UNSEGMENTED}]) +(?=[{UNSEGMENTED}])")
_BOLD: Final = late_pattern(r"(?<!\w)\*\*(\S(?:[^*]*\S)?)\*\*(?!\w)")
_QUOTES: Final = "\"'`"
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_OPENING: Final = {closing: opening for opening, closing in _CLOSING.items()}
_ENDINGS: Final = ".,;:!"
_END_OF: Final = {".": ".", "!": ".", ";": ".", ",": ",", ":": ":"}
_ALONE: Final[dict[str, tuple[str, ...]]] = {
    **{mark: (end,) for mark, end in _END_OF.items() if mark != "."},
    "。": (".",),
    "?": ("?",),
    "...": (),
    "-": ("-",),
    "•": (),
    '"': (),
    "*": (),
}
_MARKS: Final = frozenset(",.:-")
_ENDS: Final = frozenset(".?")
_LONGEST_REMEMBERED: Final = 48
_MOST_IN_AN_ITEM: Final = 3
_MOST_CHARACTERS_IN_AN_ITEM: Final = 8


def saying(text: str) -> str:
    """What a text says; two texts say the same exactly if this is equal."""
    words = _words(text)
    if not BEING.isdisjoint(words):
        words = list(_without_progressive(words))
    if "and" in words or "," in words or "or" in words:
        words = _with_list_sorted(words)
    words = _without_articles(words)
    if len(words) > 1 and words[0] in ARTICLES_BEFORE and words[1] in ARTICLES_BEFORE[words[0]]:
        del words[0]
    if words[:1] == ["user"] and _tells_liking(words):
        del words[0]
    return " ".join(_meant(words)) or text


def _words(text: str) -> list[str]:
    """The words in the form that they have here, and between them the marks that may matter."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_LETTERS))
        text = _PHRASES.sub(lambda found: _INSTEAD.get(found[0], ""), text)
        text = _RUN.sub(r" \1 ", _GAP.sub("", " ".join(text.split())))
    if "**" in text:
        text = _BOLD.sub(r"\1", text)
    if text.isupper():
        text = " ".join(chunk.lower() if chunk.strip(_ENDINGS).isalpha() else chunk for chunk in text.split())
    words: list[str] = []
    for chunk in text.split():
        words += _read(chunk) if len(chunk) <= _LONGEST_REMEMBERED else _read.__wrapped__(chunk)
    while words and words[0] in _MARKS:
        del words[0]
    if words[:1] == ["A"]:
        words[0] = "a"
    return words


@lru_cache(maxsize=16_384)
def _read(chunk: str) -> tuple[str, ...]:
    """What stands between two spaces: a word, or several, and the mark behind it."""
    if chunk in _ALONE:
        return _ALONE[chunk]
    core = chunk.rstrip(_ENDINGS)
    question = "?" if core.endswith("?") else ""
    core = _peeled(core.rstrip("?!"))
    if not core:
        return (f"({chunk})",)
    behind = chunk[chunk.rfind(core[-1]) + 1 :]
    mark = next((_END_OF[character] for character in behind if character in _END_OF), "")
    question = question or ("?" if core.endswith("?") else "")
    return (*_word(core.rstrip("?!") or core), *filter(None, (question, mark)))


def _peeled(core: str) -> str:
    """Without the quotes and brackets around it; those of `int[]`, `f(x)` and 5" are its own."""
    while core:
        first, last = core[0], core[-1]
        if first in _QUOTES or (first in _CLOSING and _CLOSING[first] not in core):
            core = core[1:]
        elif first in _CLOSING and core[-1] == _CLOSING[first] and core.count(first) == 1:
            core = core[1:-1]
        elif last in _ENDINGS or _is_closing(core):
            core = core[:-1]
        else:
            break
    return core


def _is_closing(core: str) -> bool:
    last = core[-1]
    return (last in _QUOTES and not core[-2:-1].isdigit()) or (
        last in _OPENING and _OPENING[last] not in core
    )


def _word(core: str) -> tuple[str, ...]:
    low = core.lower()
    if low in MEANT_AS and not _is_name(core):
        return MEANT_AS[low]
    if low in DROPPED:
        return ()
    if core.isalpha():
        return (core,) if _is_name(core) else (low,)
    if "'" in core and core.replace("'", "").isalpha():
        return _contracted(low)
    if core[:1].isalpha() and core[-1:].isalpha() and core.replace("-", "").isalpha():
        return tuple(word for part in core.split("-") if part for word in _word(part))
    return (low,) if core.isalnum() and (core.isupper() or core[1:] == low[1:]) else (core,) if core else ()


def _is_name(core: str) -> bool:
    """Whether the case of a word matters: userId, IT, plan A."""
    if core.isupper():
        return core == "A" or core in {"IT", "US", "WHO", "OR", "AND", "NOT"}
    return core[:1].islower() and not core.islower()


def _contracted(low: str) -> tuple[str, ...]:
    base, _, ending = low.partition("'")
    if low.endswith("n't"):
        return (*_word(low[:-3]), "not")
    if ending in {"re", "ve", "ll", "m"}:
        return (*_word(base), {"re": "are", "ve": "have", "ll": "will", "m": "am"}[ending])
    if ending == "s" and base in {"it", "that", "he", "she", "there", "what", "here"}:
        return (base, "is")
    if base == "l":
        return _word(ending)
    return (low,)


def _without_progressive(words: list[str]) -> Iterator[str]:
    """What says "is using" as "uses", and "is not using" as "does not use"."""
    at = 0
    while at < len(words):
        word, following = words[at], words[at + 1 : at + 3]
        if word in BEING and following and (verb := PROGRESSIVE.get(following[0])):
            yield verb
            at += 2
        elif word in BEING and following[:1] == ["not"] and (verb := PROGRESSIVE.get(following[-1])):
            yield from ("do", "not", verb)
            at += 3
        else:
            yield word
            at += 1


def _without_articles(words: list[str]) -> list[str]:
    is_english = not ENGLISH.isdisjoint(words)
    return [word for word in words if word != "the" and not (is_english and word in {"a", "an"})]


def _tells_liking(words: list[str]) -> bool:
    rest = words[3:4] if words[1:3] == ["do", "not"] else words[1:2]
    return bool(rest) and rest[0] in LIKING


def _with_list_sorted(words: list[str]) -> list[str]:
    """With what a list only names in the order of the alphabet."""
    if not TELLS_AN_ORDER.isdisjoint(words) or CHINESE_ORDER.search("".join(words)):
        return words
    given, words = words, [part for word in words for part in ((word,) if word.isascii() else _letters(word))]
    start = _start_of_list(words)
    if start is None:
        return given
    end = next((at for at in range(start, len(words)) if words[at] in _ENDS), len(words))
    items, joint = _items(words[start:end])
    if len(items) < 2 or not all(map(_only_names, items)):
        return given
    named = sorted(" ".join(word for word in item if word not in {"a", "an", "the"}) for item in items)
    return [*words[:start], f"{{{joint}", *(f"{name};" for name in named), "}", *words[end:]]


def _letters(word: str) -> Iterable[str]:
    """The characters of a word of a script without spaces; another word as it is."""
    return word if _RUN.match(word) else (word,)


def _start_of_list(words: list[str]) -> int | None:
    """Behind the first word that a list of things may follow."""
    for before, at, word, after in zip(
        ["", *words], range(len(words)), words, [*words[1:], ""], strict=False
    ):
        is_chinese = word in CHINESE_HEADS and CHINESE_HEADS[word](before, after)
        if is_chinese or word in LIST_HEADS or (word == ":" and before in LIST_LABELS):
            return at + 1
    return None


def _items(words: list[str]) -> tuple[list[list[str]], str]:
    """The parts of a list, and whether "and" or "or" joins them; none where they may be more than parts.

    Of "Ana, a doctor, and Bob, a lawyer" and "German, native, French, basic" the order tells who is what.
    """
    joints = [word for word in words if word in {",", "and", "or"}]
    commas, rest = joints.count(","), set(joints[-1:])
    if ("and" in joints and "or" in joints) or (commas and len(joints) - commas > 1):
        return [], ""
    if commas and (rest == {","} and (len(joints) > commas or commas > 2)):
        return [], ""
    items: list[list[str]] = [[]]
    for word in words:
        if word in {",", "and", "or"}:
            items.append([])
        else:
            items[-1].append(word)
    items = [item for item in items if item]
    if commas and any(item[0] in {"a", "an", "the"} for item in items[1:]):
        return [], ""
    return items, "or" if "or" in joints else "and"


def _only_names(item: list[str]) -> bool:
    longest = _MOST_IN_AN_ITEM if any(map(str.isascii, item)) else _MOST_CHARACTERS_IN_AN_ITEM
    has_number = any(character.isdigit() for word in item for character in word)
    return len(item) <= longest and not has_number and NOT_IN_A_LIST.isdisjoint(item)


def _meant(words: list[str]) -> Iterator[str]:
    """The words without the marks that mean nothing."""
    for at, word in enumerate(words):
        if word not in _MARKS or (0 < at < len(words) - 1 and _counts(words[at - 1], word, words[at + 1])):
            yield word


def _counts(before: str, mark: str, after: str) -> bool:
    """Whether a mark between two words may mean something: an end between sentences, a comma after "no", 10 - 5."""
    return (
        mark == "."
        or (mark == "-" and (before[-1].isdigit() or after[0].isdigit()))
        or (mark != "-" and (before in NEGATIONS or before[-1] in NEGATIONS))
    )
