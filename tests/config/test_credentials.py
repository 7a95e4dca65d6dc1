"""Keys in a file of the home: for its owner alone, for one address, and never in a message."""

import os
import stat
import threading

import pytest

from archivist.config.credentials import (
    CredentialsUnreadable,
    add_key,
    drop_key,
    read_key,
    read_keys,
    remove_key,
    write_key,
)

URL = "https://api.openai.com/v1"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "home" / "credentials.toml"


def test_a_key_is_kept_for_its_provider_and_its_address(file):
    assert read_key(file, "openai", URL) is None
    write_key(file, "openai", URL, "sk-first")
    assert read_key(file, "openai", URL) == "sk-first"
    assert read_key(file, "openai", "https://api.openai.com/v2/") == "sk-first"
    for other in ("http://api.openai.com/v1", "https://api.openai.com:8443/v1", "https://evil.example/v1"):
        assert read_key(file, "openai", other) is None
    assert read_key(file, "anthropic", URL) is None
    write_key(file, "openai", URL, "sk-second")
    assert read_key(file, "openai", URL) == "sk-second"
    assert "sk-first" not in file.read_text()


def test_its_owner_alone_may_read_it_from_the_start(file):
    before = os.umask(0)
    try:
        write_key(file, "openai", URL, "sk-a")
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix", reason="no such rights")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602])
def test_a_file_that_others_may_read_is_refused_with_what_to_do(file, mode):
    write_key(file, "openai", URL, "sk-a")
    file.chmod(mode)
    for use in (
        lambda: read_key(file, "openai", URL),
        lambda: write_key(file, "openai", URL, "sk-b"),
        lambda: remove_key(file, "openai"),
    ):
        with pytest.raises(CredentialsUnreadable, match="others may read it; `chmod 600"):
            use()
    assert "sk-b" not in file.read_text()


@pytest.mark.parametrize(
    "content", [b"sk-secret", b"[openai]\nkey = sk-secret", b"\xff sk-secret", b'[openai]\nkey = "sk-secret"']
)
def test_what_cannot_be_followed_is_refused_without_a_word_of_it(file, content):
    file.parent.mkdir()
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(CredentialsUnreadable) as raised:
        read_key(file, "openai", URL)
    assert "sk-secret" not in str(raised.value)
    assert raised.value.__cause__ is None or "sk-secret" not in str(raised.value.__cause__)


def test_what_a_hand_wrote_stays_when_another_key_is_kept_or_removed(file):
    file.parent.mkdir()
    file.write_text('# mine\n[work]   # a table of mine\nkey = "k"\nbase_url = "http://box/v1"\n')
    file.chmod(0o600)
    write_key(file, "openai", URL, "sk-a")
    assert file.read_text().startswith('# mine\n[work]   # a table of mine\nkey = "k"\n')
    assert remove_key(file, "openai")
    assert not remove_key(file, "openai")
    assert read_key(file, "work", "http://box/v1") == "k"
    assert "sk-a" not in file.read_text()


def test_two_at_once_keep_both_keys(file):
    names = [f"p{number}" for number in range(8)]
    threads = [threading.Thread(target=write_key, args=(file, name, URL, f"key-{name}")) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [read_key(file, name, URL) for name in names] == [f"key-{name}" for name in names]


def test_a_key_with_marks_of_toml_comes_back_as_it_was(file):
    write_key(file, "llama.cpp", "http://box/v1", "a\"b\\c'd#e=")
    assert read_key(file, "llama.cpp", "http://box/v1") == "a\"b\\c'd#e="
    assert not remove_key(file.with_name("none.toml"), "openai")


# ---- several ----


def test_several_keys_are_kept_for_one_provider_in_their_order(file):
    write_key(file, "openai", URL, "sk-first")
    assert add_key(file, "openai", URL, "sk-second")
    assert add_key(file, "openai", URL, "sk-third")
    assert not add_key(file, "openai", URL, "sk-second")
    write_key(file, "groq", "https://api.groq.com/openai/v1", "gsk-a")
    assert read_keys(file, "openai", URL) == ("sk-first", "sk-second", "sk-third")
    assert read_key(file, "openai", URL) == "sk-first"
    assert read_keys(file, "groq", "https://api.groq.com/openai/v1") == ("gsk-a",)
    assert drop_key(file, "openai", URL, "sk-first")
    assert not drop_key(file, "openai", URL, "sk-first")
    assert read_keys(file, "openai", URL) == ("sk-second", "sk-third")
    assert drop_key(file, "openai", URL, "sk-second")
    assert "[openai]\n" in file.read_text()
    assert drop_key(file, "openai", URL, "sk-third")
    assert read_keys(file, "openai", URL) == ()
    assert read_key(file, "groq", "https://api.groq.com/openai/v1") == "gsk-a"
    assert "sk-" not in file.read_text().replace("gsk-", "")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_each_of_several_keys_goes_to_its_own_address_alone(file):
    add_key(file, "openai", URL, "sk-a")
    add_key(file, "openai", "http://box/v1", "sk-b")
    add_key(file, "openai", "http://box/v1", "sk-a")
    assert read_keys(file, "openai", URL) == ("sk-a",)
    assert read_keys(file, "openai", "http://box/v1") == ("sk-b", "sk-a")
    assert not drop_key(file, "openai", URL, "sk-b")
    assert read_keys(file, "openai", "http://evil.example/v1") == ()


def test_a_new_key_takes_the_place_of_the_first_and_costs_no_other(file):
    for key in ("sk-a", "sk-b", "sk-c"):
        add_key(file, "openai", URL, key)
    write_key(file, "openai", URL, "sk-new")
    assert read_keys(file, "openai", URL) == ("sk-new", "sk-b", "sk-c")
    write_key(file, "openai", URL, "sk-c")
    assert read_keys(file, "openai", URL) == ("sk-c", "sk-b")
    assert remove_key(file, "openai")
    assert read_keys(file, "openai", URL) == ()


def test_a_list_by_hand_is_read_and_what_stands_around_it_stays(file):
    file.parent.mkdir()
    text = (
        '# mine\n[work]\nkey = "w"\nbase_url = "http://box/v1"\n\n'
        f'[[openai]]\nkey = "sk-a"\nbase_url = "{URL}"\n\n[[openai]]\nkey = "sk-b"\nbase_url = "{URL}"\n\n'
        '[groq]  # free\nkey = "g"\nbase_url = "http://g/v1"\n'
    )
    file.write_text(text)
    file.chmod(0o600)
    assert read_keys(file, "openai", URL) == ("sk-a", "sk-b")
    assert add_key(file, "openai", URL, "sk-c")
    assert drop_key(file, "openai", URL, "sk-a")
    assert read_keys(file, "openai", URL) == ("sk-b", "sk-c")
    assert read_key(file, "work", "http://box/v1") == "w"
    assert read_key(file, "groq", "http://g/v1") == "g"
    assert file.read_text().startswith("# mine\n[work]\n")
    assert "[groq]  # free\n" in file.read_text()


@pytest.mark.parametrize("content", ['openai = ["sk-secret"]\n', '[[openai]]\nkey = "sk-secret"\n'])
def test_a_list_that_cannot_be_followed_is_refused_without_a_word_of_it(file, content):
    file.parent.mkdir()
    file.write_text(content)
    file.chmod(0o600)
    for use in (
        lambda: read_keys(file, "openai", URL),
        lambda: add_key(file, "openai", URL, "sk-b"),
        lambda: drop_key(file, "openai", URL, "sk-secret"),
    ):
        with pytest.raises(CredentialsUnreadable) as raised:
            use()
        assert "sk-secret" not in str(raised.value)
    assert file.read_text() == content


def test_many_who_add_at_once_lose_no_key(file):
    keys = {f"sk-{number:03}" for number in range(12)}
    threads = [threading.Thread(target=add_key, args=(file, "openai", URL, key)) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(read_keys(file, "openai", URL)) == keys
