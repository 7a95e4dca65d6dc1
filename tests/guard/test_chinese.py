"""Secrets told in Chinese."""

import pytest

from archivist.guard import find_secrets, mask


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("我的密码是abc12345", "abc12345"),
        ("密码：hunter2x", "hunter2x"),
        ("密码是：Kx72mQ9z。", "Kx72mQ9z"),
        ("wifi密码 88888888", "88888888"),
        ("密码改成了Xy12ab，记得更新", "Xy12ab"),
        ("密码是123456，别告诉别人", "123456"),
        ("口令: zx81QQ", "zx81QQ"),
        ("API 密钥为a8f3k2m9x7q1", "a8f3k2m9x7q1"),
        ("访问令牌是 9f8e7d6c5b4a3f2e", "9f8e7d6c5b4a3f2e"),
        ("服务器的 password 是 hunter2x", "hunter2x"),
        ("api key：9f8e7d6c5b4a3f2e", "9f8e7d6c5b4a3f2e"),
        ("密码是“Kx72mQ9z”", "Kx72mQ9z"),
    ],
)
def test_a_secret_told_in_chinese_is_found(text: str, secret: str) -> None:
    assert [text[found.start : found.end] for found in find_secrets(text)] == [secret]
    assert mask(mask(text).text).text == mask(text).text


@pytest.mark.parametrize(
    "text",
    [
        "密码学很有趣", "密码错误", "密码长度为12位", "密码是6位数", "密码是2024年设置的",
        "密码必须包含数字和字母",
        "令牌是 JWT 格式", "密码用 bcrypt 加密",
        "密码是空的", "token 数是 4096", "口令不对", "密钥长度是2048位",
        "我忘记密码了，怎么办？", "密码: ${DB_PASSWORD}", "解决了，答案是 rebase-onto-main",
    ],
)  # fmt: skip
def test_talk_about_passwords_is_left_alone(text: str) -> None:
    assert find_secrets(text) == ()
