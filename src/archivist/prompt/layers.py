"""A whole prompt, put together of layers: what changes least stands first, so that what a provider keeps of it stays of use.

The order is this module's alone. A layer is a value; whatever makes one is a function of values, so that the same values are the same
bytes everywhere and for ever.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, Literal, get_args

import msgspec

from archivist.records import Notice, text_digest
from archivist.records.tokens import estimate_tokens

LayerName = Literal["identity", "guidance", "memory", "conclusions", "skills", "project", "platform", "facts"]
ORDER: Final[tuple[LayerName, ...]] = get_args(LayerName)
"""In which layers stand, most stable first."""
BETWEEN: Final = "\n\n"


class Layer(msgspec.Struct, frozen=True):
    """One layer.

    Attributes:
        text: To the letter as it is sent; empty for nothing.
        why: Why it is empty.
        left_out: What did not get in, each with the reason.
        notices: What a person should know of it.
    """

    name: LayerName
    text: str = ""
    why: str = ""
    left_out: Mapping[str, str] = msgspec.field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


class LayerReport(msgspec.Struct, frozen=True):
    """What became of a layer; see `Layer`."""

    name: LayerName
    characters: int
    tokens: int
    why: str = ""
    left_out: Mapping[str, str] = msgspec.field(default_factory=dict)


class PromptReport(msgspec.Struct, frozen=True):
    """How a prompt came about.

    Attributes:
        layers: In their order; also those that have nothing to say.
        tokens: Estimated, of all of it.
    """

    layers: tuple[LayerReport, ...] = ()
    characters: int = 0
    tokens: int = 0
    notices: tuple[Notice, ...] = ()


class Prompt(msgspec.Struct, frozen=True):
    """What a session's model is told before anything is said.

    Attributes:
        sha256: Of the text in UTF-8, in hex.
    """

    text: str
    sha256: str
    report: PromptReport


def prompt_of(layers: Iterable[Layer], *, family: str | None = None) -> Prompt:
    """The layers as one prompt, whatever order they come in.

    Args:
        layers: Each at most once.
        family: Whose tokens are counted.

    Raises:
        ValueError: A layer comes twice, or is none.
    """
    ordered = sorted(layers, key=lambda layer: ORDER.index(layer.name))
    names = [layer.name for layer in ordered]
    if len(set(names)) < len(names):
        raise ValueError(f"a layer comes twice: {', '.join(names)}")
    text = BETWEEN.join(layer.text for layer in ordered if layer.text)
    reports = tuple(_report(layer, family) for layer in ordered)
    notices = tuple(notice for layer in ordered for notice in layer.notices)
    tokens = sum(report.tokens for report in reports)
    return Prompt(text, text_digest(text), PromptReport(reports, len(text), tokens, notices))


def _report(layer: Layer, family: str | None) -> LayerReport:
    return LayerReport(layer.name, len(layer.text), _tokens_of(layer.text, family), layer.why, layer.left_out)


_tokens_of = lru_cache(maxsize=32)(estimate_tokens)
"""Most layers are what they were for the last prompt."""


__all__ = ["ORDER", "Layer", "LayerName", "LayerReport", "Prompt", "PromptReport", "prompt_of"]
