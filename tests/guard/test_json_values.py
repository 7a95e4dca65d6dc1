"""Masking inside JSON-like values."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.guard import mask_value

TOKEN = "gh" + "p_" + "a8Kd72mQpL0xVb5TnR3wYc9EfHs1Zj4UgM6i"
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=20), st.sampled_from([TOKEN, "hunter2x"])
)
KEYS = st.sampled_from(["password", "api_key", "text", "data", "signature", "token", "n", TOKEN])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=20,
)


def test_every_string_is_masked_and_the_rest_is_shared() -> None:
    value = {"a": [1, {"cmd": f"push {TOKEN}"}], "b": {"c": [1.5, None]}}
    masked, (secret,) = mask_value(value)
    assert masked == {"a": [1, {"cmd": f"push [masked github-token …{TOKEN[-4:]}]"}], "b": {"c": [1.5, None]}}
    assert masked["b"] is value["b"]
    assert (secret.kind, secret.start, secret.end) == ("github-token", 5, 5 + len(TOKEN))
    assert TOKEN in value["a"][1]["cmd"]


def test_a_value_without_secrets_is_the_same_object() -> None:
    value = {"a": ["b", {"c": "d"}], "n": 3}
    assert mask_value(value)[0] is value
    assert mask_value("plain")[0] == "plain"
    assert mask_value(None) == (None, ())


@pytest.mark.parametrize(
    ("key", "text", "kind"),
    [
        ("password", "hunter2x", "password"),
        ("password", "sesame", "password"),
        ("dbPassword", "hunter2x", "password"),
        ("api_key", "abcd1234", "api-key"),
        ("x-api-key", "abcd1234", "api-key"),
        ("clientSecret", "abcd1234", "secret"),
        ("access_token", "9f8e7d6c5b4a3f2e", "token"),
    ],
)
def test_a_string_under_a_key_that_names_a_secret_is_masked_whole(key: str, text: str, kind: str) -> None:
    masked, (secret,) = mask_value({"user": "bob", key: text})
    assert masked[key].startswith(f"[masked {kind}")
    assert (secret.kind, secret.start, secret.end) == (kind, 0, len(text))
    assert mask_value({key: [text]})[0] == {key: [masked[key]]}


@pytest.mark.parametrize(
    "value",
    [
        {"password": "must be at least 12 characters"},
        {"password": "string"},
        {"password": "${DB_PASSWORD}"},
        {"password": ""},
        {"password": {"type": "string", "minLength": 12}},
        {"token": "Paris", "logprob": -0.1},
        {"max_tokens": "4096"},
        {"password_policy": "abcd1234"},
        {"public_key": "abcd1234"},
        {"nextPageToken": "abcd1234efgh"},
        {"password": "[masked password …ab]"},
    ],
)
def test_other_values_under_such_keys_are_left_alone(value: object) -> None:
    assert mask_value(value) == (value, ())
    assert mask_value(value)[0] is value


@pytest.mark.parametrize("key", ["signature", "encrypted_content", "thought_signature", "data"])
def test_what_a_provider_needs_back_unchanged_is_not_touched(key: str) -> None:
    value = {"type": "thinking", key: TOKEN}
    assert mask_value(value)[0] is value


def test_text_under_the_key_data_is_read() -> None:
    masked, _ = mask_value({"data": "user=bob&password=hunter2x"})
    assert masked == {"data": "user=bob&password=[masked password …2x]"}


def test_a_key_which_is_a_secret_is_masked_and_other_keys_stay() -> None:
    masked, secrets = mask_value({TOKEN: 1, "a": TOKEN, "description_of_it": 2, "Content-Type-1": 3})
    mark = f"[masked github-token …{TOKEN[-4:]}]"
    assert masked == {mark: 1, "a": mark, "description_of_it": 2, "Content-Type-1": 3}
    assert [secret.kind for secret in secrets] == ["github-token"] * 2


def test_keys_that_masking_makes_equal_keep_their_values() -> None:
    twin = TOKEN[:8] + "Zq" + TOKEN[10:]
    mark = f"[masked github-token …{TOKEN[-4:]}]"
    masked, _ = mask_value({"x": {TOKEN: 1, mark: 0, twin: 2}})
    assert masked == {"x": {f"{mark} 2": 1, mark: 0, f"{mark} 3": 2}}
    assert mask_value(masked)[0] is masked


def test_tuples_and_deep_nesting_keep_their_form() -> None:
    value: object = TOKEN
    for _ in range(5_000):
        value = [value]
    masked, (secret,) = mask_value(value)
    assert secret.kind == "github-token"
    for _ in range(5_000):
        (masked,) = masked
    assert str(masked).startswith("[masked")
    assert mask_value(("a", TOKEN))[0] == ("a", f"[masked github-token …{TOKEN[-4:]}]")


def test_a_secret_in_the_arguments_of_a_tool_does_not_stay() -> None:
    """NousResearch/hermes-agent#43666: a key in tool arguments was stored in clear."""
    key = "sk-" + "test-4f9Ab27cD81e"
    masked, _ = mask_value({"name": "call", "arguments": {"key": key, "raw": json.dumps({"key": key})}})
    assert key not in json.dumps(masked)


def test_a_value_stays_under_a_key_that_was_a_secret_itself():
    masked, _ = mask_value({"ghp_a8Kd72mQpL0xVb5TnR3wYc9EfHs1Zj4UgM6i": "001123AB"})
    assert masked == {"[masked github-token …gM6i]": "001123AB"}
    assert mask_value(masked) == (masked, ())


@given(VALUES)
def test_masking_a_value_twice_changes_nothing_more(value: object) -> None:
    masked, _ = mask_value(value)
    assert mask_value(masked)[0] is masked
