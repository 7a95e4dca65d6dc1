"""Who may read what."""

import pytest

from archivist import EVERYTHING, Scope
from archivist.records import OWNER, Person


@pytest.mark.parametrize(
    ("memory", "reader", "visible"),
    [
        (Scope(), Scope(), True),
        (Scope(user="ann"), Scope(user="ann", project="p"), True),
        (Scope(user="ann"), Scope(user="bob"), False),
        (Scope(user="ann", project="p"), Scope(user="ann"), False),
        (Scope(user="ann", project="p"), Scope(user="ann", project="q"), False),
        (Scope(chat="g"), Scope(user="ann"), False),
        (Scope(chat="g"), Scope(chat="g"), True),
        (Scope(user="owner", project="p"), Person("owner"), True),
        (Scope(user="ann", project="p"), Person("owner"), False),
        (Scope(chat="g"), Person("owner"), False),
        (OWNER, Person("owner"), True),
        (Scope(user="ann", chat="g", project="p"), EVERYTHING, True),
    ],
)
def test_a_memory_is_visible_when_all_that_it_sets_is_the_readers(memory, reader, visible):
    assert memory.is_visible_to(reader) is visible
