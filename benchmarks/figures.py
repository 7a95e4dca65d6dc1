"""One measured figure beside its reference and its budget, and the table of them."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured.

    Attributes:
        ours: In the unit.
        reference: The same work done by something plain, in the same run; None where there is nothing like it.
        budget: What was promised, in words.
        holds: Whether it was kept.
    """

    name: str
    unit: str
    ours: float
    reference: float | None
    budget: str
    holds: bool


def print_table(figures: Iterable[Figure]) -> None:
    """The figures, a line each."""
    print(f"{'what':<44}{'ours':>12}{'reference':>12}  {'unit':<12}{'budget':<44}kept")
    for f in figures:
        reference = "" if f.reference is None else f"{f.reference:,.2f}"
        print(
            f"{f.name:<44}{f.ours:>12,.2f}{reference:>12}  {f.unit:<12}{f.budget:<44}{'yes' if f.holds else 'NO'}"
        )


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of this process for one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def best(work: Callable[[], float], rounds: int = 5) -> float:
    """The least of several measurements: what noise can only add to."""
    return min(work() for _ in range(rounds))
