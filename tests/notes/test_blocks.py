"""Markdown without delimiters becomes statements, and nothing of it is lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.notes.blocks import blocks_of
from archivist.notes.document import carries_delimiter

LINES = st.sampled_from(
    [
        *"# Deploying ${n}|## Step ${n}|word${n}|- item${n}|  - nested${n}|    deep${n}|1. number${n}|".split(
            "|"
        ),
        *"```|---|Lead${n}:|> quote${n}|* star${n}".split("|"),
        "| cell${n} |",
    ]
)


@given(st.lists(LINES, max_size=14))
def test_no_word_is_dropped(lines):
    text = "\n".join(line.replace("${n}", str(number)) for number, line in enumerate(lines))
    blocks = "\n".join(blocks_of(text))
    assert set(re.findall(r"\w+", text)) <= set(re.findall(r"\w+", blocks))


@pytest.mark.parametrize(
    ("title", "words", "statement"),
    [
        ("Go", "asked long ago", "Go: asked long ago"),
        ("Step 1", "see Step 10", "Step 1: see Step 10"),
        ("Go", "we write Go", "we write Go"),
        ("部署", "部署到东京", "部署到东京"),
    ],
)
def test_a_heading_is_left_out_where_the_statement_says_its_words_whole(title, words, statement):
    assert blocks_of(f"# {title}\n{words}") == (statement,)


@given(st.text(st.sampled_from("ab#-*1.> \n\t`|:§=")))
def test_any_text_becomes_statements_that_are_entries(text):
    blocks = blocks_of(text)
    assert all(block == block.strip() != "" for block in blocks)
    if not carries_delimiter(text):
        assert not any(map(carries_delimiter, blocks))
    assert set(re.findall("[ab]+", text)) <= set(re.findall("[ab]+", "\n".join(blocks)))


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", []),
        ("one line", ["one line"]),
        ("one\nparagraph\n\nanother", ["one\nparagraph", "another"]),
        ("- a\n- b", ["a", "b"]),
        ("* a\n+ b\n• c", ["a", "b", "c"]),
        (" - a\n - b", ["a", "b"]),
        ("- a\n  - nested\n    deeper\n- b", ["a\n- nested\n  deeper", "b"]),
        ("- a\n\n  more of a\n- b", ["a\n\nmore of a", "b"]),
        ("- a\nlazy\n- b", ["a\nlazy", "b"]),
        ("- a\n\nafter the list", ["a", "after the list"]),
        ("1. tag\n2. push", ["1. tag", "2. push"]),
        ("- [x] done\n- [ ] open", ["[x] done", "[ ] open"]),
        ("# Archivist\n\n- uses make", ["Archivist: uses make"]),
        ("# Archivist\n## Testing\n- uses pytest\n# Other project\nx", ["Archivist / Testing: uses pytest", "Other project: x"]),
        ("# Memory\n- a\n## Notes\n- b", ["a", "b"]),
        ("# 记忆\n- 项目使用 pytest", ["项目使用 pytest"]),
        ("## Python\n- Python 3.12 is used", ["Python 3.12 is used"]),
        ("# Nothing below\n\n# Something\nx", ["Nothing below", "Something: x"]),
        ("Title\n=====\nx", ["Title: x"]),
        ("Section\n---\nx", ["Section: x"]),
        ("a\n\n---\n\nb", ["a", "b"]),
        ("Release steps:\n- tag\n- push\n\nother", ["Release steps: tag", "Release steps: push", "other"]),
        ("Run this:\n```sh\nmake\n\n# not a heading\n```", ["Run this:\n```sh\nmake\n\n# not a heading\n```"]),
        ("text\n\n```\n- code\n```\n\ntext", ["text", "```\n- code\n```", "text"]),
        ("```\nnever closed\n\n- a", ["```\nnever closed\n\n- a"]),
        ("- run\n  ```\n  make\n  ```\n- b", ["run\n```\nmake\n```", "b"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |\n|---|---|\n| 1 | 2 |"]),
        ("# Ports\n| a |\n|---|\n| 1 |", ["Ports:\n| a |\n|---|\n| 1 |"]),
        ("Ports:\n\n| a |\n|---|", ["Ports:\n\n| a |\n|---|"]),
        ("a\r\n\r\nb\r\n", ["a", "b"]),
        ("#hashtag is no heading", ["#hashtag is no heading"]),
        ("-5 degrees", ["-5 degrees"]),
    ],
)  # fmt: skip
def test_each_statement_stands_alone(text, blocks):
    assert list(blocks_of(text)) == blocks
