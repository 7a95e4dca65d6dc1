"""One compression of a stored conversation: read, made shorter, shown to whoever takes part, and written in one transaction.

Everything up to the last step only reads, and a dry run ends there, so that it shows the very plan that is done. What was said meanwhile
comes behind what was made; after anything else nothing is written.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any, Final

import msgspec

from archivist.app.arguments import a_text
from archivist.app.around import Around, Prompt
from archivist.app.shortened import Compression, Leaving
from archivist.app.standing import HeldElsewhere, Standing, owners_of, standing
from archivist.compress.asking_a_model import DEADLINE_SECONDS, Summarise
from archivist.compress.compressing import DEFAULT_WINDOW, Compressed, compress, plan_compression
from archivist.compress.dividing import Divided, divided
from archivist.compress.ledger import read_lines
from archivist.compress.planning import Plan
from archivist.compress.shares import Share, shares_of, total_of
from archivist.compress.sizes import some_tokens
from archivist.compress.stored_form import forms_of
from archivist.compress.summary_form import body_of
from archivist.compress.timing import limits, suggestions
from archivist.compress.withholding import Cleared, cleared_summary
from archivist.records import Message, Notice
from archivist.records.counts import counted
from archivist.store import StateStore, Surroundings
from archivist.store.compacting import Compaction, Sent
from archivist.store.compactions import Compactions
from archivist.store.contexts import as_sent
from archivist.store.hearing import read_among
from archivist.store.lines import SUMMARY
from archivist.store.passing import PASSED, note_in_vain

NOTHING_SAVED: Final = "nothing-saved"


class Wanted(msgspec.Struct, frozen=True):
    """How a conversation is to be compressed; see `Sessions.compress`."""

    target_tokens: int | None = None
    window: int | None = None
    summarise: Summarise | None = None
    focus: str = ""
    deadline: float | None = DEADLINE_SECONDS
    prompt: Prompt | None = None
    is_trial: bool = False
    is_forced: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no number of tokens or no text, before a model is asked."""
        some_tokens("target_tokens", self.target_tokens)
        some_tokens("window", self.window)
        a_text("focus", self.focus)
        if self.prompt is not None and not callable(self.prompt):
            a_text("prompt", self.prompt)

    @property
    def target(self) -> int:
        """What is aimed at, in tokens."""
        return self.target_tokens or limits(self.window or DEFAULT_WINDOW).target


def run(
    store: StateStore, around: Around, world: Surroundings, session_id: str, wanted: Wanted
) -> Compression:
    """Compress the conversation of a session.

    Raises:
        HeldElsewhere: Another program holds it.
        StopCompression: A hook stopped it.
        BeingCompacted: Somebody else is at it.
        ContextChanged: Something was taken back or compressed meanwhile; nothing was written.
    """
    compactions = Compactions(store, world)
    with nullcontext() if wanted.is_trial else compactions.lease(session_id):
        found = standing(store, compactions, session_id)
        if found.is_held and not wanted.is_trial:
            raise HeldElsewhere(found.session)
        return _Pass(store, compactions, around, found, wanted).run()


class _Pass:
    """One pass over what a model sees."""

    def __init__(
        self,
        store: StateStore,
        compactions: Compactions,
        around: Around,
        found: Standing,
        wanted: Wanted,
    ) -> None:
        self._store, self._compactions, self._around = store, compactions, around
        self._session, self._messages, self._passes = found.session, found.messages, found.passes
        self._wanted = wanted
        notes = around.given(found.session.id)
        self._notes = notes.text if notes else None
        self._before = self._shares(found.messages, found.session.prompt, self._notes)

    def run(self) -> Compression:
        """Make it, and write it unless it is only asked for or not worth it."""
        if notices := self._against():
            return self._nothing(notices)
        model = None if self._wanted.is_trial else self._wanted.summarise
        done = compress(
            forms_of(self._messages, self._session.prompt),
            self._wanted.target,
            summarise=model,
            focus=self._wanted.focus,
            deadline=self._wanted.deadline,
        )
        if any(notice.code == NOTHING_SAVED for notice in done.report.notices):
            return self._in_vain(done)
        made = _Made.of(done, self._messages, self._cleared)
        return self._told(made) if self._wanted.is_trial else self._written(made)

    def _cleared(self, summary: str) -> Cleared:
        return cleared_summary(summary, f"sessions show {self._session.id}", self._around.allowed)

    def _against(self) -> tuple[Notice, ...]:
        """Why nothing should be done."""
        if self._wanted.is_forced:
            return ()
        size = total_of(self._before)
        if size <= self._wanted.target:
            told = f"its {size:,} tokens are no more than the {self._wanted.target:,} that are aimed at"
            return (Notice("short-enough", f"{told}: there is nothing to do"),)
        return suggestions(self._passes)

    def _nothing(self, notices: tuple[Notice, ...]) -> Compression:
        forms = forms_of(self._messages, self._session.prompt)
        plan = plan_compression(forms, self._wanted.target, focus=self._wanted.focus)
        return self._result(plan, self._before, notices=notices)

    def _in_vain(self, done: Compressed) -> Compression:
        if not self._wanted.is_trial:
            size = total_of(self._before)
            self._store.write(lambda db: note_in_vain(db, self._session.id, size, size))
        return self._result(done.report.plan, self._before, notices=done.report.notices)

    def _told(self, made: "_Made") -> Compression:
        """What would be done."""
        after = self._shares(made.context, self._session.prompt, self._notes)
        return self._of(made, after, made.notices)

    def _written(self, made: "_Made") -> Compression:
        session = self._session
        failed = self._around.about_to_leave(self._leaving(made))
        fresh = self._around.renewed(session, self._wanted.prompt)
        after = self._shares(made.context, fresh.prompt or session.prompt, fresh.notes)
        notices = (*made.notices, *failed, *fresh.notices)
        child = self._compactions.compact(session.id, self._compaction(made, fresh.prompt, after, notices))
        notices += self._around.hand_over(child, fresh, session.scope)
        done = self._of(made, after, notices, child=child)
        told = self._around.done(done)
        return msgspec.structs.replace(done, notices=(*done.notices, *told)) if told else done

    def _leaving(self, made: "_Made") -> Leaving:
        session = self._session
        left, shortened = (self._own_words(ids) for ids in (made.left, made.shortened))
        return Leaving(session.id, session.conversation_id, session.scope, left, shortened)

    def _own_words(self, ids: Sequence[int]) -> tuple[Message, ...]:
        return tuple(self._store.read(lambda db: read_among(db, ids)))

    def _compaction(
        self, made: "_Made", prompt: str | None, after: Sequence[Share], notices: Sequence[Notice]
    ) -> Compaction:
        parts = made.parts
        told = {
            "before": total_of(self._before),
            "after": total_of(after),
            "target": self._wanted.target,
            "notices": [msgspec.to_builtins(notice) for notice in notices],
        }
        return Compaction(
            seen=tuple(message.id or 0 for message in self._messages),
            head=parts.head,
            summary=made.summary,
            tail=parts.tail,
            prompt=prompt,
            metadata={PASSED: told},
        )

    def _of(
        self,
        made: "_Made",
        after: tuple[Share, ...],
        notices: tuple[Notice, ...],
        *,
        child: str | None = None,
    ) -> Compression:
        report, parts = made.done.report, made.parts
        return self._result(
            report.plan,
            after,
            child=child,
            kept=tuple(read_lines(body_of(parts.summary))),
            left=made.left,
            shortened=made.shortened,
            removed=report.removed,
            notices=notices,
        )

    def _result(
        self,
        plan: Plan,
        after: tuple[Share, ...],
        child: str | None = None,
        **more: Any,  # noqa: ANN401 - fields
    ) -> Compression:
        session, wanted = self._session, self._wanted
        return Compression(
            session.conversation_id,
            session.id,
            child,
            wanted.target,
            self._before,
            after,
            plan,
            dry_run=wanted.is_trial,
            **more,
        )

    def _shares(
        self, messages: Sequence[Message], prompt: str | None, notes: str | None
    ) -> tuple[Share, ...]:
        return shares_of(messages, prompt, notes, owners=owners_of(self._session))


class _Made(msgspec.Struct, frozen=True):
    """What a pass made, and what it means for the rows.

    Attributes:
        context: What a model is sent now.
        left: Ids of the messages that it sees no longer, earlier summaries not counted.
    """

    done: Compressed
    parts: Divided
    context: tuple[Message, ...]
    left: tuple[int, ...]
    notices: tuple[Notice, ...]

    @classmethod
    def of(cls, done: Compressed, messages: Sequence[Message], clear: Callable[[str], Cleared]) -> "_Made":
        parts = divided(done, messages)
        cleared = clear(parts.summary)
        parts = msgspec.structs.replace(parts, summary=cleared.text)
        rows = {message.id: message for message in messages}
        head, tail = ([_sent(rows[one.message], one) for one in part] for part in (parts.head, parts.tail))
        summary = [Message(parts.role, parts.summary)] if parts.summary else []
        left = tuple(key for key in parts.leaving if rows[key].metadata.get(SUMMARY) is not True)
        notices = (*done.report.notices, *_withheld(cleared.withheld))
        return cls(done, parts, (*head, *summary, *tail), left, notices)

    @property
    def shortened(self) -> tuple[int, ...]:
        """Ids of the messages of which less is sent than before."""
        return tuple(one.message for one in (*self.parts.head, *self.parts.tail) if one != Sent(one.message))

    @property
    def summary(self) -> Message | None:
        """What stands for those that leave, as it is to be stored."""
        return Message(self.parts.role, self.parts.summary) if self.parts.summary else None


def _sent(row: Message, one: Sent) -> Message:
    return as_sent(row, one.text, one.parts, one.tool_calls)


def _withheld(lines: int) -> Iterator[Notice]:
    if lines:
        told = counted(lines, "line of the summary tries", "lines of the summary try")
        yield Notice(
            "summary-withheld", f"{told} to steer a model and left it: what stands there says how you see it"
        )


__all__ = ["Wanted", "run"]
