"""Whether a prompt points to the past: to something that was said, decided or done before this session."""

import re
from typing import Final

from archivist.records.patterns import late_pattern

LONGEST_LOOK = 4_000
"""Characters of a prompt that are looked at: its words, not what was pasted behind them."""

_SIGNS = (
    "remember|recall|remind me|last |other day|other week|previous|earlier|yesterday|back then|back when| ago|used to"
    "| we | we'| i | i'| you | you'|did we|did i|did you|were we|ve already|ve ever|my favo|my usual|my preferred|our "
    "| again|as usual|as before|as always|up where|continue where|same as"
).split("|")
"""One of these stands in every text in which `_ENGLISH` finds something: to look for them costs less than to compile it."""

_ENGLISH = late_pattern(
    r"\b(?:remember(?:ed|s)?|recall|remind me|last (?:time|session|night|week|month|year|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday)|the other (?:day|week)|previous(?:ly)?|earlier|yesterday|back then|back when|a while ago|(?:days?|weeks?|months?"
    r"|years?) ago|used to|(?:as|like|what|where|which|who|why|when|how|that|have|had) (?:did )?(?:we|i|you)(?:'ve| have|'d| had)?"
    r" (?:\w+ )?(?:said|say|told|tell|discuss(?:ed)?|decided?|agreed?|talked?|planned?|cho(?:se|ose)|settled?|concluded?|tried|try|left off"
    r"|call(?:ed)?|name[d]?|use[d]?|fix(?:ed)?|found|find|mention(?:ed)?|wanted|want|pick(?:ed)?|went with|landed on)"
    r"|(?:what|where|which|who|why|when|how)\b[^.?!]{0,60} did (?:we|i|you)"
    r"|(?:what|which|who|where|when)(?:['’]s| is| was| were)\b[^.?!]{0,60} again"
    r"|did (?:we|i|you) (?:ever|already|not)|(?:we|i|you)(?:'ve| have) (?:already|ever)|have (?:we|i|you) (?:ever|already)"
    r"|my (?:favou?rite|usual|preferred)|our (?:usual|convention|conventions|decision|agreement|plan)|as (?:usual|before|always)"
    r"|pick up where|continue where|where (?:were|did) we|same as (?:before|last))\b",
    re.IGNORECASE,
)
_CHINESE = late_pattern(
    "记得|还记|记不记|上次|上回|上周|上个月|上星期|去年|昨天|前天|前几天|那天|之前|以前|先前|早些时候|曾经|往常|照旧|老样子|说过|聊过|谈过|讨论过|决定过|"
    "提过|提到过|用过|试过|约定|我们(?:决定|说好|商量)|我喜欢的|我最喜欢|記得|上個月|之前|說過|聊過|討論過|決定過|約定"
)
_OTHERS: Final = (
    # German
    "erinnerst du dich", "erinnere mich", "letztes mal", "beim letzten mal", "letzte woche", "letzten monat", "gestern", "neulich",
    "wie besprochen", "haben wir entschieden", "haben wir uns", "haben wir beschlossen", "haben wir besprochen", "hatten wir",
    "wie üblich", "wie immer",
    # French
    "te souviens", "vous souvenez", "rappelle-moi", "rappelez-moi", "dernière fois", "semaine dernière", "mois dernier", "on a décidé",
    "on avait décidé", "avons-nous décidé", "nous avons décidé", "on avait dit", "comme d’habitude", "comme d'habitude",
    # Spanish and Portuguese
    "te acuerdas", "recuerdas", "recuérdame", "última vez", "semana pasada", "mes pasado", "decidimos", "acordamos", "dijimos", "habíamos",
    "como siempre", "lembra ", "lembra-te", "semana passada", "mês passado", "combinamos",
    # Italian
    "ti ricordi", "ricordami", "ultima volta", "settimana scorsa", "mese scorso", "abbiamo deciso", "avevamo deciso", "avevamo detto",
    "come al solito",
    # Russian
    "помнишь", "напомни", "прошлый раз", "прошлой неделе", "прошлом месяце", "вчера", "мы решили", "договорились", "как обычно",
    # Japanese
    "覚えて", "前回", "この前", "先週", "先月", "昨日", "いつも通り", "いつものように", "決めました", "決めたっけ", "話しました",
    "言っていた",
    # Korean
    "기억나", "기억해", "지난번", "지난주", "지난달", "저번에", "어제", "결정했", "정했었", "얘기했", "평소처럼", "하던 대로",
)  # fmt: skip
"""What else points to the past, each long enough to stand within no other word."""


def points_back(prompt: str) -> bool:
    """Whether a prompt points to the past."""
    look = prompt[:LONGEST_LOOK]
    folded, is_ascii = look.casefold(), look.isascii()
    if any(words in folded for words in _OTHERS) or (not is_ascii and _CHINESE.search(look)):
        return True
    may_be = not is_ascii or any(sign in folded for sign in _SIGNS)
    return may_be and _ENGLISH.search(look) is not None


def calls_for_recall(prompt: str | None, when: str) -> bool:
    """Whether something is to be recalled for a prompt.

    Args:
        prompt: What the user wrote.
        when: As it is set: `off`, `cue` for prompts that point to the past, `on`.
    """
    words = (prompt or "").strip()
    if not words or words.startswith("/") or when == "off":
        return False
    return when != "cue" or points_back(words)


__all__ = ["LONGEST_LOOK", "calls_for_recall", "points_back"]
