"""Passwords beside the name of a user or a network, in a sentence."""

import pytest

from archivist.guard import find_secrets, mask

PASSWORD = "Kx7-example!"


@pytest.mark.parametrize(
    "text",
    [
        f"The wiki login is bob / {PASSWORD}",  # NousResearch/hermes-agent#67691
        f"wiki login: bob / {PASSWORD}",
        f"credentials for the wiki are bob:{PASSWORD}",
        f"Log in as bob with {PASSWORD}",
        f"sign in to the wiki with bob / {PASSWORD}.",
        f"Wiki access: user bob, pw {PASSWORD}",
        f"the pw is {PASSWORD}",
        f"the wifi is HomeNet / {PASSWORD}",
        f"Wi-Fi: HomeNet | {PASSWORD}",
        f"维基的登录是 bob / {PASSWORD}",
        f"测试账号：bob / {PASSWORD}",
        f"用户名是 bob，{PASSWORD}",
        f"服务器账户为 “root”／{PASSWORD}。",
    ],
)
def test_a_password_beside_a_name_is_found(text: str) -> None:
    assert [text[found.start : found.end] for found in find_secrets(text)] == [PASSWORD]
    assert mask(mask(text).text).text == mask(text).text


@pytest.mark.parametrize(
    "text",
    [
        "The login page is /auth/login-v2",
        "The login is bob@example.com / 1Password",
        "The login flow is OAuth / OIDC",
        "log in as admin with 2FA-enabled",
        "log in with email and one-time-code-6",
        "the wifi is 5GHz / 802.11ax",
        "pw is stored in 1Password",
        "username bob, the rest is in the keyring",
        "登录是通过 SSO / OAuth2 的",
        "账号是 bob / 需要审批",
        "账号：user001 / user002x",
        "账号：@mei_2024 / @lin_2025",
        "账号是 alice，alice2024@example.com",
        "登录页面：index.html / login.html",
        "MAX_TOKENS=4096",  # NousResearch/hermes-agent#96607
        "token_embd.weight 4096x32000",
    ],
)
def test_talk_about_logins_is_left_alone(text: str) -> None:
    assert find_secrets(text) == ()
