"""What a program printed as a person would see it: colours gone, lines that were drawn over and over as they stood at last."""

from typing import Final

from archivist.records.patterns import late_pattern

_ESCAPES: Final = late_pattern(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])?"
)
_ERASED: Final = late_pattern(r"\x1b\[[0-2]?K")
_CONTROLS: Final = late_pattern(r"[\x00-\x07\x0b-\x0c\x0e-\x1f\x7f]")


def seen(text: str) -> str:
    """The text that stands on a screen after all of it was printed."""
    if "\r" in text:
        text = _ERASED.sub("\x00", text.replace("\r\n", "\n"))
        text = "\n".join(_folded(line) if "\r" in line else line for line in text.split("\n"))
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if "\b" in text:
        text = "\n".join(_backed(line) if "\b" in line else line for line in text.split("\n"))
    return _CONTROLS.sub("", text)


def _folded(line: str) -> str:
    """A line that was begun anew several times: each draws over the one before, as far as it goes."""
    shown = ""
    for part in reversed(line.split("\r")):
        drawn = _ESCAPES.sub("", part)
        whole = drawn.replace("\x00", "")
        if len(whole) > len(shown):
            shown += whole[len(shown) :]
        if whole != drawn:
            break  # it erased what stood there before
    return shown


def _backed(line: str) -> str:
    """A line in which steps back draw over what stood there: bold and underlined words of manuals."""
    drawn = list[str]()
    for char in line:
        if char == "\b":
            del drawn[-1:]
        else:
            drawn.append(char)
    return "".join(drawn)


__all__ = ["seen"]
