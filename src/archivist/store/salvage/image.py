"""A database as its log leaves it: pages by number, and what each of them is.

The file is read through SQLite's own door to the system: a file that is opened and closed by hand would end the locks that this
process holds on it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import apsw

from archivist.store.salvage.log import Log, read_log
from archivist.store.salvage.pages import (
    INDEX_INTERIOR,
    INDEX_LEAF,
    MAGIC,
    PAGE_SIZES,
    TABLE_INTERIOR,
    TABLE_LEAF,
    children,
    fills_its_length,
    free_in_map,
    kind_of,
    looks_whole,
    trunk,
)

SAMPLE: Final = 256
"""Pages looked at to find out how long pages are."""
FREE: Final = 255


class Image:
    """The pages of a database with its log laid over them; close it."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            apsw.Error: It cannot be read.
        """
        self._file = apsw.VFSFile(
            "",
            str(path.absolute()),
            [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0],
        )
        self._log_file = None
        self.size = self._file.xFileSize()
        self.page_bytes = self._page_bytes()
        log_path = path.with_name(f"{path.name}-wal")
        self.log: Log = read_log(log_path, self.page_bytes)
        if self.log.places:
            self._log_file = log_path.open("rb")
        self.pages = max(self.size // self.page_bytes, self.log.pages)
        if self.log.pages and not self.log.is_cut:
            self.pages = self.log.pages

    def close(self) -> None:
        """Close the files."""
        self._file.xClose()
        if self._log_file:
            self._log_file.close()

    def page(self, number: int) -> bytes:
        """A page's bytes; empty where there is none."""
        if not 1 <= number <= self.pages:
            return b""
        at = self.log.places.get(number)
        if at is None or self._log_file is None:
            return self._read((number - 1) * self.page_bytes, self.page_bytes)
        self._log_file.seek(at)
        return self._log_file.read(self.page_bytes)

    def is_from_log(self, number: int) -> bool:
        """Whether the log holds the page."""
        return number in self.log.places

    @property
    def has_magic(self) -> bool:
        """Whether it begins as every database does."""
        return self.page(1)[:16] == MAGIC

    def _read(self, at: int, size: int) -> bytes:
        if at + size > self.size:
            return b""
        try:
            return self._file.xRead(size, at)
        except apsw.IOError:  # a place of the disk that cannot be read costs what stood there
            return b""

    def _page_bytes(self) -> int:
        """How long pages are: as the head says, unless pages of another length look more like pages."""
        stated = int.from_bytes(self._read(16, 2), "big") if self.size >= 18 else 0
        stated = 65536 if stated == 1 else stated
        likely = [stated] if stated in PAGE_SIZES else []
        sizes = [*likely, 4096, *(size for size in PAGE_SIZES if size not in {stated, 4096})]
        scores = {size: self._likeness(size) for size in dict.fromkeys(sizes)}
        best = max(scores, key=lambda size: scores[size])
        return stated if likely and scores[stated] >= scores[best] / 2 > 0 else best

    def _likeness(self, size: int) -> float:
        """The share of a sample of places at which a page of that size would be whole."""
        count = self.size // size
        if count < 2:
            page = self._read(0, size)
            return float(self.size == size and looks_whole(page, 1))
        step = max(1, count // SAMPLE)
        numbers = range(2, count + 1, step)
        return sum(fills_its_length(self._read((at - 1) * size, size), at) for at in numbers) / len(numbers)


class Survey:
    """Which tree each page belongs to, as far as the trees can be followed.

    Attributes:
        damaged: Pages that are not what they should be, by number.
        is_sound: Whether every tree was followed to its end without meeting such a page.
        has_free_list: Whether the list of free pages was followed to its end.
    """

    def __init__(self, image: Image) -> None:
        self._image = image
        self._owner = bytearray(image.pages + 1)
        self.damaged: set[int] = set()
        self.has_free_list = False
        self._mark_free()

    @property
    def is_sound(self) -> bool:
        """Whether nothing damaged was met."""
        return not self.damaged

    def owner(self, page: int) -> int:
        """The number under which a page was followed; 0 for none, `FREE` for a free one."""
        return self._owner[page] if page < len(self._owner) else 0

    def follow(self, root: int, label: int) -> Iterator[int]:
        """The pages of a tree that hold rows, from its root on, each given to that tree."""
        first = kind_of(self._image.page(root), root)
        kinds = (
            {TABLE_INTERIOR, TABLE_LEAF}
            if first in {TABLE_INTERIOR, TABLE_LEAF}
            else {INDEX_INTERIOR, INDEX_LEAF}
        )
        waiting = [root]
        while waiting:
            number = waiting.pop()
            page = self._image.page(number)
            if kind_of(page, number) not in kinds or not looks_whole(page, number):
                self.damaged.add(number)
            if kind_of(page, number) not in kinds or self.owner(number) not in {0, FREE}:
                continue  # a page that a tree leads to is not free, whatever the list says
            self._owner[number] = label
            if kind_of(page, number) in {TABLE_INTERIOR, INDEX_INTERIOR}:
                waiting += reversed(children(page, number))
            if kind_of(page, number) != TABLE_INTERIOR:
                yield number

    def orphans(self) -> Iterator[int]:
        """Pages that hold rows and belong to no tree that could be followed, and are not free."""
        for number in range(1, self._image.pages + 1):
            if not self._owner[number]:
                page = self._image.page(number)
                if kind_of(page, number) in {TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR}:
                    yield number

    def _mark_free(self) -> None:
        head = self._image.page(1)
        if self._image.has_magic:
            first, count = (int.from_bytes(head[at : at + 4], "big") for at in (32, 36))
            self.has_free_list = self._mark_chain(first) == count
        if not self.has_free_list:
            self._mark_likely_trunks()

    def _mark_chain(self, following: int) -> int:
        """Mark what a chain of trunks names; returns how many pages are free."""
        count = 0
        while following and not self.owner(following):
            found = trunk(self._image.page(following), self._image.pages)
            if found is None:
                return -1
            self._owner[following] = FREE
            for named in found[1]:
                self._owner[named] = FREE
            count += 1 + len(found[1])
            following = found[0]
        return count

    def _mark_likely_trunks(self) -> None:
        """Without the head of the list, free pages are told by the maps of pages, where there are any, and by the trunks' form."""
        for number in range(2, self._image.pages + 1):
            page = self._image.page(number)
            for free in free_in_map(page, number, self._image.pages):
                self._owner[free] = FREE
            if kind_of(page, number) == 0 and any(page[:8]):
                found = trunk(page, self._image.pages)
                if found and found[1] and len(set(found[1])) == len(found[1]):
                    for named in (number, *found[1]):
                        self._owner[named] = FREE
