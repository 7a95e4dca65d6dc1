"""Phase 4, assemble: head, summary, tail. The summary says that it is background, and the newest request stays the newest."""

from collections.abc import Sequence

from archivist.compress.choosing import Chosen
from archivist.compress.ledger import rendered
from archivist.compress.planning import Plan
from archivist.compress.reading import Read
from archivist.compress.summary_form import head_of
from archivist.compress.violations import Form


def assemble(read: Sequence[Read], plan: Plan, chosen: Chosen, told: str) -> list[Form]:
    """The messages after the compression.

    Args:
        read: Those before.
        plan: What was to be done.
        chosen: The lines that are kept.
        told: The other sections of the summary.
    """
    bounds = plan.bounds
    messages = [one.message for one in read]
    text = "\n\n".join(
        filter(
            None,
            (
                head_of(plan.covered, carried=plan.carried, is_request_above=bounds.is_request_above),
                rendered(chosen.lines),
                told,
            ),
        )
    )
    summary: Form = {"role": bounds.role, "content": text}
    request = [] if bounds.request is None else [messages[bounds.request]]
    return [*messages[: bounds.head_end], summary, *request, *messages[bounds.tail_start :]]


__all__ = ["assemble"]
