"""Files of the notes are put in place, on top of whatever a hand saves meanwhile, and taken back where that fails."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from archivist.files import FileNotWritten
from archivist.files.displacing import Displacement, displace, displace_together, put_back
from archivist.notes.digests import digest_of
from archivist.notes.document import Document
from archivist.notes.drafting import replayed
from archivist.notes.holding import Holding
from archivist.notes.journal import Change, Done
from archivist.notes.places import archive_first, is_core
from archivist.notes.versions import Versions

MOST_SAVES: Final = 50
"""How often somebody may save a file while it is being written, before that is called a failure."""


class Content(msgspec.Struct, frozen=True):
    """What is to stand in a file."""

    document: Document
    raw: bytes
    digest: str

    @classmethod
    def of(cls, document: Document) -> "Content":
        """Of a document."""
        raw = document.render()
        return cls(document, raw, digest_of(raw))


class Placing:
    """Puts files in place; whoever calls anything here holds the notes' lock.

    Args:
        holding: What is there.
        versions: Where displaced files go.
        adopt: Writes down what a hand did to some files.
    """

    def __init__(
        self, holding: Holding, versions: Versions, adopt: Callable[[Sequence[str]], object]
    ) -> None:
        self._holding, self._versions, self.adopt = holding, versions, adopt

    def put(
        self,
        change: Change,
        contents: Mapping[str, Content],
        *,
        first: Callable[[], object] | None = None,
    ) -> set[int]:
        """Put the files of a change in place; its steps, by number, that were not taken because a hand had touched their entries.

        Args:
            change: As it is written down.
            contents: By name.
            first: Brings to the disk what must be there before the first file is in place.

        Raises:
            FileNotWritten: Some files may be in place; see `take_back`.
        """
        puts = [self._begun(change, name, contents[name]) for name in sorted(contents, key=archive_first)]
        displaced = displace_together([put.file for put in puts], first)
        for put in puts:
            self._holding.wrote(put.name, put.content.raw, put.content.document, put.content.digest)
        skipped = set[int]()
        for put, found in zip(puts, displaced, strict=True):
            if found == put.expected:
                self._settle(put)
            else:
                skipped |= self._put_upon(change, put, found)
        return skipped

    def take_back(self, change: Change, contents: Mapping[str, Content], size: int) -> None:
        """After a failure: the files that were written get their former bytes again, and the journal forgets the change.

        A file that somebody has saved meanwhile stays as they saved it. Where even this fails the change is finished later.

        Args:
            change: As it was written down.
            contents: What was to stand in its files.
            size: Of the journal before.
        """
        holding = self._holding
        with suppress(FileNotWritten, OSError):
            for name in change.files:
                for kept in self._versions.displaced_by(name, change.id):
                    self._put_back(name, kept, contents[name].raw)
            if holding.state.open is None:
                holding.journal.cut(size)
            else:  # a hand's save was written behind it and stays
                digests = {name: holding.digest(name) for name in change.files}
                holding.journal.append([Done(change.id, tuple(range(len(change.steps))), digests)])
            holding.look()

    def _begun(self, change: Change, name: str, content: Content, attempt: int = 0) -> "_Put":
        holding = self._holding
        kept = self._versions.place(name, change.id, holding.now(), holding.digest(name))
        path, token = holding.folder / name, f"{change.id}-{attempt}"
        file = Displacement(path, content.raw, token=token, kept=kept)
        return _Put(name, content, holding.raw(name), kept, file)

    def _put_upon(self, change: Change, put: "_Put", displaced: bytes) -> set[int]:
        """Put a file in place again that displaced something else than was expected: with that in it."""
        for attempt in range(1, MOST_SAVES):
            expected, holding = put.content, self._holding
            document, skipped = self._upon(change, put.name, displaced)
            self._versions.take_in(put.kept, displaced)
            holding.wrote(put.name, expected.raw, expected.document, expected.digest)
            put = self._begun(change, put.name, Content.of(document), attempt)
            (displaced,) = displace_together([put.file])
            holding.wrote(put.name, put.content.raw, put.content.document, put.content.digest)
            if displaced == put.expected:
                self._settle(put)
                return set(skipped)
        raise FileNotWritten(put.file.path, OSError("somebody saves it again and again"))

    def _upon(self, change: Change, name: str, saved: bytes) -> tuple[Document, tuple[int, ...]]:
        """What a hand saved, taken in, with the steps of a change on top of it."""
        document = Document.parse(saved)
        self._holding.wrote(name, saved, document, digest_of(saved))
        self.adopt([name])
        order = self._holding.state.file(name).order
        return replayed(change.steps, name, document, order)

    def _settle(self, put: "_Put") -> None:
        """A file is in place, and displaced what was expected."""
        if is_core(put.name):
            self._versions.wrote(put.name, put.content.raw)
        elif not put.content.raw:
            with suppress(OSError):  # an archive that nothing is left in; an empty one is as good as none
                put.file.path.unlink()
        self._versions.is_as_named(put.name, put.kept)

    def _put_back(self, name: str, kept: Path, content: bytes) -> None:
        path, former = self._holding.folder / name, kept.read_bytes()
        try:
            put_back(path, kept, content)
        except OSError:  # it is kept on another disk
            if path.read_bytes() == content:
                aside = kept.with_name(f"{kept.name}.tmp")
                displace(path, former, token=f"{kept.stem}-back", kept=aside)
                aside.unlink()
                kept.unlink()


class _Put(NamedTuple):
    """A file on its way.

    Attributes:
        expected: What it should displace.
        kept: Where that goes.
    """

    name: str
    content: Content
    expected: bytes
    kept: Path
    file: Displacement
