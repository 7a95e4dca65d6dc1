"""Published token formats: what a vendor prints in front of a key, and what follows.

One row is a kind, the fixed texts it may begin with, and the shape of the rest.  A row is a fact from a
vendor's own documentation or from its secret-scanning entry; it needs no context, so only formats which are
unmistakable stand here.  In a shape `%A` is a letter or digit, `%W` also `_` and `-`, `%L` lower case or
digit, `%U` upper case or digit, `%H` lower-case and `%X` any hexadecimal digit, `%B` base64, `%D` a digit;
the rest is regular-expression syntax.

Invariant: every shape is bounded, begins with fixed text of at least two characters, and contains an
unbroken stretch of at least `stretches.SHORTEST_STRETCH` letters, digits, `_` and `-`, by which the scan finds its
candidates.
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

_CLASSES = {
    "%A": "[A-Za-z0-9]",
    "%W": "[A-Za-z0-9_-]",
    "%L": "[a-z0-9]",
    "%U": "[A-Z0-9]",
    "%H": "[0-9a-f]",
    "%X": "[0-9A-Fa-f]",
    "%B": "[A-Za-z0-9+/]",
    "%D": "[0-9]",
}
_UUID = "%X{8}-%X{4}-%X{4}-%X{4}-%X{12}"

# kind, beginnings, shape of the rest
_TABLE: tuple[tuple[str, str, str], ...] = (
    # models and their tooling
    ("anthropic-key", "sk-ant-", "%W{20,400}"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", "%W{20,400}"),
    ("openai-key", "sess-", "%A{40}"),
    ("openrouter-key", "sk-or-v1-", "%H{32,64}"),
    ("langfuse-key", "sk-lf- pk-lf-", _UUID),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_", "%H{32}_%H{10}"),
    ("google-api-key", "AIza", "%W{35}"),
    ("google-oauth-secret", "GOCSPX-", "%W{28}"),
    ("google-oauth-token", "ya29.", "%W{30,400}"),
    ("google-refresh-token", "1//0", "%W{40,200}"),
    ("hugging-face-token", "hf_", "%A{34}"),
    ("hugging-face-token", "api_org_", "%A{34}"),
    ("groq-key", "gsk_", "%A{48,60}"),
    ("xai-key", "xai-", "%A{60,90}"),
    ("perplexity-key", "pplx-", "%A{40,64}"),
    ("replicate-token", "r8_", "%A{37,40}"),
    ("fireworks-key", "fw_", "%A{22,40}"),
    ("nvidia-key", "nvapi-", "%W{60,80}"),
    ("cerebras-key", "csk-", "%L{40,60}"),
    ("tavily-key", "tvly-", "(?:dev-|prod-)?%A{20,50}"),
    ("pinecone-key", "pcsk_", "%A{5,8}_%A{50,70}"),
    ("firecrawl-key", "fc-", "%H{32}"),
    ("e2b-key", "e2b_", "%H{40}"),
    ("jina-key", "jina_", "%A{50,70}"),
    ("elevenlabs-key", "sk_", "%H{48}"),
    ("weights-and-biases-key", "wandb_v1_", "%W{40,90}"),
    # code hosting and packages
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "%A{36,255}"),
    ("github-token", "github_pat_", "%A{20,24}_%A{50,64}"),
    (
        "gitlab-token",
        "glpat- gldt- glft- glsoat- glrt- glptt- glcbt- glimt- glagent- gloas- glffct- glrtr-",
        "%W{16,320}(?:\\.%A{2}\\.?%A{7,9})?",
    ),
    ("gitlab-token", "GR1348941", "%W{20}"),
    ("bitbucket-token", "ATBB", "%A{24,36}"),
    ("bitbucket-token", "BBDC-", "%A{40,48}"),
    ("atlassian-token", "ATATT3", "[A-Za-z0-9_=-]{150,220}"),
    ("atlassian-token", "ATCTT3", "[A-Za-z0-9_=-]{150,220}"),
    ("npm-token", "npm_", "%A{36}"),
    ("pypi-token", "pypi-AgE", "%W{50,1000}"),
    ("rubygems-key", "rubygems_", "%H{48}"),
    ("nuget-key", "oy2", "%L{43}"),
    ("crates-token", "cio", "%A{32}"),
    ("clojars-token", "CLOJARS_", "%L{60}"),
    ("docker-token", "dckr_pat_ dckr_oat_", "%W{20,64}"),
    ("artifactory-key", "AKCp", "%A{69}"),
    ("artifactory-token", "cmVmd", "%A{59}"),
    ("sourcegraph-token", "sgp_", "(?:(?:%X{16}|local)_)?%X{40}"),
    ("sourcegraph-token", "slk_", "%X{64}"),
    ("sonar-token", "squ_ sqp_ sqa_", "%L{40}"),
    ("circleci-token", "CCIPAT_ CCIPRJ_", "%A{10,32}_%H{40}"),
    ("buildkite-token", "bkua_ bkaj_", "%H{40}"),
    ("prefect-key", "pnu_ pnb_", "%L{36}"),
    ("readme-key", "rdme_", "%L{70}"),
    ("infracost-key", "ico-", "%A{32}"),
    ("snyk-token", "snyk_uat. snyk_sat.", "%H{8}\\.%W{20,400}"),
    # clouds and platforms
    ("aws-access-key", "AKIA ASIA ABIA ACCA A3TX", "[A-Z2-7]{16}"),
    ("aws-bedrock-key", "ABSK", "%B{109,269}={0,2}"),
    ("aws-bedrock-key", "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t", "[A-Za-z0-9+/=]{10,2000}"),
    ("aws-mws-key", "amzn.mws.", _UUID),
    ("alibaba-access-key", "LTAI", "%A{12,24}"),
    ("tencent-secret-id", "AKID", "%A{32}"),
    ("volcengine-key", "AKLT", "%A{40,60}"),
    ("yandex-key", "AQVN", "%W{35,38}"),
    ("yandex-token", "t1.", "[A-Z0-9a-z_-]{10,400}={0,2}\\.[A-Z0-9a-z_-]{86}={0,2}"),
    ("yandex-oauth-token", "y0_", "%W{50,64}"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", "%H{64}"),
    ("heroku-key", "HRKU-", "(?:AA%W{58}|" + _UUID + ")"),
    ("fly-token", "fo1_", "%W{43}"),
    ("fly-token", "fm1a_ fm1r_ fm2_", "[A-Za-z0-9+/_,-]{100,1000}={0,3}"),
    ("cloudflare-key", "v1.0-", "%H{24}-%H{146}"),
    ("cloudflare-token", "cfut_ cfat_ cfk_", "%A{40,60}"),
    ("databricks-token", "dapi", "%H{32}(?:-%D)?"),
    ("databricks-token", "dose", "%H{32}"),
    ("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", "%A{24,64}"),
    ("netlify-token", "nfp_ nfc_ nfo_", "%A{36,40}"),
    ("render-key", "rnd_", "%A{28,40}"),
    ("scalingo-token", "tk-us- tk-eu-", "%W{48}"),
    ("supabase-key", "sbp_", "(?:oauth_|v0_)?%H{40}"),
    ("supabase-key", "sb_secret_", "%W{22,48}"),
    ("planetscale-token", "pscale_pw_ pscale_tkn_ pscale_oauth_ pscale_api_", "[A-Za-z0-9=._-]{32,64}"),
    ("neon-key", "napi_", "%L{40,80}"),
    ("pulumi-token", "pul-", "%H{40}"),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "(?:[a-z0-9_-]{2,35}\\.)?%A{40,44}"),
    ("vault-token", "hvs. hvb. hvr.", "%W{24,320}"),
    ("tailscale-key", "tskey-", "(?:api|auth|client|scim|webhook)-%A{8,24}(?:CNTRL)?-%A{20,48}"),
    ("age-secret-key", "AGE-SECRET-KEY-1", "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    ("openshift-token", "sha256~", "%W{43}"),
    ("1password-secret-key", "A3-", "%U{6}-(?:%U{11}|%U{6}-%U{5})-%U{5}-%U{5}-%U{5}"),
    ("1password-service-token", "ops_eyJ", "%B{250,2400}={0,3}"),
    ("harness-key", "pat. sat.", "%W{22}\\.%X{24}\\.%A{20}"),
    ("octopus-key", "API-", "%U{25,26}"),
    ("defined-networking-key", "dnkey-", "[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}"),
    ("dynatrace-token", "dt0c01. dt0s01. dt0s02. dt0s16.", "%U{8,24}\\.%U{64}"),
    ("clickhouse-key", "4b1d", "%A{38}"),
    # observation
    ("grafana-key", "eyJrIjoi", "%A{70,400}={0,3}"),
    ("grafana-token", "glc_", "%B{32,400}={0,3}"),
    ("grafana-token", "glsa_", "%A{32}_%X{8}"),
    ("new-relic-key", "NRAK-", "%U{27}"),
    ("new-relic-key", "NRJS-", "%H{19}"),
    ("new-relic-key", "NRII-", "%W{32}"),
    ("new-relic-key", "NRSP- NRRA-", "%W{20,42}"),
    ("sentry-token", "sntrys_eyJ", "%B{40,400}={0,2}(?:_%B{30,60})?"),
    ("sentry-token", "sntryu_ sntrya_ sntryi_", "%H{64}"),
    ("honeycomb-key", "hcaik_ hcxik_ hcalk_ hcxlk_ hcamk_", "%A{50,64}"),
    ("launchdarkly-key", "sdk- api-", _UUID),
    # messages, mail and social
    ("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxo- xoxs- xoxc- xoxd- xoxe- xapp-", "[A-Za-z0-9%-]{14,300}"),
    ("slack-token", "xoxe.xoxb-1- xoxe.xoxp-1-", "%W{100,200}"),
    ("sendgrid-key", "SG.", "%W{16,32}\\.%W{16,64}"),
    ("mailgun-key", "key-", "%H{32}"),
    ("mailgun-key", "pubkey-", "%H{32}"),
    ("brevo-key", "xkeysib- xsmtpsib-", "%H{64}-%A{16}"),
    ("resend-key", "re_", "%A{8}_%A{24}"),
    ("postmark-token", "POSTMARK-", _UUID),
    ("twilio-key", "SK", "%H{32}"),
    ("facebook-token", "EAAC EAAM EAAG EAAB EAAJ EAAL EAAD EAAA0", "%A{80,400}"),
    ("instagram-token", "IGQV", "%W{100,250}"),
    ("intra42-secret", "s-s4t2ud- s-s4t2af-", "%H{64}"),
    ("twitter-bearer-token", "AAAAAAAAAAAAAAAAAAAAA", "[A-Za-z0-9%]{60,120}"),
    ("discord-bot-token", "mfa.", "%W{84}"),
    # payment and trade
    ("stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", "%A{10,120}"),
    ("stripe-webhook-secret", "whsec_", "%B{16,80}={0,2}"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_", "%X{32}"),
    ("shopify-token", "shpua_ shprt_", "%X{32}"),
    ("square-token", "sq0atp- sq0csp- sq0idp-", "%W{22,64}"),
    ("square-token", "EAAA", "%W{60}"),
    ("paypal-token", "access_token$production$ access_token$sandbox$", "%L{16}\\$%H{32}"),
    ("braintree-token", "production_ sandbox_", "%L{8}_%L{16}"),
    ("plaid-token", "access-sandbox- access-development- access-production-", _UUID),
    ("razorpay-key", "rzp_live_ rzp_test_", "%A{14}"),
    ("flutterwave-key", "FLWSECK_TEST- FLWPUBK_TEST- FLWSECK- FLWPUBK-", "[0-9a-h]{12,32}(?:-X)?"),
    ("lob-key", "live_pub_ test_pub_ live_ test_", "%H{31,35}"),
    ("gocardless-token", "live_", "[A-Za-z0-9=_-]{40}"),
    ("easypost-key", "EZAK EZTK", "%A{54}"),
    ("shippo-token", "shippo_live_ shippo_test_", "%H{40}"),
    ("duffel-token", "duffel_live_ duffel_test_", "[A-Za-z0-9=_-]{43}"),
    ("adyen-key", "AQE", "%A{60,300}"),
    ("chargebee-key", "live_ test_", "(?:cu)?%A{32}"),
    ("yandex-access-key", "YCAJE YCM YCP", "%W{33,38}"),
    # work tools
    ("linear-key", "lin_api_ lin_oauth_ lin_wh_", "%A{32,64}"),
    ("notion-token", "ntn_", "%A{40,60}"),
    ("notion-token", "secret_", "%A{43}"),
    ("postman-key", "PMAK-", "%X{24}-%X{34}"),
    ("postman-key", "PMAT-", "%U{26}"),
    ("figma-token", "figd_ figu_ figo_ figdr_", "%W{38,60}"),
    ("frame-token", "fio-u-", "[A-Za-z0-9=_-]{64}"),
    ("typeform-token", "tfp_", "[A-Za-z0-9=._-]{40,64}"),
    ("hubspot-token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", _UUID),
    ("mapbox-secret-token", "sk.eyJ pk.eyJ", "%W{40,120}\\.%W{20,24}"),
    ("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", "%A{16}"),
    ("contentful-token", "CFPAT-", "%W{43}"),
    ("dropbox-token", "sl.", "[A-Za-z0-9=_-]{130,160}"),
    ("dropbox-token", "sl.u.", "%W{130,1400}"),
    ("adobe-client-secret", "p8e- p8-", "%W{32,34}"),
    ("apify-token", "apify_api_ apify_proxy_", "%A{34,40}"),
    ("cockroach-key", "CCDB1_", "%A{22}_%A{40}"),
    ("aiven-token", "avns_ AVNS_", "%W{18,40}"),
    # signed tokens of any issuer
    ("jwt", "eyJ", "%W{14,4000}\\.%W{8,8000}(?:\\.%W{4,2000}){0,3}"),
    ("jwt", "ZXlK", "%B{70,4000}={0,2}"),
    # last: the bare beginning that several vendors share
    ("api-key", "sk-", "%W{15,400}"),
)


_EDGE = "(?:(?<![A-Za-z0-9_.])|(?<=\\\\[nrt]))"
"""Where a format may begin: after no word character, or after a line break written as an escape."""

# kind, character before the long stretch, how far before it the format begins at most, least and greatest
# length of the stretch, shape; a group `secret` narrows what is masked
_FLANKED_TABLE: tuple[tuple[str, str, int, int, int, str], ...] = (
    ("telegram-bot-token", ":", 11, 35, 35, "(?<!%D)%D{8,10}:A%W{34}(?!%W)"),
    ("facebook-token", "|", 17, 27, 40, "(?<!%D)%D{15,16}\\|%W{27,40}(?!%W)"),
    ("facebook-token", "%", 17, 29, 42, "(?<!%D)%D{15,16}%7C%W{27,40}(?!%W)"),
    ("terraform-token", ".", 23, 20, 70, "%A{14}\\.atlasv1\\.[A-Za-z0-9=_-]{60,70}"),
    (
        "authress-key",
        ".",
        58,
        18,
        170,
        "(?:sc|ext|scauth|authress)_%L{5,30}\\.%L{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[a-z0-9+/_=-]{30,120}",
    ),
    ("infisical-token", ".", 60, 32, 32, _EDGE + "st\\.%H{24}\\.%H{32}\\.%H{32}"),
    ("asana-token", ":", 42, 32, 32, _EDGE + "[12]/%D{14,18}(?:/%D{14,18})?:%H{32}"),
    ("airtable-token", ".", 18, 64, 64, _EDGE + "pat%A{14}\\.%H{64}"),
    ("twitch-token", ":", 6, 30, 30, "oauth:(?P<secret>%L{30})(?!%A)"),
    ("vault-token", ".", 2, 24, 24, _EDGE + "s\\.%A{24}(?![A-Za-z0-9.(])"),
    (
        "slack-webhook",
        "/",
        60,
        18,
        30,
        "hooks\\.slack\\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9+/]{30,80})",
    ),
    (
        "discord-webhook",
        "/",
        60,
        60,
        80,
        "discord(?:app)?\\.com/api/webhooks/(?:%D{17,20}/)?(?P<secret>%W{60,80})(?!%W)",
    ),
    (
        "teams-webhook",
        "@",
        90,
        36,
        36,
        "webhook\\.office\\.com/webhookb2/(?P<secret>"
        + _UUID
        + "@"
        + _UUID
        + "/IncomingWebhook/%H{32}/"
        + _UUID
        + ")",
    ),
    ("feishu-webhook", "/", 30, 36, 36, "/open-apis/bot/v2/hook/(?P<secret>" + _UUID + ")"),
)
# kind, least and greatest length of the stretch, shape
_BARE_TABLE: tuple[tuple[str, int, int, str], ...] = (
    ("mailchimp-key", 36, 37, "%H{32}-us%D{1,2}(?!%W)"),
    ("maxmind-key", 40, 40, "%A{6}_%A{29}_mmk(?!%W)"),
    ("dropbox-token", 64, 64, "%L{11}A{10}[a-z0-9_-]{43}(?!%W)"),
    ("discord-bot-token", 24, 28, "[MNO]%W{23,27}\\.%W{6}\\.%W{27,40}(?!%W)"),
)


class TokenFormat(msgspec.Struct, frozen=True):
    """One published format: its kind, fixed beginning and whole expression (over ASCII bytes)."""

    kind: str
    prefix: bytes
    shape: str

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """The whole expression, compiled when it is first used."""
        return _compile(self.prefix, self.shape)


def _expand(shape: str) -> str:
    return re.sub(r"%[AWLUHXBD](?![0-9A-Za-z%])", lambda found: _CLASSES[found[0]], shape)


@cache
def compile_shape(shape: str) -> re.Pattern[bytes]:
    """The expression of a shape."""
    return re.compile(_expand(shape).encode())


@cache
def _compile(prefix: bytes, shape: str) -> re.Pattern[bytes]:
    return re.compile(re.escape(prefix) + _expand(shape).encode() + b"(?![A-Za-z0-9])")


TOKEN_FORMATS: tuple[TokenFormat, ...] = tuple(
    TokenFormat(kind, prefix.encode(), shape)
    for kind, prefixes, shape in _TABLE
    for prefix in prefixes.split(" ")
    if prefix
)


class FlankedFormat(msgspec.Struct, frozen=True):
    """A format with punctuation inside: how far before the stretch it begins, how long the stretch may be."""

    kind: str
    back: int
    shortest: int
    longest: int
    shape: str

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """The expression, compiled when it is first used."""
        return compile_shape(self.shape)


FLANKED_FORMATS: dict[int, tuple[FlankedFormat, ...]] = {
    ord(flank): tuple(
        FlankedFormat(kind, back, low, high, shape)
        for kind, before, back, low, high, shape in _FLANKED_TABLE
        if before == flank
    )
    for flank in dict.fromkeys(row[1] for row in _FLANKED_TABLE)
}
"""By the character before the stretch."""

BARE_FORMATS: dict[int, tuple[tuple[str, str], ...]] = {
    size: tuple((kind, shape) for kind, low, high, shape in _BARE_TABLE if low <= size <= high)
    for size in range(64 + 1)
    if any(low <= size <= high for _, low, high, _ in _BARE_TABLE)
}
"""By the length of the stretch: kind and shape, matched at its beginning."""
