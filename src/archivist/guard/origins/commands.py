"""What a shell command prints: the machine's own words, or what it fetched, or what it read of a document."""

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from archivist.guard.origins.places import is_document
from archivist.records.patterns import late_pattern

Printed = Literal["local", "web", "document", "tool", "agent"]

_FETCHERS: Final = frozenset(
    "curl wget wget2 http https xh httpie aria2c lynx w3m links links2 elinks browsh ftp lftp sftp tftp nc ncat netcat telnet"
    " socat yt-dlp youtube-dl gallery-dl newsboat feh-rss rclone gsutil googler ddgr duckduckgo tldr cheat howdoi hurl grpcurl"
    " websocat ssh mosh whois dig nslookup host torsocks ipfs openssl-client puppeteer playwright chromium google-chrome chrome firefox"
    " firecrawl exa tavily brave-search gemini-search".split()
)
_MAIL: Final = frozenset(
    "mail mailx mutt neomutt himalaya notmuch mu alpine pine offlineimap mbsync fetchmail getmail isync slackcat slack"
    " signal-cli telegram-cli discord wacli imsg gog gam jira linear notion trello asana khal gcalcli".split()
)
_AGENTS: Final = frozenset(
    "claude codex gemini hermes openclaw goose aider opencode cursor-agent amp llm ollama sgpt mods copilot qwen crush".split()
)
_CONVERTERS: Final = frozenset(
    "pdftotext pdftohtml pdfgrep mutool docx2txt catdoc antiword unrtf pandoc html2text textutil tesseract ocrmypdf odt2txt"
    " xls2csv xlsx2csv in2csv epub2txt djvutxt ps2ascii exiftool whisper ripmime munpack readpst markitdown docling unstructured man "
    "info".split()
)
_READERS: Final = frozenset(
    "cat tac nl less more most head tail bat batcat sed awk gawk grep egrep fgrep rg ag ack strings view vim vi nano jq yq xmllint"
    " cut sort uniq paste column fold fmt tr rev xxd od hexdump glow mdcat diff comm unzip bsdtar tar zcat gzcat xzcat zless type "
    "get-content"
    " gc more python3-textract select-string".split()
)
_OF_REGISTRIES: Final[dict[str, frozenset[str]]] = {
    "gh": frozenset(
        "issue pr api release gist search browse repo run discussion project workflow label".split()
    ),
    "glab": frozenset("issue mr api release snippet repo ci".split()),
    "hub": frozenset("issue pr api release browse ci-status".split()),
    "tea": frozenset("issue issues pr pulls releases".split()),
    "npm": frozenset("view info show search v docs home repo audit fund".split()),
    "pnpm": frozenset("view info show search audit".split()),
    "yarn": frozenset("info npm audit why".split()),
    "pip": frozenset("search index show".split()),
    "pip3": frozenset("search index show".split()),
    "cargo": frozenset("search info".split()),
    "gem": frozenset("search info specification query".split()),
    "brew": frozenset("info search desc home".split()),
    "apt": frozenset("show search changelog".split()),
    "apt-cache": frozenset("show search".split()),
    "dnf": frozenset("info search".split()),
    "docker": frozenset("search".split()),
    "aws": frozenset("s3 s3api ses sqs sns lambda logs".split()),
    "az": frozenset("storage boards repos".split()),
    "gcloud": frozenset("storage logging pubsub".split()),
    "kubectl": frozenset("logs".split()),
    "go": frozenset("doc".split()),
    "git": frozenset("ls-remote".split()),
}
"""Subcommands that print what others wrote."""
_RECALLS: Final = frozenset({"recall", "sessions", "chat"})
"""What our own command prints of conversations, without saying whose words they are."""
_QUIET_WITH_URLS: Final = frozenset(
    "git echo printf export docker podman npm pnpm yarn pip pip3 uv poetry cargo go brew apt apt-get helm kubectl conda mamba gem"
    " bundle composer mvn gradle dotnet open xdg-open set alias tee test [ alembic prisma psql mysql redis-cli mongosh pytest sed".split()
)
"""What says where something is by its URL, and prints how it went."""
_WRAPPERS: Final = frozenset(
    "sudo doas env time nohup nice ionice command exec builtin stdbuf unbuffer xargs timeout watch then do else if while ! { ( "
    "caffeinate setsid chronic".split()
)
_SHELLS: Final = frozenset("sh bash zsh dash ksh fish pwsh powershell cmd".split())
_LANGUAGES: Final = late_pattern(r"(?:python|python3|python3\.\d+|node|deno|bun|ruby|perl|php|ipython|tsx)\Z")
_IN_CODE: Final = late_pattern(
    r"requests\.|urllib|httpx|aiohttp|http\.client|urlopen|fetch\(|axios|got\(|XMLHttpRequest|net/http|open-uri|LWP"
    r"|file_get_contents\(['\"]http"
    r"|imaplib|poplib|smtplib|feedparser|BeautifulSoup|selenium|playwright|socket\."
)
_DOCUMENT_IN_CODE: Final = late_pattern(
    r"pypdf|PyPDF|pdfplumber|fitz|docx|openpyxl|python-pptx|pdfminer|pytesseract|email\.|mailbox\."
)
_URL: Final = late_pattern(
    r"\b(?:https?|ftp|wss?)://(?!(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[\w-]+\.local(?:host)?\b|\$))[^\s'\"]",
    re.IGNORECASE,
)
_ANOTHERS: Final = late_pattern(r"FETCH_HEAD|refs/pull|\bpull/\d+|\bupstream/|\bpr[-/]\d+\b|\bfork/")
_PARTS: Final = late_pattern(r"\|\||&&|[|;\n&]|\$\(|`|<\(")
_ASSIGNMENT: Final = late_pattern(r"[A-Za-z_]\w*=")
_WORDS_TELLING: Final = frozenset("show diff blame cat-file grep log archive stash".split())
_MOST_CHARS: Final = 200_000
"""Of a command that is read, files that it writes among them; a longer one may print anything."""
_DEEPEST: Final = 3


def printed_by(command: str) -> Printed:
    """Whose words a shell command prints; the most foreign of its parts counts."""
    if len(command) > _MOST_CHARS:
        return "tool"
    return max(_kinds(command, 0), key=_RANKS.index, default="local")


def printed_by_code(code: str) -> Printed:
    """Whose words a piece of code prints that a tool runs as it is."""
    if _IN_CODE.search(code) or _URL.search(code):
        return "web"
    return "document" if _DOCUMENT_IN_CODE.search(code) else "local"


_RANKS: Final[tuple[Printed, ...]] = ("local", "document", "tool", "agent", "web")


def _kinds(command: str, depth: int) -> Iterator[Printed]:
    if _IN_CODE.search(command) and any(_LANGUAGES.match(word) for word in re.split(r"[\s/;|&]+", command)):
        yield "web"
    for part in _PARTS.split(command):
        words = _unwrapped(_split(part))
        if words:
            yield _kind_of(words, depth)


def _split(part: str) -> list[str]:
    try:
        return shlex.split(part, comments=False)
    except ValueError:
        return part.replace('"', " ").replace("'", " ").split()


def _unwrapped(words: Sequence[str]) -> list[str]:
    """The command itself, without what runs it and its environment."""
    at = 0
    while at < len(words):
        word = words[at]
        is_wrapper = word.rpartition("/")[2].lower() in _WRAPPERS
        is_of_one = at > 0 and (word.startswith("-") or word.replace(".", "").rstrip("smh").isdigit())
        if not (is_wrapper or is_of_one or _ASSIGNMENT.match(word)):
            break
        at += 1
    return list(words[at:])


def _kind_of(words: Sequence[str], depth: int) -> Printed:
    program, rest = words[0].rpartition("/")[2].lower().removesuffix(".exe"), words[1:]
    if program in _SHELLS and depth < _DEEPEST:
        inner = next((word for word in reversed(rest) if not word.startswith("-")), "")
        return max(_kinds(inner, depth + 1), key=_RANKS.index, default="local")
    return next((kind for is_so, kind in _judgements(program, rest) if is_so), "local")


def _judgements(program: str, rest: Sequence[str]) -> Iterator[tuple[bool, Printed]]:
    """What a command may be, the most telling first."""
    subcommand = next((word for word in rest if not word.startswith("-")), "")
    said = " ".join(rest)
    yield program in _FETCHERS and _is_of_this_machine(rest), "local"
    yield program in _FETCHERS or subcommand in _OF_REGISTRIES.get(program, ()), "web"
    yield program == "archivist" and subcommand in _RECALLS, "tool"
    yield program in _MAIL or (program == "git" and bool(_ANOTHERS.search(said))), "tool"
    yield program in _AGENTS, "agent"
    yield program not in _QUIET_WITH_URLS and bool(_URL.search(said)), "web"
    is_of_documents = bool(_LANGUAGES.match(program) and _DOCUMENT_IN_CODE.search(said))
    yield (
        program in _CONVERTERS or is_of_documents or _reads_a_document(program, subcommand, rest),
        "document",
    )


def _is_of_this_machine(rest: Sequence[str]) -> bool:
    """Whether what is fetched is a server's that runs here."""
    places = [word for word in rest if not word.startswith("-")]
    return (
        bool(places)
        and any(
            re.match(
                r"(?:https?://)?(?:(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\])(?:[:/]|\Z)|:\d+\b|:/)",
                word,
            )
            for word in places
        )
        and not any(_URL.search(word) for word in rest)
    )


def _reads_a_document(program: str, subcommand: str, rest: Sequence[str]) -> bool:
    if program == "git":
        return subcommand in _WORDS_TELLING and any(is_document(word.rpartition(":")[2]) for word in rest[1:])
    if program not in _READERS:
        return False
    return any(is_document(word) for word in rest if not word.startswith("-"))


__all__ = ["Printed", "printed_by", "printed_by_code"]
