"""An OpenClaw history through the front door, in both layouts."""

import json

import apsw
import pytest

from archivist import EVERYTHING, Archivist, Scope

MAIN, GROUP = "3f1b0c1e-6a3e-4a7e-9f1d-2c9d3d1f6a10", "9c0d7a55-0b6e-4d3b-8a57-61a6a3a0c7be"
INFO = '```json\n{"message_id":"5421","sender":"Ada"}\n```\n\nNo wait, use port 5434 from now on.'
KEYS = {
    "agent:main:main": {
        "sessionId": MAIN,
        "chatType": "direct",
        "lastChannel": "telegram",
        "origin": {"from": "telegram:7"},
    },
    "agent:main:discord:channel:990011": {
        "sessionId": GROUP,
        "chatType": "group",
        "subject": "#release-room",
    },
}


def entry(key, parent, role, text, minute, **fields):
    message = {"role": role, "content": text if isinstance(text, str) else list(text)} | fields
    return {
        "type": "message",
        "id": key,
        "parentId": parent,
        "timestamp": f"2026-06-10T09:{minute:02}:00Z",
        "message": message,
    }


def transcripts(heading):
    head = {
        "type": "session",
        "version": 3,
        "timestamp": "2026-06-10T09:00:00Z",
        "cwd": "/home/ada/.openclaw/workspace",
    }
    return {
        MAIN: [
            head | {"id": MAIN},
            entry("aa01", None, "user", "[Telegram Ada id:7 2026-06-10 09:01 UTC] Which port does staging use?\n[message_id: 5]", 1),
            entry("aa02", "aa01", "assistant", "It uses 5433.", 2),
            entry("aa03", "aa02", "user", f"{heading}\n{INFO}", 3),
            entry("aa04", "aa03", "toolResult", "OPENAI_API_KEY=sk-Fh3kQ9zLw2Xv8Rt5Yb1Nc7Md4Pj6Sg0A", 4, toolCallId="c", toolName="exec"),
            entry("aa05", "aa02", "user", "What is the VPN gateway?", 5),
            entry("aa06", "aa04", "user", "预发布数据库端口是多少？", 6),
        ],
        GROUP: [
            head | {"id": GROUP},
            entry("bb01", None, "user", "[Discord #release-room Grace id:8821 2026-06-11 18:02 UTC] who owns the rollback?", 1),
            entry("bb02", "bb01", "assistant", "NO_REPLY", 2),
        ],
    }  # fmt: skip


@pytest.fixture
def archivist(tmp_path):
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as opened:
        yield opened


@pytest.fixture
def legacy(tmp_path):
    root = tmp_path / "old" / ".openclaw"
    sessions = root / "agents" / "main" / "sessions"
    sessions.mkdir(parents=True)
    for key, entries in transcripts("Conversation info (untrusted metadata):").items():
        (sessions / f"{key}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in entries))
    (sessions / "sessions.json").write_text(json.dumps(KEYS))
    (root / "openclaw.json").write_text(
        '{ agents: { defaults: { userTimezone: "Europe/London" } } } // JSON5'
    )
    notes(root)
    return root


@pytest.fixture
def migrated(tmp_path):
    root = tmp_path / "new" / ".openclaw"
    (root / "agents" / "main" / "agent").mkdir(parents=True)
    db = apsw.Connection(str(root / "agents" / "main" / "agent" / "openclaw-agent.sqlite"))
    db.execute(
        "CREATE TABLE session_nodes(session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT);"
        "CREATE TABLE session_windows(session_id TEXT PRIMARY KEY, session_key TEXT);"
        "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, PRIMARY KEY(session_id, seq));"
    )
    for key, noted in KEYS.items():
        session = noted["sessionId"]
        db.execute("INSERT INTO session_nodes VALUES(?, ?, ?)", (key, session, json.dumps(noted)))
        db.execute("INSERT INTO session_windows VALUES(?, ?)", (session, key))
    for key, entries in transcripts("Conversation info: \u27e6openclaw:ctx\u27e7").items():
        for number, one in enumerate(entries):
            db.execute("INSERT INTO transcript_events VALUES(?, ?, ?)", (key, number, json.dumps(one)))
    db.close()
    notes(root)
    return root


def notes(root):
    memory = root / "workspace" / "memory"
    memory.mkdir(parents=True)
    (memory / "2026-06-08.md").write_text(
        "# 2026-06-08\n\n- Webhook retry limit set to 7 attempts with jitter\n"
        "<!-- openclaw:dreaming:light:start -->\n- staged noise\n<!-- openclaw:dreaming:light:end -->\n"
    )


@pytest.mark.parametrize("layout", ["legacy", "migrated"])
def test_a_history_is_found_again_by_what_was_said(archivist, layout, request):
    root = request.getfixturevalue(layout)
    report = archivist.import_history(root)
    assert (report.format, report.problems, report.messages) == ("openclaw", (), 9)
    assert report.read == report.imported + report.skipped
    for query, source in (
        ("use port 5434", "aa03"),
        ("数据库端口", "aa06"),
        ("webhook retry limit", "file:workspace/memory/2026-06-08.md"),
    ):
        assert source in archivist.sessions.search(query, limit=3).hits[0].source.ids
    assert archivist.sessions.search("7 attempts").hits[0].date.date().isoformat() == "2026-06-08"
    again = archivist.import_history(root)
    assert (again.read, again.changed_nothing) == (0, True)
    assert archivist.verify().problems == ()


@pytest.mark.parametrize("layout", ["legacy", "migrated"])
def test_neither_envelopes_nor_silence_nor_derived_text_nor_secrets_come_along(
    archivist, layout, request, tmp_path
):
    archivist.import_history(request.getfixturevalue(layout))
    archivist.catch_up()
    for query in ("NO_REPLY", "message_id", "untrusted metadata", "staged noise"):
        for hit in archivist.sessions.search(query, scope=EVERYTHING, branches=True).hits:
            assert query not in hit.text
    for path in (tmp_path / "home").rglob("*"):
        if path.is_file():
            kept = path.read_bytes()
            for text in (b"sk-Fh3kQ9z", b"NO_REPLY", b"[Telegram", b"openclaw:ctx", b"staged noise"):
                assert text not in kept, (path, text)


def test_what_was_left_and_what_was_said_in_a_group_is_not_found_by_default(archivist, legacy):
    archivist.import_history(legacy)
    assert "aa05" not in {
        key for hit in archivist.sessions.search("VPN gateway").hits for key in hit.source.ids
    }
    assert archivist.sessions.search("VPN gateway", branches=True).hits[0].source.ids == ("aa05",)
    assert archivist.sessions.search("who owns the rollback?").hits == ()
    [hit] = archivist.sessions.search("who owns the rollback?", scope=Scope(chat="990011")).hits
    assert (hit.source.ids, hit.speaker) == (("bb01",), "Grace")


@pytest.mark.parametrize("order", [("legacy", "migrated"), ("migrated", "legacy")])
def test_one_history_in_both_layouts_is_kept_once(archivist, order, request):
    first, second = (request.getfixturevalue(layout) for layout in order)
    archivist.import_history(first)
    report = archivist.import_history(second)
    assert (report.imported, report.changed_nothing) == (0, True)
    found = archivist.sessions.browse(scope=EVERYTHING).sessions
    assert sum(session.message_count for session in found) == 9


@pytest.mark.parametrize(
    ("key", "mark"),
    [
        ("agent:main:my-work", None),
        ("agent:main:cron:7c1d", "cron"),
        ("agent:main:hook:gmail:1", "hook"),
        ("agent:main:main:heartbeat", "heartbeat"),
    ],
)
def test_what_nobody_asked_for_counts_less_in_search(archivist, tmp_path, key, mark):
    sessions = tmp_path / "two" / ".openclaw" / "agents" / "main" / "sessions"
    sessions.mkdir(parents=True)
    for session, minute in ((MAIN, 1), (GROUP, 5)):
        head = {"type": "session", "version": 3, "id": session, "timestamp": "2026-06-10T09:00:00Z"}
        told = [head, entry("aa01", None, "assistant", f"The staging port is 543{minute}.", minute)]
        (sessions / f"{session}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in told))
    keys = {key: {"sessionId": GROUP}, "agent:main:main": {"sessionId": MAIN}}
    (sessions / "sessions.json").write_text(json.dumps(keys))
    archivist.import_history(tmp_path / "two" / ".openclaw")
    archivist.catch_up()
    hits = archivist.sessions.search("staging port").hits
    marks = [archivist.sessions.get(hit.session_id).record().metadata.get("unattended") for hit in hits]
    assert marks == ([None, None] if mark is None else [None, mark])
    assert (hits[0].score > hits[1].score * 1.1) == (mark is not None)
