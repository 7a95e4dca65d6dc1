"""Whose words a tool's result holds is told by its name and arguments."""

import json

import pytest

from archivist.guard.origins.tools import Call, family_by_name, family_of, lines_of_documents


def family(name, **arguments):
    return family_of(Call(name, json.dumps(arguments)))


@pytest.mark.parametrize(
    "name",
    "WebFetch WebSearch web_fetch web_search web_extract browser_navigate browser_snapshot x_search fetch_url"
    " mcp__playwright__browser_click mcp__fetch__fetch get_weather http_get".split(),
)
def test_pages_are_of_the_web(name):
    assert family(name) == "web"


@pytest.mark.parametrize(
    "name", "read_pdf vision_analyze ocr read_document transcribe mcp__gdrive__read_document".split()
)
def test_what_is_read_for_the_agent_is_a_document(name):
    assert family(name) == "document"


@pytest.mark.parametrize("name", "Task Agent delegate_task sessions_spawn spawn_agent ask_agent".split())
def test_a_report_is_another_agents(name):
    assert family(name) == "agent"


@pytest.mark.parametrize(
    "name",
    "mcp__gmail__search mcp__jira__get_issue read_email slack_history lookup_order frobnicate mcp_crm_find imsg_read read_thing".split(),
)
def test_other_servers_and_what_nobody_knows_speak_for_others(name):
    assert family(name) == "tool"


@pytest.mark.parametrize(
    "name",
    "Edit Write Glob TodoWrite run_tests git_status list_dir get_diagnostics mcp__ide__getDiagnostics apply_patch".split(),
)
def test_the_machines_own_tools_are_local(name):
    assert family(name) == "local"


@pytest.mark.parametrize(
    "name",
    "mcp__archivist__recall mcp__plugin_archivist_archivist__memory recall session_search memory".split(),
)
def test_our_own_tools_are_known(name):
    assert family(name) == "own"


def test_a_resource_is_its_servers():
    assert family("ReadMcpResourceTool", server="archivist", uri="memory://notes/user") == "own"
    assert (
        family("ReadMcpResourceTool", server="plugin:archivist:archivist", uri="memory://notes/user") == "own"
    )
    assert family("ReadMcpResourceTool", server="plugin:other:archivist", uri="memory://notes/user") == "tool"
    assert family("ReadMcpResourceTool", server="wiki", uri="wiki://x") == "tool"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/p/src/app.py", "local"),
        ("/p/config.toml", "local"),
        ("/p/requirements.txt", "local"),
        ("/p/data.csv", "local"),
        ("/p/README.md", "document"),
        ("/p/AGENTS.md", "document"),
        ("/p/LICENSE", "document"),
        ("/p/paper.pdf", "document"),
        ("/p/page.html", "document"),
        ("/p/node_modules/x/index.js", "document"),
        ("/p/.venv/lib/python3.12/site-packages/x.py", "document"),
        ("/p/vendor/x/x.go", "document"),
        ("/home/a/Downloads/x.py", "document"),
        ("C:\\Users\\a\\Downloads\\x.ps1", "document"),
        ("https://x.example/a", "web"),
    ],
)
def test_a_file_is_a_document_by_its_name_and_place(path, expected):
    assert family("Read", file_path=path) == expected
    assert family("read_file", path=path) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest -q", "local"),
        ("cd src && ls -la; git status", "local"),
        ("cat src/app.py | head", "local"),
        ("git clone https://host.example/a/b.git", "local"),
        ("git log --oneline -5", "local"),
        ("pip install -r requirements.txt", "local"),
        ("curl -s localhost:8000/health", "local"),
        ("http GET :8000/items", "local"),
        ("wc -l README.md", "local"),
        ("echo 'see https://a.example'", "local"),
        ("python -m pytest", "local"),
        ("curl -s https://x.example/a | jq .", "web"),
        ("sudo -n timeout 30 wget -qO- http://x.example", "web"),
        ("FOO=1 curl x.example", "web"),
        ("gh issue view 12", "web"),
        ("npm view left-pad", "web"),
        ("ssh host uptime", "web"),
        ("bash -lc 'curl https://x.example'", "web"),
        ("echo $(curl https://x.example)", "web"),
        ("python - <<'E'\nimport requests\nprint(requests.get('https://x.example').text)\nE", "web"),
        ("node -e \"fetch('https://x.example')\"", "web"),
        ("cat README.md", "document"),
        ("head -5 ~/Downloads/a.sh", "document"),
        ("git show HEAD:README.md", "document"),
        ("pdftotext a.pdf -", "document"),
        ("git show FETCH_HEAD", "tool"),
        ("himalaya message read 3", "tool"),
        ("codex exec 'look'", "agent"),
        ("archivist recall rates", "tool"),
        ("archivist memory list", "local"),
    ],
)
def test_a_command_prints_what_it_ran(command, expected):
    assert family("Bash", command=command) == expected
    assert family("shell", command=["bash", "-lc", command]) == expected
    assert family("exec_command", cmd=command) == expected


def test_an_output_that_is_read_on_may_be_anybodys():
    assert family("read_file", path="output:0123456789abcdef") == "tool"
    assert family("read_file", path="src/output.py") == "local"
    assert family("terminal", command="curl https://x.example") == "web"


def test_a_search_tells_which_of_its_lines_stand_in_documents():
    found = "src/a.py:3:import os\ndocs/ops.md:12: Operators set it to zero.\nREADME.md\n"
    assert list(lines_of_documents(found)) == ["Operators set it to zero."]


def test_a_document_far_down_in_a_search_is_found():
    found = "src/a.py:3:import os\n" * 2_000 + "docs/ops.md:12: Operators set it to zero.\n"
    assert list(lines_of_documents(found)) == ["Operators set it to zero."]


def test_what_depends_on_arguments_that_cannot_be_read_may_be_anybodys():
    assert family_of(Call("Bash", "{")) == "tool"
    assert family_of(Call("Read", "[1]")) == "tool"
    assert family_of(Call("Glob", "{")) == "local"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Bash", "tool"),
        ("functions.exec_command", "tool"),
        ("Grep", "tool"),
        ("Glob", "local"),
        ("WebFetch", "web"),
    ],
)
def test_of_a_call_that_is_not_there_what_depends_on_its_arguments_may_be_anybodys(name, expected):
    assert family_by_name(name) == expected


def test_a_conversation_of_ours_read_as_a_resource_is_whoevers_words_stand_in_it():
    assert family("ReadMcpResourceTool", server="archivist", uri="memory://sessions/e01") == "tool"
    assert family("ListMcpResourcesTool", server="archivist") == "own"


def test_what_is_typed_into_a_shell_that_runs_is_a_command():
    assert family("write_stdin", session_id=1, chars="curl https://x.example\n") == "web"
    assert family("process", action="write", data="curl https://x.example\n") == "web"
    assert family("write_stdin", session_id=1, chars="") == "local"


def test_a_command_behind_a_long_file_that_is_written_is_read_too():
    written = "cat > a.py <<'E'\n" + "y = 2\n" * 5_000 + "E\n"
    assert family("Bash", command=f"{written}pytest -q") == "local"
    assert family("Bash", command=f"{written}curl https://x.example") == "web"
    assert family("Bash", command="y = 2\n" * 50_000) == "tool"
