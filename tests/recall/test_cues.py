"""Which prompts point to the past."""

import re

import pytest
from hypothesis import given
from hypothesis import settings as at_most
from hypothesis import strategies as st

from archivist.recall.cues import _ENGLISH, calls_for_recall, points_back

ASCII = st.characters(max_codepoint=127)


@pytest.mark.parametrize(
    "prompt",
    [
        "Do you remember the port?",
        "what did we decide about the parser?",
        "As I said yesterday, use tabs",
        "use the same approach as last time",
        "which library did we use for YAML?",
        "have we ever tried that?",
        "what's my favourite editor",
        "use the queue that we picked",
        "what was the staging port again?",
        "我们上次决定用什么？",
        "还记得端口吗",
        "Was haben wir letzte Woche zum Parser entschieden?",
        "Wie hatten wir den Port genannt?",
        "Qu’est-ce qu’on avait décidé pour la file ?",
        "Fais comme la dernière fois",
        "¿Qué decidimos sobre la cola?",
        "Faça como da última vez",
        "Cosa avevamo deciso per la coda?",
        "Что мы решили насчёт очереди?",
        "前回どのポートに決めましたか",
        "지난번에 정한 포트가 뭐였지?",
    ],
)
def test_cues_of_the_past_are_seen(prompt):
    assert points_back(prompt)


@at_most(max_examples=300, deadline=None)
@given(st.from_regex(re.compile(_ENGLISH.pattern, re.IGNORECASE), fullmatch=True, alphabet=ASCII))
def test_every_cue_is_seen_however_little_of_a_prompt_is_looked_at_first(cue):
    assert points_back(cue)


@pytest.mark.parametrize(
    "prompt",
    [
        "fix the failing test",
        "write a parser for YAML",
        "run pytest",
        "重构这个函数",
        "",
        "explain this file",
        "run the tests again",
        "is the file read again?",
        "Schreibe einen Parser für YAML",
        "Ouvre le fichier et corrige-le",
        "Arregla el reproductor (player)",
        "Correggi il test che fallisce",
        "Исправь падающий тест",
        "この関数をリファクタリングして",
        "이 함수를 리팩터링해줘",
    ],
)
def test_plain_requests_are_none(prompt):
    assert not points_back(prompt)


@pytest.mark.parametrize(
    ("prompt", "when", "called_for"),
    [
        ("what did we decide?", "cue", True),
        ("fix the test", "cue", False),
        ("fix the test", "on", True),
        ("what did we decide?", "off", False),
        ("/compact what did we decide?", "on", False),
        ("   ", "on", False),
        (None, "on", False),
    ],
)
def test_what_is_recalled_for_is_as_it_is_set(prompt, when, called_for):
    assert calls_for_recall(prompt, when) is called_for
