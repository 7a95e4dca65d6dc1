"""What providers answer where they fail, as their documents and public reports tell it.

The shapes are theirs, the sentences are shortened.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """An answer that is an error.

    Attributes:
        kind: The class that it is of.
        provider: Who gives it.
        status: Of HTTP.
        body: As it comes, a table or a text.
        source: Where it is told of.
        headers: Beside it.
    """

    kind: str
    provider: str
    status: int
    body: Any
    source: str
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def wire(self) -> str:
        return "anthropic" if self.provider == "anthropic" else "openai"

    def __str__(self) -> str:
        return f"{self.provider}-{self.status}-{self.kind}"


def said(message, kind=None, code=None, **more):
    return {"error": {"message": message, "type": kind, "param": None, "code": code, **more}}


def claude(kind, message):
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


def google(code, message, status):
    return [{"error": {"code": code, "message": message, "status": status}}]


def vllm(message, code=400, kind="BadRequestError"):
    return {"object": "error", "message": message, "type": kind, "param": None, "code": code}


def routed(code, message, **metadata):
    return {"error": {"code": code, "message": message, "metadata": metadata}, "user_id": "user_1"}


CASES = (
    # OpenAI
    Case(
        "malformed",
        "openai",
        400,
        said(
            "Unsupported parameter: 'x' is not supported with this model.",
            "invalid_request_error",
            "unsupported_parameter",
        ),
        "platform.openai.com/docs/guides/error-codes",
    ),
    Case(
        "malformed",
        "openai",
        400,
        said(
            "Invalid 'tools[3].function.description': string too long. Expected a string with maximum length 1024",
            "invalid_request_error",
            "string_above_max_length",
        ),
        "github.com/getsentry/sentry-mcp/issues/106",
    ),
    Case(
        "empty",
        "openai",
        429,
        said("You exceeded your current quota, check your plan", "insufficient_quota", "insufficient_quota"),
        "ChatGPTNextWeb/NextChat#3123",
    ),
    Case(
        "empty",
        "openai",
        429,
        said("You exceeded your current quota, please check your plan", "insufficient_quota"),
        "ChatGPTNextWeb/NextChat#1792",
    ),
    Case(
        "empty",
        "openai",
        400,
        said("Billing hard limit has been reached", "invalid_request_error", "billing_hard_limit_reached"),
        "platform.openai.com/docs/guides/error-codes",
    ),
    Case(
        "limited",
        "openai",
        429,
        said(
            "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 40000, Used 39000. Please try again in 6s.",
            "tokens",
            "rate_limit_exceeded",
        ),
        "NousResearch/hermes-agent PR107605",
    ),
    Case(
        "busy",
        "openai",
        503,
        said("The engine is currently overloaded, please try again later", "server_error"),
        "platform.openai.com/docs/guides/error-codes",
    ),
    Case(
        "busy",
        "openai",
        503,
        said("Slow down", "service_unavailable_error", "slow_down"),
        "platform.openai.com/docs/guides/error-codes",
    ),
    Case(
        "refused",
        "openai",
        401,
        said("Incorrect API key provided: sk-abc***.", "invalid_request_error", "invalid_api_key"),
        "platform.openai.com/docs/guides/error-codes",
    ),
    Case(
        "barred",
        "openai",
        403,
        said(
            "Country, region, or territory not supported",
            "request_forbidden",
            "unsupported_country_region_territory",
        ),
        "platform.openai.com/docs/guides/error-codes",
    ),
    Case(
        "too-long",
        "openai",
        400,
        said(
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 131000 tokens.",
            "invalid_request_error",
            "context_length_exceeded",
        ),
        "langchain-ai/langchain#24058",
    ),
    Case(
        "too-much",
        "openai",
        400,
        said(
            "max_tokens is too large: 32000. This model supports at most 16384 completion tokens",
            "invalid_request_error",
            "invalid_value",
        ),
        "platform.openai.com/docs/api-reference",
    ),
    Case(
        "no-model",
        "openai",
        404,
        said(
            "The model `gpt-9` does not exist or you do not have access to it.",
            "invalid_request_error",
            "model_not_found",
        ),
        "platform.openai.com/docs/guides/error-codes",
    ),
    Case(
        "declined",
        "openai",
        400,
        said(
            "Invalid prompt: your prompt was flagged as potentially violating our usage policy",
            "invalid_request_error",
            "invalid_prompt",
        ),
        "platform.openai.com/docs/guides/safety-best-practices",
    ),
    Case(
        "no-pictures",
        "openai",
        400,
        said(
            "Invalid content type. image_url is only supported by certain models, not supported here",
            "invalid_request_error",
        ),
        "platform.openai.com/docs/guides/vision",
    ),
    Case(
        "fault",
        "openai",
        500,
        said("The server had an error while processing your request", "server_error"),
        "platform.openai.com/docs/guides/error-codes",
    ),
    Case(
        "malformed",
        "openai",
        400,
        said("Invalid request", "invalid_request_error"),
        "NousResearch/hermes-agent#16351",
    ),
    Case(
        "malformed",
        "openai",
        400,
        said("Unsupported parameter: 'temperature'", "invalid_request_error", "unsupported_parameter"),
        "platform.openai.com/docs/guides/reasoning",
    ),
    # Anthropic
    Case(
        "empty",
        "anthropic",
        400,
        claude(
            "invalid_request_error", "Your credit balance is too low to access the API. Go to Plans & Billing"
        ),
        "anthropics/claude-code#4684",
    ),
    Case(
        "empty",
        "anthropic",
        400,
        claude(
            "invalid_request_error",
            "You have reached your specified API usage limits. You will regain access on 2026-12-31",
        ),
        "platform.claude.com/docs/en/api/rate-limits",
    ),
    Case(
        "empty",
        "anthropic",
        402,
        claude("billing_error", "There is an issue with your billing"),
        "platform.claude.com/docs/en/api/errors",
    ),
    Case(
        "limited",
        "anthropic",
        429,
        claude(
            "rate_limit_error",
            "This request would exceed your organization's rate limit of 40,000 input tokens per minute",
        ),
        "platform.claude.com/docs/en/api/rate-limits",
        {"retry-after": "12"},
    ),
    Case(
        "busy", "anthropic", 529, claude("overloaded_error", "Overloaded"), "Doriandarko/claude-engineer#161"
    ),
    Case(
        "fault",
        "anthropic",
        500,
        claude("api_error", "Internal server error"),
        "anthropics/claude-code#61368",
    ),
    Case(
        "slow",
        "anthropic",
        504,
        claude("timeout_error", "The request timed out"),
        "platform.claude.com/docs/en/api/errors",
    ),
    Case(
        "refused",
        "anthropic",
        401,
        claude("authentication_error", "invalid x-api-key"),
        "platform.claude.com/docs/en/api/errors",
    ),
    Case(
        "refused",
        "anthropic",
        403,
        claude("permission_error", "Your API key does not have permission to use the resource"),
        "platform.claude.com/docs/en/api/errors",
    ),
    Case(
        "no-model",
        "anthropic",
        404,
        claude("not_found_error", "model: claude-none"),
        "platform.claude.com/docs/en/api/errors",
    ),
    Case(
        "too-long",
        "anthropic",
        400,
        claude("invalid_request_error", "prompt is too long: 203012 tokens > 200000 maximum"),
        "platform.claude.com/docs/en/build-with-claude/context-windows",
    ),
    Case(
        "too-long",
        "anthropic",
        400,
        claude(
            "invalid_request_error",
            "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
        ),
        "platform.claude.com/docs/en/build-with-claude/context-windows",
    ),
    Case(
        "too-much",
        "anthropic",
        400,
        claude(
            "invalid_request_error",
            "max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens",
        ),
        "platform.claude.com/docs/en/api/messages",
    ),
    Case(
        "too-large",
        "anthropic",
        413,
        claude("request_too_large", "Request exceeds the maximum size"),
        "platform.claude.com/docs/en/api/errors",
    ),
    Case(
        "too-large",
        "anthropic",
        400,
        claude(
            "invalid_request_error",
            "messages.3.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes",
        ),
        "platform.claude.com/docs/en/build-with-claude/vision",
    ),
    Case(
        "bad-thoughts",
        "anthropic",
        400,
        claude("invalid_request_error", "messages.1.content.0: Invalid `signature` in `thinking` block"),
        "NousResearch/hermes-agent PR6112",
    ),
    Case(
        "bad-thoughts",
        "anthropic",
        400,
        claude(
            "invalid_request_error",
            "messages.5: the final block in an assistant message cannot be `thinking`",
        ),
        "anthropics/claude-code#10199",
    ),
    Case(
        "declined",
        "anthropic",
        400,
        claude("invalid_request_error", "Output blocked by content filtering policy"),
        "anthropics/claude-code#28205",
    ),
    Case(
        "refused",
        "anthropic",
        400,
        claude("invalid_request_error", "This organization has been disabled."),
        "anthropics/claude-code#19028",
    ),
    Case(
        "barred",
        "anthropic",
        403,
        claude("forbidden", "Request not allowed"),
        "platform.claude.com/docs/en/api/supported-regions",
    ),
    Case(
        "no-place",
        "anthropic",
        404,
        claude("not_found_error", "Not Found"),
        "platform.claude.com/docs/en/api/errors",
    ),
    Case(
        "malformed",
        "anthropic",
        400,
        claude("invalid_request_error", "messages: Input should be a valid list"),
        "platform.claude.com/docs/en/api/errors",
    ),
    Case(
        "no-pictures",
        "anthropic",
        400,
        claude("invalid_request_error", "this model does not support image input"),
        "servers that speak its messages",
    ),
    Case(
        "no-tools",
        "anthropic",
        400,
        claude("invalid_request_error", "tools are not supported for this model"),
        "servers that speak its messages",
    ),
    # OpenRouter
    Case(
        "empty",
        "openrouter",
        402,
        routed(402, "This request requires more credits, or fewer max_tokens"),
        "can1357/oh-my-pi#9569",
    ),
    Case(
        "upstream",
        "openrouter",
        429,
        routed(
            429,
            "Provider returned error",
            raw="z-ai/glm is temporarily rate-limited upstream. Please retry shortly",
            provider_name="BaseTen",
            limit_source="upstream_provider_shared_pool",
        ),
        "open-webui/computer#293",
    ),
    Case(
        "limited",
        "openrouter",
        429,
        routed(429, "Rate limit exceeded: free-models-per-min", headers={"X-RateLimit-Reset": "1"}),
        "openrouter.ai/docs/api-reference/limits",
    ),
    Case(
        "declined",
        "openrouter",
        403,
        routed(403, "Input was flagged", reasons=["violence"], flagged_input="…", provider_name="OpenAI"),
        "openrouter.ai/docs/api-reference/errors",
    ),
    Case("fault", "openrouter", 502, routed(502, "Bad Gateway"), "openrouter.ai/docs/api-reference/errors"),
    Case(
        "barred",
        "openrouter",
        404,
        routed(404, "No endpoints found matching your data policy"),
        "openrouter.ai/docs/features/privacy-and-logging",
    ),
    Case(
        "no-tools",
        "openrouter",
        404,
        routed(404, "No endpoints found that support tool use"),
        "openrouter.ai/docs/features/tool-calling",
    ),
    Case(
        "no-model",
        "openrouter",
        400,
        routed(400, "foo/bar is not a valid model ID"),
        "openrouter.ai/docs/api-reference/errors",
    ),
    Case(
        "too-long",
        "openrouter",
        400,
        routed(
            400,
            "Provider returned error",
            raw='{"error":{"message":"This endpoint\'s maximum context length is 131072 tokens"}}',
        ),
        "diegosouzapw/OmniRoute#3044",
    ),
    Case(
        "refused",
        "openrouter",
        401,
        routed(401, "User not found."),
        "openrouter.ai/docs/api-reference/errors",
    ),
    # Gemini
    Case(
        "limited",
        "gemini",
        429,
        google(429, "Resource has been exhausted (e.g. check quota).", "RESOURCE_EXHAUSTED"),
        "google-gemini/gemini-cli#2020",
    ),
    Case(
        "too-long",
        "gemini",
        400,
        google(
            400,
            "The input token count (1091639) exceeds the maximum number of tokens allowed (1048576).",
            "INVALID_ARGUMENT",
        ),
        "google-gemini/gemini-cli#5807",
    ),
    Case(
        "refused",
        "gemini",
        400,
        google(400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT"),
        "ai.google.dev/gemini-api/docs/troubleshooting",
    ),
    Case(
        "busy",
        "gemini",
        503,
        google(503, "The model is overloaded. Please try again later.", "UNAVAILABLE"),
        "ai.google.dev/gemini-api/docs/troubleshooting",
    ),
    Case(
        "barred",
        "gemini",
        400,
        google(400, "User location is not supported for the API use.", "FAILED_PRECONDITION"),
        "ai.google.dev/gemini-api/docs/troubleshooting",
    ),
    Case(
        "no-model",
        "gemini",
        404,
        google(404, "models/gemini-0 is not found for API version v1main", "NOT_FOUND"),
        "ai.google.dev/gemini-api/docs/troubleshooting",
    ),
    Case(
        "bad-thoughts",
        "gemini",
        400,
        google(
            400, "Function call is missing a thought_signature in functionCall parts.", "INVALID_ARGUMENT"
        ),
        "ai.google.dev/gemini-api/docs/thought-signatures",
    ),
    # Qwen
    Case(
        "too-long",
        "qwen",
        400,
        said(
            "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]",
            "invalid_request_error",
            "invalid_parameter_error",
        ),
        "QwenLM/qwen-code#98",
    ),
    Case(
        "empty",
        "qwen",
        400,
        said("Access denied, please make sure your account is in good standing.", "Arrearage", "Arrearage"),
        "help.aliyun.com/zh/model-studio/error-code",
    ),
    Case(
        "declined",
        "qwen",
        400,
        said(
            "Output data may contain inappropriate content.",
            "data_inspection_failed",
            "data_inspection_failed",
        ),
        "help.aliyun.com/zh/model-studio/error-code",
    ),
    Case(
        "limited",
        "qwen",
        429,
        said("Requests rate limit exceeded, please try again later.", "limit_requests", "limit_requests"),
        "help.aliyun.com/zh/model-studio/error-code",
    ),
    # DeepSeek
    Case(
        "empty",
        "deepseek",
        402,
        said("Insufficient Balance", "unknown_error", "invalid_request_error"),
        "continuedev/continue#9942",
    ),
    Case(
        "too-long",
        "deepseek",
        400,
        said(
            "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens",
            "invalid_request_error",
            "invalid_request_error",
        ),
        "api-docs.deepseek.com/quick_start/error_codes",
    ),
    Case(
        "bad-thoughts",
        "deepseek",
        400,
        said(
            "The reasoning_content in the thinking mode must be passed back to the API.",
            "invalid_request_error",
        ),
        "api-docs.deepseek.com/guides/thinking_mode",
    ),
    Case(
        "busy",
        "deepseek",
        503,
        said("Service is too busy. You may retry later."),
        "api-docs.deepseek.com/quick_start/error_codes",
    ),
    # Moonshot, GLM, MiniMax, Mistral, xAI, Groq
    Case(
        "empty",
        "moonshot",
        429,
        said("Your account is suspended due to insufficient balance", "exceeded_current_quota_error"),
        "anomalyco/opencode#24462",
    ),
    Case(
        "busy",
        "moonshot",
        429,
        said("The engine is currently overloaded, please try again later", "engine_overloaded_error"),
        "platform.moonshot.ai/docs/api/errors",
    ),
    Case(
        "too-long",
        "moonshot",
        400,
        said("Invalid request: Your request exceeded model token limit: 262144", "invalid_request_error"),
        "platform.moonshot.ai/docs/api/errors",
    ),
    Case(
        "empty",
        "zai",
        429,
        said("Insufficient balance or no resource package. Please recharge.", code="1113"),
        "anthropics/claude-code#9201",
    ),
    Case(
        "empty",
        "zhipu",
        429,
        said("余额不足或无可用资源包,请充值。", code="1113"),
        "continuedev/continue#11823",
    ),
    Case(
        "limited",
        "zai",
        429,
        said("Rate limit reached for requests", code="1302"),
        "docs.z.ai/api-reference/api-code",
    ),
    Case(
        "limited",
        "minimax",
        429,
        said("usage limit exceeded (2056)", "rate_limit_error"),
        "gabrielkoerich/orch#3150",
    ),
    Case(
        "busy",
        "mistral",
        429,
        {
            "object": "error",
            "message": "Service tier capacity exceeded for this model.",
            "type": "service_tier_capacity_exceeded",
            "code": "3505",
        },
        "docs.mistral.ai/api",
    ),
    Case(
        "empty",
        "xai",
        429,
        {
            "code": "Some resource has been exhausted",
            "error": "Your team has either used all available credits or reached its monthly spending limit.",
        },
        "continuedev/continue#10373",
    ),
    Case(
        "empty",
        "xai",
        403,
        {
            "code": "The caller does not have permission",
            "error": "You have reached your monthly spending limit.",
        },
        "NousResearch/hermes-agent#70203",
    ),
    Case(
        "refused",
        "xai",
        400,
        {"code": "Client specified an invalid argument", "error": "Incorrect API key provided: xa***."},
        "docs.x.ai/docs/key-information/debugging",
    ),
    Case(
        "too-long",
        "groq",
        413,
        said(
            "Request too large for model `llama-3.3` on tokens per minute (TPM): Limit 12000, Requested 14137, reduce your message size: https://x.test/billing",
            "tokens",
            "rate_limit_exceeded",
        ),
        "continuedev/continue#10218",
    ),
    Case(
        "limited",
        "groq",
        429,
        said(
            "Rate limit reached for model `llama-3.3` on tokens per day (TPD): Limit 100000, Used 97050. try again in 9m38.016s: https://x.test/billing",
            "tokens",
            "rate_limit_exceeded",
        ),
        "continuedev/continue#10920",
    ),
    Case(
        "busy",
        "groq",
        498,
        said("Flex tier capacity exceeded", "capacity", "capacity_exceeded"),
        "console.groq.com/docs/errors",
    ),
    # Servers of one's own
    Case(
        "too-long",
        "vllm",
        400,
        vllm("This model's maximum context length is 16384 tokens. However, you requested 122946 tokens"),
        "vllm-project/vllm#20409",
    ),
    Case("too-long", "vllm", 400, vllm("max_tokens must be at least 1, got -186."), "vllm-project/vllm#4667"),
    Case(
        "no-model",
        "vllm",
        404,
        vllm("The model `x` does not exist.", 404, "NotFoundError"),
        "docs.vllm.ai/en/latest/serving/openai_compatible_server",
    ),
    Case(
        "no-tools",
        "vllm",
        400,
        vllm('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        "docs.vllm.ai/en/latest/features/tool_calling",
    ),
    Case(
        "no-pictures",
        "vllm",
        400,
        vllm("At most 0 image(s) may be provided in one prompt."),
        "docs.vllm.ai/en/latest/features/multimodal_inputs",
    ),
    Case(
        "too-long",
        "llama.cpp",
        400,
        said(
            "request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it",
            "exceed_context_size_error",
            400,
            n_ctx=4096,
        ),
        "ggml-org/llama.cpp#19774",
    ),
    Case(
        "too-long",
        "llama.cpp",
        500,
        said("Context size has been exceeded.", "server_error", 500),
        "ggml-org/llama.cpp#19774",
    ),
    Case(
        "busy",
        "llama.cpp",
        503,
        said("Loading model", "unavailable_error", 503),
        "github.com/ggml-org/llama.cpp/tree/master/tools/server",
    ),
    Case(
        "fault",
        "ollama",
        500,
        said("model requires more system memory (44.7 GiB) than is available (10.7 GiB)", "api_error"),
        "ollama/ollama-python#292",
    ),
    Case(
        "no-model",
        "ollama",
        404,
        said('model "nope" not found, try pulling it first', "api_error"),
        "docs.ollama.com/api/errors",
    ),
    Case(
        "no-tools",
        "ollama",
        400,
        said("registry.ollama.ai/library/gemma:2b does not support tools", "api_error"),
        "ollama/ollama/tree/main/docs",
    ),
    Case("fault", "lmstudio", 400, {"error": "CUDA error: out of memory"}, "NousResearch/hermes-agent#52261"),
    # Whoever it is
    Case("limited", "somebody", 429, said("session usage limit reached"), "NousResearch/hermes-agent#68831"),
    Case(
        "limited",
        "somebody",
        402,
        said("Usage limit reached, try again in 5 minutes"),
        "NousResearch/hermes-agent, statuses",
    ),
    Case(
        "fault",
        "somebody",
        502,
        "<html><body>502 Bad Gateway</body></html>",
        "NousResearch/hermes-agent, statuses",
    ),
    Case(
        "slow",
        "somebody",
        524,
        "error code: 524",
        "developers.cloudflare.com/support/troubleshooting/http-status-codes",
    ),
    Case("no-place", "somebody", 404, {"detail": "Not Found"}, "fastapi/fastapi, its own 404"),
    Case(
        "too-large",
        "somebody",
        413,
        "<html><center><h1>413 Request Entity Too Large</h1></center></html>",
        "nginx.org/en/docs/http/ngx_http_core_module",
    ),
    Case("malformed", "somebody", 418, said("no"), "a status of its own"),
)
