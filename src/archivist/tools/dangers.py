"""What in a command of a shell should be read twice before it is allowed, as far as its text says.

A command is looked at in its parts, word by word, so that it takes a moment whatever its length, and no padding moves what belongs together
apart.
"""

from collections.abc import Callable, Iterator
from typing import Final

from archivist.records.patterns import late_pattern

_APART: Final = late_pattern(r"[;&|\n(){}<>`$]+")
_QUOTING: Final = str.maketrans("", "", "\"'\\")
_FETCHERS: Final = frozenset("curl wget fetch aria2c http https".split())
_RUNNERS: Final = late_pattern(
    r"(?:ba|z|da|k|fi)?sh|eval|source|\.|python[\d.]*|perl|ruby|node|php|deno|bun|xargs"
)
_HARMLESS: Final = frozenset("recall doctor verify --help --version -h".split())
Rest = list[str]


def _has(*begins: str) -> Callable[[Rest], bool]:
    return lambda rest: any(word.startswith(begins) for word in rest)


def _always(_rest: Rest) -> bool:
    return True


def _letters(rest: Rest) -> set[str]:
    """The letters of all short options."""
    return {letter for word in rest if word[:1] == "-" and word[1:2] != "-" for letter in word[1:]}


def _removes_folders(rest: Rest) -> bool:
    return bool(_letters(rest) & set("rR")) or _has("--r")(rest)


def _rewrites(rest: Rest) -> bool:
    forced = _letters(rest) & set("fd") or _has("--f", "--mirror", "--delete", "--prune", "+", ":")(rest)
    return "push" in rest and bool(forced)


def _throws_away(rest: Rest) -> bool:
    said, letters = set(rest), _letters(rest)
    return (
        ("reset" in said and _has("--hard", "--merge")(rest))
        or ("clean" in said and ("f" in letters or "--force" in said))
        or ("checkout" in said and ("f" in letters or not said.isdisjoint({"--force", "--", "."})))
        or ("switch" in said and ("f" in letters or _has("--force", "--discard")(rest)))
        or ("branch" in said and ("D" in letters or "--delete" in said))
        or ("stash" in said and not said.isdisjoint({"drop", "clear"}))
        or not said.isdisjoint({"restore", "filter-branch", "filter-repo", "update-ref"})
    )


def _lets_everybody_write(rest: Rest) -> bool:
    return any(word in {"777", "0777", "666", "0666"} or _OPENED.search(word) for word in rest)


_OPENED: Final = late_pattern(r"(?:^|,)(?:[ugo]*[ao][ugo]*)?[+=][rxXst]*w")


def _changes_memory(rest: Rest) -> bool:
    return bool(rest) and rest[0] not in _HARMLESS


_RULES: Final[tuple[tuple[str, Callable[[Rest], bool], str], ...]] = (
    ("rm", _removes_folders, "removes whole folders"),
    ("find fd", _has("-delete", "-exec", "-ok", "-fprint", "-fls", "--exec"), "changes whatever it finds"),
    ("mkfs fdisk parted wipefs sgdisk", _always, "changes a disk"),
    ("dd", _has("of="), "writes to a device or over a file"),
    ("shred truncate", _always, "takes away what is in a file"),
    ("sudo doas su pkexec", _always, "runs with another's rights"),
    ("git", _rewrites, "rewrites what others have of a branch"),
    ("git", _throws_away, "throws changes away"),
    ("git", _has("-c", "--config-env", "--exec-path"), "lets git run what it is given"),
    ("chmod", _lets_everybody_write, "lets everybody write"),
    ("chmod chown chgrp", lambda rest: "R" in _letters(rest), "changes the rights of whole folders"),
    ("shutdown reboot halt poweroff", _always, "stops the machine"),
    ("kill pkill killall", _always, "ends programs"),
    ("npm pnpm yarn cargo twine gem poetry uv", _has("publish", "upload"), "publishes something"),
    ("archivist", _changes_memory, "changes or shows Archivist's own data"),
)
_BY_PROGRAM: Final = {
    name: [(is_so, what) for names, is_so, what in _RULES if name in names.split()]
    for names, _, _ in _RULES
    for name in names.split()
}
_ALIKE: Final = r"[\u0370-\u052f\uff01-\uff5e\U0001d400-\U0001d7ff]"
_BLANKS: Final = r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]"
_ANYWHERE: Final = tuple(
    (late_pattern(pattern), what)
    for pattern, what in (
        (r">\s*/dev/(?:sd|nvme|hd|mmcblk|disk)", "writes to a disk"),
        (
            r"([\w:]{1,40})\s*\(\s*\)\s*\{[^}]{0,300}\1\s*(?:\|\s*\1|&)",
            "starts itself without end",
        ),
        (r"\.archivist\b|\bARCHIVIST_(?:HOME|PROFILE|AGENT)\b", "touches Archivist's own data"),
        (r"(?i)\bdrop\s+(?:table|database)\b", "removes data of a database"),
        (rf"[A-Za-z]{_ALIKE}|{_ALIKE}[A-Za-z]|{_BLANKS}", "has letters or blanks that look like others"),
    )
)


def dangers_of(command: str) -> list[str]:
    """What should be read twice before it is allowed."""
    text = command.replace("\\\n", "")
    parts = [words for part in _APART.split(text) if (words := part.translate(_QUOTING).split())]
    found = [what for words in parts for what in _of_part(words)]
    if _runs_what_it_fetches(parts):
        found.append("may run what it downloads")
    found += [what for pattern, what in _ANYWHERE if pattern.search(text)]
    return list(dict.fromkeys(found))


def _of_part(words: list[str]) -> Iterator[str]:
    """Of a part of a command: a program counts wherever it stands, since others run it: `env rm`, `xargs rm`."""
    seen = set[str]()
    for at, word in enumerate(words):
        name = word.rpartition("/")[2]
        name = name.partition(".")[0] if name.startswith("mkfs.") else name
        if name not in _BY_PROGRAM or name in seen:
            continue
        seen.add(name)
        yield from (what for is_so, what in _BY_PROGRAM[name] if is_so(words[at + 1 :]))


def _runs_what_it_fetches(parts: list[list[str]]) -> bool:
    named = [{word.rpartition("/")[2] for word in words} for words in parts]
    fetches = any(not _FETCHERS.isdisjoint(names) for names in named)
    return fetches and any(_RUNNERS.fullmatch(name) for names in named for name in names)


__all__ = ["dangers_of"]
