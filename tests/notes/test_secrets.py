"""No note holds a secret."""

import pytest

from archivist.notes.secrets import SecretInNote, refuse_secrets

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    "text",
    [
        f"token {TOKEN}",
        f"one {TOKEN} and two {TOKEN}",
        "密码是 hunter2Secret9",
        "The wiki login is bob / hunter2-example!",
    ],
)
def test_a_secret_is_refused_by_its_kind_and_never_shown(text):
    with pytest.raises(SecretInNote) as caught:
        refuse_secrets(text)
    message = str(caught.value)
    assert caught.value.kinds
    assert len(caught.value.kinds) == 1
    assert caught.value.kinds[0] in message
    assert "environment variable or in the system's keyring, and note only where it is kept" in message
    assert TOKEN[4:12] not in message
    assert "hunter2" not in message
    assert "\n" not in message


def test_where_a_secret_is_kept_may_be_noted():
    refuse_secrets("The deploy token is in the environment as DEPLOY_TOKEN, and in 1Password under “deploy”")
    refuse_secrets("token [masked github-token …q7R8]")
