"""What is shown can neither steer a terminal nor hide from whoever reads it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.records.display import plain, visible


@pytest.mark.parametrize(
    "text",
    [
        "plain words, 42 % — “quoted”",
        "two lines\n\tand a tab",
        "می‌خواهم",  # Persian, with a non-joiner
        "क्‍ष श्रीमान्‌को",  # Devanagari, with a joiner and a non-joiner
        "👨‍👩‍👧‍👦 ❤️‍🔥 👩🏽‍🚀 1️⃣ ☎︎ 🏳️‍🌈",
        "用户喜欢茶",
        "Ångström é ñ",
    ],
)
def test_ordinary_text_of_any_language_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a⟨U+001B⟩[31mb"),
        ("a\rb\x0bc\x85d", "a⟨U+000D⟩b⟨U+000B⟩c⟨U+0085⟩d"),
        ("pay \u202eyaB", "pay ⟨U+202E⟩yaB"),
        ("ig\u200bnore", "ig⟨U+200B⟩nore"),
        ("a\u200db \u200cc", "a⟨U+200D⟩b ⟨U+200C⟩c"),
        ("a\ufe0fb", "a⟨U+FE0F⟩b"),
        ("x\U000e0041\U000e007f", "x⟨U+E0041⟩⟨U+E007F⟩"),
        ("a\u2028b\u2029c", "a⟨U+2028⟩b⟨U+2029⟩c"),
        ("\ufeffa\u3164b\xadc", "⟨U+FEFF⟩a⟨U+3164⟩b⟨U+00AD⟩c"),
        ("a\U000e0101", "a⟨U+E0101⟩"),
        ("\ud800", "⟨U+D800⟩"),
    ],
)
def test_what_nobody_would_see_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_nothing_is_left_that_steers_or_hides(text: str) -> None:
    shown = visible(text)
    assert plain(shown) == shown
    assert not {unicodedata.category(char) for char in shown if char not in "\n\t"} & {"Cc", "Cs", "Zl", "Zp"}
    assert len(shown.split("\n")) == len(text.split("\n")) == max(1, len(shown.split("\n")))
    assert visible(shown) == shown
