"""Words are found as people type them, in any script, and the index holds what `split_words` says."""

import unicodedata

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from archivist.store.index.words import (
    ENCODED_KEPT_CHARS,
    FILLER,
    TOKENIZER,
    index_text,
    phrase,
    split_words,
    stem,
    terms_of,
)

SCRIPTS = st.sampled_from(
    "abcXYZ019 _-./\\'\"$+#@(){}\n\t天气更新接口金曜日にカタナ한국어ภาษาไทยहिन्दीмойЁжικάé́ßıİſæøł"
    "🎉👍🏽\u200d❤️€→©①²™ﬁＡ１，。、「」عربيּَ٣שָ\u200c\u00ad\ud800\x00\x1fª\ue000\uffff𠀀𛀀က"
)
TEXTS = st.text(SCRIPTS, max_size=60) | st.text(max_size=40)


class Table:
    """A full-text table of one row, made as the index makes it."""

    def __init__(self, text: str) -> None:
        self.db = apsw.Connection("")
        self.db.execute(
            f"CREATE VIRTUAL TABLE search USING fts5(text, content='', tokenize='porter {TOKENIZER}')"
        )
        self.db.execute("CREATE VIRTUAL TABLE held USING fts5vocab('search', 'instance')")
        self.db.execute("INSERT INTO search(rowid, text) VALUES (1, ?)", (index_text(text),))

    def terms(self) -> list[str]:
        return [term for (term,) in self.db.execute("SELECT term FROM held ORDER BY offset")]

    def finds(self, match: str) -> bool:
        return bool(self.db.execute("SELECT count(*) FROM search WHERE search MATCH ?", (match,)).get)


def is_found(query: str, text: str) -> bool:
    match = phrase(query)
    return bool(match) and Table(text).finds(match)


@given(TEXTS)
@example("naïve e\u0301 ЁЛКА Straße")
@example("か\u3099 ｶﾞ \u1112\u1161\u11ab \uf900豈")
def test_the_index_holds_the_words_that_the_text_is_split_into(text):
    held = Table(text).terms()
    words = [stem(word) for word in split_words(text)]
    assert held[: len(words)] == words
    assert terms_of(text) == held
    assert FILLER not in words
    assert held[len(words) :][:1] in ([], [FILLER])


@given(TEXTS)
def test_every_text_is_found_by_its_own_words_and_as_a_phrase(text):
    table = Table(text)
    words = split_words(text)
    for word in words:
        assert table.finds(phrase(word)), word
    if words:
        assert table.finds(phrase(text))


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=2, max_size=30), st.data())
def test_any_stretch_of_a_chinese_text_is_found(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert is_found(text[start:end], f"abc{text}def")


@given(TEXTS, TEXTS)
def test_a_phrase_is_found_exactly_where_its_words_stand_in_a_row(text, query):
    words, wanted = [stem(word) for word in split_words(text)], [stem(word) for word in split_words(query)]
    stands = any(words[at : at + len(wanted)] == wanted for at in range(len(words)))
    if wanted and stands:
        assert is_found(query, text)


@given(TEXTS)
@example("й\u00ad\u094d и\u0306 \ue000")
def test_words_stay_words_when_they_are_split_again(text):
    for word in split_words(text):
        assert split_words(word) == [word]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("杭州", "去杭州西湖喝龙井"),
        ("西湖", "去杭州西湖喝龙井"),
        ("井", "去杭州西湖喝龙井"),
        ("湖喝龙", "去杭州西湖喝龙井"),
    ],
)
def test_words_of_two_chinese_characters_are_found(query, text):
    """NousResearch/hermes-agent#20494."""
    assert is_found(query, text)


@pytest.mark.parametrize(
    "query", ["fooapi", "更新", "接口", "更新fooapi", "fooapi接口", "更新fooapi接口", "新", "口"]
)
def test_a_latin_word_between_chinese_characters_is_a_word(query):
    """NousResearch/hermes-agent#54242."""
    assert is_found(query, "请更新fooapi接口吧" if len(query) > 1 else "更新fooapi接口")


@pytest.mark.parametrize("query", ["金曜", "会議", "変更", "曜", "金曜日に"])
def test_japanese_without_spaces_is_found_by_its_words(query):
    """tobi/qmd#617."""
    assert is_found(query, "会議は金曜日に変更")


@pytest.mark.parametrize(
    "text",
    [
        "#88",
        "lib/util.rs",
        "won't",
        "12%",
        "x@y.org",
        "sure?",
        "$9",
        "p,q",
        "R4.1",
        "render.v3.spec.ts",
        "OPS-271",
    ],
)
def test_tokens_with_punctuation_are_found(text):
    """NousResearch/hermes-agent PR76305, PR82152, PR4246; Dicklesworthstone/mcp_agent_mail#67."""
    assert is_found(text, f"about {text} then")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("2025-11-03-0915", "memory/2025-11-03-0915.md was written"),
        ("user_name", "self.user_name = 3"),
        ("usr/local", "/usr/local/bin/tool"),
        ("getUserName", "call getUserName()"),
        ("getusername", "call getUserName()"),
        ("user name", "call getUserName()"),
        ("server", "class HTTPServer2:"),
        ("http", "class HTTPServer2:"),
        ("8443", "on port8443 now"),
        ("utf", "as UTF8 text"),
        ("phase 2", "phase2 began"),
        ("getUserName", "调用getUserName接口"),
        ("name", "调用getUserName接口"),
    ],
)
def test_identifiers_are_found_whole_and_by_their_parts(query, text):
    assert is_found(query, text)


def test_a_phrase_does_not_run_from_the_text_into_the_parts_of_identifiers():
    assert not is_found("began get", "getUserName parseFile began")
    assert not is_found("name parse", "getUserName parseFile began")


def test_hashes_have_no_parts():
    assert terms_of("a3f9c2e1b7 d41d8cd98f00b204") == ["a3f9c2e1b7", "d41d8cd98f00b204"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("cafe", "Café"),
        ("café", "CAFE"),
        ("cafe\u0301", "caf\u00e9"),
        ("strasse", "Straße"),
        ("STRASSE", "straße"),
        ("istanbul", "İSTANBUL"),
        ("ISPARTA", "ısparta"),
        ("ısparta", "ISPARTA"),
        ("malmo", "Malmø"),
        ("lodz", "Łódź"),
        ("viet nam", "Việt Nam"),
        ("елка", "Ёлка"),
        ("μηχανη", "Μηχανή"),
        ("ΛΟΓΟΣ", "λόγος"),
        ("ABC123", "ＡＢＣ１２３"),
        ("find", "ﬁnd"),
        ("ガンダム", "ｶﾞﾝﾀﾞﾑ"),
        ("がく", "か\u3099く"),
        ("한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8"),
        ("हिन्दी", "हिन्दी में लिखा"),
        ("ज़रूरत", "जरूरत"),
        ("مرحبا", "مَرْحَبًا بك"),
        ("اهلا", "أهلاً"),
        ("می", "می\u200cخواهم"),
        ("كتاب", "کتاب"),
        ("2025", "سنة ٢٠٢٥"),
        ("שלום", "שָׁלוֹם"),
        ("ไทย", "ภาษาไทยง่าย"),
        ("ย", "ภาษาไทยง่าย"),
        ("မြန်မာ", "ဒါမြန်မာစာ"),
        ("ខ្មែរ", "ភាសាខ្មែរ"),
        ("softhyphen", "soft\u00adhyphen"),
        ("foo", "тестfoo"),
        ("тест", "тестfoo"),
        ("foo", "Foo™"),
        ("foo", "①foo"),
        ("co2", "CO₂"),
        ("500", "฿500"),
        ("foo", "⸢foo⸣"),
    ],
)
def test_one_spelling_finds_the_other(query, text):
    assert is_found(query, text)


def test_a_letter_that_only_looks_accented_stays_another_letter():
    assert not is_found("мои", "мой")
    assert is_found("МОИ\u0306", "мой")


@pytest.mark.parametrize("symbol", ["🎉", "👍", "🫠", "🥺", "→", "€", "₿", "©", "★", "🇨🇳", "❤️", "👨‍👩‍👧"])
def test_emoji_and_symbols_are_words_of_their_own(symbol):
    assert is_found(symbol, f"done{symbol}at last")
    assert is_found("done", f"done{symbol}at last")
    assert is_found(symbol, f"好{symbol}好")


def test_a_skin_tone_does_not_hide_a_hand():
    assert is_found("👍", "👍🏽")
    assert is_found("👍🏽", "👍")


@pytest.mark.parametrize(
    "noise", ["\x00", chr(0xD800), "\ue0b0", "\ufffd", "─", "█", "\u200b", "\x85", "\U000f0000"]
)
def test_what_is_no_character_separates_and_does_no_harm(noise):
    assert split_words(f"left{noise}right") == ["left", "right"]
    assert phrase(noise) == ""


@pytest.mark.parametrize("empty", ["", " \n", "...", "\x00", "──── !!"])
def test_a_text_without_words_has_no_phrase(empty):
    assert phrase(empty) == ""
    assert split_words(empty) == []


def test_encoded_bytes_are_cut_to_their_beginning():
    line = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU2Nzg5YWJjZGVmZ2hpamts" * 2
    for encoded in (line * 40, "\n".join([line[:76]] * 40), "ab12" * 100):
        words = split_words(f"before {encoded} after")
        assert words[0] == "before"
        assert words[-1] == "after"
        assert sum(map(len, words)) < ENCODED_KEPT_CHARS + 20
        assert is_found(encoded, f"before {encoded} after")


def test_long_paths_and_slugs_are_not_taken_for_encoded_bytes():
    path = "/".join(["srv", "project", "module", "deep_folder"] * 12) + "/target-file"
    assert is_found("target-file", path)


def test_words_of_any_length_are_indexed_and_found():
    for word in ("я" * 20_000, "ж" * 9000 + "я", "天" * 5000):
        table = Table(f"{word} end")
        assert table.finds(phrase(word[:256]))
        assert table.terms() == terms_of(f"{word} end")


def test_every_assigned_letter_and_number_is_in_some_word():
    lost = [
        code
        for code in range(0x20000)
        if unicodedata.category(chr(code))[0] in "LN" and unicodedata.normalize("NFKD", chr(code)).isalnum()
        if not split_words(chr(code)) and code != 0x640  # the tatweel only lengthens
    ]
    assert lost == []


def test_stems_are_those_of_the_index():
    assert stem("running") == stem("runs") == "run"
    assert [stem(word) for word in split_words("Deploying the deployed deployments")] == terms_of(
        "Deploying the deployed deployments"
    )


def test_threads_share_the_words(run_threads):
    texts = [f"thread{number} 天气{number} running" for number in range(50)]
    expected = [split_words(text) for text in texts]
    assert run_threads(lambda: [split_words(text) for text in texts], 4) == [expected] * 4
