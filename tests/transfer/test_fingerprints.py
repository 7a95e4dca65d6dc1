"""What is remembered of an imported file."""

import pytest

from archivist.transfer.fingerprints import EDGE_BYTES, Fingerprint, edge_digest


@pytest.mark.parametrize("size", [10, EDGE_BYTES, EDGE_BYTES + 7, 3 * EDGE_BYTES])
def test_a_change_at_either_end_is_seen(tmp_path, size):
    path = tmp_path / "file"
    seen = set()
    for content in (b"a" * size, b"b" + b"a" * (size - 1), b"a" * (size - 1) + b"b"):
        path.write_bytes(content)
        seen.add(edge_digest(path, size))
    assert len(seen) == 3


def test_what_is_written_after_the_size_was_taken_is_not_part_of_it(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"a" * 100)
    before = edge_digest(path, 100)
    path.write_bytes(b"a" * 100 + b"b" * EDGE_BYTES * 3)
    assert edge_digest(path, 100) == before


def test_it_can_be_kept_as_text():
    told = Fingerprint("1:5:abc", 2, ("u1",))
    assert Fingerprint.of(told.text()) == told


@pytest.mark.parametrize("kept", [None, "", "no json", '{"other": 1}', "5"])
def test_what_another_program_kept_is_nothing(kept):
    assert Fingerprint.of(kept) is None
