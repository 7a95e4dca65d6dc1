"""What a salvage did, in counts by where each message came from."""

from pathlib import Path

import msgspec

from archivist.records import Notice
from archivist.store.known_damage import KnownDamage


class SalvageReport(msgspec.Struct, frozen=True):
    """What was found in a damaged database and what became of it.

    Attributes:
        messages_from_file: Messages that the file itself still held.
        messages_from_log: Messages that stood in its write-ahead log.
        messages_from_spool: Messages that wait in the spool and are taken in next.
        messages_from_backup: Messages that only a backup still had, or had right.
        messages_damaged: Messages that are kept although their content and their hash differ.
        messages_lost: Messages that were stored and are nowhere.
        known_damage: What had to be kept damaged and is written down, so that it is not told as new again.
        sessions: Sessions in the new database.
        sessions_from_backup: Those of them that a backup had.
        proposals_from_backup: Proposals that only a backup still had; what was decided on them since is not known there.
        proposals_lost: Proposals that are nowhere, waiting or decided on.
        is_review_whole: Whether it is known of every proposal that there was one.
        stand_ins: Those of them that stand in for lost ones; only the owner's command line sees them.
        rows_unreadable: Rows, of any table, that could not be read.
        damaged_pages: Pages that are not what they should be.
        set_aside: The folder with the damaged files, untouched; None where nothing was replaced.
        is_trial: Whether it was only tried.
        is_needless: Whether nothing was damaged, so that nothing was changed.
        notices: What a person should know.
    """

    messages_from_file: int = 0
    messages_from_log: int = 0
    messages_from_spool: int = 0
    messages_from_backup: int = 0
    messages_damaged: int = 0
    messages_lost: int = 0
    sessions: int = 0
    sessions_from_backup: int = 0
    stand_ins: int = 0
    rows_unreadable: int = 0
    damaged_pages: int = 0
    set_aside: Path | None = None
    is_trial: bool = False
    is_needless: bool = False
    notices: tuple[Notice, ...] = ()
    known_damage: KnownDamage = KnownDamage()
    proposals_from_backup: int = 0
    proposals_lost: int = 0
    is_review_whole: bool = True

    @property
    def messages(self) -> int:
        """Messages that are there afterwards, but for those in the spool."""
        return self.messages_from_file + self.messages_from_log + self.messages_from_backup

    @property
    def is_whole(self) -> bool:
        """Whether everything came back as it was."""
        return not (
            self.messages_lost
            or self.messages_damaged
            or self.known_damage
            or self.stand_ins
            or self.proposals_lost
            or not self.is_review_whole
            or self.rows_unreadable
        )

    def to_json(self) -> bytes:
        """The report as JSON, for people too."""
        return msgspec.json.format(msgspec.json.encode(self, enc_hook=str), indent=2) + b"\n"
