r"""The frames: what an injection says, as classes of words in an order, whatever the language.

In a pattern `<drop>` is a word of that class, `<order|rule>` of either, `^<halt>` one that begins a clause, `-<user>` none. `~4` are up to
four words in one sentence, `%4` up to four without a pause, `@9` up to nine tokens of anything. `.` is the end of a sentence, `,` any
other pause, `\n` a new line, `"` a quotation mark. `!<drop>` is the word that commands: `judging.py` asks of it whether it is a command at
all. A line may break after any word. Every repetition is bounded, so that a frame costs the same at every place of a text.
"""

import re
from functools import cache

import msgspec

from archivist.guard.scanning.classes import vocabulary
from archivist.guard.scanning.findings import Severity

_BEGINNING = r"(?<![^.,\n\"][\s\S])"
"""After one token, that nothing but a pause stands before it."""
_WORD, _WITHIN, _ANYWHERE = r"[^.,\n\"]", r"[,\n\"]{0,2}", r"[\s\S]"
_PLACE = re.compile(
    r"(?P<begins>\^?)(?P<mark>[!-]?)<(?P<names>[\w|]+)>|~(?P<size>\d+)|%(?P<close>\d+)|@(?P<reach>\d+)"
)


class Frame(msgspec.Struct, frozen=True):
    """One frame.

    Attributes:
        kind: The kind of what it finds.
        severity: How sure it is.
        reason: What a text that matches does, to follow "this text".
        pattern: In the notation above.
        needs: Classes without which it cannot match.
    """

    kind: str
    severity: Severity
    reason: str
    pattern: str
    needs: tuple[str, ...]

    def compiled(self) -> re.Pattern[str]:
        """The expression over signs."""
        return _compiled(self.pattern)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(_PLACE.sub(_spelled, pattern))


def _spelled(place: re.Match[str]) -> str:
    """A class as a set of signs, a gap as what may stand in it."""
    if place["size"]:
        return f"(?:{_WITHIN}{_WORD}){{0,{place['size']}}}?{_WITHIN}"
    if place["close"]:
        return rf"(?:{_WORD}\n??){{0,{place['close']}}}?"
    if place["reach"]:
        return f"{_ANYWHERE}{{0,{place['reach']}}}?"
    known = vocabulary()
    signs = "".join(
        f"\\U{ord(sign):08x}"
        for sign in dict.fromkeys("".join(map(known.signs_of, place["names"].split("|"))))
    )
    if place["mark"] == "-":
        return f"(?![{signs}])"
    group = f"(?P<command>[{signs}])" if place["mark"] == "!" else f"[{signs}]"
    return rf"(?:{group}{_BEGINNING if place['begins'] else ''}\n??)"


_OVERRIDE = "wants its reader to disobey"
_NEW = "gives its reader orders in place of those that it has"
_PUPPET = "puts words into its reader's mouth"
_ROLE = "gives its reader a role"
_FREE = "tells its reader that nothing is forbidden"
_LEAK = "asks its reader what it was told in confidence"
_ASKED = "asks its reader for a secret"
_SEND = "wants something confidential sent away"
_KEEP = "wants its own words kept for good"
_READER = "speaks to whichever model reads it"
_COVERT = "wants something hidden from the user"

_PAUSE = r"[.,\n\"]?"
_RISK = "<recommend|covert|away>"
_RULES = "<order|command|rule>"
_OLD = "<prior|whose>"


def _frames(kind: str, severity: Severity, *rows: tuple[str, str, str]) -> tuple[Frame, ...]:
    return tuple(
        Frame(kind, severity, reason, pattern, tuple(needs.split())) for reason, needs, pattern in rows
    )


FRAMES: tuple[Frame, ...] = (
    *_frames(
        "override",
        "block",
        (_OVERRIDE, "drop prior", rf"!<drop>~5<prior>%3{_RULES}"),
        (_OVERRIDE, "drop", rf"!<drop>~4{_RULES}~3<prior>"),
        (_OVERRIDE, "undo order", rf"!<undo>~4{_OLD}~1<order>"),
        (_OVERRIDE, "drop since", rf"!<drop>~4{_RULES}~1<since>"),
        (_OVERRIDE, "drop older order", r"!<drop>~4<older>~2<order>"),
        (_OVERRIDE, "drop prior", rf"!<drop>{_PAUSE}<all>?{_PAUSE}<all>?{_PAUSE}<prior>{_PAUSE}{_RULES}"),
        (_OVERRIDE, "drop prior", rf"<prior>~3{_RULES}~3!<drop>"),
        (_OVERRIDE, "drop prior", r"<order|command>~2<prior>~3!<drop>"),
        (_OVERRIDE, "drop whose", rf"!<drop>~3<whose>~2{_RULES}"),
        (_OVERRIDE, "drop whose", rf"!<drop>~2{_RULES}<whose>"),
        (_OVERRIDE, "drop whose", rf"<whose>~2{_RULES}~2!<drop>"),
        (_OVERRIDE, "drop all order", r"!<drop>(?:o|<to>|<all>)?<all><all>?o?<order>"),
        (_OVERRIDE, "drop all order", r"<all><order>~2!<drop>"),
        (_OVERRIDE, "drop all given", r"!<drop>~1<all>~2<rule|material>~1<given>"),
        (_OVERRIDE, "drop all given", r"!<drop>~1<all><given><rule|material>"),
        (_OVERRIDE, "drop everything", r"!<drop>~1<everything>~3<prior|since|told>"),
        (_OVERRIDE, "drop everything", r"<prior|told>~2<everything>~1!<drop>"),
        (_OVERRIDE, "drop everything say", r"!<drop>~1<everything>[,\n\".]{0,2}~2<say>"),
        (_OVERRIDE, "drop prior say", r"!<drop><all>?<prior>[,\n]?~2<say>"),
        (_OVERRIDE, "leave prior behind", rf"!<leave>~2<prior>~2{_RULES}~1<behind>"),
        (_OVERRIDE, "remove prior mind", rf"!<remove>~2<prior>~2{_RULES}~4<mind>"),
        (_OVERRIDE, "no obey", rf"!<no>~1<obey>~3{_OLD}~2{_RULES}"),
        (_OVERRIDE, "no obey", rf"{_OLD}~2{_RULES}~3!<no><obey>"),
        (_OVERRIDE, "no obey", rf"!<no>~1<obey>~3{_RULES}~1{_OLD}"),
        (_OVERRIDE, "no obey", rf"{_OLD}~2{_RULES}~1<obey>~1<no>"),
        (_OVERRIDE, "no_after obey", rf"<obey>~3{_OLD}~2{_RULES}<no_after>"),
        (_OVERRIDE, "no obey system_prompt", r"!<no>~1<obey>~3<system_prompt>"),
        (_OVERRIDE, "drop system_prompt", r"!<drop>~3<system_prompt>"),
        (_OVERRIDE, "drop that_which", r"!<drop>~2<that_which>~4<told|prior>"),
        (_OVERRIDE, "drop told everything", r"!<drop>~2<told>~1<everything>"),
        (_OVERRIDE, "disable whose ethics", r"!<disable>~2<whose>~1<ethics>"),
        (_OVERRIDE, "no_need obey", rf"<no_need>~1<obey>~1<prior|whose|this>~1{_RULES}"),
        (_OVERRIDE, "no_need comply", rf"<no_need>~1<comply>~1{_RULES}"),
        (_OVERRIDE, "drop ordered", rf"<ordered>~1!<drop>~2{_RULES}"),
        (_OVERRIDE, "drop all rule", r"!<drop><all><rule>~1<act|reveal|utter|leak|reply>"),
        (_OVERRIDE, "whose have lifted", r"<whose>~1<order|limit>~1<have>~1<lifted>"),
        (_OVERRIDE, "drop user ask", r"!<drop>%2<user>%2<ask>"),
        (_OVERRIDE, "drop user ask", r"!<drop>%2<ask><all>?<all>?<user>"),
        (_OVERRIDE, "drop user ask", r"<user>%2<ask>%2!<drop>"),
        (_OVERRIDE, "drop user_words", r"!<drop>%1<user_words>"),
        (_OVERRIDE, "no reply user ask", r"!<no>%1<reply>%2<user>%1<ask>"),
        (_OVERRIDE, "machine overrides all prior", rf"<machine>@6<overrides>%1<all>%1<prior>%2{_RULES}"),
        (_OVERRIDE, "no say only", r"!<no>~1<say|look>~7<only><utter>"),
        (_NEW, "new follow", r"<new><order|command>~1<follow>"),
        (_NEW, "now new task follow", r"<now>~1<follow>~2<new><task>"),
        (_NEW, "now new task follow", r"<now>~1<new><task>~1<follow>"),
        (_NEW, "whose new task", r"<whose><new><task>"),
        (_NEW, "change whose order", r"<change><whose>~1<order>"),
        (_NEW, "whose order have now", r"<whose><order><have><now>"),
        (_OVERRIDE, "prior order have void", r"<prior>~1<order>~1<have>~1<void>"),
        (_OVERRIDE, "all prior rule have void", r"<all><prior><rule>~6<have>~3<void>"),
        (_OVERRIDE, "whose prior void", rf"<whose>~1<prior>~1{_RULES}~2<void>"),
        (_OVERRIDE, "prior all void", rf"<prior>{_RULES}~1<all>~1<void>"),
        (_NEW, "new", r"^<new>~1<order|command>,@6<leak|reveal|drop|send|utter>"),
        (_NEW, "new task", r"^<new>~1<task>,@8<password|hidden_word|drop>"),
        (_NEW, "from_now whose", r"<from_now>,?<whose>~1<task|duty>"),
        (_PUPPET, "say_after", r"<say_after>"),
        (_PUPPET, "halt", r"^<halt>[,.\n]<utter>"),
    ),
    *_frames(
        "role",
        "block",
        (_ROLE, "i_want_you act as", r"<i_want_you>~1<act>~1<as>"),
        (_ROLE, "i_want_you act as", r"<i_want_you>~1<as>~8<act>"),
        (_ROLE, "i_want_you pretend", r"<i_want_you>~1<pretend>"),
        (_ROLE, "from_now act as", r"<from_now>,?<you|i_want_you|you_are>?~2<act>~1<as>"),
        (_ROLE, "from_now you_are", r"<from_now>%2,?<you_are>-<state>"),
        (_ROLE, "from_now you", r"<from_now>,?<you>~3<machine|free>"),
        (_ROLE, "now you_are", r"^<now><you_are>-<state>"),
        (_ROLE, "now you act as", r"<now><you>~1<act><as>"),
        (_ROLE, "you_are now", r"<you_are><now>~6<machine|free|persona>"),
        (_ROLE, "act as persona", r"!<act><as>~3<persona>"),
        (_ROLE, "act as free", r"!<act><as>~3<free>"),
        (_ROLE, "pretend", r"^!<pretend>~1<you_are|you>"),
        (_ROLE, "imagine", r"^!<imagine>~1<you_are|you>~6<machine|free>"),
        (_ROLE, "no_more_you", r"<no_more_you>~2<machine>"),
        (_ROLE, "no_more_you you_are", r"<no_more_you>~4[.,]~1<you_are>"),
        (_ROLE, "i_want_you assume part", r"<i_want_you>~1<assume>~2<part>"),
        (_ROLE, "assume part", r"^!<assume>%2<part>~6<free|machine|lacking|persona>"),
        (_ROLE, "you break_character", r"<you>~3<break_character>"),
        (_ROLE, "you_are no machine", r"<you_are><no>~2<machine>"),
        (_FREE, "free mode", r"<free><mode>"),
        (_FREE, "free", r"<you_are|as|act>~3<free>~2<machine|model|persona>"),
        (_FREE, "privileged", r"<you_are|you>~4<privileged>"),
        (_FREE, "lacking ethics", r"<you_are|you_have>~4<lacking>~1<ethics>"),
        (_FREE, "lacking ethics machine", r"<machine>~2<lacking>~1<ethics>"),
        (_FREE, "lacking morals", r"<you_are|you_have|machine>~8<lacking><morals>"),
        (_FREE, "enter privileged", r"^!<enter>~1<privileged>@8<password|hidden_word|prompt|drop|free>"),
        (_FREE, "lacking ethics", r"<act|reply>~4<lacking>~1<ethics>"),
        (_FREE, "lacking ethics machine", r"<ethics><lacking>~2<machine>"),
    ),
    *_frames(
        "exfiltration",
        "block",
        (_LEAK, "leak full prompt", r"<leak>%3<full>%2<prompt>"),
        (_LEAK, "leak whose prompt", r"<leak>%2<whose>%2<prompt>"),
        (_LEAK, "leak full prompt", r"<full>~2<prompt>~3!<leak>"),
        (_LEAK, "leak whose prompt", r"<whose>~2<prompt>~3!<leak>"),
        (_LEAK, "leak prompt", r"<leak>~1<prompt><whose|full>"),
        (_LEAK, "leak system_prompt", r"^!<leak>(?:<all|whose|full|to|you>){0,3}<system_prompt>"),
        (_LEAK, "reveal system_prompt", r"!<reveal>~3<system_prompt>"),
        (_LEAK, "leak system_prompt", r"<system_prompt>~1!<leak>"),
        (_LEAK, "echo written beginning", r"<echo>~3<written>~3<beginning>"),
        (_LEAK, "print everything prior", r"!<print>~1<everything>~2<prior>"),
        (_ASKED, "password reveal", r"<password>%1!<reveal>"),
        (_LEAK, "asked", r"<asked>"),
        (_LEAK, "leak bound", r"!<leak>~2<order|rule>~1<you|you_have>~1<bound>"),
        (_ASKED, "what_is hidden_word", r"<what_is><all|whose><hidden_word>"),
        (_ASKED, "as whose maker", r"<as><whose><maker>@10<drop|reveal|password|hidden_word|order|command>"),
        (_ASKED, "reveal password", r"!<reveal>(?:<all|whose|full|for>){0,2}<password>"),
        (_ASKED, "i_am creator", r"<i_am><whose|all>~1<creator>@15<reveal|drop|password>"),
        (_SEND, "send secret to", r"!<send>~8<secret>~6<to><all>?+-<user>~4<address|host>"),
        (_SEND, "send secret address", r"<secret>~6<address>~6!<send>"),
        (_SEND, "send secret address", r"!<send>~4<address>~8<secret>"),
        (_SEND, "send secret address", r"<address>~4<secret>~6!<send>"),
        (_SEND, "send secret address", r"<secret>~3!<send>~3<address>"),
        (_SEND, "smuggle talk carrier", r"!<smuggle>~4<talk>~2<to|into>~3<carrier>"),
        (_SEND, "smuggle secret answer", r"!<smuggle>~4<secret>~2<to|into><answer>"),
        (_SEND, "away secret", r"!<away>~5<secret>"),
    ),
    *_frames(
        "persistence",
        "block",
        (_KEEP, "write this line memory_file", rf"!<write>~2<this>~2<line>~8<memory_file>@20{_RISK}"),
        (_KEEP, "write whose system_prompt", r"!<write>~2<whose>~1<system_prompt>"),
        (_KEEP, "write this memory", rf"!<write>~3<this>~6<memory>@15(?:{_RISK}|<comply>|<no>~2<tell>)"),
        (
            _KEEP,
            "this line write memory",
            rf"<this>~1<line>~1!<write>~4<memory>@15(?:{_RISK}|<comply>|<no>~1<tell>)",
        ),
        (_KEEP, "this line write memory", rf"<this>~1<line>~2<memory>~2!<write>@12(?:{_RISK}|<tell>~1<no>)"),
        (_KEEP, "write line memory_file", rf"!<write>~2<line>@15{_RISK}@15<memory_file>"),
    ),
    *_frames(
        "persistence",
        "warn",
        (_KEEP, "write this line memory_file", r"!<write>~2<this>~2<line>~8<memory_file>"),
        (_KEEP, "write this whose memory", r"!<write>~3<this>~6<whose>~2<memory>"),
    ),
    *_frames(
        "reader",
        "block",
        (_READER, "when this processed machine", rf"<when>~1<this>~3<processed>~2<machine>@15{_RISK}"),
        (_READER, "when read this", r"<when>~1<machine|model>~3<read><this>"),
        (_READER, "when read this", r"<when>~1<you>~2<read><this>~2<machine|model>"),
        (_READER, "when read this", rf"<when>~1<you>~2<read><this>@12{_RISK}"),
        (_READER, "when you_are read this", rf"<when><you_are>~2<read><this>@12{_RISK}"),
        (_READER, "when you_are", rf"<when><you_are>~1<machine|model>@20{_RISK}"),
        (_READER, "notice for", rf"<notice>~1<for>~2<machine|model>@25{_RISK}"),
        (_READER, "notice", rf"^<notice>~1<machine|model>[,.\n]@20{_RISK}"),
        (_READER, "notice", rf"<machine|model><notice>,@8{_RISK}"),
        (_READER, "reading this", rf"<machine|model>~1<reading><this>@15{_RISK}"),
        (_READER, "read this", rf"<machine|model>~1<read><this>@10(?:{_RISK}|<secret>)"),
        (_READER, "when read this tell user", r"<when>~1<read><this>@6<tell>~1<user>@8<address|password>"),
        (_READER, "when you", rf"<when><you>~1<machine|model>@8(?:{_RISK}|<only><utter>|<utter><only>)"),
        (_COVERT, "no tell user this", r"!<no>o?<tell>~2<this>~3<user>"),
        (_COVERT, "no tell user this", r"!<no>o?<tell>~3<user>~2<this>"),
        (_COVERT, "no tell user this", r"<tell>~1<user>~1<no>~1<this>"),
        (_COVERT, "no tell user this", r"<tell><this>~2<no>~2<user>"),
        (_COVERT, "no tell user this", r"<user>~2<this>~2<tell>~1<no>"),
        (_COVERT, "no tell user this", r"!<no>~1<this>~2<tell>~1<user>"),
        (_COVERT, "covert user", r"!<covert>~1<user>"),
        (_COVERT, "hide user", r"!<hide>~3<user>"),
    ),
    *_frames("reader", "warn", (_COVERT, "no tell user", r"!<no><tell>~1<user>")),
)


@cache
def masked_frames() -> tuple[tuple[int, Frame], ...]:
    """All frames, each with the bits of the classes that it needs."""
    bits = vocabulary().bits
    return tuple((sum({bits[name] for name in frame.needs}), frame) for frame in FRAMES)
