"""Lines of a shell that carry secrets away, or that let something in by itself from then on.

A command that only uses a key, as every manual has it, is none: a header with `$API_KEY`, `?key=$API_KEY`.
"""

from collections.abc import Iterator
from re import Pattern

import msgspec

from archivist.guard.scanning.findings import Finding
from archivist.records.patterns import late_pattern

_PRIVATE_FILE = (
    r"(?:\.ssh/(?:id_\w{1,20}|\*)|\.aws/credentials|\.netrc|\.npmrc|\.pgpass|\.git-credentials|\.kube/config|\.docker/config\.json"
    r"|\.gnupg|\.env\b|/etc/(?:passwd|shadow)|(?:MEMORY|USER|SOUL)\.md|\bstate\.db)"
)
_PRIVATE_NAME = r"\$\{?\w{0,40}(?:KEY|TOKEN|SECRET|PASS|CREDENTIAL)\w{0,40}"
_NET = late_pattern(
    r"\b(?:curl|wget|nc|ncat|netcat|iwr|Invoke-WebRequest|Invoke-RestMethod|ftp|nslookup|dig|socat|requests\.post|fetch)\b"
)
_SIGNS = (
    "curl",
    "wget",
    " nc ",
    "|nc ",
    "ncat",
    "netcat",
    "iwr ",
    "Invoke-",
    "ftp ",
    "nslookup",
    "dig ",
    "socat",
    "/dev/tcp",
    "authorized_keys",
)

_DOWNLOAD_RUN = r"\b(?:curl|wget)\b[^\n|]{0,300}\|\s?(?:sudo )?(?:ba|z|da)?sh\b"
_GIVES_BACK = late_pattern(r"[ \t]*(?:return|yield)[ \t]+[\w.]{0,60}_[\w.()\[\]]{1,60}[ \t;]*")
_STATEMENT_CHARS = 200
_DOWNLOAD_RUNS = late_pattern(_DOWNLOAD_RUN)


class _Rule(msgspec.Struct, frozen=True):
    """What a line has in this order: a beginning, and what follows it."""

    kind: str
    reason: str
    first: Pattern[str]
    then: Pattern[str]


_RULES = (
    _Rule(
        "exfiltration",
        "sends a file of secrets over the network",
        _NET,
        late_pattern(
            rf"(?:@|<\s?|\$\(\s?(?:cat|base64|tar|xxd)\s|`\s?cat\s|--post-file[= ]|-T\s?)[\"']?[~\w$/{{}}-]{{0,60}}{_PRIVATE_FILE}"
        ),
    ),
    _Rule(
        "exfiltration",
        "sends a file of secrets over the network",
        late_pattern(
            rf"\b(?:cat|base64|tar|xxd|gzip|grep)\b[^\n|]{{0,200}}?{_PRIVATE_FILE}[^\n|]{{0,100}}\||\b(?:env|printenv)\s?\|"
        ),
        _NET,
    ),
    _Rule(
        "exfiltration",
        "puts a secret of the environment into an address",
        _NET,
        late_pattern(rf"https?://[^\s\"']{{1,300}}?(?<![kK]ey=)(?<!oken=)(?<!ecret=){_PRIVATE_NAME}"),
    ),
    _Rule(
        "exfiltration",
        "puts a secret of the environment into what it sends",
        _NET,
        late_pattern(
            rf"\s(?:-d|--data(?:-\w{{1,12}})?|-F|--form)[\s=]{{0,2}}[\"']?(?:\w{{1,3}}=|@)?[\"']?{_PRIVATE_NAME}"
        ),
    ),
    _Rule(
        "exfiltration",
        "opens a shell for somebody elsewhere",
        late_pattern(r"\b(?:ba|z|da|k)?sh\b|\bexec\b|\bnc\b|\bncat\b"),
        late_pattern(r"/dev/tcp/[\w.-]{3,100}/\d{1,5}|\s-e\s?/bin/\w{1,8}"),
    ),
    _Rule(
        "persistence",
        "makes a download run by itself from now on",
        late_pattern(_DOWNLOAD_RUN),
        late_pattern(r"\bcrontab\b|/etc/cron|\.bashrc|\.zshrc|\.bash_profile|\.profile\b|rc\.local"),
    ),
    _Rule(
        "persistence",
        "lets somebody's key in",
        late_pattern(r"\bssh-(?:rsa|ed25519|dss) AAAA[\w+/]{16,}"),
        late_pattern(r">>[^\n>]{0,60}authorized_keys"),
    ),
)


def find_commands(text: str) -> Iterator[Finding]:
    """Findings in lines of code."""
    for start, end in _lines(text):
        line = text[start:end]
        for rule in _RULES:
            first = rule.first.search(line)
            then = rule.then.search(line, first.end()) if first else None
            if first and then:
                yield Finding(rule.kind, start + first.start(), start + then.end(), "block", rule.reason)


def gives_back(text: str, start: int) -> bool:
    """Whether what begins here is a statement of a program that gives back what its name says: "return system_prompt"."""
    if not text.startswith(("return", "yield"), start):
        return False
    _, newline, indent = text[max(0, start - _STATEMENT_CHARS) : start].rpartition("\n")
    if not newline and start > _STATEMENT_CHARS:
        return False  # it stands far inside a line
    line = indent + text[start : start + _STATEMENT_CHARS].partition("\n")[0]
    return _GIVES_BACK.fullmatch(line.rstrip("\r")) is not None


def runs_download(text: str) -> bool:
    """Whether something in it is fetched and run at once: what many manuals say openly."""
    return _DOWNLOAD_RUNS.search(text) is not None


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """The lines in which a sign stands, in order."""
    found: set[tuple[int, int]] = set()
    for sign in _SIGNS:
        at = text.find(sign)
        while at >= 0:
            end = text.find("\n", at)
            end = end if end >= 0 else len(text)
            found.add((text.rfind("\n", 0, at) + 1, end))
            at = text.find(sign, end)
    yield from sorted(found)
