"""Images and documents as bytes."""

import base64

from archivist.transfer.media import source_part, url_part

PNG = b"\x89PNG\r\n\x1a\n"


def test_a_data_address_becomes_bytes():
    part = url_part("image", "data:image/png;base64," + base64.b64encode(PNG).decode())
    assert (part.kind, part.media_type, part.data) == ("image", "image/png", PNG)


def test_another_address_is_kept_as_it_is():
    assert url_part("image", "https://example.org/a.png").text == "https://example.org/a.png"


def test_a_plain_document_is_text():
    part = source_part("document", {"type": "text", "media_type": "text/plain", "data": "hello"}, "a.txt")
    assert (part.kind, part.text, part.name) == ("file", "hello", "a.txt")


def test_damaged_bytes_are_said_to_be_damaged():
    part = source_part("image", {"type": "base64", "media_type": "image/png", "data": "abc"})
    assert part.data is None
    assert "damaged" in part.text


def test_a_source_of_no_known_shape_is_harmless():
    assert source_part("image", {"type": "base64", "data": 5}).data is None
    assert source_part("image", {}).text == ""
