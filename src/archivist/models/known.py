"""Who offers models, as far as it is known: where each is asked, in which form, and which variable of the environment has the key.

A provider that is not here is asked at an address of its own, in OpenAI's form unless another is set.
"""

import re
from typing import Final

import msgspec

from archivist.models.endpoints import Wire

CUSTOM: Final = "custom"
"""What a provider is called of which nothing but the address is known."""


class Known(msgspec.Struct, frozen=True):
    """A provider.

    Attributes:
        name: As settings name it.
        base_url: Where it is asked.
        key_env: The variable that has its key; empty where it needs none.
        wire: The form of its requests.
        priced: What the table of prices calls it; empty where it is not in there.
        sees: Which of its models read pictures, by their names.
        is_local: Whether it runs on machines of one's own, so that it costs nothing.
        example: One of its models, to show how it is named.
    """

    name: str
    base_url: str
    key_env: str = ""
    wire: Wire = "openai"
    priced: str = ""
    sees: str = r"(?!)"
    is_local: bool = False
    example: str = "NAME"

    def takes_pictures(self, model: str) -> bool:
        """Whether a model of its is known to read pictures."""
        return re.search(self.sees, model, re.IGNORECASE) is not None


_SEES: Final = r"(\b|[\d-])(vl|vision|omni|pixtral|llava|gemma-?3|gemma-?4|4v|5v)(\b|[-_\d.])"
_ALL: Final = (
    Known(
        "openai",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        priced="openai",
        sees=r"^(chatgpt|gpt-4o|gpt-4\.|gpt-4-turbo|gpt-[5-9]|o[1-9])(?!.*(audio|realtime))",
        example="gpt-5.6",
    ),
    Known(
        "anthropic",
        "https://api.anthropic.com",
        "ANTHROPIC_API_KEY",
        wire="anthropic",
        priced="anthropic",
        sees=r"",
        example="claude-sonnet-5",
    ),
    Known(
        "openrouter",
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
        priced="openrouter",
        sees=rf"^(anthropic/claude|google/gemini|openai/(gpt-4o|gpt-4\.|gpt-[5-9]|o[1-9]))|{_SEES}",
        example="anthropic/claude-sonnet-5",
    ),
    Known(
        "deepseek", "https://api.deepseek.com", "DEEPSEEK_API_KEY", priced="deepseek", example="deepseek-chat"
    ),
    Known(
        "qwen",
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
        sees=_SEES,
        example="qwen3-max",
    ),
    Known(
        "qwen-cn",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
        sees=_SEES,
        example="qwen3-max",
    ),
    Known(
        "moonshot",
        "https://api.moonshot.ai/v1",
        "MOONSHOT_API_KEY",
        priced="moonshotai",
        sees=rf"kimi-(k2\.[5-9]|k[3-9])|{_SEES}",
        example="kimi-k2.6",
    ),
    Known(
        "moonshot-cn",
        "https://api.moonshot.cn/v1",
        "MOONSHOT_API_KEY",
        priced="moonshotai",
        sees=rf"kimi-(k2\.[5-9]|k[3-9])|{_SEES}",
        example="kimi-k2.6",
    ),
    Known("zai", "https://api.z.ai/api/paas/v4", "ZAI_API_KEY", priced="zai", sees=r"\dv\b", example="glm-5"),
    Known(
        "zhipu",
        "https://open.bigmodel.cn/api/paas/v4",
        "ZHIPUAI_API_KEY",
        priced="zhipuai",
        sees=r"\dv\b",
        example="glm-5",
    ),
    Known("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", priced="groq", sees=r"llama-4|vision"),
    Known(
        "mistral",
        "https://api.mistral.ai/v1",
        "MISTRAL_API_KEY",
        priced="mistral",
        sees=r"pixtral|mistral-(large|medium|small)",
        example="mistral-large-latest",
    ),
    Known(
        "xai",
        "https://api.x.ai/v1",
        "XAI_API_KEY",
        priced="x-ai",
        sees=r"grok-[4-9]|vision",
        example="grok-4",
    ),
    Known(
        "gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "GEMINI_API_KEY",
        priced="google",
        sees=r"gemini",
        example="gemini-2.5-pro",
    ),
    Known("minimax", "https://api.minimax.io/v1", "MINIMAX_API_KEY", priced="minimax"),
    Known("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY", priced="together", sees=_SEES),
    Known(
        "fireworks",
        "https://api.fireworks.ai/inference/v1",
        "FIREWORKS_API_KEY",
        priced="fireworks",
        sees=_SEES,
    ),
    Known("cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY", priced="cerebras"),
    Known("ollama", "http://localhost:11434/v1", is_local=True, sees=_SEES, example="qwen3:32b"),
    Known("vllm", "http://localhost:8000/v1", is_local=True, sees=_SEES, example="Qwen/Qwen3-32B"),
    Known("llama.cpp", "http://localhost:8080/v1", is_local=True, sees=_SEES),
    Known("lmstudio", "http://localhost:1234/v1", is_local=True, sees=_SEES),
)
PROVIDERS: Final = {one.name: one for one in _ALL}
"""By the names that settings know them by."""
_ALSO: Final = {
    "claude": "anthropic",
    "dashscope": "qwen",
    "google": "gemini",
    "glm": "zai",
    "kimi": "moonshot",
    "llamacpp": "llama.cpp",
    "llama-cpp": "llama.cpp",
    "lm-studio": "lmstudio",
    "x-ai": "xai",
    "z.ai": "zai",
}


def provider_named(name: str) -> Known | None:
    """The provider that a name means; None where none of that name is known."""
    return PROVIDERS.get(_ALSO.get(name, name))


__all__ = ["CUSTOM", "PROVIDERS", "Known", "provider_named"]
