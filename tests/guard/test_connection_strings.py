"""Passwords in addresses and on command lines; all around them stays."""

import pytest

from archivist.guard import find_secrets, mask


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("postgres://app:s3cr3tPw@db.example.com:5432/app", "s3cr3tPw"),
        ("postgresql+asyncpg://app:s3cr3tPw@db/app", "s3cr3tPw"),
        ("mysql://root:p@ss/w0rd@host/db", "p@ss/w0rd"),
        ("mongodb+srv://u:Zz9%40x@c.example.net/?w=majority", "Zz9%40x"),
        ("redis://:abcdef123@localhost:6379/0", "abcdef123"),
        ("amqp://svc:q7Lm2@mq:5672/vhost", "q7Lm2"),
        ("https://user:hunter2@example.com/x?y=1", "hunter2"),
        ("git clone https://bob:hunter2x@git.example.com/r.git", "hunter2x"),
        ("jdbc:postgresql://app:s3cr3tPw@db/app", "s3cr3tPw"),
        ("curl -u bob:hunter22 https://x.example", "hunter22"),
        ('curl --user "bob:dB2y@qL9v" https://x.example', "dB2y@qL9v"),
        ("curl --user bob:'pRf7vG2h1L8n' -X GET", "pRf7vG2h1L8n"),
        ('curl -su ":d2LkV78zLx" https://x.example', "d2LkV78zLx"),
    ],
)
def test_only_the_password_goes(text: str, secret: str) -> None:
    (found,) = find_secrets(text)
    assert text[found.start : found.end] == secret
    before, after = text.split(secret)
    masked = mask(text).text
    assert masked.startswith(before + "[masked ")
    assert masked.endswith("]" + after)


def test_each_address_of_a_list_is_masked() -> None:
    text = "amqp://a:q7Lm2x@h1,amqp://b:w8Pn3y@h2"
    assert [text[s.start : s.end] for s in find_secrets(text)] == ["q7Lm2x", "w8Pn3y"]


@pytest.mark.parametrize(
    "text",
    [
        "postgres://user:password@localhost/db",
        "postgres://postgres:postgres@localhost:5432/app",
        "postgres://${USER}:${PASS}@localhost/db",
        "postgresql://username:new_password@hostname:port/database",
        "http://localhost:8080/path/@me",
        "https://example.com:443/users/@bob?x=a:b@c",
        "mailto:bob@example.com",
        "https://medium.com/@someone/a-title-2024",
        "ssh://git@github.com:22/x/y.git",
        'curl -u "$USER:$PASS" https://x.example',
        "curl -u test:test https://x.example",
        "curl -u bob https://x.example:8080/",
    ],
)
def test_addresses_without_a_password_are_left_alone(text: str) -> None:
    assert find_secrets(text) == ()
