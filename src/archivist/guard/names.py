"""Which names say that a secret follows.

A name such as `DB_PASSWORD`, `x-api-key` or `clientSecret` is read as a core word (password, secret, token,
key …), what stands before it and what stands after it.  Names that only speak about secrets
(`password_length`, `nextPageToken`, `public_key`) are refused by either neighbour.
"""

from __future__ import annotations

from archivist.guard.reading import MASK
from archivist.records.patterns import late_pattern

_BEFORE_REFUSED = late_pattern(
    r"(?:public|public[_-]?key|csrf|xsrf|authenticity|page|continuation|cursor|prompt|completion|"
    r"idempotency|json[_-]?web|publishable|anti-?forgery|verification|forgot|hashed|encrypted|bearer_of|"
    r"(?:^|[_.\- ])(?:sync|resume|delta|next|prev|max|min|num|total|input|output|cached?|reasoning|eos|bos|"
    r"pad|unk|cls|sep|mask|stop|special|added|image|text|word|sub|no|without|reset|crypt|hash|count|per|design|"
    r"color|nf|erc20))[_.\- ]?$"
)
_AFTER_REFUSED = late_pattern(
    r"(?:^|[_.\-])(?:ids?|names?|ur[li]s?|path|files?|dir|folder|hash(?:es)?|len(?:gth)?|size|counts?|limits?|types?|kind|"
    r"fields?|inputs?|label|policy|expir\w*|ttl|timeout|age|date|time|at|by|version|format|pattern|regex|rules?|require\w*|"
    r"reset|changed?|forgot\w*|confirm\w*|prompt|hints?|strength|manager|store|provider|service|endpoint|refs?|arn|usage|"
    r"budget|min|max|enabled|algorithm|alg|method|issuer|audience|scopes?|status|title|description|placeholder|error|"
    r"message|selector|class|column|index|schema|location|vault|rotation|handler|factory|generator|validator|encoder|"
    r"manager|client|config|settings?|info|helper|weight|embd|embed\w*|prefix|suffix|header|parameter|variable|stdin)s?\d*$"
    r"|^s$|^s?(?:ize\w*|iz\w*|ised?|ing\w*|ed|es|ring|ring\w*|board\w*|word\w*|frame\w*|stone\w*|note\w*|press\w*|code\w*|pad\w*|"
    r"id|ids|name|names|url|uri|file|path|hash|type|length|size|count|field|ref|key(?:name|id))$"
)
_KEY_BEFORE = late_pattern(
    r"(?:api|access|secret|private|auth|account|encrypt(?:ion)?|decrypt(?:ion)?|signing|sign|master|licen[sc]e|app|"
    r"application|client|consumer|service|storage|subscription|deploy|admin|server|session|shared|sharedaccess|"
    r"webhook|integration|rest|live|prod|production|developer|dev|bot|ingest|write|read|function|host|license|"
    r"security|authorization|hmac|jwt|cipher|openai|anthropic|google|gemini|stripe|aws|azure|maps|data|vendor|"
    r"trello|datadog|dd|mailgun|twitter|okta|algolia|meraki|cohere|etsy|nytimes|rapid|weather)[_.\- ]?$"
)
_PIECES = late_pattern(r"(?<=[a-z0-9])(?=[A-Z])|[\s.\-]+")
_HINTS = ("pass", "pwd", "secret", "token", "key", "credential", "authorization")
"""Without one of these a name announces nothing."""
_CORE = late_pattern(r"pass(?:word|wd|phrase|code|wort)?|pwd|secret|token|key|credential")


def kind_of_core(core: str) -> str:
    """The kind of secret that a core word announces."""
    if core.startswith(("pass", "pwd")):
        return "password"
    if core.startswith("cred"):
        return "credential"
    return "api-key" if core == "key" else core


def announces_secret(before: str, core: str, after: str) -> bool:
    """Whether the name `before` + `core` + `after` (lower case) announces a secret as its value."""
    if _BEFORE_REFUSED.search(before) or _AFTER_REFUSED.search(after):
        return False
    return core != "key" or _KEY_BEFORE.search(before) is not None


def kind_of_name(name: str) -> str | None:
    """The kind of secret that a whole name such as a dictionary key announces, or None."""
    if "[masked " in name:
        name = MASK.sub("", name)  # what was a secret itself says nothing of the value
    name = name[:80]
    if not any(hint in name.lower() for hint in _HINTS):
        return None
    folded = _PIECES.sub("_", name).lower()
    for found in _CORE.finditer(folded):
        before, after = folded[: found.start()], folded[found.end() :]
        whole = not before or before[-1] == "_" or found[0] != "pass"
        if whole and announces_secret(before, found[0], after):
            return kind_of_core(found[0])
    return "authorization" if folded in {"authorization", "proxy_authorization"} else None
