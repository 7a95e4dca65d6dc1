"""Whose words a tool's result holds, by the name and the arguments of its call.

A table has the tools of the agents that are known: Claude Code, Codex, Hermes Agent, OpenClaw. Any other name is read by its words. What
is in neither way known to speak for this machine alone speaks for others.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from archivist.guard.origins.commands import printed_by, printed_by_code
from archivist.guard.origins.places import is_below_foreign, is_document
from archivist.records.patterns import late_pattern

Family = Literal["local", "web", "document", "tool", "agent", "own", "owner"]
"""`local`: this machine's; `own`: Archivist's tools, which say of each find whose words it is; `owner`: answers that the owner gave."""

_SHELLS: Final = frozenset(
    "bash shell terminal exec exec_command local_shell local_shell_call shell_command run_command run_shell_command run_terminal_cmd"
    " execute_command container.exec process powershell unified_exec run_in_terminal cmd command execute sh write_stdin".split()
)
_READERS: Final = frozenset(
    "read read_file readfile view view_file open_file cat get_file file_read read_many_files notebookread notebook_read read_files"
    " fs_read read_text_file view_range".split()
)
_SEARCHERS: Final = frozenset(
    "grep search_files ripgrep grep_search file_search search_file_content codebase_search glob_grep search_code".split()
)
_BY_ARGUMENTS: Final = _SHELLS | _READERS | _SEARCHERS
"""Tools whose results are whoever's words they were asked for."""
_KNOWN: Final[dict[str, Family]] = {
    **dict.fromkeys(
        "edit multiedit multi_edit write write_file notebookedit notebook_edit apply_patch patch str_replace_editor str_replace "
        "create_file"
        " glob ls list_dir list_directory list_files find_files todowrite todoread todo_write todo update_plan plan exitplanmode"
        " enterplanmode exit_plan_mode killshell kill_shell killbash bashoutput bash_output taskoutput toolsearch tool_search"
        " slashcommand skill lsp get_diagnostics getdiagnostics diagnostics cron croncreate crondelete cronlist sleep monitor"
        " taskcreate taskupdate taskget tasklist taskstop skills_list skill_view skill_manage session_status agents_list tts"
        " wait clock get_time date calculator calculate think sequentialthinking schedule checkpoint verify_plan_execution"
        " structuredoutput set_goal enterworktree exitworktree schedulewakeup sendusermessage".split(),
        "local",
    ),
    **dict.fromkeys(
        "webfetch websearch web_fetch web_search web_extract web_crawl web_search_call fetch fetch_url browse browser browser_navigate"
        " open_url x_search search_web google_search url_context computer computer_use web_search_preview image_search http_request"
        " read_url curl download canvas nodes".split(),
        "web",
    ),
    **dict.fromkeys(
        "read_pdf pdf read_document parse_document extract_text ocr vision_analyze image view_image analyze_image describe_image"
        " transcribe video_analyze read_media_file file_search_call markitdown notebooklm".split(),
        "document",
    ),
    **dict.fromkeys(
        "task agent delegate_task spawn_agent sessions_spawn sessions_send sessions_history sessions_list subagent sub_agent "
        "dispatch_agent"
        " mixture_of_agents run_agent wait_agent send_input resume_agent close_agent sendmessage send_message_to_agent team handoff"
        " call_agent ask_agent oracle workflow remotetrigger".split(),
        "agent",
    ),
    **dict.fromkeys("memory recall session_search memory_search memory_get".split(), "own"),
    **dict.fromkeys(
        "askuserquestion ask_user ask_user_question clarify ask_followup_question request_user_input ask_human".split(),
        "owner",
    ),
}
_WORDS: Final[tuple[tuple[Family, frozenset[str]], ...]] = (
    (
        "web",
        frozenset(
            "web website webpage internet online browser browse browsing url urls http https fetch fetcher crawl crawler scrape "
            "scraper scraping"
            " google bing duckduckgo brave tavily exa firecrawl serp perplexity wikipedia wiki arxiv pubmed youtube reddit twitter tweet"
            " tweets x hackernews news rss feed feeds download api rest graphql weather stock stocks forum stackoverflow playwright "
            "puppeteer"
            " selenium page pages site html registry npm pypi docs documentation context7".split()
        ),
    ),
    (
        "document",
        frozenset(
            "pdf doc docx document documents ocr word excel spreadsheet powerpoint slides drive dropbox onedrive sharepoint confluence"
            " notion image images picture photo screenshot vision audio video transcript transcribe attachment attachments knowledge"
            " kb rag retrieve retrieval vector corpus obsidian evernote epub".split()
        ),
    ),
    (
        "agent",
        frozenset(
            "agent agents subagent delegate delegation crew worker a2a handoff peer swarm expert".split()
        ),
    ),
    (
        "tool",
        frozenset(
            "mail email emails gmail outlook inbox imap message messages messaging chat slack discord telegram whatsapp signal sms teams"
            " imessage imsg msg msgs mms dm dms wechat weixin feishu lark dingtalk matrix irc mastodon bluesky calendar event events "
            "contact contacts jira linear github gitlab bitbucket issue issues ticket tickets zendesk"
            " intercom hubspot salesforce crm asana trello sentry pagerduty stripe shopify order orders customer customers review reviews"
            " comment comments feedback thread threads channel post posts form survey webhook queue support home maps places".split()
        ),
    ),
)
_LOCAL_WORDS: Final = frozenset(
    "run test tests testing suite lint linter format formatter build compile compiler typecheck types mypy pytest jest cargo make "
    "shell bash"
    " terminal exec execute command commands cmd process processes python python3 node java rust repl interpreter sandbox code eval "
    "git ls dir"
    " directory directories list glob grep find search read file files cat view open edit write patch diff status stat todo todos "
    "plan time date"
    " clock calculate calculator math think workspace project source symbol symbols ast lsp diagnostics docker compose container "
    "containers logs"
    " log env coverage benchmark profile check verify validate config settings package packages install dependencies server start "
    "stop restart"
    " kill ps port ports branch branches commit commits checkout stash rebase blame head tail pwd mkdir move copy delete remove "
    "create insert"
    " replace line lines undo save tree du df version versions which uname system cpu disk usage jobs npm yarn pip uv poetry "
    "notebook cell kernel"
    " jupyter get set show the my all new local current output stdin runner sql query db database sqlite postgres mysql redis table "
    "tables schema"
    " select rows json yaml toml csv count compare sort metrics health deploy ci pipeline job release tag tags hook hooks alias fs "
    "filesystem".split()
)
"""A tool whose name has none but these words speaks for this machine."""
_SERVER: Final = late_pattern(r"mcp__(?P<server>.+?)__(?P<tool>.+)\Z", re.IGNORECASE | re.DOTALL)
_OTHER_SERVER: Final = late_pattern(r"mcp[_.:/-](?P<rest>.+)\Z", re.IGNORECASE | re.DOTALL)
_OWN_SERVER: Final = late_pattern(r"(?:plugin[_:]archivist[_:])?archivist", re.IGNORECASE)
"""What our server is called by those who install it; one whose name only has ours in it may be anybody's."""
_OWN_TOOL: Final = late_pattern(
    r"(?:memory|recall|session_search|skills_list|skill_view|skill_manage|resource)\Z", re.IGNORECASE
)
_OWN_NAME: Final = late_pattern(
    r"(?:mcp[_.:/-]+)?(?:plugin_archivist_)?archivist[_.:/-]*"
    r"(?:memory|recall|session_search|skills_list|skill_view|skill_manage|resource)\Z",
    re.IGNORECASE,
)
_LOCAL_SERVERS: Final = frozenset({"ide", "vscode", "jetbrains", "xcode"})
_RESOURCES: Final = late_pattern(r"(?:list|read)_?mcp_?resources?(?:_?tool)?", re.IGNORECASE)
_CONVERSATIONS: Final = "memory://sessions/"
_CAMEL: Final = late_pattern(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_PATH_KEYS: Final = (
    "file_path",
    "path",
    "filename",
    "file",
    "target_file",
    "absolute_path",
    "notebook_path",
    "filepath",
    "uri",
    "paths",
    "files",
)
_COMMAND_KEYS: Final = ("command", "cmd", "script", "code", "commands", "input", "chars", "data")
_KEPT: Final = "output:"
"""What `read_file` reads an output by that was too long to be told whole."""
_REMOTE: Final = late_pattern(r"[a-z][a-z0-9+.-]+://(?!localhost|127\.)", re.IGNORECASE)


class Call(msgspec.Struct, frozen=True):
    """A call of a tool: its name as the host has it, and its arguments as JSON text."""

    name: str
    arguments: str = "{}"


def family_of(call: Call) -> Family:
    """Whose words the result of a call holds; of a search, those of the files that its lines name are told by `lines_of_documents`."""
    return (
        _family(call.name, call.arguments)
        if len(call.arguments) <= _LONGEST_REMEMBERED
        else _family.__wrapped__(call.name, call.arguments)
    )


_LONGEST_REMEMBERED: Final = 2_000


def family_by_name(name: str) -> Family:
    """Whose words the result of a call holds of which only the tool is known: what depends on what was asked for may be anybody's."""
    return "tool" if _bare(name) in _BY_ARGUMENTS else family_of(Call(name))


@lru_cache(maxsize=8_192)
def _family(name: str, arguments: str) -> Family:
    server = _SERVER.match(name)
    if server is not None:
        return _of_server(server["server"], server["tool"])
    if is_archivists(name):
        return "own"
    if _RESOURCES.fullmatch(name):
        return _of_resource(_values(arguments))
    other = _OTHER_SERVER.match(name)
    if other is not None:
        return _by_words(other["rest"], default="tool", among=("web", "document", "agent"))
    return _of_host(name, arguments)


def _of_resource(asked: Mapping[str, Any]) -> Family:
    """Of a resource of a server; of ours a conversation is whoever's words stand in it."""
    is_ours = bool(_OWN_SERVER.fullmatch(str(asked.get("server") or "")))
    return "own" if is_ours and not str(asked.get("uri") or "").startswith(_CONVERSATIONS) else "tool"


def is_archivists(name: str) -> bool:
    """Whether a tool is one of Archivist's, by the name that a host gives it."""
    return bool(_OWN_NAME.match(name))


def _of_server(server: str, tool: str) -> Family:
    if _OWN_SERVER.fullmatch(server):
        return "own" if _OWN_TOOL.match(tool) else "tool"
    if server.lower() in _LOCAL_SERVERS:
        return "local"
    return _by_words(f"{server}_{tool}", default="tool", among=("web", "document", "agent"))


def _bare(name: str) -> str:
    """A tool's name without what hosts put around it."""
    low = name.lower().rpartition(".")[2] if name.lower() not in _SHELLS else name.lower()
    return low.removeprefix("functions_").removesuffix("_tool").removesuffix("tool") or low


def _of_host(name: str, arguments: str) -> Family:
    low = _bare(name)
    if low in _BY_ARGUMENTS:
        return _by_arguments(low, arguments)
    if low in _KNOWN:
        return _KNOWN[low]
    by_words = _by_words(name, default="tool", among=None)
    if by_words != "local":
        return by_words
    code = _values(arguments).get("code")
    if isinstance(code, str):
        return printed_by_code(code)
    command = command_in(arguments)
    return printed_by(command) if command else _of_files(arguments)


def _by_arguments(low: str, arguments: str) -> Family:
    if not _values(arguments) and arguments.strip() not in {"", "{}"}:
        return "tool"  # nobody can read what it was asked for
    return printed_by(command_in(arguments)) if low in _SHELLS else _of_files(arguments)


def _of_files(arguments: str) -> Family:
    for path in _paths_in(_values(arguments)):
        if path.startswith(_KEPT):
            return "tool"  # whatever it was that printed so much
        if _REMOTE.match(path):
            return "web"
        if is_document(path) or is_below_foreign(path):
            return "document"
    return "local"


def _by_words(name: str, *, default: Family, among: tuple[Family, ...] | None) -> Family:
    words = {word.lower() for word in _CAMEL.split(name) if word}
    for family, known in _WORDS:
        if (among is None or family in among) and not known.isdisjoint(words):
            return family
    return "local" if among is None and words and words <= _LOCAL_WORDS else default


def command_in(arguments: str) -> str:
    """The shell command that a call runs; empty where it runs none."""
    values = _values(arguments)
    for key in _COMMAND_KEYS:
        value = values.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return _joined([str(word) for word in value])
    return ""


def _joined(words: list[str]) -> str:
    """A list of words as a command; of `bash -lc COMMAND` the command."""
    if len(words) >= 3 and words[1].startswith("-") and words[1].endswith("c"):
        return " ".join(words[2:])
    return " ".join(words)


def _paths_in(values: Mapping[str, Any]) -> Iterator[str]:
    for key in _PATH_KEYS:
        value = values.get(key)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (str(one) for one in value if isinstance(one, str))


def _values(arguments: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(arguments)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


_NAMED_LINE: Final = late_pattern(
    r"^(?P<path>[^\s:|]{1,300}?\.?[\w-]{1,20})(?:[:-]\d+)?[:-]\s?(?=\S)", re.MULTILINE
)


_MOST_OF_A_SEARCH: Final = 400_000
"""Characters; no host gives its model as many."""


def lines_of_documents(text: str) -> Iterator[str]:
    """Of a search's result, what stands in documents."""
    lines = text[:_MOST_OF_A_SEARCH]
    for found in _NAMED_LINE.finditer(lines):
        path = found["path"]
        if ("." in path or "/" in path) and is_document(path):
            yield lines[found.end() :].split("\n", 1)[0]


__all__ = [
    "Call",
    "Family",
    "command_in",
    "family_by_name",
    "family_of",
    "is_archivists",
    "lines_of_documents",
]
