"""The memory blocks of an agent file as statements: `human` is about the person, `persona` is what the agent is and no note."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from archivist.notes.statements import Statement
from archivist.records.notes import Target
from archivist.transfer.curated import Curated, statements_in
from archivist.transfer.foreign import SourceUnreadable, TransferError
from archivist.transfer.letta.agents import Block, read_agent_file
from archivist.transfer.note_reasons import PERSONA
from archivist.transfer.reasons import DAMAGED

HUMAN: Final = "human"


def curated_in(path: Path) -> Curated:
    """What the agents of a file have noted."""
    try:
        blocks, at = read_agent_file(path).blocks, datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except TransferError as error:
        return Curated(path=path, problem=error)
    except OSError as error:
        return Curated(path=path, problem=SourceUnreadable(path, error.strerror or str(error)))
    skipped = Counter(reason for block in blocks if (reason := _no_note(block)))
    told = [one for block in blocks if block and not _no_note(block) for one in _of(block, path.name, at)]
    return Curated(path=path, statements=told, skipped=skipped)


def _no_note(block: Block | None) -> str | None:
    if block is None:
        return DAMAGED
    return PERSONA if _label(block) == "persona" else None


def _of(block: Block, name: str, at: datetime) -> list[Statement]:
    target = _target(_label(block))
    return statements_in(block.value or "", target, f"letta:{name}/{_label(block)}", observed_at=at)


def _target(label: str) -> Target:
    return "user" if label == HUMAN else "memory"


def _label(block: Block) -> str:
    return (block.label or "block").strip().lower()
