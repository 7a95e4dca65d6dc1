"""Titles made of what was said: one line, at most 60 characters, never empty, never a mask."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.store.deriving import MOST_CHARS, derive_title

DAY = "2026-05-18"


@pytest.mark.parametrize(
    ("said", "title"),
    [
        (
            "Hi Claude, can you fix the login bug in src/app.py? It fails.",
            "can you fix the login bug in src/app.py?",
        ),
        ("你好，帮我修一下登录页面的错误。谢谢", "帮我修一下登录页面的错误"),
        ("hello!\n\nWhy does the worker stop?", "Why does the worker stop?"),
        ("```python\nprint(1)\n```\nwhy does this fail?", "why does this fail?"),
        ("Please fix this:\n```\nx = 1\n```", "Please fix this"),
        ("# Ledger\n\nrows go here", "Ledger"),
        ("- first point\n- second", "first point"),
        ("No. 5 fails when it runs", "No. 5 fails when it runs"),
        ("<system-reminder>be kind\nalways</system-reminder>\nMove the port", "Move the port"),
        ("<system-reminder>never closed\nMove the port", f"Conversation of {DAY}"),
        ("my key is [masked aws-access-key …PAM2], rotate it", "my key is …, rotate it"),
        (
            "look at https://github.com/o/p/issues/12?x=1#top please",
            "look at github.com/o/p/issues/12 please",
        ),
        ("\x1b[31mred\x1b[0m alert", "red alert"),
        ("hiding places in the code", "hiding places in the code"),
        # only where nothing better was said
        ("src/archivist/store.py", "src/archivist/store.py"),
        ("https://github.com/o/p/issues/12?x=1", "github.com/o/p/issues/12"),
        ("```sh\nmake test\n```", "make test"),
        ("/compact", "/compact"),
        # nothing at all
        ("hi", f"Conversation of {DAY}"),
        ("你好", f"Conversation of {DAY}"),
        ("[masked aws-access-key …PAM2]", f"Conversation of {DAY}"),
        ("…!?", f"Conversation of {DAY}"),
        ("", f"Conversation of {DAY}"),
    ],
)
def test_the_title_of_one_message(said, title):
    assert derive_title([said], [], DAY) == title


def test_the_first_message_with_words_gives_the_title():
    assert derive_title(["hi", "src/x.py", "what is broken here"], ["Hello!"], DAY) == "what is broken here"


def test_without_words_of_the_users_the_assistants_give_it():
    assert derive_title(["hi"], ["Hello! How can I help you today?"], DAY) == "How can I help you today?"


def test_a_path_of_the_users_comes_before_what_the_assistant_said():
    assert derive_title(["notes/plan.md"], ["I have read the plan."], DAY) == "notes/plan.md"


def test_long_words_are_cut_between_words():
    title = derive_title(["please " * 5 + "rewrite the importer so that it reads every record once"], [], DAY)
    assert title == "please please please please please rewrite the importer so…"


def test_chinese_is_cut_at_a_comma_where_there_is_one():
    said = (
        "请帮我把这个项目的文档翻译成英文，然后检查所有的链接是否有效，"
        "最后再把结果写到一个新的文件里面去，另外再加一个测试，保证以后不会再出错"
    )
    assert derive_title([said], [], DAY) == f"{said[: said.index('，保证')]}…"
    assert derive_title(["好" * 100], [], DAY) == "好" * (MOST_CHARS - 1) + "…"


def test_a_long_path_keeps_its_end():
    assert derive_title([f"/{'deep/' * 30}plan.md"], [], DAY).endswith("deep/plan.md")


@given(
    st.lists(
        st.text(alphabet=st.characters() | st.sampled_from("\n `#<>/[]中。\u0301\u200d"), max_size=300),
        max_size=4,
    )
)
def test_any_text_gives_a_title_that_can_be_shown(said):
    title = derive_title(said, [], DAY)
    assert 0 < len(title) <= MOST_CHARS
    assert title == " ".join(title.split())
    assert "[masked" not in title or "[masked" in "".join(said)
