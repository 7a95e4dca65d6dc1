"""The rows that a damaged database still holds: tree by tree, then page by page where a tree has lost its way."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from archivist.store.salvage.image import Image, Survey
from archivist.store.salvage.pages import Cell, Value, cells, kind_of
from archivist.store.salvage.shapes import Shape, known_shapes, shape_of
from archivist.store.schema import MIGRATIONS

SCHEMA_COLUMNS: Final = 5
SCHEMA: Final = 254
"""The label of the tree that names all others."""
CHANGES: Final = "changes"


class Found(msgspec.Struct, frozen=True):
    """A row that could be read.

    Attributes:
        shape: The table that it is of, or an index, whose rows repeat some of the table's columns.
        values: Of all columns.
        is_orphan: Whether its page belonged to no tree that could be followed.
        in_order: Whether its key stood between those beside it.
        is_from_log: Whether its page came from the log.
    """

    shape: Shape
    values: tuple[Value, ...]
    is_orphan: bool
    in_order: bool
    is_from_log: bool


class Harvest:
    """All rows of an image, each once a page that holds it.

    Attributes:
        damaged: Pages that are not what they should be, or hold a row that cannot be read.
        unreadable: Rows that cannot be read.
        is_whole: By table, whether its tree was followed to its end without meeting damage; known when it was read.
        roots: By name, the first page of each tree that the schema still names.
        version: The number of its schema.
    """

    def __init__(self, image: Image) -> None:
        self._image, self.survey = image, Survey(image)
        self.unreadable = 0
        self.is_whole: dict[str, bool] = {}
        self.roots = self._find_roots()
        self.version = self._version()
        self.shapes = known_shapes(self.version)
        self._labels = {name: label for label, name in enumerate(self.shapes, 1)}

    @property
    def damaged(self) -> set[int]:
        """Pages that are not what they should be, by number; known when all rows were read."""
        return self.survey.damaged

    def _find_roots(self) -> dict[str, int]:
        """The first page of each tree that the schema still names."""
        found: dict[str, int] = {}
        if not kind_of(self._image.page(1), 1):
            self.damaged.add(1)
        for number in self.survey.follow(1, SCHEMA):
            for cell in self._cells(number):
                name, root = _tree(cell)
                if 1 < root <= self._image.pages:
                    found[name] = root
        return found

    def _version(self) -> int:
        """The schema that it has: the newest, unless both its head and its tables say another."""
        stated = int.from_bytes(self._image.page(1)[60:64], "big")
        if not 0 < stated < len(MIGRATIONS) or not self._image.has_magic:
            return len(MIGRATIONS)
        older, newer = set(known_shapes(stated)), set(known_shapes(stated + 1))
        return (
            stated if older <= set(self.roots) and not (newer - older) & set(self.roots) else len(MIGRATIONS)
        )

    def rows(self) -> Iterator[Found]:
        """Every row that can be read; those of trees first, those of other pages only where a tree was broken.

        Changes come before all else of their kind, since they tell what was removed on purpose.
        """
        for name in sorted(self.shapes, key=lambda name: (not self.shapes[name].is_table, name != CHANGES)):
            if name in self.roots:
                before = len(self.damaged)
                for number in self.survey.follow(self.roots[name], self._labels[name]):
                    yield from self._rows_of(number, self.shapes[name], is_orphan=False)
                self.is_whole[name] = len(self.damaged) == before
        if not self.survey.is_sound or set(self.roots) != set(self.shapes):
            yield from self._orphans(changes=True)
            yield from self._orphans(changes=False)

    def _orphans(self, *, changes: bool) -> Iterator[Found]:
        for number in self.survey.orphans():
            for found in self._rows_of(number, None, is_orphan=True):
                if (found.shape.name == CHANGES) == changes:
                    yield found

    def _rows_of(self, number: int, expected: Shape | None, *, is_orphan: bool) -> Iterator[Found]:
        read = self._cells(number)
        shape = expected
        if expected is None or 2 * sum(map(expected.fits, read)) <= len(read):
            shape = shape_of(read, self.shapes.values())
            if read and shape is not expected:
                self.damaged.add(number)
        if shape is None:
            self.unreadable += len(read) if read and not is_orphan else 0
            return
        is_from_log = self._image.is_from_log(number)
        for cell in read:
            if shape.fits(cell):
                yield Found(shape, shape.row(cell), is_orphan, cell.in_order, is_from_log)
                continue
            self.damaged.add(number)
            mended = shape.mended(cell) if not is_orphan and shape.is_table else None
            if mended is None:
                self.unreadable += 1
            else:
                yield Found(shape, shape.row(mended), is_orphan, mended.in_order, is_from_log)

    def _cells(self, number: int) -> Sequence[Cell]:
        found = list(cells(self._image.page(number), number, self._image.page))
        if None in found:
            self.damaged.add(number)
            self.unreadable += found.count(None)
        return [cell for cell in found if cell is not None]


def _tree(cell: Cell) -> tuple[str, int]:
    """The name and the first page of a tree, as a row of the schema says them."""
    if len(cell.values) != SCHEMA_COLUMNS or not isinstance(cell.values[3], int):
        return "", 0
    return str(cell.values[1]), cell.values[3]
