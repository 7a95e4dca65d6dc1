"""Whether a person asked for something that is noted to go: in so many words, or by saying what holds in its place.

To forget, to be wrong and to hold no more is said of statements alone. What is to be deleted or changed may be anything; it is a note where
the person says so. "Don't forget" and "never delete" ask for the contrary.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from archivist.curate.carried import sentences_in
from archivist.curate.stances import asks
from archivist.curate.wording import Said, pairs_of, said_in
from archivist.records.patterns import late_pattern

_ASKED_FOR: Final = 0.33
"""Of the words of an entry, what its owner must name in the sentence that wants it gone."""
_ASKED_FOR_IN_A_ROW: Final = 0.5
"""The same where it is said in several sentences."""
_REPLACED: Final = 0.3
"""Of the words of an entry, what a statement has that takes its place."""
_PROHIBITION_REPLACED, _PROHIBITION_LIFTED = 0.6, 0.8
"""The same of a prohibition, where another takes its place, and where none does."""
_IN_A_ROW: Final = 3
"""Sentences that ask for it together."""
_BEFORE, _WORDS_BEFORE = 60, 4
"""Characters and words before a word for taking away in which a "not" turns it round."""
_NOT_BEHIND: Final = late_pattern(r".{0,4}(?:ない|ません|るな|すな)|.{0,3}지 ?(?:마|말|않)")

_HOLDS_NO_MORE: Final = late_pattern(
    r"\b(?:forget|no longer|any ?more|wrong|outdated|obsolete|not true|untrue|vergiss|vergessen|nicht mehr|falsch|veraltet|olvid\w+|ya no"
    r"|oubli\w+|ne .{1,40} plus|n'\w+ .{0,40}plus|esque[cç]\w+|não .{1,40} mais|dimentic\w+|non .{1,40} più|забуд\w+|больше не|неверно"
    r"|більше не|unut(?!ma)\w*|artık|zapomn\w+|już nie|verge(?:et|ten)|niet meer|quên|không còn|lupakan|tidak lagi|unohda|ei enää|glöm"
    r"|inte längre|ξέχασ\w*|δεν .{1,40} πια)\b"
    r"|忘(?!れない|れずに)|不再|不对|不對|過時|过时|もう|잊|더 이상|انس|لم يعد|भूल|अब नहीं|फراموش|فراموش|دیگر|ลืม|ไม่ได้.{0,10}แล้ว|שכח|כבר לא",
)
_TAKES_AWAY: Final = late_pattern(
    r"\b(?:remove|delete|drop|erase|clear|discard|scrap|strike|take out|get rid|clean up|replace|change|update|correct|undo|lift"
    r"|lösch\w*|entfern\w*|streich\w*|ersetz\w*|änder\w*|borr\w+|elimin\w+|quit[ae]\w*|cambi\w+|supprim\w+|effac\w+|retir\w+|enlèv\w+"
    r"|remplac\w+|chang\w+|apag\w+|remov\w+|exclu\w+|troqu\w+|cancell\w+|rimuov\w+|togli\w*|удал\w+|убер\w+|сотр\w+|замен\w+|видал\w+|прибер\w+"
    r"|sil(?!me|mey)\w*|kaldır(?!ma)\w*|usu[nń]\w*|skasuj\w*|verwijder\w*|wis\w*|xóa|bỏ|hapus\w*|poista|ta bort|διάγραψ\w*|σβήσ\w*)\b"
    r"|删|刪|移除|去掉|改成|改为|換成|削除|消し|消去|変更|삭제|지워|바꿔|احذف|امسح|हटा|मिटा|حذف|پاک|ลบ|מחק|הסר",
)
_NOTES: Final = late_pattern(
    r"\b(?:(?:thing|bit|part|stuff|one) about|hinweis\w*|memory|memories|notes?|noted|rules?|entry|entries|preferences?"
    r"|remember\w*|conventions?|instructions?|facts?"
    r"|notiz\w*|regel\w*|eintr\w+|gedächtnis|notas?|reglas?|memoria|recuerd\w*|règles?|mémoire|regras?|memória|regol[ae]|заметк\w*"
    r"|правил\w*|памят\w*|запис\w*|нотатк\w*|пам'ят\w*|kural\w*|hafıza\w*|bellek\w*|notatk\w*|zasad\w*|pamię\w+|notitie\w*|geheugen"
    r"|ghi chú|quy tắc|bộ nhớ|catatan|aturan|memori|muistiinpan\w*|sään\w+|anteckning\w*|σημείωσ\w*|κανόν\w*|μνήμη)\b"
    r"|[那这這]一?[条條个個]|笔记|筆記|记忆|記憶|规则|規則|记录|備忘|备忘|メモ|ルール|규칙|메모|기억|ملاحظ|قاعدة|ذاكر|नोट|नियम|یادداشت|قانون|حافظه|โน้ต|กฎ|บันทึก|הערה|כלל|זיכרון",
)


def is_taken_away(text: str, comes: Sequence[str], own: Sequence[Sequence[str]]) -> bool:
    """Whether a person asked for a text to go.

    Args:
        text: What would go.
        comes: What would stand in its place and is theirs; empty where nothing would.
        own: Their messages, each in paragraphs.
    """
    said = said_in(text)
    return any(_takes_the_place(said_in(one), said) for one in comes) or any(
        _asks_away(sentences, said) for message in own for sentences in _rows(message)
    )


def _takes_the_place(new: Said, lost: Said) -> bool:
    if not lost.turns:
        return _share(lost, new) >= _REPLACED
    return _share(lost, new) >= (_PROHIBITION_REPLACED if new.turns == lost.turns else _PROHIBITION_LIFTED)


def _rows(message: Sequence[str]) -> Iterator[Sequence[str]]:
    for paragraph in message:
        sentences = [one for one in sentences_in(paragraph) if not asks(one)]
        for at in range(len(sentences)):
            yield sentences[at : at + 1]
            yield sentences[at : at + _IN_A_ROW]


def _asks_away(sentences: Sequence[str], lost: Said) -> bool:
    if not any(map(_takes_something_away, sentences)):
        return False
    named = _share(lost, said_in(" ".join(sentences)))
    return named >= (_ASKED_FOR if len(sentences) == 1 else _ASKED_FOR_IN_A_ROW)


def _takes_something_away(sentence: str) -> bool:
    low = sentence.casefold()
    patterns = [_HOLDS_NO_MORE, _TAKES_AWAY] if _NOTES.search(low) else [_HOLDS_NO_MORE]
    return any(not _is_turned(low, *found.span()) for one in patterns for found in one.finditer(low))


def _is_turned(low: str, start: int, end: int) -> bool:
    before = " ".join(low[max(0, start - _BEFORE) : start].split()[-_WORDS_BEFORE:])
    return bool(said_in(before).turns) or bool(_NOT_BEHIND.match(low, end))


def _share(lost: Said, there: Said) -> float:
    """How much of what a text says stands in another."""
    pairs = pairs_of(lost.runs)
    words = [word for word in lost.words if not any(map(_TAKES_AWAY.fullmatch, word))]
    found = len(lost.names & there.names) + sum(not there.stems.isdisjoint(word) for word in words)
    weight = len(lost.names) + len(words) + len(pairs)
    return (found + len(pairs & pairs_of(there.runs))) / max(1, weight)


__all__ = ["is_taken_away"]
