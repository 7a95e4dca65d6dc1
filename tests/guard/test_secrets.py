"""Masking: the form of a mask, positions, idempotence, and what no text may do to it."""

import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archivist.guard import Masked, find_secrets, mask
from archivist.guard.secrets import is_masked, mask_of

STAND_IN = "sk-" + "EXAMPLE-0000-not-a-real-key"
GITHUB = "gh" + "p_" + "a8Kd72mQpL0xVb5TnR3wYc9EfHs1Zj4UgM6i"
SLACK = "xo" + "xb-" + "482910573621-Qw8RtY2uI5oP7aSd"


def test_only_the_secret_is_replaced_and_its_end_stays_recognisable() -> None:
    assert mask(f"API_TOKEN={STAND_IN}").text == "API_TOKEN=[masked api-key …-key]"
    assert mask(f"push with {GITHUB} now").text == f"push with [masked github-token …{GITHUB[-4:]}] now"


def test_a_text_without_secrets_comes_back_as_the_same_object() -> None:
    text = "Nothing to hide here: " + str(random.Random(1).random())
    assert mask(text).text is text
    assert mask(text) == Masked(text, ())


def test_positions_are_those_of_the_original_text() -> None:
    text = f"密码是 Kx72mQ9z，token {GITHUB} 和 {SLACK}。"
    assert [text[s.start : s.end] for s in mask(text).secrets] == ["Kx72mQ9z", GITHUB, SLACK]


@pytest.mark.parametrize("size", range(1, 40))
def test_a_mask_never_shows_more_than_a_quarter(size: int) -> None:
    secret = ("aB3" * 20)[:size]
    shown = mask_of("password", secret).removeprefix("[masked password").removesuffix("]").removeprefix(" …")
    assert len(shown) <= min(4, size // 4)
    assert secret.endswith(shown)
    assert is_masked(mask_of("password", secret))


def test_a_mask_shows_no_signs_which_could_end_it() -> None:
    assert mask_of("password", "abcdefghijklmn]]") == "[masked password]"
    assert mask_of("private-key", "abcdefghijklmnopqr\nst") == "[masked private-key]"


@pytest.mark.parametrize(
    "text",
    [
        "password=[masked password …ab12]",
        "api_key: '[masked api-key …9f3e]'",
        "the password is [masked password]",
        "postgres://app:[masked connection-string …Pw9x]@db/app",
        "Authorization: Bearer [masked bearer-token …77aa]",
        "-----BEGIN PRIVATE KEY-----\n[masked private-key …AQC7]\n-----END PRIVATE KEY-----",
        "密码是[masked password …2x]",
    ],
)
def test_what_is_masked_is_not_masked_again(text: str) -> None:
    assert mask(text).text is text


PIECES = st.sampled_from(
    [
        "password=",
        "password is ", "token: ", '"api_key": "', '"', "'", "\n", "\\n", " ", "://", "@", ":", "/", "=",
        "&",
        "sk-", "curl -u ", "Authorization: Bearer ", "密码是", "，", "[masked password …ab]", "[masked ", "]",
        "hunter2x",
        "Kx72mQ9z!", STAND_IN, GITHUB, SLACK, "AK" + "IA" + "Q3EGRT7WZX5BKD2M",
        "postgres://u:", "eyJhbGciOiJIUzI1NiJ9.",
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "Q~",
        "login is bob / ",
        "--password ", "x", ".", "-", "_", "key=", "8Q~", "\ud800", "\0", "é", "<password>", "</password>",
    ]
)  # fmt: skip
MIXED = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=24).map("".join)


@settings(max_examples=600, deadline=None)
@given(MIXED)
def test_masking_twice_changes_nothing_more(text: str) -> None:
    once = mask(text).text
    assert mask(once).text is once


@settings(max_examples=300, deadline=None)
@given(MIXED)
def test_findings_are_ordered_apart_and_rebuild_the_masked_text(text: str) -> None:
    masked = mask(text)
    assert masked.secrets == find_secrets(text)
    parts, done = [], 0
    for secret in masked.secrets:
        assert done <= secret.start < secret.end <= len(text)
        parts += [text[done : secret.start], mask_of(secret.kind, text[secret.start : secret.end])]
        done = secret.end
    assert "".join([*parts, text[done:]]) == masked.text


@settings(max_examples=200, deadline=None)
@given(
    st.text(
        alphabet=st.characters(exclude_categories=("L", "N"), exclude_characters="_-+/=.%\\~$|:@"),
        max_size=30,
    ),
    st.text(alphabet="abcdefghijklmnop QRST", max_size=40),
    st.sampled_from([GITHUB, SLACK, STAND_IN]),
)
def test_a_planted_token_never_stays(before: str, after: str, token: str) -> None:
    text = f"{before} {token} {after}"
    assert token not in mask(text).text
    assert mask(text).text.endswith(after)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(codec=None), max_size=300))
def test_no_text_makes_it_fail(text: str) -> None:
    assert mask(text).secrets == find_secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "\0", "\ud800", "\udfff" * 50, "a" * 1_000_000, "=" * 100_000, "password" * 20_000,
        "password=" * 10_000,
        "token: " * 20_000, "sk-" * 50_000, "://" * 50_000, "a://b:c@" * 10_000,
        "-----BEGIN PRIVATE KEY-----" * 2_000,
        "eyJhbGciOiJIUzI1NiJ9." * 3_000, "password for a b " * 5_000, "\\" * 100_000, '"' * 100_000,
        "密码是" * 20_000,
        "key=" * 50_000, "Q~" * 50_000, " " * 200_000, "a8Q~" * 20_000,
    ],
)  # fmt: skip
def test_texts_full_of_signs_are_read_to_their_end(text: str) -> None:
    masked = mask(text)
    assert mask(masked.text).text == masked.text


def test_a_secret_behind_a_long_text_is_found() -> None:
    text = "lorem ipsum dolor " * 50_000 + GITHUB
    assert [text[s.start : s.end] for s in find_secrets(text)] == [GITHUB]


def test_many_secrets_in_one_text_are_all_found() -> None:
    dice = random.Random(3)
    words = ["".join(dice.choices(string.ascii_letters + string.digits, k=12)) + "7q" for _ in range(500)]
    text = "\n".join(f"USER_{i}_PASSWORD={word}" for i, word in enumerate(words))
    masked = mask(text)
    assert [text[s.start : s.end] for s in masked.secrets] == words


@pytest.mark.parametrize(
    "text",
    [
        "MAX_TOKENS=4096",
        "token_embd.weight 4096x32000",
        "max_output_tokens: 8192, tokens_per_second: 41.5",
        "The token budget is 4000 and the tokenizer is o200k_base.",
    ],
)
def test_notes_on_models_are_no_secrets(text: str) -> None:
    """NousResearch/hermes-agent#96607: token limits and tensor names were masked."""
    assert find_secrets(text) == ()


@pytest.mark.parametrize(
    "text", ["token is set in ~/.app/.env", "Put the deploy key in ~/.ssh/authorized_keys on host web1"]
)
def test_where_a_secret_is_kept_is_no_secret(text: str) -> None:
    """NousResearch/hermes-agent#26111 and PR85992: naming the place of a key was taken for the key."""
    assert find_secrets(text) == ()


def test_code_that_only_refers_to_a_key_stays_valid() -> None:
    """NousResearch/hermes-agent#33801: masking changed code and broke it."""
    for code in (
        'h = f"Bearer {key}"',
        'headers = {"Authorization": "Bearer " + token}',
        "key = os.environ['API_KEY']",
    ):
        assert mask(code).text is code


def test_a_login_told_in_a_sentence_is_masked() -> None:
    """NousResearch/hermes-agent PR67691: a password in prose was stored in clear."""
    assert mask("The wiki login is bob / Kx7-example!").text == "The wiki login is bob / [masked password]"


def test_the_hyphens_of_an_id_are_no_dashes_between_a_word_and_its_value():
    text = "Deploy key in the environment  b7a90d3c-64c9-4c1e-8d52-5b8d1f0e2203"
    assert mask(text).text is text
