"""Patience: pauses within bounds, until it is used up."""

from archivist.records import Patience


def test_the_pauses_end_with_the_patience():
    clock = iter([0.0, 0.0, 0.1, 0.25, 0.3])
    pauses = Patience(0.3, 0.02, 0.15).pauses(lambda: next(clock), lambda low, high: high)
    assert [round(pause, 3) for pause in pauses] == [0.15, 0.15, 0.05]


def test_no_patience_means_no_pause():
    assert list(Patience(0).pauses(lambda: 5.0, lambda low, high: low)) == []
