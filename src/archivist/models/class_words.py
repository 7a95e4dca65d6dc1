"""By which words and codes failures of providers are told apart: data, and nothing else. All of it is in small letters.

Where two lines of a table fit, the upper one holds.
"""

from collections.abc import Mapping
from typing import Final

from archivist.models.kinds import Kind

_Own = tuple[Kind, int | None, str]

_OWN: Final[Mapping[str, tuple[_Own, ...]]] = {
    "openai": (("malformed", 400, r"invalid .tools\[\d+\]"),),
    "anthropic": (
        ("empty", 400, r"credit balance is too low|specified api usage limits"),
        ("no-model", 404, r"model: "),
        ("refused", 400, r"organization has been disabled"),
        ("barred", 403, r"request not allowed"),
        ("too-long", 429, r"extra usage is required for long context"),
        (
            "bad-thoughts",
            400,
            r"thinking.{0,80}(signature|must be passed back|cannot be modified)|final block.{0,60}thinking",
        ),
        ("too-large", 400, r"image (exceeds|dimensions exceed)|many-image requests"),
    ),
    "openrouter": (
        ("empty", 402, r"."),
        ("upstream", 429, r"upstream|provider returned error"),
        ("declined", 403, r"flagged|moderation"),
        ("barred", 404, r"data policy|guardrail|no (allowed|eligible) providers|privacy"),
        ("no-tools", 404, r"no endpoints found that support (the )?tool"),
        ("no-pictures", 404, r"no endpoints found that support image"),
        ("no-model", 404, r"no endpoints found"),
        ("no-model", 400, r"is not a valid model id"),
    ),
    "groq": (
        ("too-long", 413, r"request too large|reduce your message size"),
        ("malformed", 400, r"tool_use_failed|failed to call a function"),
    ),
    "gemini": (
        ("refused", 400, r"api key not valid|api_key_invalid|api key expired"),
        ("barred", 400, r"user location is not supported"),
        ("bad-thoughts", 400, r"thought.?signature"),
        ("empty", 429, r"prepayment credits are depleted|spending cap"),
        ("busy", 503, r"overloaded|high demand"),
    ),
    "deepseek": (("bad-thoughts", 400, r"reasoning_content.{0,60}must be passed back"),),
    "qwen": (
        (
            "empty",
            None,
            r"\barrearage\b|free (tier|quota).{0,30}(exhausted|used up)|allocationquota.freetieronly",
        ),
        ("declined", None, r"data_?inspection_?failed|inappropriate content"),
        ("too-long", 400, r"range of input length"),
    ),
    "moonshot": (
        ("too-long", 400, r"exceeded model token limit"),
        ("declined", 400, r"content_filter|high risk"),
    ),
    "zai": (
        ("empty", None, r"\b1113\b|\b1112\b|\b1309\b"),
        ("limited", None, r"\b130[2348]\b|\b1310\b"),
        ("busy", None, r"\b1305\b|\b1312\b|\b1234\b"),
        ("too-long", 400, r"\b1261\b"),
        ("declined", None, r"\b1301\b"),
        ("no-model", None, r"\b1211\b"),
        ("barred", None, r"\b1311\b|\b1220\b|\b1121\b"),
    ),
    "minimax": (
        ("empty", None, r"\b1008\b"),
        ("limited", None, r"\b1002\b|\b1039\b|\b2056\b"),
        ("declined", None, r"\b102[67]\b"),
        ("refused", None, r"\b1004\b|\b2049\b"),
        ("too-long", 400, r"context window exceeds limit"),
        ("fault", None, r"\b(1000|1013|1024|1033)\b"),
    ),
    "mistral": (
        ("busy", 429, r"\b3505\b|service tier capacity exceeded"),
        ("too-long", 400, r"\b3051\b|too large for model with \d+ maximum context length"),
    ),
    "xai": (
        ("empty", None, r"used all available credits|monthly spending limit|doesn.t have any credits"),
        ("refused", 400, r"incorrect api key"),
        ("too-long", 400, r"maximum prompt length"),
        ("declined", 403, r"usage guidelines|safety_check"),
    ),
    "ollama": (
        ("fault", 500, r"requires more system memory|cuda error|out of memory|runner process has terminated"),
        ("busy", 503, r"server busy|pending requests"),
        ("no-tools", 400, r"does not support tools"),
        ("no-model", 404, r"try pulling it first"),
    ),
    "vllm": (("too-long", 400, r"max_tokens must be at least 1"),),
    "llama.cpp": (
        ("busy", 503, r"loading model|unavailable_error"),
        ("too-long", None, r"exceed_context_size_error|context size has been exceeded"),
        (
            "malformed",
            400,
            r"failed to parse grammar|unable to generate parser|json schema conversion failed",
        ),
    ),
}
OF_PROVIDERS: Final[Mapping[str, tuple[_Own, ...]]] = {
    **_OWN,
    "qwen-cn": _OWN["qwen"],
    "moonshot-cn": _OWN["moonshot"],
    "zhipu": _OWN["zai"],
}
"""What a provider says in its own way: the class, the status that goes with it (any where None), and a pattern of codes and words."""

CODES: Final[Mapping[str, Kind]] = {
    "insufficient_quota": "empty",
    "billing_error": "empty",
    "billing_not_active": "empty",
    "billing_hard_limit_reached": "empty",
    "exceeded_current_quota_error": "empty",
    "insufficient_credits": "empty",
    "arrearage": "empty",
    "payment_required": "empty",
    "rate_limit_exceeded": "limited",
    "rate_limit_error": "limited",
    "rate_limit_reached_error": "limited",
    "throttling": "limited",
    "resource_exhausted": "limited",
    "upstream_provider_shared_pool": "upstream",
    "invalid_api_key": "refused",
    "authentication_error": "refused",
    "invalid_authentication_error": "refused",
    "incorrect_api_key_error": "refused",
    "unauthenticated": "refused",
    "unsupported_country_region_territory": "barred",
    "permission_denied": "refused",
    "permission_error": "refused",
    "overloaded_error": "busy",
    "engine_overloaded_error": "busy",
    "engine_overloaded": "busy",
    "slow_down": "busy",
    "server_overloaded": "busy",
    "unavailable": "busy",
    "unavailable_error": "busy",
    "api_error": "fault",
    "server_error": "fault",
    "internal_server_error": "fault",
    "internal": "fault",
    "timeout_error": "slow",
    "deadline_exceeded": "slow",
    "context_length_exceeded": "too-long",
    "string_above_max_length": "too-long",
    "exceed_context_size_error": "too-long",
    "model_max_prompt_tokens_exceeded": "too-long",
    "request_too_large": "too-large",
    "model_not_found": "no-model",
    "model_not_available": "no-model",
    "notfounderror": "no-model",
    "content_filter": "declined",
    "content_policy_violation": "declined",
    "invalid_prompt": "declined",
    "data_inspection_failed": "declined",
    "datainspectionfailed": "declined",
    "invalid_encrypted_content": "bad-thoughts",
}
"""What errors are called."""

MESSAGES: Final[tuple[tuple[Kind, str], ...]] = (
    ("fault", r"out of memory|failed to allocate|cuda error|insufficient (system )?memory"),
    (
        "limited",
        r"(usage|session|hourly|daily|weekly) limit.{0,60}(reset|try again|reached)|try again (at|in|after)",
    ),
    (
        "empty",
        (
            r"insufficient.{0,3}(account )?(balance|credit|funds|quota)|credit balance|(no|not enough|out of|more) credits"
            r"|(spending|spend|billing|monthly|usage) (limit|cap)|exceeded your current quota|plan and billing|余额不足|欠费|充值"
        ),
    ),
    ("upstream", r"upstream|provider returned error"),
    (
        "busy",
        r"overloaded|over capacity|at capacity|no capacity|high demand|too busy|(model|engine).{0,20}is (currently )?loading",
    ),
    (
        "too-much",
        (
            r"^\W*max_(completion_)?tokens|(invalid|range of) .?max_(completion_)?tokens|allowed number of output tokens"
            r"|max_(completion_)?tokens.{0,40}(too large|less than or equal|at most|maximum allowed)"
        ),
    ),
    (
        "too-long",
        (
            r"context.?(length|window|size|limit)|(prompt|input|request|conversation|messages?) (is|are) too long|too many (input )?tokens"
            r"|input token count.{0,20}exceeds|exceeds? the (available|maximum) (context|number of tokens|model length)"
            r"|maximum prompt length|(input|prompt|range of input) length|reduce the length|exceeded model token limit"
            r"|prompt (contains|has) \d+ tokens|超长|长度超过"
        ),
    ),
    (
        "bad-thoughts",
        r"invalid .{0,3}signature|thought.?signature|(thinking|reasoning)\w* .{0,60}(signature|cannot be modified|passed back)",
    ),
    ("too-large", r"image.{0,40}(too large|exceeds|maximum)|(payload|request|body|entity).{0,20}too large"),
    (
        "no-pictures",
        (
            r"image(_url|s| input)?.{0,60}not (supported|support|accept|allowed|a multimodal)|(not|n't|no) support.{0,20}(image|vision)"
            r"|is not a (multimodal|vision) model|unknown variant .image_url|at most 0 image"
        ),
    ),
    (
        "no-tools",
        r"(not|n't|no) support.{0,30}(tool|function)|(tool|function).{0,40}not supported|enable-auto-tool-choice",
    ),
    (
        "no-model",
        (
            r"model.{0,80}(not.?found|not exist|unknown|invalid|not available|no longer|deprecated|decommissioned|retired|not supported)"
            r"|no such model|unknown model|invalid model"
        ),
    ),
    (
        "barred",
        r"(country|region|location|territory).{0,30}not (supported|allowed|available)|data policy|organization.{0,30}(disabled|verified)",
    ),
    (
        "refused",
        r"(invalid|incorrect|wrong|expired|missing|no) .{0,12}api.?key|api key.{0,20}(invalid|expired|not valid)|unauthorized",
    ),
    (
        "declined",
        (
            r"content (policy|filter|management)|safety (system|filter|reasons)|usage (policy|policies|guidelines)|flagged|moderation"
            r"|blocked by|harmful|敏感"
        ),
    ),
    ("slow", r"timed? ?out|deadline"),
    (
        "limited",
        r"rate.?limit|too many requests|requests per (minute|day)|tokens per (minute|day)|请求过于频繁|频率",
    ),
    (
        "broken",
        r"connection (was )?(reset|closed|lost)|incomplete (chunked )?read|server disconnected|premature",
    ),
    ("fault", r"internal (server )?error|server error|something went wrong|unexpected error"),
)
"""What messages say."""

TRANSPORTS: Final[Mapping[str, Kind]] = {
    "timeout": "slow",
    "connect": "unreachable",
    "certificate": "untrusted",
    "broken": "broken",
}
NAMES_OF_ERRORS: Final = (
    ("connect", r"connecttimeout|connecterror|gaierror|connectionrefused|proxyerror"),
    ("timeout", r"timeout"),
    (
        "broken",
        r"remoteprotocol|readerror|writeerror|connectionreset|connectionaborted|brokenpipe|incompleteread",
    ),
    ("connect", r"connection"),
)
"""What became of a connection, by the names of the errors that came of it."""

__all__ = ["CODES", "MESSAGES", "NAMES_OF_ERRORS", "OF_PROVIDERS", "TRANSPORTS"]
