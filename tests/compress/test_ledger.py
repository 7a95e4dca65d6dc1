"""What a pass kept, the next one reads word for word."""

from hypothesis import given
from hypothesis import strategies as st
from tests.compress.making import agent, user, work

from archivist import compress
from archivist.compress.ledger import read_lines, rendered
from archivist.compress.lines import Earlier, Line
from archivist.compress.summary_form import is_summary

WORDS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=60).map(
    lambda text: f"w{text.strip()}".replace("⟵", "").replace("⟶", "")
)
KEYS = st.sampled_from(["#3", "call_12", "4711"])
EARLIER = st.builds(Earlier, KEYS, WORDS, st.booleans())
LINES = st.builds(
    lambda key, who, text, earlier, speaker: Line(
        key, who, text, 0, earlier=tuple(earlier), speaker=speaker if who == "owner" else ""
    ),
    KEYS,
    st.sampled_from(["owner", "agent", "tool"]),
    WORDS,
    st.lists(EARLIER, max_size=2),
    st.sampled_from(["", "ann", "张伟"]),
)
REPORTED = st.builds(
    lambda key, text, report, is_done: Line(
        key, "owner", text, 0, report=(key, report), is_done=is_done, is_asked=not is_done
    ),
    KEYS,
    WORDS,
    WORDS,
    st.booleans(),
)


def content(line):
    return (
        line.key,
        line.who,
        line.text,
        line.earlier,
        line.report,
        line.is_done,
        line.is_asked,
        line.is_pinned,
        line.speaker,
    )


@given(st.lists(st.one_of(LINES, REPORTED), max_size=8))
def test_every_line_comes_back_as_it_was(lines):
    found = read_lines(rendered(lines))
    assert sorted(map(content, found), key=str) == sorted(map(content, lines), key=str)
    assert rendered(read_lines(rendered(found))) == rendered(found)


def test_a_finished_request_is_ticked_and_an_open_one_is_not():
    done = Line("#1", "owner", "Write the menu.", 0, report=("#5", "The menu is written."), is_done=True)
    waits = Line("#2", "owner", "Write the poster.", 1, report=("#6", "No poster yet."), is_asked=True)
    assert rendered([done, waits]).splitlines() == [
        "## Still open",
        "- [ ] [#2] Write the poster. ⟶ [#6]: No poster yet.",
        "",
        "## Done",
        "- [x] [#1] Write the menu. ⟶ [#5]: The menu is written.",
    ]


def test_what_was_replaced_stands_beside_what_replaced_it():
    line = Line(
        "#9", "owner", "The port is 8081.", 0, earlier=(Earlier("#2", "The port is 8080.", is_replaced=True),)
    )
    assert "The port is 8081. ⟵ formerly [#2]: The port is 8080." in rendered([line])


def test_lines_of_no_section_are_nobodys():
    assert (
        read_lines("- [#1] outside\n## Something else\n- [#2] inside\n## What the owner said\nno entry") == []
    )


def test_who_spoke_stands_beside_the_id_and_stays_there_over_passes():
    messages = [
        user("Fix it.", name="ann"),
        agent("I will."),
        *work(3),
        user("Never deploy on Fridays.", name="bob"),
        user("Never touch quay 7.", name="ann"),
        *work(40),
        user("And now?", name="ann"),
        agent("Nearly."),
    ]
    once = compress(messages, 1_500).messages
    twice = compress([*once, *work(40), user("And then?", name="bob"), agent("Done.")], 1_500).messages
    for after in (once, twice):
        (summary,) = filter(is_summary, after)
        assert {(line.speaker, line.text) for line in read_lines(summary["content"])} >= {
            ("bob", "Never deploy on Fridays."),
            ("ann", "Never touch quay 7."),
        }
