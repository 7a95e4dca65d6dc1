"""Which files hold keys and passwords, by their names."""

from typing import Final

from archivist.records.patterns import late_pattern

_CREDENTIALS: Final = late_pattern(
    r"(?i)(?:^|/)(?:\.env(?:[.-](?!example|sample|template|dist)[\w.-]+)?|[^/]+\.env|\.envrc|\.netrc|_netrc|\.pgpass|\.npmrc|\.pypirc|\.htpasswd"
    r"|\.git-credentials|\.my\.cnf|\.s3cfg|\.boto|\.dockercfg|\.vault-token|\.terraformrc|kubeconfig|secrets\.(?:ya?ml|json|toml)"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|[^/]+\.(?:pem|key|p8|p12|pfx|ppk|kdbx|keystore|jks|tfstate|tfvars)"
    r"|credentials(?:\.json|\.toml|\.db)?|(?:client_secret|service[-_]account)[^/]*\.json|application_default_credentials\.json"
    r"|\.aws/[^/]+|\.azure/[^/]+|\.ssh/(?!known_hosts|config$|[^/]+\.pub$)[^/]+|\.gnupg/.+|\.password-store/.+|\.kube/config"
    r"|\.docker/config\.json|gh/hosts\.yml)(?:\.(?:bak|old|orig|save|swp|backup)|~)?$"
)


def has_credentials(path: str) -> bool:
    """Whether the name of a file says that there are keys or passwords in it."""
    return bool(_CREDENTIALS.search(path))


__all__ = ["has_credentials"]
