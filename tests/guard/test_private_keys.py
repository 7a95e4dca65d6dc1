"""Private keys: the frame stays, the body goes, however the key is cut or written."""

import random

import pytest

from archivist.guard import find_secrets, mask

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
DICE = random.Random(11)
LINES = ["".join(DICE.choices(LETTERS, k=64)) for _ in range(6)]
KINDS = ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"]


@pytest.mark.parametrize("kind", [*KINDS, "PGP PRIVATE KEY BLOCK"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\\n", "\\\\n"])
def test_the_body_of_a_key_goes_and_its_frame_stays(kind: str, newline: str) -> None:
    begin, end = f"-----BEGIN {kind}-----", f"-----END {kind}-----"
    masked = mask("see " + newline.join([begin, *LINES, end]) + " done").text
    assert not any(line[:20] in masked for line in LINES)
    assert masked.startswith("see " + begin + newline + "[masked private-key")
    assert masked.endswith(newline + end + " done")
    assert mask(masked).text is masked


def test_a_key_without_its_end_is_masked() -> None:
    masked = mask("\n".join(["-----BEGIN RSA PRIVATE KEY-----", *LINES])[:-20]).text
    assert masked.startswith("-----BEGIN RSA PRIVATE KEY-----\n[masked private-key")
    assert not any(line[:20] in masked for line in LINES)


def test_a_key_without_its_beginning_is_masked() -> None:
    masked = mask("\n".join([*LINES, "-----END RSA PRIVATE KEY-----"])[20:]).text
    assert masked.startswith("[masked private-key")
    assert masked.endswith("\n-----END RSA PRIVATE KEY-----")


def test_headers_of_an_encrypted_key_stay() -> None:
    head = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n"
    masked = mask(head + "\n".join(LINES) + "\n-----END RSA PRIVATE KEY-----").text
    assert masked.startswith(head + "[masked private-key")


def test_a_putty_key_is_masked() -> None:
    text = "Public-Lines: 1\nAAAA\nPrivate-Lines: 6\n" + "\n".join(LINES) + "\nPrivate-MAC: 12ab"
    masked = mask(text).text
    assert masked.startswith("Public-Lines: 1\nAAAA\nPrivate-Lines: 6\n[masked private-key")
    assert masked.endswith("\nPrivate-MAC: 12ab")


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n<your key>\n-----END PRIVATE KEY-----",
        "a file that begins with -----BEGIN OPENSSH PRIVATE KEY----- is a key",
        "-----BEGIN PUBLIC KEY-----\n" + "\n".join(LINES) + "\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\n" + "\n".join(LINES) + "\n-----END CERTIFICATE-----",
    ],
)
def test_frames_without_a_key_and_public_keys_are_left_alone(text: str) -> None:
    assert find_secrets(text) == ()
