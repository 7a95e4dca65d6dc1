"""What providers say of the room that a model has."""

import pytest
from tests.models.failures import CASES
from tests.models.test_classes import raised

from archivist.models.classes import signs_of
from archivist.models.told_windows import told_window

TOLD = {
    "openai": {128_000},
    "anthropic": {200_000},
    "openrouter": {131_072},
    "gemini": {1_048_576},
    "qwen": {983_616},
    "deepseek": {131_072},
    "moonshot": {262_144},
    "groq": {12_000},
    "vllm": {16_384, None},
    "llama.cpp": {4_096, None},
}


@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "too-long"], ids=str)
def test_is_read_where_it_is_said(case):
    signs = signs_of(raised(case.status, case.body, case.wire), case.provider)
    assert told_window(signs.words) in TOLD[case.provider]


@pytest.mark.parametrize(
    "words", ["", "too long", "maximum context length is 12 tokens", "-186", "<h1>4130 request entity"]
)
def test_nothing_is_made_of_what_says_nothing(words):
    assert told_window(words) is None
