"""What somebody wrote into a file after it was displaced, who had it open: it is merged with what stands there now."""

from collections.abc import Callable, Iterable
from pathlib import Path

from archivist.notes.document import Document
from archivist.notes.drafting import Draft, Plan
from archivist.notes.holding import FRESH_SECONDS, SETTLING_TRIES, Holding
from archivist.notes.journal import MERGE, Change
from archivist.notes.versions import Late, Versions
from archivist.records.counts import counted

Tell = Callable[[str, str, Iterable[str]], None]
"""Keeps a notice: its code, its words, and the files of which it speaks."""


class LateSaves:
    """Takes late saves in; whoever calls anything here holds the notes' lock.

    Args:
        holding: What is there.
        versions: Where displaced files are.
        commit: Makes a change.
        tell: For whoever changes something next.
    """

    def __init__(
        self, holding: Holding, versions: Versions, commit: Callable[[Plan], Change], tell: Tell
    ) -> None:
        self._holding, self._versions, self._commit, self._tell = holding, versions, commit, tell

    def adopt(self) -> None:
        """Take in all that there are.

        Raises:
            FileNotWritten: The rest is left for the next time.
        """
        for late in self._versions.late_saves(self._holding.state):
            content = self._at_rest(late.path)
            self._merge(late, content)
            self._versions.take_in(late.path, content)

    def _at_rest(self, path: Path) -> bytes:
        """The bytes of a file once whoever is saving it is done."""
        for _ in range(SETTLING_TRIES):
            if abs(self._holding.now().timestamp() - path.stat().st_mtime) >= FRESH_SECONDS:
                break
            self._holding.rest()
        return path.read_bytes()

    def _merge(self, late: Late, content: bytes) -> None:
        from archivist.notes.merging import merge  # noqa: PLC0415 - seldom needed

        holding, path = self._holding, self._holding.folder / late.name
        draft = Draft(holding.state, holding.document)
        did = merge(draft, holding.state, late.name, late.base, Document.parse(content), at=holding.now())
        if draft.steps:
            change = self._commit(Plan(MERGE, draft, stale=did.dropped))
            text = f"{path} was saved into a file that had just been replaced: both are merged"
            if did.dropped:
                text += (
                    f"; {counted(len(did.dropped), 'entry', 'entries')} went for that ({', '.join(did.dropped[:5])}):"
                    f" `archivist memory undo {change.id}` takes it back"
                )
            self._tell("hand-merged", text, [late.name])
        if did.withheld:
            text = f"{path} was saved with {counted(len(did.withheld), 'entry', 'entries')} that had been removed: they stay away"
            self._tell("hand-withheld", text, [late.name])
