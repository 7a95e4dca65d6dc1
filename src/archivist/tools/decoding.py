"""The bytes of a file as text, and back: which encoding it is, which newlines it has, and what it is where it is no text."""

import codecs
from typing import Final

import msgspec

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_KINDS: Final = (
    (b"\x89PNG\r\n\x1a\n", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"BM", "a picture (BMP)"),
    (b"RIFF", "a picture or a sound (RIFF)"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive, or an office document, which is one"),
    (b"\x1f\x8b", "compressed (gzip)"),
    (b"BZh", "compressed (bzip2)"),
    (b"\xfd7zXZ\x00", "compressed (xz)"),
    (b"\x28\xb5\x2f\xfd", "compressed (zstd)"),
    (b"\x7fELF", "a program (ELF)"),
    (b"MZ", "a program (Windows)"),
    (b"\xcf\xfa\xed\xfe", "a program (Mach-O)"),
    (b"\xca\xfe\xba\xbe", "a program (Mach-O, or a Java class)"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"ID3", "a sound (MP3)"),
    (b"OggS", "a sound (Ogg)"),
)
_CONTROLS: Final = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1b\x08") | {0x7F}
_LOOKED_AT: Final = 65_536
_COMMON_SHARE: Final = 0.6


class Decoded(msgspec.Struct, frozen=True):
    """A file's text.

    Attributes:
        text: With newlines of one kind where the file has one kind alone; else as it is.
        encoding: As Python names it.
        mark: The mark at its beginning.
        newline: What a line of the file ends with; that of Unix where they are mixed.
    """

    text: str
    encoding: str = "utf-8"
    mark: bytes = b""
    newline: str = "\n"


class NoText(Exception):
    """The bytes are no text; `str()` says what they are."""


class NotEncodable(Exception):
    """The text has characters that the encoding lacks; `str()` says which first."""


def decoded(raw: bytes) -> Decoded:
    """The text of a file.

    Raises:
        NoText: It has none.
    """
    text, encoding, mark = _text_of(raw)
    if "\r\n" in text and text.count("\n") == text.count("\r\n"):
        return Decoded(text.replace("\r\n", "\n"), encoding, mark, "\r\n")
    return Decoded(text, encoding, mark)


def encoded(text: str, like: Decoded) -> bytes:
    """The bytes of a text that takes the place of another, in its encoding, with its mark and newlines.

    Raises:
        NotEncodable: That encoding has not all of its characters.
    """
    if like.newline != "\n":
        text = text.replace("\n", like.newline)
    try:
        return like.mark + text.encode(like.encoding)
    except UnicodeEncodeError as error:
        raise NotEncodable(f"{like.encoding} has no {error.object[error.start]!r}") from error


def _text_of(raw: bytes) -> tuple[str, str, bytes]:
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            try:
                return raw[len(mark) :].decode(encoding), encoding, mark
            except UnicodeDecodeError:
                break
    if b"\x00" in raw[:_LOOKED_AT]:
        raise NoText(_kind_of(raw))
    try:
        return raw.decode(), "utf-8", b""
    except UnicodeDecodeError:
        return _guessed(raw, _kind_of(raw))


def _kind_of(raw: bytes) -> str:
    return next((kind for begin, kind in _KINDS if raw.startswith(begin)), "binary")


def _guessed(raw: bytes, kind: str) -> tuple[str, str, bytes]:
    """What is no UTF-8: Chinese where nearly all of it is common Chinese, else Western European, unless it looks like no text."""
    sample = raw[:_LOOKED_AT]
    if sum(byte in _CONTROLS for byte in sample) > len(sample) // 200:
        raise NoText(kind)
    try:
        text = raw.decode("gb18030")
        high = [char for char in text[:_LOOKED_AT] if ord(char) > 127]
        common = sum(
            ("\u4e00" <= char <= "\u9fff" and _is_common(char)) or char in "，。、；：？！（）《》“”"
            for char in high
        )
        if common >= _COMMON_SHARE * len(high):
            return text, "gb18030", b""
    except UnicodeDecodeError:
        pass
    try:
        return raw.decode("cp1252"), "cp1252", b""
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "latin-1", b""


def _is_common(char: str) -> bool:
    """Whether a character is of the first level of GB 2312: the 3,755 that are used."""
    try:
        return 0xB0 <= char.encode("gb2312")[0] <= 0xD7
    except UnicodeEncodeError:
        return False


__all__ = ["Decoded", "NoText", "NotEncodable", "decoded", "encoded"]
