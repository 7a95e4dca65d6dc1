"""Files of entries: every byte comes back, and a change touches only what it changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.notes.document import DELIMITER, Document, carries_delimiter, joined, joined_length

ODD = st.sampled_from(
    [
        b"a",
        b"b",
        b"\n",
        b"\r\n",
        b"\r",
        b"\xc2\xa7",
        b" ",
        b"\t",
        b"\xef\xbb\xbf",
        b"\xe9",
        b"\xe4\xbd",
        b"\xe3\x80\x80",
    ]
)
FILES = st.one_of(st.binary(), st.lists(ODD, max_size=24).map(b"".join))
WORDS = st.text(st.sampled_from("ab §\n\r\t\ufeff\u3000中é"), min_size=1, max_size=12).filter(
    lambda text: text.strip(" \n\r\t\ufeff\u3000") and not carries_delimiter(text)
)


def as_hermes_reads(raw):
    text = raw.decode().replace("\r\n", "\n").replace("\r", "\n")
    return tuple(entry for part in text.split("\n§\n") if (entry := part.strip()))


def shown(text):
    """A text as it is read back."""
    return Document.of([text]).texts[0]


@given(FILES)
def test_every_byte_comes_back(raw):
    assert Document.parse(raw).render() == raw


@given(FILES, WORDS, st.integers(0, 9))
def test_what_is_added_and_removed_again_leaves_the_same_bytes(raw, text, at):
    before = Document.parse(raw)
    at = min(at, len(before.texts))
    after = before.added(text, at)
    assert after.texts == (*before.texts[:at], shown(text), *before.texts[at:])
    assert after.removed(at).render() == raw
    assert before.added(text) == before.added(text, len(before.texts))


PLAIN = st.lists(st.sampled_from("ab§§\n\n \t\x1c\x85\u2028\u3000中"), max_size=24).map("".join)


@given(PLAIN.map(str.encode), st.one_of(WORDS, st.sampled_from(["a", "§ a", "a §", "a\n§ b"])), st.data())
def test_what_a_change_leaves_is_what_is_read_again(raw, text, data):
    document = Document.parse(raw)
    for _ in range(3):
        last = len(document.texts) - 1
        change = data.draw(st.sampled_from(["added", "removed", "replaced"] if last >= 0 else ["added"]))
        if change == "added":
            document = document.added(text, data.draw(st.integers(0, last + 1)))
        elif change == "removed":
            document = document.removed(data.draw(st.integers(0, last)))
        else:
            document = document.replaced(data.draw(st.integers(0, last)), text)
        assert document == Document.parse(document.render())


@given(FILES.filter(lambda raw: Document.parse(raw).texts), st.data())
def test_no_change_touches_the_words_of_another_entry(raw, data):
    before = Document.parse(raw)
    index = data.draw(st.integers(0, len(before.texts) - 1))
    text = data.draw(WORDS)
    assert before.removed(index).texts == (*before.texts[:index], *before.texts[index + 1 :])
    assert before.replaced(index, text).texts == (
        *before.texts[:index],
        shown(text),
        *before.texts[index + 1 :],
    )
    assert before.replaced(index, before.texts[index]).render() == raw


@given(FILES)
def test_no_entry_is_blank_or_carries_a_delimiter_or_a_mark_at_its_edge(raw):
    for text in Document.parse(raw).texts:
        assert text.strip() == text != ""
        assert "\r" not in text
        assert not text.startswith("\ufeff")
        assert not text.endswith("\ufeff")
        assert not carries_delimiter(text)
        text.encode()  # no lone surrogates


@given(FILES)
def test_all_of_what_was_read_can_be_a_new_file(raw):
    texts = Document.parse(raw).texts
    assert Document.of(texts).texts == texts


@given(st.lists(st.text(st.sampled_from("ab§ \n\r")).filter(lambda t: not carries_delimiter(t)), max_size=6))
def test_entries_are_read_as_hermes_reads_them(parts):
    raw = joined(parts).encode()
    if not any(line.strip() == "§" for part in parts for line in part.split("\n")):
        assert Document.parse(raw).texts == as_hermes_reads(raw)


@given(st.lists(WORDS.map(shown), max_size=6))
def test_a_file_that_only_we_wrote_is_what_hermes_would_have_written(texts):
    document = Document.parse(b"")
    for text in texts:
        document = document.added(text)
    assert document.render() == "\n§\n".join(texts).encode()
    assert document.texts == tuple(texts)
    assert joined_length(document.texts) == len(joined(texts))


@given(st.text(st.sampled_from("a§ \n\r\t\ufeff")).filter(lambda text: text.strip(" \n\r\t\ufeff")))
def test_a_text_carries_a_delimiter_exactly_if_it_would_not_come_back_as_one_entry(text):
    words = text.replace("\r\n", "\n").replace("\r", "\n")
    while words != (bare := words.strip().strip("\ufeff")):
        words = bare
    read = Document.parse(f"before{DELIMITER}{text}{DELIMITER}after".encode()).texts
    assert carries_delimiter(text) == (read != ("before", words, "after"))


@pytest.mark.parametrize(
    "text", ["", " \n", "\ufeff", "§", "a\n§\nb", "a\r\n §\t\r\nb", "§\nb", "a\n§", "a\r§\rb"]
)
def test_what_is_not_one_entry_is_not_written(text):
    with pytest.raises(ValueError, match="carries_delimiter"):
        Document.parse(b"x").added(text)
    with pytest.raises(ValueError, match="carries_delimiter"):
        Document.parse(b"x").replaced(0, text)
    with pytest.raises(ValueError, match="carries_delimiter"):
        Document.of(["x", text])


# https://github.com/NousResearch/hermes-agent/issues/61523
def test_blank_lines_around_a_delimiter_are_no_words_and_stay():
    document = Document.parse("a\n\n§\n\nb\n".encode())
    assert document.texts == ("a", "b")
    assert document.added("c").render() == "a\n\n§\n\nb\n§\nc\n".encode()


@pytest.mark.parametrize(
    "raw", ["§\na\n§\nb", "a\n§\n§\nb", "a\n§\nb\n§", "a\n § \t\nb", "a\n§\n\u3000\n§\nb\n§\n"]
)
def test_a_sign_alone_on_its_line_is_never_words(raw):
    assert Document.parse(raw.encode()).texts == ("a", "b")


@pytest.mark.parametrize("raw", ["see § 5", "a§\nb", "§ 5\nb", "a\n§§\nb", "§-delimited"])
def test_a_sign_among_words_divides_nothing(raw):
    assert Document.parse(raw.encode()).texts == (raw,)


# https://github.com/NousResearch/hermes-agent/issues/10878
def test_a_byte_order_mark_stays_in_the_file_and_out_of_the_text():
    document = Document.parse(b"\xef\xbb\xbfprefers dark mode")
    assert document.texts == ("prefers dark mode",)
    assert document.replaced(0, "prefers light mode").render() == b"\xef\xbb\xbfprefers light mode"
    assert document.added("first", at=0).render() == "\ufefffirst\n§\nprefers dark mode".encode()
    assert Document.parse(b"\xef\xbb\xbf").added("a").render() == b"\xef\xbb\xbfa"
    assert document.removed(0).render() == b"\xef\xbb\xbf"


# https://github.com/NousResearch/hermes-agent/issues/10879
def test_a_bad_byte_is_shown_and_stays_as_it_is():
    raw = b"good one\n\xc2\xa7\ncaf\xe9 mode\n"
    document = Document.parse(raw)
    assert document.texts == ("good one", "caf\ufffd mode")
    assert document.added("x").render() == b"good one\n\xc2\xa7\ncaf\xe9 mode\n\xc2\xa7\nx\n"
    assert document.removed(0).render() == b"caf\xe9 mode\n"


def test_a_file_of_windows_stays_one():
    document = Document.parse("a\r\n§\r\nb\r\n".encode())
    assert document.texts == ("a", "b")
    assert document.added("c\nd").render() == "a\r\n§\r\nb\r\n§\r\nc\r\nd\r\n".encode()
    assert document.replaced(0, "e\nf").render() == "e\r\nf\r\n§\r\nb\r\n".encode()
    assert document.added("c\nd").texts[2] == "c\nd"


@pytest.mark.parametrize(
    ("raw", "after"),
    [
        (b"", "x"),
        (b"\n", "x\n"),
        (b"\r\n", "x\r\n"),
        (b" \n\n", "x \n\n"),
        ("§".encode(), "§\n\nx"),
        ("§\n".encode(), "§\nx"),
        ("§\n\n".encode(), "§\nx\n"),
        (b"a", "a\n§\nx"),
        (b"a\n", "a\n§\nx\n"),
        ("a\n§".encode(), "a\n§\nx\n§"),
    ],
)
def test_the_end_of_a_file_stays_as_it_was(raw, after):
    document = Document.parse(raw).added("x")
    assert document.render() == after.encode()
    assert document.texts[-1] == "x"


@pytest.mark.parametrize(
    ("raw", "flaws"),
    [
        (b"", ()),
        ("a\n§\nb".encode(), ()),
        (b"\xef\xbb\xbfa", ("bom",)),
        (b"a\r\nb", ("crlf",)),
        (b"caf\xe9", ("bad-bytes",)),
        ("hello".encode("utf-16"), ("bad-bytes", "utf-16", "nul")),
        (b"a\0b", ("nul",)),
        (b"# Projects\n\n- uses make\n- uses ruff\n", ("no-delimiter",)),
        (b"- uses make\n- uses ruff\n", ("no-delimiter",)),
        (b"One thing.\n\nAnother thing.\n\nA third.\n", ("no-delimiter",)),
        (b"Steps:\n- build\n- push\n", ()),
        ("# A\n- b\n§\n- c".encode(), ()),
        ("a\n§\n§\nb".encode(), ("loose-delimiter",)),
        ("a\n§ \nb".encode(), ("loose-delimiter",)),
        ("a\n§".encode(), ("loose-delimiter",)),
        ("a\n§\n".encode(), ()),
        ("a\n§\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n".encode(), ("conflict",)),
        (b"<<<<<<< HEAD\nb\n||||||| base\na\n=======\n>>>>>>> x", ("conflict",)),
        (b"<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> x\r\n", ("crlf", "conflict")),
        (b">>>>>>> x\n=======\n<<<<<<< HEAD", ()),
        (b"<<<<<<< HEAD\nb\n>>>>>>> x", ()),
        (b"say <<<<<<< a\n=======\n>>>>>>> b", ()),
        (b"<<<<<<< a\nA title\n======= b\n>>>>>>> c", ()),
    ],
)
def test_what_is_odd_about_a_file_is_named(raw, flaws):
    assert Document.parse(raw).flaws == flaws


def test_an_entry_has_its_place_among_the_others():
    document = Document.parse("a\n§\nb".encode())
    assert document.added("x", 0).render() == "x\n§\na\n§\nb".encode()
    assert document.added("x", 1).render() == "a\n§\nx\n§\nb".encode()
    with pytest.raises(ValueError, match="no place 3 among 2"):
        document.added("x", 3)
