"""A progress bar on stderr, where a person is looking; nothing where nobody is."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Show = Callable[[float, float | None], None]
"""Takes what is done and what there is in all, where that is known."""


@contextmanager
def progress(title: str, *, unit: str) -> Iterator[Show]:
    """A bar while the block runs; call what it gives to move it."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - 40 ms that scripts need not pay
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415 - only long work shows a bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[amount]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, amount="")

        def show(done: float, total: float | None) -> None:
            amount = f"{done:,.0f} {unit}" if total is None else f"{done:,.0f} of {total:,.0f} {unit}"
            bar.update(task, completed=done, total=total, amount=amount)

        yield show
