"""The quick look that spares a question the grammars never spares one that names a time."""

import ast
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.recall.when import read_periods
from archivist.recall.when.chinese import GRAMMAR as CHINESE
from archivist.recall.when.clues import fold, may_name_time
from archivist.recall.when.english import GRAMMAR as ENGLISH
from archivist.recall.when.readings import Clock, Grammar, read_rule

NOW = datetime(2026, 4, 15, 14, 30, tzinfo=ZoneInfo("Europe/Berlin"))


def written_in_tests() -> Iterator[str]:
    """Every text in the tests of time expressions."""
    for path in sorted(Path(__file__).parent.glob("test_when*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


TEXTS = sorted(set(written_in_tests()))
PIECES = sorted({piece for text in TEXTS for piece in text.replace("-", " - ").split()})
UNSPACED = [
    *(
        "3days ago",
        "aweek ago",
        "two-hours back",
        "昨yesterday",
        "MARCH 2026",
        "in Q3",
        "the 3rd",
        "１2月",
        "週三",
    ),
    *("(tomorrow)", "last\nweek", "a while back", "ages ago", "some time ago", "of\nlate", "tonight"),
]


def is_read(grammar: Grammar, text: str) -> bool:
    """Whether any rule reads a time, asked without looking for a clue first."""
    return any(
        read_rule(rule, match, Clock(NOW)) is not None
        for rule in grammar.rules
        for match in rule.pattern.finditer(text)
    )


def check(question: str) -> None:
    text = fold(question)
    for grammar in (ENGLISH, CHINESE):
        if is_read(grammar, text):
            assert grammar.clue.search(text), question
            assert may_name_time(question), question


def test_every_text_of_the_other_tests_that_names_a_time_has_a_clue():
    assert sum(bool(read_periods(text, now=NOW, zone=NOW.tzinfo)) for text in TEXTS) > 300
    for text in (*TEXTS, *UNSPACED):
        check(text)


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.sampled_from(["", " ", "\n"]))
def test_no_mixture_of_their_words_names_a_time_without_a_clue(pieces, between):
    check(between.join(pieces))


@pytest.mark.parametrize(
    "question",
    [
        "server error", "CI-88213", "what is the port?", "admission through three monitors", "the queue demon",
        "服务器错误", "ошибка", "",
    ],
)  # fmt: skip
def test_a_question_without_any_clue_is_passed_over(question):
    assert not may_name_time(question)
