"""A page says nothing twice and hears everyone."""

import pytest

from archivist.recall.packing import pack
from archivist.recall.ranking import Scored
from archivist.store.documents import Document


def found(key, text, conversation=1):
    return Scored(
        Document(key, "user", "active", key, text, "", conversation, conversation, 1, "cli"), 100.0 - key, 1
    )


def ids(packed):
    return [each.scored.document.id for each in packed]


def test_more_of_one_conversation_come_after_the_others():
    ranked = [found(number, f"remark {number} of the first") for number in range(6)] + [
        found(9, "the other", 2)
    ]
    assert ids(pack(ranked, limit=4, per_conversation=2)) == [0, 1, 9, 2]
    assert [each.others for each in pack(ranked, limit=4, per_conversation=2)] == [3, 0, 0, 0]


def test_without_a_cap_the_order_stays():
    ranked = [found(number, f"remark {number}") for number in range(6)]
    assert ids(pack(ranked, limit=10, per_conversation=None)) == [0, 1, 2, 3, 4, 5]


def test_a_group_comes_whole_before_the_next():
    first = [found(number, f"remark {number} of the first") for number in range(4)]
    second = [found(8, "the other", 2), found(9, "remark 1 of the first", 3)]
    assert ids(pack(first, second, limit=9, per_conversation=2)) == [0, 1, 2, 3, 8]
    assert ids(pack(first, second, limit=3, per_conversation=2)) == [0, 1, 2]


LONG = "the nightly job copies the ledger to the vault and then checks every page of it with great care before noon"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (LONG, LONG, True),
        (LONG, LONG.replace("great care", "great  care,"), True),
        (LONG, f"{LONG} today", True),
        (f"{LONG} 17", f"{LONG} 18", False),
        (LONG.replace("checks", "does check"), LONG.replace("checks", "does not check"), False),
        ("我们每天晚上把账本复制到仓库然后检查每一页", "我们每天晚上不把账本复制到仓库然后检查每一页", False),
        ("red beats blue", "blue beats red", False),
        ("yes", "no", False),
    ],
)
def test_texts_are_the_same_only_if_nothing_that_matters_differs(first, second, same):
    assert len(pack([found(1, first, 1), found(2, second, 2)], limit=5, per_conversation=None)) == (
        1 if same else 2
    )
