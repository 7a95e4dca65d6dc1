"""Which files hold keys and passwords, by their names."""

from typing import Final

from archivist.records.patterns import late_pattern

_CREDENTIALS: Final = late_pattern(
    r"(?i)(?:^|/)(?:\.env(?:\.(?!example|sample|template|dist)[\w.-]+)?|\.netrc|_netrc|\.pgpass|\.npmrc|\.pypirc|\.htpasswd|\.git-credentials"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|[^/]+\.(?:pem|key|p12|pfx|kdbx|keystore|jks)|credentials(?:\.json|\.toml|\.db)?"
    r"|\.aws/[^/]+|\.ssh/(?!known_hosts|config$|[^/]+\.pub$)[^/]+|\.gnupg/.+|\.kube/config|\.docker/config\.json|gh/hosts\.yml"
    r"|application_default_credentials\.json)$"
)


def has_credentials(path: str) -> bool:
    """Whether the name of a file says that there are keys or passwords in it."""
    return bool(_CREDENTIALS.search(path))


__all__ = ["has_credentials"]
