"""An output that is larger than all that should be left is cut, and what is cut is always shorter."""

import pytest
from tests.compress.making import agent, exchange, read, user

from archivist import compress
from archivist.compress.cutting import cut_outputs


def messages(output):
    return [user("Go."), agent("Yes."), *exchange("big", output)]


def cut(output, target):
    found, count = cut_outputs(read(messages(output)), target)
    return found[-1].text, count


def test_what_stays_is_the_beginning_and_the_end_and_the_mark_says_how_much_is_missing():
    rows = [f"row {number}" for number in range(5_000)]
    text, count = cut("\n".join(rows), 400)
    head, _, tail = text.partition("\n[… ")
    missing, _, _ = tail.partition(" characters left out here; read big …]\n")
    assert count == 1
    assert head.startswith("row 0\n")
    assert text.endswith("row 4999")
    assert len("\n".join(rows)) == len(head) + int(missing.replace(",", "")) + len(tail.partition("]\n")[2])


@pytest.mark.parametrize("target", [1, 2, 5, 10, 50, 200])
@pytest.mark.parametrize("output", ["x" * 3_000, "x " * 40, "a\nb\n" * 300, "漢" * 2_000])
def test_what_is_cut_is_shorter_or_as_it_was(output, target):
    text, count = cut(output, target)
    assert len(text) < len(output) if count else text == output


@pytest.mark.parametrize("target", [1, 10, 100])
def test_an_output_is_not_cut_again_in_every_pass(target):
    once = compress(messages("x" * 3_000), target)
    assert once.report.after < once.report.before
    twice = compress(once.messages, target)
    assert twice.messages == once.messages
    assert twice.messages[-1]["content"].count("left out here") == 1


def test_what_is_cut_again_is_cut_beside_its_mark_which_counts_all_that_is_missing():
    rows = "\n".join(f"row {number}" for number in range(5_000))
    once, _ = cut(rows, 2_000)
    twice, count = cut(once, 200)
    assert count == 1
    assert twice.count("left out here") == 1
    assert twice.startswith("row 0\n")
    assert twice.endswith("row 4999")
    head, _, rest = twice.partition("\n[… ")
    missing, _, tail = rest.partition(" characters left out here; read big …]\n")
    assert len(head) + len(tail) + int(missing.replace(",", "")) == len(rows)


def test_an_output_that_only_looks_as_if_it_was_cut_is_cut_like_any_other():
    looks = "row\n" * 2_000 + "\n[… ,,, characters left out here; read big …]\n" + "row\n" * 2_000
    text, count = cut(looks, 400)
    assert count == 1
    assert text.count("left out here") == 1


def test_where_the_summary_would_cost_more_than_it_saves_the_cut_output_is_all_that_changes():
    given = [
        user("a"),
        agent("b"),
        user("c"),
        agent("d"),
        *exchange("big", "word " * 60),
        user("e"),
        agent("f"),
    ]
    done = compress(given, 1)
    assert done.report.after < done.report.before
