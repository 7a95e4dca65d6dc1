"""How random a text looks, and whether it only stands for a secret.

Masking destroys text, so a value counts as a secret only if nothing explains it better: it is no
placeholder, no reference of a programming language, no path, number, version or hyphenated name, and it
mixes characters as chosen or generated secrets do.  Entropy is Shannon's, in bits a character.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from archivist.records.patterns import late_pattern

_EVERYDAY = """
    password passwd passwort passphrase passcode pass pwd secret token key apikey api_key changeme
    changeit change example sample test testing tests user username admin root none null nil true
    false undefined string str text int integer bool boolean number object array any bytes required
    optional redacted hidden masked removed placeholder todo tbd dummy fake foo bar baz foobar value
    default empty blank unset unknown missing invalid incorrect wrong correct weak strong secure
    encrypted hashed protected sensitive private public auth oauth bearer basic digest jwt yes no on
    off enabled disabled here there mypassword mysecret mytoken guest postgres mysql redis letmein
    function const let var return await async self this new import export type interface class def
    new old my db app long random strong very super the our
"""
_PLACEHOLDER_WORDS = frozenset(_EVERYDAY.split())
_STAND_IN = late_pattern(
    r"""(?ix)
      ^\$(?:[a-z_]\w*$ | \d$ | [{(]) | ^%(?:\w+%|[sdr])$ | ^%\( | [{}<>] | ^\[ | \.\.\. | … | ^[@&][a-z_-]+$
    | x{4} | \*{3} | •{2} | \#{4} | _{4} | \?{3}
    | (?:^|[^a-z])(?:your|placeholder|redacted|masked|replace|insert|dummy)(?:[^a-z]|$) | ^(?:your|my-|my_)
    | change[_-]?(?:me|it)
    """
)
_STAND_IN_WORD = late_pattern(r"(?i)your|xxxx|placeholder|redacted|masked|replace|insert|dummy|change")
_PRETEND = late_pattern(r"(?i)example|sample|test|fake|demo|dummy")
_CODE = late_pattern(
    r"""(?x)
    ^[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*(?:[(\[].*)$   # call or index
    | ^[A-Za-z_$][\w$]{0,40}(?:(?:\.|->|::|\?\.)[A-Za-z_$]+\d{0,5}[A-Za-z_$]*)+$   # dotted name
    | ^[A-Za-z]\w*=[^=]  | [({]$ | \)\.
    """
)
_PATH = late_pattern(r"^(?:~|\.{1,2})?/[\w.@-]*(?:/|$)|^[\w.@-]+(?:/[\w.@-]+)+$")
_FILE = late_pattern(
    r"""(?xi)
    ^(?:~|\.{1,2})/ | ^/(?:etc|tmp|var|usr|home|run|opt|root|mnt|srv|dev|proc|data|app|users)/
    | ^[a-z]:[\\/] | ://
    | \.(?:pem|key|crt|cer|p12|pfx|jks|keytab|json|ya?ml|toml|txt|env|ini|cfg|conf|
        py|js|ts|go|rs|java|md|log|xml)$
    """
)
_NUMERIC = late_pattern(
    r"^[$€£¥]\d+(?:\.\d+)?(?:/\w+)?$|^[vV]?[-+]?(?:\d[\d.,:_/x%-]*|\d{1,5}[a-zA-Z]{1,3})$"
)
_TERM = late_pattern(
    r"""(?xi)^(?:
      base\d\d | utf-?\d+ | sha-?\d+(?:-\d+)? | md5 | oauth-?2?(?:\.0)? | [hr]s\d{3} | es\d{3} | ed25519
    | x509 | x25519 | rsa-?\d+ | aes-?\d+(?:-\w+)? | ipv[46] | http/?[123](?:\.\d)? | [23]fa | mfa | i18n
    | l10n | k8s | s3 | ec2 | gpt-?\d[\w.-]{0,12} | v\d{1,3}(?:[._-]\w{1,8})* | argon2(?:id?|d)? | pbkdf2
    | bcrypt | scrypt | web3 | p2p | b2b | mp[34] | win\d+ | python3? | windows\d+ | level\d | step\d | part\d
    | 1password | \d+(?:st|nd|rd|th) | \d+-?(?:char|character|digit|byte|bit|letter|word)s?
    | \d+(?:ms|s|m|h|d|kb|mb|gb|px|em|hours?|days?|min(?:ute)?s?|sec(?:ond)?s?|weeks?|months?|years?)
    )$"""
)
_NAME_PARTS = late_pattern(r"[_-]")
_SEGMENTS = late_pattern(r"[-_./:\s]+")
_RISING = ("abcdefghij", "0123456789", "1234567890", "zyxwvutsrq", "9876543210", "qwertyuiop")
_COUNTED = late_pattern(r"123456789012")
_UUID = late_pattern(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LEAST_DISTINCT = 6
LEAST_LETTERS = 16
LEAST_WILD_LETTERS = 10
"""Fewest letters of which a generated key, and a password, without a digit may consist."""
_LONGEST_NUMBER = 4
_SIGNS = "!@#$%^&*+=~?"
_LEAST_STRONG = 8
_DIGIT, _LETTER = late_pattern(r"\d"), late_pattern(r"[^\W\d_]")
_LOWER, _UPPER = late_pattern(r"[a-z]"), late_pattern(r"[A-Z]")
_SIGN, _SIGN_OR_DASH = re.compile(r"[!@#$%^&*+=~?]"), re.compile(r"[!@#$%^&*+=~?_-]")
_CASE_TURNS = late_pattern(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[a-z])")

_SELDOM_PAIRS = late_pattern(
    r"(?i)(?="
    r"a[aehjoqz]|b[fghknqvwxz]|c[bgjqwxz]|d[ghjkqwxz]|e[jz]|f[bghjknqvwxz]|g[bdfjkpqwxyz]"
    r"|h[bcfghjkpqvwxz]|i[hijquwy]|j[bcdfghijklmnpqrstvwxyz]|k[bcfhjkmopqrtuvxyz]|l[ghjkmqrwxz]"
    r"|m[cfghjkqrvwxz]|n[bjqwxz]|o[hjqyz]|p[bgjmqvwxz]|q[abcdefghijklmnopqrstvwxyz]|r[hjqxz]|s[jqxz]"
    r"|t[gjq]|u[hjkquvwxyz]|v[bcdfghjklnpqrstuvwxyz]|w[bcgjklmpqtuvwxyz]|x[bdfghjkmnoqrsuvwxyz]"
    r"|y[adghjkqruvwxyz]|z[bcdfghjklmnpqrstuvwxyz]"
    r")"
)
"""Pairs of letters which are each less than one in 5,000 within the words of English technical text, counted
over the words in the source of Python's standard library; of all pairs these are 44 %."""
_LEAST_STRANGENESS = 0.3


def shannon_bits(text: str) -> float:
    """Shannon entropy of the characters of `text`, in bits a character; 0 for an empty text."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values())


def is_uniform(text: str) -> bool:
    """Whether `text` is filler: few distinct characters, `xxxx`, or a row of the keyboard."""
    folded = text.lower()
    if len(set(folded)) < min(_LEAST_DISTINCT, 1 + len(text) // 2) or "xxxx" in folded:
        return True
    return folded in _RISING


def is_stand_in(value: str) -> bool:
    """Whether `value` is a placeholder, a variable or an everyday word where a secret would stand."""
    folded = value.lower().strip(" .,;:=!?'\"`*()[]<>{}")
    if (
        all(part in _PLACEHOLDER_WORDS for part in _NAME_PARTS.split(folded))
        or len(set(folded)) < min(3, len(folded))
        or (_may_stand_in(value) and _STAND_IN.search(value))
    ):
        return True
    return _DIGIT.search(value) is None and _PRETEND.search(value) is not None


def _may_stand_in(value: str) -> bool:
    """A quick look: whether `value` holds a sign, or part of a word, which a placeholder has."""
    return not value.isalnum() or _STAND_IN_WORD.search(value) is not None


def is_reference(value: str) -> bool:
    """Whether `value` is code, a path, an address, a number, a version or a technical term."""
    if _NUMERIC.search(value) or _TERM.search(value):
        return True
    if value.isalnum():
        return False
    if _CODE.search(value) or _FILE.search(value):
        return True
    return _PATH.search(value) is not None and is_slug(value)


def is_slug(value: str) -> bool:
    """Whether most of `value` is words and numbers between hyphens and the like: `prod-db-key-2`."""
    parts = [part for part in _SEGMENTS.split(value) if part]
    words = sum(len(part) for part in parts if part.isalpha() and _is_word_case(part))
    numbers = sum(len(part) for part in parts if part.isdigit() and len(part) <= _LONGEST_NUMBER)
    return len(parts) > 1 and words > 1 and (words + numbers) * 2 > sum(map(len, parts))


def _is_word_case(part: str) -> bool:
    return part.islower() or part.isupper() or part[1:].islower()


def _is_wild(value: str, *, per_turn: float) -> bool:
    """Whether upper and lower case alternate as by chance: one turn for so many letters, or more often."""
    return len(_CASE_TURNS.findall(value)) * per_turn >= sum(c.isalpha() for c in value)


def is_scrambled(value: str, *, least: float = _LEAST_STRANGENESS) -> bool:
    """Whether the letters of `value` cannot be words: letters that seldom meet, and changes of case.

    Strangeness is the share of seldom pairs plus half a turn of case for each letter.  Of random letters of
    both cases 98 in 100 exceed 0.3 from 12 characters on, of identifiers in camel case fewer than 1.
    """
    letters = "".join(c for c in value if c.isalpha())
    turns = len(_CASE_TURNS.findall(letters))
    strange = len(_SELDOM_PAIRS.findall(letters)) / max(1, len(letters) - 1)
    return (turns > 1 or value.isupper()) and strange + turns / (2 * len(letters)) >= least


def is_uuid(value: str) -> bool:
    """Whether `value` has the form of a UUID."""
    return len(value) == 36 and _UUID.fullmatch(value) is not None


def is_generated(value: str, *, shortest: int) -> bool:
    """Whether `value` looks like a generated key: long, letters with digits (or wild case), and varied."""
    if is_uuid(value):
        return len(set(value)) >= _LEAST_DISTINCT
    if len(value) < shortest or is_uniform(value) or is_slug(value) or _COUNTED.search(value):
        return False
    digits, letters = len(_DIGIT.findall(value)), len(_LETTER.findall(value))
    if digits >= 2 and letters >= 2:
        return shannon_bits(value) >= (2.5 if len(value) < 24 else 3.0)
    if digits == 1:
        return _is_wild(value, per_turn=3) or is_scrambled(value)
    return letters >= LEAST_LETTERS and (_is_wild(value, per_turn=2.3) or is_scrambled(value))


def is_password_like(value: str) -> bool:
    """Whether `value` looks like a chosen password: letters with digits or signs, or a longer number."""
    letters = _LETTER.search(value) is not None
    digits = _DIGIT.search(value) is not None
    signs = _SIGN.search(value, 0, len(value) - 1) is not None or (len(value) > 7 and value[-1] in _SIGNS)
    if len(value) < 4 or len(set(value)) < 3:
        return False
    if letters and (digits or signs):
        return len(value) >= (5 if digits else 7)
    if letters:
        return len(value) >= LEAST_WILD_LETTERS and (_is_wild(value, per_turn=2.3) or is_scrambled(value))
    return digits and len(value) >= 6


def is_strong(value: str) -> bool:
    """Whether `value` mixes three kinds of characters, so that it needs no sign that it is a password."""
    if len(value) < _LEAST_STRONG or not _DIGIT.search(value):
        return False
    return (
        (_LOWER.search(value) is not None)
        + (_UPPER.search(value) is not None)
        + (_SIGN_OR_DASH.search(value) is not None)
    ) >= 2
