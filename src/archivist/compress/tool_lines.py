"""An old tool output as one line: what was done to what, how it ended, and the id under which all of it is read.

Which tool is which stands in one table, by the names that Hermes, OpenClaw, Claude Code, Codex and MCP servers use.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from archivist.compress import outcomes
from archivist.compress.outcomes import one_line

_Telling = Callable[[str], Iterator[str | None]]


class Family(NamedTuple):
    """Tools that do the same.

    Attributes:
        verb: What was done, for the line.
        about: Arguments that say to what, the most telling first.
        kept: What of an output matters later.
        names: As programs call them, without the prefix of an MCP server.
    """

    verb: str
    about: str
    kept: "_Telling"
    names: str


def _run(text: str) -> Iterator[str | None]:
    yield outcomes.exit_code(text)
    yield from outcomes.stated(text)
    yield outcomes.trouble(text)
    yield from outcomes.counts(text)
    yield outcomes.last_line(text) or outcomes.first_line(text)


def _contents(text: str) -> Iterator[str | None]:
    yield outcomes.trouble(text) if len(text) < 400 else None
    yield f"{text.count(chr(10)) + 1:,} lines"


def _found(text: str) -> Iterator[str | None]:
    yield from outcomes.stated(text)
    yield f"{text.count(chr(10)) + 1:,} lines"
    yield from outcomes.counts(text, 2)
    yield from outcomes.paths(text)


def _changed(text: str) -> Iterator[str | None]:
    yield from outcomes.stated(text)
    yield outcomes.trouble(text)
    yield outcomes.first_line(text)


def _page(text: str) -> Iterator[str | None]:
    yield from outcomes.stated(text)
    yield outcomes.first_line(text)
    yield outcomes.trouble(text) if len(text) < 1_000 else None


def _answer(text: str) -> Iterator[str | None]:
    yield from outcomes.stated(text)
    yield outcomes.trouble(text)
    yield outcomes.first_line(text)
    yield outcomes.last_line(text)


_FILE: Final = "path file_path filename file target_file notebook_path paths uri"
FAMILIES: Final = (
    Family(
        "ran",
        "command cmd script",
        _run,
        "bash terminal shell exec exec_command local_shell run_command run_shell_command execute_command run",
    ),
    Family(
        "looked at the process",
        "session_id action id bash_id shell_id task_id",
        _run,
        "process bashoutput killshell killbash taskoutput taskstop write_stdin poll",
    ),
    Family(
        "ran code",
        "code script source language",
        _run,
        "execute_code python code_interpreter run_code evaluate notebook_execute jupyter",
    ),
    Family(
        "read",
        _FILE,
        _contents,
        "read read_file view view_file cat open_file read_text_file get_file_contents read_multiple_files"
        " read_media_file",
    ),
    Family(
        "wrote",
        _FILE,
        _changed,
        "write write_file create_file create save_file push_files create_or_update_file",
    ),
    Family(
        "edited",
        _FILE,
        _changed,
        "edit edit_file multiedit str_replace_editor str_replace_based_edit_tool replace_in_file notebookedit insert",
    ),
    Family(
        "patched",
        f"{_FILE} patch input",
        _changed,
        "patch apply_patch apply_diff",
    ),
    Family(
        "moved or removed",
        f"source destination {_FILE}",
        _changed,
        "move_file rename_file delete_file remove_file copy_file create_directory mkdir",
    ),
    Family(
        "searched files for",
        "pattern query regex text path",
        _found,
        "grep grep_files search_files search_code ripgrep codebase_search file_search",
    ),
    Family(
        "listed",
        "pattern path dir_path directory",
        _found,
        "glob ls list_dir list_files list_directory directory_tree list_allowed_directories get_file_info find",
    ),
    Family(
        "searched the web for",
        "query q queries search_query",
        _found,
        "web_search websearch google_search brave_web_search search tavily_search exa_search",
    ),
    Family(
        "fetched",
        "url urls uri",
        _page,
        "web_fetch webfetch web_extract fetch fetch_url read_url scrape crawl firecrawl_scrape extract",
    ),
    Family(
        "opened",
        "url target ref action",
        _page,
        "browser browser_navigate browser_open browser_back navigate goto puppeteer_navigate canvas",
    ),
    Family(
        "acted on the page",
        "ref element selector text key action",
        _changed,
        "browser_click browser_type browser_press browser_press_key browser_scroll browser_fill_form browser_hover"
        " browser_select_option",
    ),
    Family(
        "looked at the page",
        "ref filename",
        _page,
        "browser_snapshot browser_take_screenshot browser_screenshot browser_vision browser_console"
        " browser_console_messages browser_get_images",
    ),
    Family(
        "looked at the picture",
        "image_url path question prompt",
        _page,
        "vision_analyze view_image image analyze_image",
    ),
    Family(
        "made",
        "prompt text path",
        _changed,
        "image_generate generate_image text_to_speech tts video_generate music_generate",
    ),
    Family(
        "gave away",
        "description prompt goal task agent subagent_type",
        _answer,
        "task agent delegate_task spawn_agent sessions_spawn subagents mixture_of_agents wait_agent resume_agent",
    ),
    Family(
        "wrote to the session",
        "session_key target message content",
        _answer,
        "sessions_send sendmessage send_input message send_message slack_post_message nodes transfer_to_human_agents",
    ),
    Family(
        "looked into sessions for",
        "query session_id session_key",
        _found,
        "session_search sessions_search sessions_history sessions_list conversation_search recall session_status",
    ),
    Family(
        "remembered",
        "action target content query",
        _changed,
        "memory memory_add add_memory remember retain save_memory create_entities add_observations create_relations",
    ),
    Family(
        "looked into memory for",
        "query path name names",
        _found,
        "memory_search memory_get search_memories search_nodes open_nodes read_graph get_memories reflect",
    ),
    Family(
        "kept the list of tasks",
        "todos plan subject taskid task_id status merge",
        _changed,
        "todo todowrite todoread update_plan taskcreate taskupdate tasklist taskget write_todos",
    ),
    Family(
        "asked the user",
        "question questions prompt",
        _answer,
        "clarify askuserquestion ask_user request_user_input ask_followup_question exitplanmode enterplanmode",
    ),
    Family(
        "looked up the skill",
        "name skill query path",
        _page,
        "skill skill_view skills_list skill_manage slashcommand toolsearch tool_search listmcpresources readmcpresource",
    ),
    Family(
        "planned the job",
        "action name schedule prompt id",
        _changed,
        "cronjob cron schedule_task gateway croncreate cronlist crondelete schedulewakeup",
    ),
    Family(
        "asked git",
        "repo_path branch revision message files",
        _run,
        "git git_status git_diff git_log git_commit git_add git_show git_checkout git_branch git_push git_diff_unstaged"
        " git_diff_staged",
    ),
    Family(
        "worked on the ticket",
        "title issue_number pull_number number repo key query",
        _answer,
        "create_issue get_issue update_issue list_issues search_issues add_issue_comment create_pull_request"
        " get_pull_request list_pull_requests merge_pull_request issue_read pull_request_read",
    ),
    Family(
        "asked the database",
        "query sql statement table table_name",
        _found,
        "query read_query write_query execute_sql execute_query list_tables describe_table get_schema sql",
    ),
    Family(
        "asked for the time",
        "timezone source_timezone",
        _answer,
        "get_current_time convert_time time current_time",
    ),
    Family(
        "reckoned",
        "expression formula",
        _answer,
        "calculate calculator math",
    ),
    Family(
        "thought",
        "thought",
        _answer,
        "think sequentialthinking sequential_thinking",
    ),
)
_BY_NAME: Final[Mapping[str, Family]] = {name: family for family in FAMILIES for name in family.names.split()}
_GENERIC: Final = Family("called", "", _answer, "")
_ABOUT_CHARS: Final = 90
_NAME_CHARS: Final = 80


def family_of(tool: str) -> Family:
    """The family of a tool; of one that no family has, the generic one."""
    return _BY_NAME.get(tool.casefold()) or _BY_NAME.get(bare_name(tool)) or _GENERIC


def bare_name(tool: str) -> str:
    """The name without the prefix of its server: `mcp__github__create_issue`, `github.create_issue`, `github/create_issue`."""
    name = tool.casefold()
    for mark in ("__", "/", ".", ":"):
        name = name.rpartition(mark)[2] or name
    return name


def line_of(tool: str, arguments: str, text: str, key: str) -> str:
    """One line for an output.

    Args:
        tool: As it was called.
        arguments: JSON text.
        text: The output.
        key: Under which the output is read back.
    """
    family = family_of(tool)
    about = _about(family, arguments)
    said = list(dict.fromkeys(filter(None, family.kept(text))))
    telling = [
        one for at, one in enumerate(said) if not any(one in other for other in (*said[:at], *said[at + 1 :]))
    ]
    head = f"{one_line(tool, _NAME_CHARS) or 'a tool'}: {family.verb} {about}".rstrip()
    return f"[{key}, {len(text):,} characters] {head} → {'; '.join(telling) or 'said nothing'}"


def _about(family: Family, arguments: str) -> str:
    given = _given(arguments)
    named = {name.casefold(): name for name in given}
    wanted = [given[named[name]] for name in family.about.split() if name in named]
    chosen = (
        wanted[:1]
        if family is not _GENERIC
        else [f"{name}={_short(value)}" for name, value in given.items()][:2]
    )
    return ", ".join(_short(value) for value in chosen)


def _given(arguments: str) -> dict[str, Any]:
    try:
        value = json.loads(arguments) if arguments else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return one_line(text, _ABOUT_CHARS)


__all__ = ["FAMILIES", "Family", "bare_name", "family_of", "line_of"]
