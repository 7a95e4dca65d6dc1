"""Every string is a valid query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.recall.query import MOST_TERMS, READ_CHARS, Either, Every, read_query
from archivist.recall.terms import prefix_term


def sought(text: str) -> list[str]:
    return [term.text for term in read_query(text).terms if term.kind != "verbatim"]


@given(st.text(st.characters(), max_size=300))
def test_any_string_is_read(text):
    query = read_query(text)
    assert len(query.terms) <= MOST_TERMS


@given(
    st.lists(
        st.sampled_from(["AND", "OR", "NOT", "(", ")", '"', "*", "-", "a", "port", "杭州", "NEAR", "^", ":"]),
        max_size=40,
    )
)
def test_operators_in_any_order_are_read(tokens):
    read_query(" ".join(tokens))
    read_query("".join(tokens))


def test_deep_nesting_is_read():
    read_query("(" * 3_000 + "a OR b")
    read_query("NOT (" * 700 + "a")


def test_words_that_only_ask_are_left_out():
    assert sought("what port did we choose for the staging server") == ["port", "choose", "staging", "server"]


def test_words_that_only_ask_are_sought_when_they_are_all_there_is():
    assert sought("to be or not to be") == ["to", "be", "or", "not"]


def test_chinese_words_that_only_ask_are_left_out():
    assert "请问" not in sought("请问部署的端口是多少？")
    weights = {term.text: term.weight for term in read_query("请问部署的端口是多少？").terms}
    assert weights["部署"] == weights["端口"] == 1
    assert weights["的端"] < 0.5


def test_a_single_chinese_character_is_sought():
    assert sought("猫") == ["猫"]


@pytest.mark.parametrize("text", ["lib/queue.rs", "CI-88213", "queue_len", "v2.4.1", "x@y.org", "a=b"])
def test_an_identifier_is_sought_whole_and_in_parts(text):
    query = read_query(text)
    assert query.terms[0].kind == "whole"
    assert query.terms[0].text == text.lower()
    assert all(term.weight < 1 for term in query.terms[1:])


@pytest.mark.parametrize("text", ["C++", "#88", "$9", "12%"])
def test_marks_of_a_word_are_kept_for_the_order(text):
    assert read_query(text).terms[0].literal == text.lower()


def test_a_quoted_phrase_is_needed():
    query = read_query('"port 8443" staging')
    assert query.need is not None
    assert query.need.text == "port 8443"
    assert query.free


def test_a_quote_in_a_question_is_not_demanded():
    query = read_query('what did she mean by "never again"?')
    assert query.need is None
    assert "never again" in sought('what did she mean by "never again"?')


def test_or_needs_one_of_its_sides():
    query = read_query("deploy OR release port")
    assert isinstance(query.need, Either)
    assert [part.text for part in query.need.parts] == ["deploy", "release"]
    assert "port" in sought("deploy OR release port")


def test_and_binds_tighter_than_or():
    need = read_query("a1 AND b1 OR c1").need
    assert isinstance(need, Either)
    assert isinstance(need.parts[0], Every)


@pytest.mark.parametrize(
    "text", ["deploy NOT port", "deploy -port", "deploy AND NOT port", "deploy NOT (port OR socket)"]
)
def test_not_and_minus_leave_words_out(text):
    query = read_query(text)
    assert "port" in [term.text for term in query.without]
    assert "port" not in [term.text for term in query.terms]


@pytest.mark.parametrize("text", ["rm -rf build", "CI-88213", "well-known port", "--force", "ls -la"])
def test_flags_and_hyphens_leave_nothing_out(text):
    assert read_query(text).without == ()


def test_a_query_of_left_out_words_only_seeks_nothing():
    for text in ("-port", "NOT port"):
        query = read_query(text)
        assert query.is_empty
        assert [term.text for term in query.without] == ["port"]


def test_an_operator_with_nothing_to_work_on_is_a_word():
    assert sought("NOT") == ["not"]


def test_operators_without_operands_are_passed_over():
    assert read_query("AND OR").need is None
    assert read_query("port AND").terms


def test_a_text_in_capitals_has_no_operators():
    assert read_query("WHAT IS THE PORT OR HOST NOW").need is None


def test_a_stem_shorter_than_the_prefix_is_asked_for_too():
    term = prefix_term("universit")
    assert term is not None
    assert "universit" in term.match
    assert " OR " in term.match  # "university" is indexed as "univers", which does not begin so


def test_a_short_prefix_is_sought_as_a_word_and_says_so():
    query = read_query("b*")
    assert [notice.code for notice in query.notices] == ["prefix-short"]
    assert query.terms[0].text == "b"


def test_of_a_long_text_a_part_is_read_and_that_is_said():
    query = read_query("port " * 20_000)
    assert [notice.code for notice in query.notices] == ["query-cut"]
    assert f"{READ_CHARS:,}" in query.notices[0].text


def test_what_leads_up_to_a_question_counts_less():
    weights = {
        term.text: term.weight
        for term in read_query("The weather was fine. Anyway: where is the lease?").terms
    }
    assert weights["weather"] < weights["lease"]
