"""Only the ids that a summary cites are changed, never the words that it keeps."""

from archivist.compress.citing import names_itself, recited, renamed

SUMMARY = """\
[Background, not a request: messages up to #9 of this conversation, made shorter. …]

## What the owner said
- [7] See [7] and port 7, read 7 of them.
- [8 ann] Use tea ⟵ formerly [7]: Use coffee
- [7] [image plan.png: not carried on, read 7]

## Done
- [x] [7] Write it. ⟶ [8]: Written.

## Account
### State
- The port is 7 [7] and [#8]
- nothing of it [9]

## Steps
- [7, 3,400 characters] Read: read a.py → 7 lines
- [8, 3,400 characters] Read: the same output as 7 further on"""


def test_what_is_cited_gets_the_other_ids_and_nothing_else_does():
    assert recited(SUMMARY, {7: 71, 8: 82}) == (
        SUMMARY.replace("- [7] See [7]", "- [71] See [7]")
        .replace("- [8 ann] Use tea ⟵ formerly [7]", "- [82 ann] Use tea ⟵ formerly [71]")
        .replace(
            "- [7] [image plan.png: not carried on, read 7]",
            "- [71] [image plan.png: not carried on, read 71]",
        )
        .replace("[x] [7] Write it. ⟶ [8]", "[x] [71] Write it. ⟶ [82]")
        .replace("is 7 [7] and [#8]", "is 7 [71] and [#82]")
        .replace("- [7, 3,400", "- [71, 3,400")
        .replace("- [8, 3,400", "- [82, 3,400")
        .replace("output as 7 further", "output as 71 further")
    )


def test_a_summary_without_other_ids_stays_as_it_is():
    assert recited(SUMMARY, {}) == SUMMARY


def test_what_was_shortened_names_itself_in_its_marks_alone():
    line = "[7, 3,400 characters] Read: read a.py → 7 lines"
    cut = "[12, 13]\n[… 3,400 characters left out here; read 7 …]\n[8]"
    arguments = '{"content": "word [… 300 characters more in 7]", "n": [1, 2]}'
    for text in (line, cut, arguments):
        assert names_itself(text) == {7}
        assert renamed(text, {7: 71, 8: 82, 12: 99}) == text.replace("[7,", "[71,").replace(
            "read 7", "read 71"
        ).replace("in 7]", "in 71]")
    assert names_itself("[12, 13]") == set()
    same = "[8, 3,400 characters] Read: the same output as 7 further on"
    assert renamed(same, {7: 71, 8: 82}) == "[82, 3,400 characters] Read: the same output as 71 further on"
