"""What a statement would say without its "no longer" or "not", or with "live in" for "moved to": by that it is seen whom it is about."""

from typing import Final

from archivist.records.patterns import late_pattern

_OPENING: Final = late_pattern(
    r"\A(?:(?:actually|in fact|correction|scratch that|i was wrong|korrektur|eigentlich|tatsächlich|en fait|en réalité|rectification"
    r"|en realidad|corrección|na verdade|correção|на самом деле|поправка|其实|实际上|更正)(?:\s*[,:]\s*|\s+|(?<=[其实际上更正])))"
)
_DOES_NOT: Final = late_pattern(r"\b(?:does not|doesn['’]?t) (\w+)")
_JE: Final = late_pattern(r"\bje n['’]")
_NOT: Final = late_pattern(
    r"\b(?:(?:do not|don['’]?t|no longer|used to|never|ya no|já não|não|больше не|уже не|не|ne) |n['’](?=[aeéhiouy]))"
    r"|(?<=\bam )not |(?<=\bis )not |(?<=['’]m )not |\A(?:ya )?no (?=prefiero|quiero|me (?:gusta|llamo)|vivo en|soy )"
    r"|(?<=\bgosto )mais |(?<=\bmoro )mais |(?<=\bmora )mais |(?<=\bvive )mais "
)
_NOT_IN_CHINESE: Final = late_pattern(r"\A(用户|我)(?:现在|已经|已|再也)*不再?")
_MOVED: Final = late_pattern(
    r"\A(?:I|(?:[Tt]he )?[Uu]ser)(?: have| has|['’]ve)?(?: just| recently)? (?:moved|relocated)(?: back)?"
    r"(?: from [A-Z][a-zà-ÿ]+(?: [A-Z][a-zà-ÿ]+)*)? to [A-Z][a-zà-ÿ]+(?![\w-])"
    r"|\A(?:Ich bin|(?:Der |Die )?Nutzer(?:in)? ist) (?:von [A-ZÄÖÜ][a-zà-ÿ]+ )?nach [A-ZÄÖÜ][a-zà-ÿ]+ (?:um)?gezogen\b"
    r"|\A(?:J['’]ai|L['’]utilisat(?:eur|rice) a) déménagé\b|\A(?:Me mudé|Me he mudado|(?:El |La )?[Uu]suari[oa] se mudó)\b"
    r"|\A(?:Me mudei|Mudei-me|(?:[OA] )?[Uu]suári[oa] se mudou)\b|\A(?:Я|Пользователь) переехал"
    r"|\A(?:我|用户)(?:已经|刚|最近)?(?:从[^，。,.]{1,10})?搬(?:到|去|家)"
)
"""Of places, which have one capital: who moved from npm to pnpm, or from MySQL to Postgres, is told elsewhere of."""


def affirmed(said: str) -> str:
    """What a text, in lower case, says without what opens a correction and without its "not"."""
    said = _OPENING.sub("", said)
    said = _JE.sub("j'", _DOES_NOT.sub(r"\1s", said))
    return _NOT_IN_CHINESE.sub(r"\1", _NOT.sub("", said))


def is_of_moving(text: str) -> bool:
    """Whether a text says that its user moved somewhere to live."""
    return _MOVED.search(text) is not None


__all__ = ["affirmed", "is_of_moving"]
