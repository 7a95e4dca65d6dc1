"""What is shown beside words that asked for nothing has a good part of what they are about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.recall.fitting import fitting

PROMPT = "add retries to the River queue worker"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (PROMPT, "The queue is River on Postgres"),
        ("run the tests", "Tests run with pytest -q"),
        ("请把部署脚本改一下，发布窗口要检查", "发布窗口是周四 22:00，之后不部署。"),
        ("deploy", "We deploy with Ansible"),
        ("Refactor parse_order in orders.py", "parse_order in orders.py returns a tuple"),
    ],
)
def test_a_text_that_has_a_good_part_fits(words, text):
    assert fitting(words)(text)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (PROMPT, "The river is high"),
        (PROMPT, "The worker has a lamp"),
        ("run the tests", "The CI runs on GitHub Actions"),
        ("请把部署脚本改一下，发布窗口要检查", "请用中文回答"),
        ("deploy", "The quay has a lamp"),
        ("", "anything"),
        ("???", "anything"),
    ],
)
def test_one_word_of_several_is_not_enough(words, text):
    assert not fitting(words)(text)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_words_and_any_text_are_weighed(words, text):
    assert fitting(words)(text) in {True, False}


@given(st.text(alphabet="abcdefgh ", min_size=3, max_size=60))
def test_words_fit_themselves_wherever_there_are_any(words):
    assert fitting(words)(f"before {words} after") or not words.strip()
