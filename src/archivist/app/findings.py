"""One thing that `doctor` looked at."""

from collections.abc import Mapping
from typing import Literal

import msgspec

Verdict = Literal["ok", "warning", "failure"]


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at; `numbers` are what a text for people leaves out."""

    subject: str
    verdict: Verdict
    text: str
    numbers: Mapping[str, int] | None = None
