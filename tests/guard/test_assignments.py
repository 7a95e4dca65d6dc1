"""Secrets announced by a name, a header, an option or a sentence; and what only looks like it."""

import random
import string

import pytest

from archivist.guard import find_secrets

GENERATED = "9f8e7d6c5b4a3f2e"


def secrets_in(text: str) -> list[str]:
    return [text[secret.start : secret.end] for secret in find_secrets(text)]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("DB_PASSWORD=hunter2x", "hunter2x"),
        ("export DB_PASS='hunter2x'", "hunter2x"),
        ("password = Tr0ub4dor&3", "Tr0ub4dor&3"),
        ("admin_password: 'Tr0ub4dor&3'", "Tr0ub4dor&3"),
        ('{"user": "bob", "password": "hunter2x"}', "hunter2x"),
        ('{\\"user\\": \\"bob\\", \\"password\\": \\"hunter2x\\"}', "hunter2x"),
        ('config["password"] = "hunter2x"', "hunter2x"),
        ('password: str = "hunter2x"', "hunter2x"),
        ('const apiKey: string = "9f8e7d6c5b4a3f2e";', GENERATED),
        ("if password == 'hunter2x':", "hunter2x"),
        ("password => 'hunter2x'", "hunter2x"),
        ("PASSWORD := hunter2x", "hunter2x"),
        ("<password>hunter2x</password>", "hunter2x"),
        ('<add key="ClearTextPassword" value="hunter2x" />', "hunter2x"),
        ("- name: DB_PASSWORD\n  value: hunter2x\n", "hunter2x"),
        ("mysql --password hunter2x -u root", "hunter2x"),
        ("tool --api-token=9f8e7d6c5b4a3f2e run", GENERATED),
        ("user: bob pass: hunter2x", "hunter2x"),
        ("pwd=hunter2x;server=db", "hunter2x"),
        ("x-api-key: 9f8e7d6c5b4a3f2e", GENERATED),
        ("api key: 9f8e7d6c5b4a3f2e", GENERATED),
        ("X_CLIENT_SECRET=9f8e7d6c5b4a3f2e", GENERATED),
        ("apikey: 6fa459ea-ee8a-4ca4-894e-db77e160355e", "6fa459ea-ee8a-4ca4-894e-db77e160355e"),
        ("GET /v1?access_token=9f8e7d6c5b4a3f2e&page=2", GENERATED),
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzk3mpKQ8Xa",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzk3mpKQ8Xa",
        ),
        ("Password:\nHunter22!x\n", "Hunter22!x"),
        ("**Password**: `Hunter22`", "Hunter22"),
        ("line\\npassword=hunter2x\\nnext", "hunter2x"),
        ("Authorization: Bearer 9f8e7d6c5b4a3f2e", GENERATED),
        ("-H 'Authorization: Basic Ym9iOmh1bnRlcjI='", "Ym9iOmh1bnRlcjI="),
        ("Authorization: Token 9f8e7d6c5b4a3f2e", GENERATED),
        ("Authorization: 6fa459ea-ee8a-4ca4-894e-db77e160355e", "6fa459ea-ee8a-4ca4-894e-db77e160355e"),
        ("//registry.example.org/:_auth=Ym9iOmh1bnRlcjIK9x", "Ym9iOmh1bnRlcjIK9x"),
        ("my password is hunter2", "hunter2"),
        ("The wifi password: Blue42Sky", "Blue42Sky"),
        ("the password for the wiki is Kx7-example!", "Kx7-example!"),
        ("The password has been changed to Kx72mQ9z.", "Kx72mQ9z"),
        ("log in as bob with password Kx72mQ9z!", "Kx72mQ9z!"),
        ("our API key is 9f8e7d6c5b4a3f2e, keep it", GENERATED),
        ("PASSWORD=84739281", "84739281"),
    ],
)
def test_an_announced_secret_is_found(text: str, secret: str) -> None:
    assert [found.rstrip("!") for found in secrets_in(text)] == [secret.rstrip("!")]


@pytest.mark.parametrize(
    "text",
    [
        "password must be at least 12 characters",
        "The password is required.",
        "the password is base64-encoded",
        "Enter your password: ",
        "password: ${DB_PASSWORD}",
        "password: $DB_PASSWORD",
        "password = os.environ['DB_PASSWORD']",
        "password = getpass.getpass()",
        "const token = process.env.GITHUB_TOKEN",
        "api_key = settings.API_KEY",
        "API_KEY=<your-api-key>",
        "API_KEY=your-api-key-here-123",
        "API_KEY=xxxxxxxxxxxxxxxxxxxx",
        "TOKEN=changeme",
        "password: changeme",
        'password = "********"',
        "token = {{ vault.token }}",
        "password_length = 12",
        "PASSWORD_MIN_LENGTH=12",
        "password_hash: 5f4dcc3b5aa765d61d8327deb882cf99",
        "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
        "nextPageToken: CAUQAA9f8e7d6c5b4a3f2e",
        "csrf_token=9f8e7d6c5b4a3f2e9f8e",
        "public_key = 9f8e7d6c5b4a3f2e9f8e",
        "publicKeyToken=b77a5c561934e089",
        "key_vault_name: web21prod24021",
        "secret_name = prod-db-key-2",
        "token_url: https://auth.example.org/oauth2/token",
        "private_key_path=/etc/ssl/private/key.pem",
        "access_token_expires_in: 3600",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <token>",
        "Bearer of bad news since 2019",
        "the secret ingredient is 2 cups of sugar",
        "a token of my appreciation for 2024",
        "reset password within 24hours please",
        "keyboard: QWERTY-2024-Layout",
        "cache key: user:42:profile",
        "Xbox Game Pass: $10/month",
        "--- PASS: TestBoundary/1ns_beyond_window_does_not_match (0.00s)",
        "MovedAttribute('HTTPPasswordMgr', 'urllib2')",
        "credentialsId: 'ff083f76-7804-4ef1-80e4-fe975bb9141b'",
        "login: admin / admin",
        "the login is simple and quick",
        "class EllipticCurvePrivateKeyWithSerialization = EllipticCurvePrivateKey",
    ],
)
def test_talk_about_secrets_is_left_alone(text: str) -> None:
    assert secrets_in(text) == []


def test_a_generated_value_is_found_whatever_it_is_made_of() -> None:
    dice = random.Random(17)
    letters = string.ascii_letters + string.digits
    for alphabet in (
        letters,
        "0123456789abcdef",
        string.ascii_lowercase + string.digits,
        letters + "+/",
        letters + "-_",
    ):
        for size in (24, 32, 40, 64):
            for before, after in (("API_KEY=", ""), ('"secret": "', '"'), ("Authorization: Bearer ", "")):
                drawn = ["".join(dice.choices(alphabet, k=size - 4)) + "q7Z4" for _ in range(100)]
                found = [value in secrets_in(before + value + after) for value in drawn]
                assert sum(found) >= 95


def test_the_administrator_is_not_the_minimum() -> None:
    assert secrets_in("admin_password=hunter2x min_password=hunter2x") == ["hunter2x"]
