"""Digests: the same for the same, another for another."""

from hypothesis import given
from hypothesis import strategies as st

from archivist.records import content_digest

FIELDS = st.lists(st.none() | st.text() | st.binary(), max_size=4)


def test_a_digest_never_changes_between_versions():
    assert content_digest(["user", "hello", None]).hex() == "aed1bbf3a925e74209eeba56b5aa0567"


@given(FIELDS, FIELDS)
def test_different_fields_give_different_digests(first, second):
    as_bytes = [
        [v.encode("utf-8", "surrogatepass") if isinstance(v, str) else v for v in x] for x in (first, second)
    ]
    assert (content_digest(first) == content_digest(second)) == (as_bytes[0] == as_bytes[1])


def test_where_one_field_ends_and_the_next_begins_matters():
    assert content_digest(["ab", "c"]) != content_digest(["a", "bc"])
    assert content_digest([None]) != content_digest([""])
