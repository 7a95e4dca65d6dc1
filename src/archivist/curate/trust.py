"""Whether what an agent wants to note may have been put into its head: by a page, a mail, a tool, somebody else.

A conversation without untrusted text leads to nothing that its owner need look at. In any other what the owner said themselves, claim by
claim, is noted at once, and the rest waits. What this machine printed makes nobody wait for the facts that it shows; a rule, a command or
an address that was copied from it does.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

import msgspec

from archivist.curate.carried import carries, near
from archivist.curate.taking_away import is_taken_away
from archivist.curate.wording import Said, pairs_of, said_in
from archivist.guard import mask
from archivist.guard.origins import Context, Passage, TextOrigin, owners_words, printed_in, untrusted_in
from archivist.guard.origins.addressing import lays_down_a_rule
from archivist.notes.likeness import normal, share
from archivist.notes.sentences import lost_sentences, sentences_of
from archivist.records.notes import Quote
from archivist.records.patterns import late_pattern

Own = Sequence[Sequence[str]]
Form = frozenset[str]

LOOKED_AT: Final = 100
"""So many of the latest untrusted texts, and of the messages before the last of them, are looked through for what a write is taken
from."""
LONGEST_QUOTE: Final = 300
_LEAST_SHARE: Final = 0.15
_MOST_CHARS: Final = 20_000
_COPIED: Final = 0.6
"""Of a rule's words that nobody but a print has."""
_LEAST_COPIED: Final = 2
_SHORTEST: Final = 3
_TELLS_OF: Final[dict[TextOrigin, str]] = {
    "web": "a web page",
    "document": "a document",
    "tool": "what a tool brought",
    "agent": "another agent's words",
    "member": "what somebody else said",
    "import": "what another program had noted",
    "provider": "what an external memory said",
    "unknown": "words of which nobody knows whose they are",
}
_ABOUT_THE_OWNER: Final = late_pattern(
    r"\b(?:the )?(?:user|owner)(?:['’]s)?\b(?! (?:tables?|ids?|models?|columns?|fields?|class(?:es)?|services?|records?"
    r"|rows?|guides?|types?|schemas?|endpoints?|routes?|modules?)\b)"
    r"|\b(?:nutzer|benutzer|usuari|utilisat|usuári|utente|пользовател|користувач|kullanıc"
    r"|użytkownik|gebruiker|người dùng|pengguna|käyttäj|användar)\w*|用户|使用者|主人|ユーザー|사용자|المستخدم|उपयोगकर्ता|کاربر"
    r"|ผู้ใช้|המשתמש|χρήστη",
    re.IGNORECASE,
)


class Doubt(msgspec.Struct, frozen=True):
    """Why a write is not done at once.

    Attributes:
        origin: Whose words it may rest on.
        reason: In one sentence, for the owner and for whoever asked.
        quotes: The words that it is most like.
    """

    origin: TextOrigin
    reason: str
    quotes: tuple[Quote, ...] = ()


def doubt_of(comes: Sequence[str], goes: Sequence[str], context: Context) -> Doubt | None:
    """Why an agent's write in a conversation is not done at once; None where nothing speaks against it.

    Args:
        comes: The texts that would come to stand, each whole.
        goes: The texts that would go, be it that others take their place.
        context: The conversation, up to the call.
    """
    if context.unreadable:
        return Doubt("unknown", f"{context.unreadable}, so nobody knows whose words this rests on")
    claims = [claim for text in comes for claim in _new_in(text, goes)] or list(goes)
    own = list(owners_words(context, near(claims, (*goes, *claims) if goes else ())))
    if own and is_owners(comes, goes, own):
        return None
    passages = list(islice(untrusted_in(context, beyond=LOOKED_AT), LOOKED_AT))
    if passages:
        origin, quotes = _nearest(claims, passages)
        told = f"{_TELLS_OF[origin]} was read in this conversation, and the owner's own words in it do not carry this"
        return Doubt(origin, told, quotes)
    return _copied(claims, context) if comes else None


def is_owners(comes: Sequence[str], goes: Sequence[str], own: Own) -> bool:
    """Whether the owner's own words carry all that comes, and ask for what goes."""
    new = [claim for text in comes for claim in _new_in(text, goes)]
    if not all(_is_said(claim, goes, own) for claim in new):
        return False
    lost = [
        sentence
        for text in goes
        for sentence in (lost_sentences(text, "\n".join(comes)) or ((text,) if not comes else ()))
    ]
    return bool(new or lost) and all(is_taken_away(text, new, own) for text in lost)


def _new_in(text: str, goes: Sequence[str]) -> tuple[str, ...]:
    """The sentences of a text that do not stand in what goes."""
    return lost_sentences(text, "\n".join(goes)) if goes else (text,)


def _is_said(claim: str, goes: Sequence[str], own: Own) -> bool:
    if carries(own, claim):
        return True
    if not goes:
        return False
    there, said = said_in(" ".join(goes)), said_in(claim)
    words = tuple(word for word in said.words if there.stems.isdisjoint(word))
    rest = Said(
        said.names - there.names,
        words,
        frozenset(),
        "" if said.runs in there.runs else said.runs,
        said.turns,
    )
    return rest.weight > 0 and said.turns == there.turns and _carries_rest(own, rest)


def _carries_rest(own: Own, rest: Said) -> bool:
    """Whether one of the owner's messages has the words of a sentence that are new in it."""
    for message in own:
        there = said_in(" ".join(message))
        if (
            rest.names <= there.names
            and all(not there.stems.isdisjoint(word) for word in rest.words)
            and pairs_of(rest.runs) <= pairs_of(there.runs)
        ):
            return True
    return False


def _nearest(claims: Sequence[str], passages: Sequence[Passage]) -> tuple[TextOrigin, tuple[Quote, ...]]:
    """Which of some passages the claims are most like: its origin, and its words."""
    said, best, found = normal(" ".join(claims)), _LEAST_SHARE, passages[0]
    quote = ""
    for passage in passages:
        for sentence in sentences_of(passage.text[:_MOST_CHARS]):
            alike = share(said, normal(sentence[: 4 * LONGEST_QUOTE]))
            if alike > best:
                best, found, quote = alike, passage, sentence
    return found.origin, _quoted(found, quote or found.text)


def _quoted(passage: Passage, text: str) -> tuple[Quote, ...]:
    words = mask(" ".join(text.split())).text[:LONGEST_QUOTE]
    return (Quote(words, passage.message_id, passage.session_id),) if words else ()


def _copied(claims: Iterable[str], context: Context) -> Doubt | None:
    """What was copied from a print although it is no fact that a print shows: a rule, a command, an address, what the owner is like."""
    wary = [claim for claim in claims if lays_down_a_rule(claim) or _ABOUT_THE_OWNER.search(claim)]
    if not wary:
        return None
    wanted = _forms_in(wary, [said_in(" ".join(message)) for message in owners_words(context)])
    for passage in printed_in(context):
        low = passage.text.lower()
        if passage.origin == "agent":
            wanted = {claim: _apart_from(low, forms) for claim, forms in wanted.items()}
            continue
        claim = next((one for one, forms in wanted.items() if _are_copied(forms, low)), None)
        if claim is not None:
            _, quotes = _nearest([claim], [passage])
            told = "it lays down a rule, or says of the owner, what a tool printed and the owner did not say"
            return Doubt("tool", told, quotes)
    return None


def _forms_in(claims: Sequence[str], owners: Sequence[Said]) -> dict[str, list[Form]]:
    """Of each claim what the owner has not said: each piece in the forms in which a print may have it."""
    names = frozenset[str]().union(*(one.names for one in owners))
    stems = frozenset[str]().union(*(one.stems for one in owners))
    runs = " ".join(one.runs for one in owners)
    found = dict[str, list[Form]]()
    for claim in claims:
        said = said_in(claim)
        forms = [frozenset({name}) for name in said.names - names]
        forms += [_long(word) for word in said.words if stems.isdisjoint(word)]
        forms += [frozenset({pair}) for pair in pairs_of(said.runs) if pair not in runs]
        found[claim] = [form for form in forms if form]
    return found


def _apart_from(calls: str, forms: Sequence[Form]) -> list[Form]:
    """What the agent has not written into its calls itself."""
    return [form for form in forms if not any(one in calls for one in form)]


def _are_copied(forms: Sequence[Form], printed: str) -> bool:
    there = sum(any(one in printed for one in form) for form in forms)
    return there >= _LEAST_COPIED and there >= _COPIED * len(forms)


def _long(word: frozenset[str]) -> frozenset[str]:
    """The stems of a word that stand for it wherever they are found."""
    return frozenset(stem for stem in word if len(stem) > _SHORTEST)


__all__ = ["Doubt", "doubt_of", "is_owners"]
