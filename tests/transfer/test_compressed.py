"""Zstandard: read like what it unfolds to, and never more of it than a value may be."""

import pytest
from backports import zstd

from archivist.transfer.compressed import NotDecompressed, decompress, opened


def test_a_frame_unfolds_to_what_it_was():
    assert decompress(zstd.compress(b"words")) == b"words"


@pytest.mark.parametrize("data", [b"", b"words", zstd.compress(b"words" * 100)[:-4], b"\x28\xb5\x2f\xfd\x00"])
def test_what_is_no_whole_frame_is_said_to_be_none(data):
    with pytest.raises(NotDecompressed):
        decompress(data)


def test_a_frame_that_unfolds_to_too_much_is_given_up():
    frame = zstd.compress(b"\0" * 1_000_000)
    assert len(decompress(frame, 1_000_000)) == 1_000_000
    with pytest.raises(NotDecompressed, match="more than 999999 bytes"):
        decompress(frame, 999_999)


@pytest.mark.parametrize(
    ("name", "data"), [("a.jsonl", b"one\ntwo\n"), ("a.jsonl.zst", zstd.compress(b"one\ntwo\n"))]
)
def test_a_file_is_read_the_same_be_it_compressed_or_not(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    with opened(path) as file:
        assert file.readlines() == [b"one\n", b"two\n"]


def test_a_damaged_file_is_an_error_of_reading(tmp_path):
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(zstd.compress(b"one\n" * 1000)[:-4])
    with pytest.raises(OSError, match="cannot be decompressed"), opened(path) as file:
        file.read()
