"""What a kill left of a change: written down, and not or not wholly done."""

from archivist.files.displacing import left_behind
from archivist.notes.digests import digest_of
from archivist.notes.document import Document
from archivist.notes.drafting import replayed
from archivist.notes.holding import Holding
from archivist.notes.journal import Change
from archivist.notes.places import archive_first
from archivist.notes.placing import Content, Placing
from archivist.notes.versions import Versions


class Recovery:
    """Finishes a change; whoever calls anything here holds the notes' lock."""

    def __init__(self, holding: Holding, versions: Versions, placing: Placing) -> None:
        self._holding, self._versions, self._placing = holding, versions, placing

    def finish(self, change: Change) -> tuple[set[int], list[str]]:
        """Do what a change still wants, on top of what a hand has done since.

        Returns:
            Its steps, by number, that were not taken because a hand had touched their entries, and the files that were put in place.

        Raises:
            FileNotWritten: The rest is left for the next time.
        """
        names = sorted(change.files, key=archive_first)
        for name in names:
            self._gather(change, name)
        between = {name for name in names if self._known(name) != change.files[name][0]}
        pending = [name for name in names if name in between or not self._is_done(change, name)]
        drifted = [name for name in pending if self._holding.digest(name) != self._known(name)]
        self._placing.adopt([name for name in drifted if name not in between])
        skipped = set[int]()
        for name in pending:
            document = self._saved_between(change, name) if name in between else self._holding.document(name)
            document, took = replayed(change.steps, name, document, self._holding.state.file(name).order)
            skipped |= set(took) | self._placing.put(change, {name: Content.of(document)})
        return skipped, pending

    def _gather(self, change: Change, name: str) -> None:
        """Tidy away what a kill left beside a file: bytes that wait, or former ones."""
        (before, after), holding = change.files[name], self._holding
        for file in left_behind(
            holding.folder / name, change.id, lambda content: digest_of(content) == after
        ):
            self._versions.keep(name, change.id, holding.now(), before, file)
        for version in self._versions.displaced_by(name, change.id):
            if digest_of(version.read_bytes()) == after:  # it was being taken back
                version.unlink()

    def _known(self, name: str) -> str:
        return self._holding.state.file(name).digest

    def _is_done(self, change: Change, name: str) -> bool:
        """Whether a file was put in place before the kill, whatever a hand has made of it since."""
        after = change.files[name][1]
        return self._holding.digest(name) == after or bool(self._versions.displaced_by(name, change.id))

    def _saved_between(self, change: Change, name: str) -> Document:
        """What a hand had saved when the kill came: taken in already, and displaced."""
        known = self._known(name)
        for version in self._versions.displaced_by(name, change.id):
            content = version.read_bytes()
            if digest_of(content) == known:
                self._versions.take_in(version, content)
                return Document.parse(content)
        return self._holding.document(name)
