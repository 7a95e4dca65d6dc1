"""What a program put around a person's words, taken off again.

Hosts write reminders, recalled memory and the output of local commands into the message that they send on a
person's behalf. Such a block is taken out whole, tags included; everything else stays to the letter. A tag
that is not closed, and a pair of tags in the middle of a line of prose, are words about tags. What a command printed ends at its last
closing tag: whatever it prints between, no line of it becomes the person's.
"""

from collections.abc import Iterator

from archivist.records.patterns import late_pattern

OUTPUTS = ("local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr")
"""What a command printed stands inside these: it may hold any tag, its own among them, so that only the last one closes it."""
DROPPED = (
    "system-reminder",
    "memory-context",
    "active_memory_plugin",
    "relevant-memories",
    "local-command-caveat",
    "command-name",
    "command-message",
    *OUTPUTS,
)
UNWRAPPED = ("command-args", "bash-input")
"""What stands inside these was typed by the person."""

TAG = late_pattern(r"<(/?)(" + "|".join(DROPPED + UNWRAPPED) + r")(?:\s[^<>]{0,400})?>")
LINE_ENDS = late_pattern(r"[\r\n]*")


def person_words(text: str) -> str:
    """The text without what a program put around it; empty where nothing else was there."""
    if "<" not in text:
        return text
    blocks = list(_outermost(_blocks(text)))
    if not blocks:
        return text
    kept: list[str] = []
    position = 0
    for start, end, inside in blocks:
        kept += [piece for piece in (text[position:start], inside) if piece]
        position = end
        if not kept or kept[-1].endswith("\n"):
            position = LINE_ENDS.match(text, end).end()  # type: ignore[union-attr]  # it matches the empty string too
    return ("".join(kept) + text[position:]).strip()


def _blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and kept inside of each closed block, in the order in which they close."""
    opened: list[tuple[str, int, int]] = []
    waiting: dict[str, int] = {}
    tags = list(TAG.finditer(text))
    last = {tag.group(2): tag for tag in tags if tag.group(1) and tag.group(2) in OUTPUTS}
    reached = 0
    for tag in tags:
        closes, name = tag.group(1), tag.group(2)
        if tag.start() < reached:
            continue
        if not closes and not opened and (end := last.get(name)) and end.start() > tag.start():
            reached = end.end()
            if not _is_prose(text, tag.start(), reached):
                yield tag.start(), reached, ""
            continue
        if not closes:
            opened.append((name, tag.start(), tag.end()))
            waiting[name] = waiting.get(name, 0) + 1
            continue
        if not waiting.get(name):
            continue
        while True:
            opener, start, inside_start = opened.pop()
            waiting[opener] -= 1
            if opener == name:
                break
        if not _is_prose(text, start, tag.end()):
            yield start, tag.end(), text[inside_start : tag.start()].strip() if name in UNWRAPPED else ""


def _outermost(blocks: Iterator[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Blocks that stand in no other, in the order of the text."""
    reached = 0
    for start, end, inside in sorted(blocks, key=lambda block: (block[0], -block[1])):
        if start >= reached:
            reached = end
            yield start, end, inside


def _is_prose(text: str, start: int, end: int) -> bool:
    """Whether words stand on the same line both before and after: then someone writes about the tags."""
    before, after = start - 1, end
    while before >= 0 and text[before] in " \t":
        before -= 1
    while after < len(text) and text[after] in " \t":
        after += 1
    has_before = before >= 0 and text[before] not in "\n>"
    return has_before and after < len(text) and text[after] not in "\r\n<"
