"""OpenClaw's curated texts and the marks in them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.records import Scope
from archivist.transfer import import_history
from archivist.transfer.openclaw.curated_notes import Marks, marked_statements

TEXT = """\
# MEMORY.md

## Infrastructure
- Staging Postgres is on port 5434 <!-- trigger: port, db --> <!-- importance: 9 -->
- VPN gateway
  <!-- importance: 2 -->
  - wg0 is 10.44.0.1

| host | port |
|---|---|
| quay | 22 |

```sh
make release <!-- importance: 1 -->
```

## Promoted From Short-Term Memory (2026-06-09)

<!-- openclaw-memory-promotion:memory:memory/2026-06-08.md:5:7 -->
- Webhook retry limit is 7 [score=0.871 recalls=4 avg=0.640 source=memory/2026-06-08.md:5-7]

## Light Sleep
<!-- openclaw:dreaming:light:start -->
- Candidate: staged noise
<!-- openclaw:dreaming:light:end -->

## Tools
<!-- project: git@github.com:o/n.git -->
- Use tabs
"""

USER = """\
# USER.md

<!-- observed: 2026-01-05 | status: superseded -->
Prefer long answers.
<!-- observed: 2026-02-01 | status: active -->
Prefer short answers.

- **Name:** Ada
"""


def only(text):
    return marked_statements(text)[0]


def test_a_statement_has_its_headings_and_no_marks():
    told, skipped = marked_statements(TEXT)
    assert [words for words, _ in told] == [
        "Infrastructure: Staging Postgres is on port 5434",
        "Infrastructure: VPN gateway\n- wg0 is 10.44.0.1",
        "Infrastructure:\n| host | port |\n|---|---|\n| quay | 22 |",
        "Infrastructure:\n```sh\nmake release <!-- importance: 1 -->\n```",
        "Webhook retry limit is 7",
        "Tools: Use tabs",
    ]
    assert skipped == Counter({"derived text (dreaming)": 1})


def test_marks_are_facts_of_the_statement_that_they_stand_at():
    marks = [marks for _, marks in only(TEXT)]
    assert [one.importance for one in marks] == [9, 2, 5, 5, 5, 5]
    assert (marks[4].observed, marks[5].project) == ("2026-06-08", "git@github.com:o/n.git")
    assert only(USER) == [
        ("Prefer long answers.", Marks("2026-01-05", is_superseded=True)),
        ("Prefer short answers.", Marks("2026-02-01")),
        ("**Name:** Ada", Marks()),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- ask Bob about this -->",
        "Before <!-- a word between --> after",
        "<!-- importance -->",
        "```\n<!-- openclaw:dreaming -->\n```",
        "a \ue0f07\ue0f1 b"[:3],
    ],
)
def test_what_is_no_mark_of_the_program_stays(text):
    assert only(text) == [(text.strip(), Marks())]


def test_a_mark_with_nothing_to_stand_at_costs_nothing():
    assert only("<!-- importance: 3 -->\n\n- one\n\n<!-- importance: 9 -->") == [("one", Marks(importance=3))]
    assert only("- one <!-- importance: 99 -->\n- two <!-- importance: x -->") == [
        ("one", Marks(importance=10)),
        ("two", Marks()),
    ]


@given(
    st.lists(st.sampled_from([*TEXT.split("\n"), "~~~", "word", "§", "  - deep", "", "> said"]), max_size=14)
)
def test_no_word_is_lost_whatever_the_order_of_the_lines(lines):
    lines = [line for line in lines if "dreaming" not in line and "Promoted" not in line]
    told = " ".join(words for words, _ in only("\n".join(lines)))
    for line in lines:
        if line.startswith("- ") and "<!--" not in line and "[score" not in line:
            assert line.removeprefix("- ") in told


def test_both_files_of_every_workspace_and_its_topics_are_told(claw, memory, desk):
    claw.config({"agents": {"defaults": {"userTimezone": "Europe/London"}}})
    claw.note("MEMORY.md", TEXT)
    claw.note("USER.md", USER)
    claw.note("memory/projects.md", "# Projects\n\n- billing: integer cents")
    claw.note("memory/2026-06-08.md", "- a day")
    claw.note("SOUL.md", "- be kind")
    claw.note("MEMORY.md", "- of another agent", workspace="workspace-work")
    report = import_history(claw.root, memory, bring_in=desk)
    told = {one.text: one for one in desk.statements}
    assert len(told) == len(desk.statements) == 11
    assert told["Tools: Use tabs"].scope == Scope(project="github.com/o/n")
    assert told["Prefer long answers."].is_superseded
    assert told["Prefer short answers."].observed_at.isoformat() == "2026-02-01T00:00:00+00:00"
    assert {one.text for one in desk.statements if one.target == "user"} == {words for words, _ in only(USER)}
    topic = told["Projects: billing: integer cents"]
    assert (topic.in_prompt, topic.place) == (False, "openclaw:workspace/memory/projects.md#1")
    assert "of another agent" in told
    assert not {"a day", "be kind"} & told.keys()
    assert (report.notes_read, report.notes) == (12, 11)
    assert dict(report.notes_reasons) == {"derived text (dreaming)": 1}


def test_a_project_that_is_no_git_remote_is_no_scope(claw, memory, desk):
    claw.note(
        "MEMORY.md", "- one <!-- project: tide -->\n- two <!-- project: github.com/o/n, github.com/o/m -->"
    )
    import_history(claw.root, memory, bring_in=desk)
    assert [one.scope for one in desk.statements] == [Scope(), Scope()]
