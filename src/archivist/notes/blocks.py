"""Plain Markdown as statements: what becomes an entry each when a file without delimiters is taken over.

A list item with what is nested in it is one statement, and so is a paragraph, a fence or a table with the line that announces it.
The headings above a statement come before it ("Deploying / Staging: …") unless they tell nothing ("Notes"), as does a line that ends
in a colon before its list. Rules between sections are dropped, and nothing else that says something.
"""

import re
from typing import Final

from archivist.records.patterns import late_pattern

_HEADING: Final = late_pattern(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_ITEM: Final = late_pattern(r"([ \t]*)([-*+•]|\d{1,9}[.)])[ \t]+(?=\S)")
_FENCE: Final = late_pattern(r"[ \t]*(`{3,}|~{3,})(.*)\Z")
_RULE: Final = late_pattern(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*\Z")
_UNDERLINE: Final = late_pattern(r" {0,3}(=+|-{2,})[ \t]*\Z")
_TELLS_NOTHING: Final = frozenset(
    """
    memory memories notes note user facts fact general misc miscellaneous other others entries information info overview
    memory.md user.md claude.md agents.md me about profile 记忆 笔记 备忘 用户 其他 其它 杂项 概述 通用 信息 メモ その他
    notizen sonstiges allgemein divers général otros general outros прочее заметки память
    """.split()
)
_COLONS: Final = (":", "：")
_UNSEGMENTED: Final = "\u2e80"
"""The first character of the scripts of East Asia."""


class _Blocks:
    """Lines, one by one, put together to statements."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._headings: list[tuple[int, str, bool]] = []
        self._lines: list[str] = []
        self._lead = ""
        self._indent = 0
        self._fence = ""
        self._is_item = False
        self._is_after_blank = False

    def take(self, line: str) -> None:
        """One more line."""
        if self._fence:
            self._in_fence(line)
        elif not line.strip():
            self._is_after_blank = True
        elif not self._special(line):
            self._words(line)

    def end(self) -> list[str]:
        """All statements, when there are no more lines."""
        self._close()
        self._leave_headings(0)
        return self.found

    def _in_fence(self, line: str) -> None:
        self._lines.append(line)
        found = _FENCE.match(line)
        if found and found[1].startswith(self._fence) and not found[2].strip():
            self._fence = ""

    def _special(self, line: str) -> bool:
        """Whether a line was taken as one that is no words of a statement."""
        if fence := _FENCE.match(line):
            self._begin_fence(line, fence[1])
        elif heading := _HEADING.match(line):
            self._close()
            self._head(len(heading[1]), heading[2] or "")
        elif self._is_underline(line):
            title, self._lines = " ".join(map(str.strip, self._lines)), []
            self._head(1 if "=" in line else 2, title)
        elif _RULE.match(line):
            self._close()
            self._lead = ""
        else:
            return False
        return True

    def _begin_fence(self, line: str, fence: str) -> None:
        is_part = self._lines and (
            not self._is_after_blank or self._is_nested(line) or self._lines[-1].rstrip().endswith(_COLONS)
        )
        if not is_part:
            self._close()
        self._append(line)
        self._fence = fence

    def _is_underline(self, line: str) -> bool:
        is_below_words = self._lines and not self._is_item and not self._is_after_blank
        return bool(
            is_below_words and _UNDERLINE.match(line) and not self._lines[-1].lstrip().startswith("|")
        )

    def _words(self, line: str) -> None:
        item = _ITEM.match(line)
        if item and not (self._is_item and _width(item[1]) > self._indent + 1):
            self._begin_item(line, item)
        elif self._is_after_blank and not self._is_nested(line) and not self._announces(line):
            self._close()
            self._lead = ""
            self._append(line)
        else:
            self._append(line)

    def _begin_item(self, line: str, item: re.Match[str]) -> None:
        if self._lines and not self._is_item and self._lines[-1].rstrip().endswith(_COLONS):
            self._lead = "\n".join(self._lines).strip().rstrip("".join(_COLONS))
            self._lines = []
        self._close()
        words = line[item.end() :]
        is_kept = item[2][0].isdigit() or words.strip() == "§"
        self._lines = [line.strip() if is_kept else words]
        self._indent = _width(item[1])
        self._is_item, self._is_after_blank = True, False

    def _is_nested(self, line: str) -> bool:
        """Whether a line below a blank one is still a part of the list item."""
        return self._is_item and _width(line[: len(line) - len(line.lstrip())]) > self._indent + 1

    def _announces(self, line: str) -> bool:
        """Whether what stands above announces a table."""
        return bool(
            self._lines
            and not self._is_item
            and line.lstrip().startswith("|")
            and self._lines[-1].rstrip().endswith(_COLONS)
        )

    def _append(self, line: str) -> None:
        if self._is_after_blank and self._lines:
            self._lines.append("")
        self._lines.append(line)
        self._is_after_blank = False

    def _close(self) -> None:
        """The lines so far are a statement."""
        if words := _dedented(self._lines, is_item=self._is_item):
            self._headings = [(level, title, True) for level, title, _ in self._headings]
            lead = self._lead if self._is_item else ""
            self.found.append(_headed([title for _, title, _ in self._headings] + [lead], words))
        self._lines, self._is_item, self._is_after_blank = [], False, False

    def _head(self, level: int, title: str) -> None:
        self._leave_headings(level)
        self._headings.append((level, title.strip(), False))
        self._lead, self._is_after_blank = "", False

    def _leave_headings(self, level: int) -> None:
        """Headings of this level and below it end; one with nothing below it was the statement itself."""
        while self._headings and self._headings[-1][0] >= level:
            _, title, is_used = self._headings.pop()
            if not is_used and _tells(title):
                self.found.append(_headed([above for _, above, _ in self._headings], title))
                self._headings = [(above, name, True) for above, name, _ in self._headings]


def blocks_of(text: str) -> tuple[str, ...]:
    """The statements of a Markdown text that has no delimiters, in their order; none is empty."""
    blocks = _Blocks()
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        blocks.take(line)
    return tuple(blocks.end())


def is_structured(text: str) -> bool:
    """Whether a text is several statements of Markdown rather than one of several lines."""
    lines = text.split("\n")
    has_heading = any(_HEADING.match(line) for line in lines) and len(lines) > 1
    is_list = bool(_ITEM.match(lines[0])) and sum(1 for line in lines if _ITEM.match(line)) > 1
    paragraphs = len(re.findall(r"\n[ \t]*\n[ \t]*(?=\S)", text)) + 1
    return (has_heading or is_list or paragraphs > 2) and len(blocks_of(text)) > 1


def _headed(titles: list[str], words: str) -> str:
    said = words.casefold()
    telling = [title for title in titles if _tells(title) and not _is_said(title.casefold(), said)]
    path = " / ".join(title.rstrip("".join(_COLONS)).rstrip() for title in telling)
    if not path:
        return words
    return f"{path}:\n{words}" if words.startswith(("```", "~~~", "|")) else f"{path}: {words}"


def _is_said(title: str, words: str) -> bool:
    """Whether a statement has a title in it, and not as a part of longer words: "Go" stands in no "ago"."""
    at = words.find(title)
    while at >= 0:
        end = at + len(title)
        if not (_is_one_word(words[at - 1 : at], title) or _is_one_word(title[-1:], words[end:])):
            return True
        at = words.find(title, at + 1)
    return False


def _is_one_word(before: str, after: str) -> bool:
    """Whether two pieces of text grow together; in scripts that put no blanks between words they never do."""
    joint = before[-1:] + after[:1]
    return len(joint) == 2 and joint.isalnum() and max(joint) < _UNSEGMENTED


def _tells(title: str) -> bool:
    bare = title.strip(" \t*_`#:：").casefold()
    return bool(bare) and not _TELLS_NOTHING.issuperset(bare.split())


def _dedented(lines: list[str], *, is_item: bool) -> str:
    """Lines with what they are all indented by taken away; the first of an item begins at its words."""
    rest = lines[1:] if is_item else lines
    indent = min((_width(_blanks(line)) for line in rest if line.strip()), default=0)
    cut = [_without(line, indent) for line in rest]
    return "\n".join([*lines[:1], *cut] if is_item else cut).strip()


def _blanks(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _width(blanks: str) -> int:
    return len(blanks.expandtabs(4))


def _without(line: str, indent: int) -> str:
    blanks = _blanks(line)
    return " " * max(0, _width(blanks) - indent) + line[len(blanks) :] if indent else line


__all__ = ["blocks_of", "is_structured"]
