"""Whether a line asks: for an answer, or for something to be done."""

from functools import lru_cache
from typing import Final

from archivist.records.patterns import late_pattern

_WORD: Final = late_pattern(r"\w+")
_OPENING: Final = late_pattern(
    r"(?i)^(?:(?:ok(?:ay)?|yes|so|and|also|then|now|next|first|please|just|well|thanks?(?: you)?|one more thing|great|right|again)\b"
    r"[\s,:.!]*)*"
)
_BEHIND_A_VERB: Final = frozenset(
    """
    the a an my our your this that these those all it them me us him her to in on at for with of from into up out over some any every each
    another both and new one two what how why whether if
    """.split()
)
_NO_VERB: Final = frozenset(
    """
    i we you he she it they the a an my our your this that these those there here what who when where why how if because as at in on for
    with from to of by and or but no not yes is are was were be been has have had do does did can could will would should may might must
    shall all any each every some one two both most more much many other another about after before under over
    """.split()
)
_ASKED: Final = late_pattern(
    r"\b(?:please|can you|could you|would you|will you|(?:i|we)(?:['’]d| would) like|(?:i|we) (?:want|need)|let['’]?s|bitte"
    r"|kannst du|könntest du|s['’]il (?:te|vous) plaît|por favor|puedes|пожалуйста|можешь)\b"
    r"|请(?!问|假|客)|請|帮(?:我|忙|他|她|它|大家)|麻烦|记得|^[^，。、]{0,4}把|お願い|ください|(?:해|어|아)\s?(?:주세요|줘)|부탁|吧[。！!]?\s*$"
)
"""Looked for in small letters."""
_DENIED_AT: Final = late_pattern(r"(?i)\b(?:not|never|no)\b|n['’]t\b|不|别|勿")


def asks(text: str) -> bool:
    """Whether a text is a question."""
    said = text.rstrip(" \n。")
    return said.endswith(("?", "？", "吗", "呢", "か"))


@lru_cache(maxsize=4_096)
def is_request(text: str) -> bool:
    """Whether a line asks for something to be done: it says so, or begins with a verb that nobody does."""
    if _ASKED.search(text.lower()):
        return True
    if _DENIED_AT.search(text[:40]):
        return False
    words = _WORD.findall(_OPENING.sub("", text)[:60].lower())
    return (
        len(words) > 2
        and words[0] not in _NO_VERB
        and words[1] in _BEHIND_A_VERB
        and not words[0].endswith(("ed", "ing", "ly", "s"))
    )


__all__ = ["asks", "is_request"]
