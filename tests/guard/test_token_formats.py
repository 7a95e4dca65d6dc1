"""Every published format is found, alone and in a sentence; look-alikes are not."""

import random
import string

import pytest

from archivist.guard import find_secrets, mask
from archivist.guard.stretches import SHORTEST_STRETCH, stretches_in
from archivist.guard.token_formats import TOKEN_FORMATS

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"


def draw(alphabet: str, size: int, seed: int = 1) -> str:
    """A generated part with at least one digit, different for every seed."""
    dice = random.Random(f"{alphabet}{size}{seed}")
    return "".join(dice.choice(alphabet) for _ in range(size - 2)) + "7" + alphabet[0]


def uuid(seed: int = 1) -> str:
    whole = draw(HEX, 32, seed)
    return "-".join((whole[:8], whole[8:12], whole[12:16], whole[16:20], whole[20:]))


TOKENS = [
    ("anthropic-key", "sk-" + "ant-api03-" + draw(ALNUM, 93) + "AA"),
    ("openai-key", "sk-" + "proj-" + draw(ALNUM, 48)),
    ("openai-key", "sk-" + "svcacct-" + draw(ALNUM, 48)),
    ("api-key", "sk-" + draw(ALNUM, 20) + "T3Blbk" + "FJ" + draw(ALNUM, 20, 2)),
    ("openrouter-key", "sk-" + "or-v1-" + draw(HEX, 64)),
    ("google-api-key", "AI" + "za" + draw(ALNUM, 35)),
    ("google-oauth-secret", "GOC" + "SPX-" + draw(ALNUM, 28)),
    ("google-oauth-token", "ya" + "29." + draw(ALNUM, 80)),
    ("hugging-face-token", "h" + "f_" + draw(string.ascii_letters, 34)[:-2] + "aQ"),
    ("groq-key", "gs" + "k_" + draw(ALNUM, 52)),
    ("perplexity-key", "pp" + "lx-" + draw(ALNUM, 48)),
    ("replicate-token", "r" + "8_" + draw(ALNUM, 37)),
    ("github-token", "gh" + "p_" + draw(ALNUM, 36)),
    ("github-token", "gh" + "o_" + draw(ALNUM, 36)),
    ("github-token", "gh" + "s_" + draw(ALNUM, 36)),
    ("github-token", "github" + "_pat_" + draw(ALNUM, 22) + "_" + draw(ALNUM, 59)),
    ("gitlab-token", "gl" + "pat-" + draw(ALNUM, 20)),
    ("gitlab-token", "gl" + "rt-" + draw(ALNUM, 20)),
    ("gitlab-token", "gl" + "dt-" + draw(ALNUM, 20)),
    ("atlassian-token", "ATA" + "TT3" + draw(ALNUM, 186)),
    ("npm-token", "np" + "m_" + draw(ALNUM, 36)),
    ("pypi-token", "py" + "pi-AgEIcHlwaS5vcmc" + draw(ALNUM, 80)),
    ("rubygems-key", "ruby" + "gems_" + draw(HEX, 48)),
    ("docker-token", "dckr" + "_pat_" + draw(ALNUM, 27)),
    ("artifactory-key", "AK" + "Cp" + draw(ALNUM, 69)),
    ("sourcegraph-token", "sg" + "p_" + draw(HEX, 40)),
    ("sonar-token", "sq" + "p_" + draw(HEX, 40)),
    ("aws-access-key", "AK" + "IA" + draw(BASE32, 16)),
    ("aws-access-key", "AS" + "IA" + draw(BASE32, 16)),
    ("alibaba-access-key", "LT" + "AI" + draw(ALNUM, 20)),
    ("yandex-key", "AQ" + "VN" + draw(ALNUM, 36)),
    ("digitalocean-token", "do" + "p_v1_" + draw(HEX, 64)),
    ("heroku-key", "HR" + "KU-AA" + draw(ALNUM, 58)),
    ("fly-token", "fo" + "1_" + draw(ALNUM, 43)),
    ("databricks-token", "da" + "pi" + draw(HEX, 32)),
    ("supabase-key", "sb" + "p_" + draw(HEX, 40)),
    ("planetscale-token", "pscale" + "_pw_" + draw(ALNUM, 43)),
    ("pulumi-token", "pu" + "l-" + draw(HEX, 40)),
    ("doppler-token", "dp" + ".pt." + draw(ALNUM, 43)),
    ("vault-token", "hv" + "s." + draw(ALNUM, 95)),
    ("age-secret-key", "AGE-SECRET" + "-KEY-1" + draw("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    ("openshift-token", "sha" + "256~" + draw(ALNUM, 43)),
    ("tailscale-key", "ts" + "key-auth-" + draw(ALNUM, 12) + "CNTRL-" + draw(ALNUM, 32)),
    ("1password-secret-key", "A" + "3-" + "-".join(draw(UPPER, n) for n in (6, 11, 5, 5, 5))),
    ("harness-key", "pa" + "t." + draw(ALNUM, 22) + "." + draw(HEX, 24) + "." + draw(ALNUM, 20)),
    ("dynatrace-token", "dt0" + "c01." + draw(UPPER, 24) + "." + draw(UPPER, 64)),
    ("octopus-key", "AP" + "I-" + draw(UPPER, 26)),
    ("grafana-token", "gl" + "sa_" + draw(ALNUM, 32) + "_" + draw(HEX, 8)),
    ("new-relic-key", "NR" + "AK-" + draw(UPPER, 27)),
    ("sentry-token", "sntr" + "yu_" + draw(HEX, 64)),
    ("slack-token", "xo" + "xb-" + draw(string.digits, 12) + "-" + draw(ALNUM, 24)),
    ("slack-token", "xa" + "pp-1-" + draw(UPPER, 11) + "-" + draw(string.digits, 13) + "-" + draw(HEX, 64)),
    (
        "slack-webhook",
        "hooks.slack" + ".com/services/T" + draw(UPPER, 9) + "/B" + draw(UPPER, 9) + "/" + draw(ALNUM, 24),
    ),
    ("sendgrid-key", "S" + "G." + draw(ALNUM, 22) + "." + draw(ALNUM, 43)),
    ("mailgun-key", "ke" + "y-" + draw(HEX, 32)),
    ("mailchimp-key", draw(HEX, 32) + "-us" + "12"),
    ("brevo-key", "xkey" + "sib-" + draw(HEX, 64) + "-" + draw(ALNUM, 16)),
    ("twilio-key", "S" + "K" + draw(HEX, 32)),
    ("facebook-token", "EA" + "AC" + draw(ALNUM, 120)),
    ("facebook-token", draw(string.digits, 16) + "|" + draw(ALNUM, 27)),
    ("telegram-bot-token", draw(string.digits, 10) + ":AA" + draw(ALNUM, 33)),
    ("discord-bot-token", "MT" + draw(ALNUM, 24) + "." + draw(ALNUM, 6) + "." + draw(ALNUM, 38)),
    ("stripe-key", "sk" + "_live_" + draw(ALNUM, 24)),
    ("stripe-key", "rk" + "_test_" + draw(ALNUM, 24)),
    ("shopify-token", "shp" + "at_" + draw(HEX, 32)),
    ("square-token", "sq" + "0csp-" + draw(ALNUM, 43)),
    ("plaid-token", "access-" + "sandbox-" + uuid()),
    ("easypost-key", "EZ" + "AK" + draw(ALNUM, 54)),
    ("shippo-token", "shippo" + "_live_" + draw(HEX, 40)),
    ("duffel-token", "duffel" + "_test_" + draw(ALNUM, 43)),
    ("airtable-token", "pa" + "t" + draw(ALNUM, 14) + "." + draw(HEX, 64)),
    ("linear-key", "lin" + "_api_" + draw(ALNUM, 40)),
    ("notion-token", "nt" + "n_" + draw(ALNUM, 46)),
    ("postman-key", "PM" + "AK-" + draw(HEX, 24) + "-" + draw(HEX, 34)),
    ("figma-token", "fi" + "gd_" + draw(ALNUM, 40)),
    ("typeform-token", "tf" + "p_" + draw(ALNUM, 44)),
    ("terraform-token", draw(ALNUM, 14) + ".atlas" + "v1." + draw(ALNUM, 67)),
    ("azure-client-secret", draw(ALNUM, 3) + "8Q" + "~" + draw(ALNUM, 34)),
    ("intra42-secret", "s-s4" + "t2ud-" + draw(HEX, 64)),
    ("maxmind-key", draw(ALNUM, 6) + "_" + draw(ALNUM, 29) + "_m" + "mk"),
    ("jwt", "ey" + "J" + draw(ALNUM, 33) + ".ey" + "J" + draw(ALNUM, 60) + "." + draw(ALNUM, 43)),
]


@pytest.mark.parametrize(("kind", "token"), TOKENS, ids=[f"{k}-{i}" for i, (k, _) in enumerate(TOKENS)])
def test_a_token_is_found_whole_wherever_it_stands(kind: str, token: str) -> None:
    for before, after in (
        ("", ""),
        ("use ", " please."),
        ('{"x": "', '"}'),
        ("first\\n", "\\nlast"),
        ("值：", "。"),
    ):
        text = before + token + after
        (found,) = find_secrets(text)
        assert found.kind == kind
        assert (before + token).endswith(text[found.start : found.end])
        if kind != "slack-webhook":
            assert text[found.start : found.end] == token
        assert mask(text).text.startswith(before)
        assert mask(text).text.endswith(after)


@pytest.mark.parametrize("form", TOKEN_FORMATS, ids=lambda form: form.prefix.decode())
def test_a_prefix_alone_or_with_filler_is_no_token(form) -> None:
    prefix = form.prefix.decode()
    for filler in ("", "x" * 40, "X" * 36, "0" * 64, "…", "<your-key>"):
        assert find_secrets(prefix + filler) == ()


def test_the_stretch_table_knows_every_word_character() -> None:
    word = b"aZ9_-" * SHORTEST_STRETCH
    assert stretches_in(word + b" .:/=+?") == b"a" * len(word) + b" " * 7
    assert stretches_in(b"aZ9_- .:/=+?" * SHORTEST_STRETCH) is None
    assert SHORTEST_STRETCH > 8


@pytest.mark.parametrize(
    "text",
    [
        "AK" + "IAIOSFODNN7EXAMPLE",
        "sk-fading-circle sk-cube-grid-animation sk-three-bounce-dots-2",
        "task-force-one-two-three-four-2024 risk-assessment-of-the-year-2025",
        "npm_config_registry_for_all_of_the_projects",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "id 6ba7b810-9dad-41d1-80b4-00c04fd430c8",
        "hf_hub_download_with_a_progress_bar_for_all",
        "https://cdn.example.org/assets/ico-0f3a9c1be2d84756a1b2c3d4e5f60718.png",
        "live_chat_with_the_support_team_at_any_time_of_day",
        "a" * 500,
        "-" * 500,
        "/".join(["some_long_directory_name_42"] * 20),
    ],
)
def test_identifiers_hashes_and_samples_are_left_alone(text: str) -> None:
    assert find_secrets(text) == ()


def test_a_picture_in_base64_is_left_alone() -> None:
    import base64

    picture = "data:image/png;base64," + base64.b64encode(random.Random(5).randbytes(60_000)).decode()
    assert find_secrets(picture) == ()


def test_a_token_shape_within_encoded_data_is_left_alone() -> None:
    blob = draw(ALNUM, 60) + "+" + "AK" + "IA" + draw(BASE32, 16) + "/" + draw(ALNUM, 60)
    assert find_secrets(blob) == ()


LETTERS = string.ascii_letters
URL_SAFE = ALNUM + "_-"
DRAWN = {
    "aws": ("AK" + "IA{}", BASE32, 16),
    "gitlab": ("gl" + "pat-{}", URL_SAFE, 20),
    "openai": ("sk-" + "proj-{}", ALNUM, 48),
    "stripe": ("sk" + "_live_{}", ALNUM, 24),
    "slack hook": ("https://hooks.slack" + ".com/services/T0AB1CD2E/B0FG3HI4J/{}", ALNUM, 24),
    "telegram": ("7482910365" + ":AA{}", URL_SAFE, 33),
    "webhook secret": ("wh" + "sec_{}", ALNUM + "+/", 32),
    "short alibaba": ("LT" + "AI{}", ALNUM, 12),
    "github without digits": ("gh" + "p_{}", LETTERS, 36),
    "openai without digits": ("sk-" + "proj-{}", LETTERS, 48),
    "mysql": ("mysql --password={}", ALNUM, 20),
    "json": ('{{"password": "{}"}}', ALNUM, 20),
    "curl": ("curl -u admin:{}", ALNUM, 20),
    "environment": ('DB_PASSWORD="{}"', ALNUM, 20),
}


@pytest.mark.parametrize("name", DRAWN)
def test_every_value_that_chance_draws_is_masked(name: str) -> None:
    frame, alphabet, size = DRAWN[name]
    dice = random.Random(7)
    for _ in range(300):
        drawn = "".join(dice.choices(alphabet, k=size))
        assert drawn[-10:] not in mask(f"please use {frame.format(drawn)} now").text


def test_a_key_without_a_digit_is_masked() -> None:
    key = "sk-" + "proj-dAwsYvEJNKsxnvfkfWxpeohQNgTeDgnPKeLgHdZyMXfqGtCJ"
    assert key not in mask(f"please use {key} now").text


@pytest.mark.parametrize(
    "text",
    [
        "sk-proj-configuration-of-the-service-account",
        "sk-projectOverviewNavigationBar sk-LoadingPlaceholderAnimation",
        "sk_live_StreamingServiceAdapter glpat-TokenConfigurationExample",
        "ASIAPACIFICECONOMICS",
        "hooks.slack.com/services/TeamWorkspaceNotificationService",
        'password: "getUserPasswordFromStore" PASSWORD=PasswordResetConfirmation',
        "fw_FrameworkInitialisationHandler re_Compiled_RegularExpressionsOfTheApp",
        "xoxb-slack-bot-token-placeholder-text",
        "whsec_documentation_of_the_webhook_secret",
    ],
)
def test_words_behind_a_prefix_are_left_alone(text: str) -> None:
    assert find_secrets(text) == ()
