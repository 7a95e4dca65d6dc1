"""Letters and chats that somebody pastes without a head, a quote or a fence: known by how they begin and end, and by who says what when."""

import re
from collections.abc import Iterator
from typing import Final

from archivist.records.patterns import late_pattern

_GREETING: Final = late_pattern(
    r"(?:^|(?<=\n))[ \t]*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|liebe[rs]?|sehr geehrte[rs]?|guten (?:tag|morgen)"
    r"|moin|bonjour|chère?s?|hola|estimad[oa]s?|querid[oa]s?|olá|prezad[oa]s?|car[oaie]|gentil[ei]|buongiorno|beste|geachte"
    r"|здравствуйте|добрый день|уважаем\w+|привет|dzień dobry|szanown\w+|merhaba|sayın|您好|你好|尊敬的|お世話に)"
    r"(?![\w'])[^\n]{0,60}[,،，:：!。][ \t]*(?=\n)",
    re.IGNORECASE,
)
_CLOSING: Final = late_pattern(
    r"(?<=\n)[ \t]*(?:(?:(?:with )?(?:best|kind|warm)(?:est)? )?(?:regards|wishes)|best|sincerely|yours(?: \w+)?|cheers|(?:many )?thanks"
    r"(?: again| in advance)?|thank you|mit freundlichen grü(?:ß|ss)en|(?:viele|beste|liebe|herzliche) grü(?:ß|ss)e|gruß|lg|mfg"
    r"|cordialement|bien à (?:vous|toi)|(?:un )?saludos?|atentamente|atenciosamente|abraços?|(?:cordiali )?saluti|groet(?:en|jes)?"
    r"|met vriendelijke groet(?:en)?|с уважением|pozdrawiam|saygılarımla|此致|敬上|よろしくお願いします)"
    r"[ \t]*[,，.!。]?[ \t]*\n+[ \t]*\S[^\n]{0,60}(?=\n|\Z)",
    re.IGNORECASE,
)
_TIMED: Final = late_pattern(
    r"(?:^|(?<=\n))[ \t]*[^\n:<>#|{}]{1,40}?[ \t,—–-]+[\[(]?(?:(?:today|yesterday|heute|gestern|hier|hoy|ayer|oggi|ieri)[^\n\d]{0,6})?"
    r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[ap]\.?m\.?)?[\])]?[ \t]*(?=\n)",
    re.IGNORECASE,
)
"""A line of who speaks and when, as chats put it above what is said."""
_LEAST_TIMED: Final = 2


def pasted_in(text: str) -> Iterator[tuple[int, int]]:
    """Where letters and chats stand in a text, in order, as places of their beginning and end.

    A letter counts where something else stands before or behind it: who writes to an agent may greet it, and sign.
    """
    if "\n" not in text:
        return
    for found in (_letter(text), _chat(text)):
        if found is not None:
            yield found
            return


def _letter(text: str) -> tuple[int, int] | None:
    greeting = _GREETING.search(text)
    closings = [] if greeting is None else list(_CLOSING.finditer(text, greeting.end()))
    if greeting is None or not closings:
        return None
    start, end = greeting.start(), closings[-1].end()
    return (start, end) if text[:start].strip() or text[end:].strip() else None


def _chat(text: str) -> tuple[int, int] | None:
    """From the first line of who speaks to the end of the last paragraph of what they say."""
    lines = [found for found in _TIMED.finditer(text) if _says_something(text, found.end())]
    if len(lines) < _LEAST_TIMED:
        return None
    end = text.find("\n\n", lines[-1].end())
    return lines[0].start(), len(text) if end < 0 else end


def _says_something(text: str, end: int) -> bool:
    """Whether below such a line stands what was said, and not another such line, as in a list of hours."""
    below = text[end + 1 :].partition("\n")[0]
    return bool(below.strip()) and _TIMED.match(f"{below}\n") is None


__all__ = ["pasted_in"]
