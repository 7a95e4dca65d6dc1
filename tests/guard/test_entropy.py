"""How random a text looks."""

import pytest

from archivist.guard.entropy import (
    is_generated,
    is_password_like,
    is_reference,
    is_slug,
    is_stand_in,
    is_strong,
    is_uniform,
    shannon_bits,
)


def test_entropy_is_zero_for_one_character_and_full_for_all_different_ones() -> None:
    assert shannon_bits("") == 0
    assert shannon_bits("aaaa") == 0
    assert shannon_bits("abcdefgh") == pytest.approx(3)


@pytest.mark.parametrize(
    "value", ["changeme", "<key>", "${KEY}", "$KEY", "%(key)s", "xxxxxxxx", "your-key-1", "********", "test"]
)
def test_placeholders_stand_in(value: str) -> None:
    assert is_stand_in(value)


@pytest.mark.parametrize("value", ["hunter2", "Kx7-example!", "a8f3k2m9"])
def test_passwords_do_not_stand_in(value: str) -> None:
    assert not is_stand_in(value)


@pytest.mark.parametrize(
    "value",
    [
        "os.getenv('X')",
        "settings.KEY",
        "a->b",
        "/etc/ssl/key.pem",
        "~/.ssh/id",
        "1.2.3",
        "v2",
        "sha256",
        "https://x",
    ],
)
def test_code_paths_and_terms_are_references(value: str) -> None:
    assert is_reference(value)


def test_generated_keys_differ_from_names_and_counting() -> None:
    assert is_generated("9f8e7d6c5b4a3f2e", shortest=10)
    assert not is_generated("9f8e7d", shortest=10)
    assert not is_generated("prod-db-key-2", shortest=10)
    assert not is_generated("getUserAccountByName", shortest=10)
    assert not is_generated("123456789012345678abc", shortest=10)
    assert is_slug("prod-db-key-2")
    assert is_uniform("1111111122222222")


def test_password_likeness() -> None:
    assert is_password_like("hunter2")
    assert is_password_like("geheim$parole")
    assert not is_password_like("required")
    assert not is_password_like("1234")
    assert is_strong("Kx72mQ9z")
    assert not is_strong("hunter2")
