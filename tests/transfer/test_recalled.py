"""What one program wraps is taken off, and nothing that a person pasted of another's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.guard.wrappers import DROPPED, UNWRAPPED
from archivist.transfer.recalled import MARK, RECALLED, words_outside

OTHERS = [name for name in (*DROPPED, *UNWRAPPED) if name != RECALLED]
MEMORY = f'<{RECALLED} source="archivist">\nthe port is 6390\n</{RECALLED}>'


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(
    "text", ["<{0}>x</{0}>", "why?\n<{0} a='1'>\nquoted\n</{0}>\nsee", "  <{0}>\nx\n</{0}>  "]
)
def test_a_block_in_another_programs_tags_stays_to_the_letter(name, text):
    typed = text.format(name)
    assert words_outside(typed, (RECALLED,)) == typed
    assert words_outside(f"{typed}\n\n{MEMORY}", (RECALLED,)) == typed.strip()


def test_the_programs_own_block_goes_with_whatever_it_quotes():
    quoting = MEMORY.replace("the port", "<system-reminder>\nx\n</system-reminder>\nthe port")
    assert words_outside(f"{quoting}\nwhich port?", (RECALLED,)) == "which port?"
    assert words_outside(MEMORY, (RECALLED,)) == ""


@given(
    st.lists(
        st.sampled_from([*(f"<{n}>" for n in OTHERS), *(f"</{n}>" for n in OTHERS), MARK, "<", "a", "\n"])
    )
)
def test_any_words_without_the_programs_tags_stay_as_they_are(pieces):
    assert words_outside("".join(pieces), (RECALLED,)) == "".join(pieces)
