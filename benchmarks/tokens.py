"""The estimate of tokens: how quick it is, and how far from real tokenizers.

Quickness is always measured. For the rest install `bpe-openai` (75 MB: o200k and cl100k) and `tokenizers` beside this, and name

- `TOKENIZERS`: a folder of `FAMILY.json`, each the `tokenizer.json` of a model of that family,
- `TOKEN_TEXTS`: a folder of `KIND.txt`, each a text of that kind.

The Python library is measured as code in any case. The figures in docs/tokens.md were made so, against o200k, cl100k, Claude's
published vocabulary, Qwen3, DeepSeek V3, Gemini and Llama 3.
"""

import os
import sysconfig
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from archivist.records.tokens import estimate_tokens
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, best, cpu_seconds

PIECE_CHARS = 2_000
Counter = Callable[[str], int]


def figures() -> Iterator[Figure]:
    """Quickness, then one figure for each kind of text and vocabulary."""
    yield from _quickness()
    counters = dict(_counters())
    for kind, pieces in _texts():
        for name, (family, count) in counters.items():
            real = sum(map(count, pieces))
            ours = sum(estimate_tokens(piece, family) for piece in pieces)
            wrong = 100 * (ours / real - 1)
            yield Figure(
                f"tokens of {kind}: {name}", "% off", wrong, 0.0, "within 15 % in total", abs(wrong) <= 15
            )


def _quickness() -> Iterator[Figure]:
    corpus = Corpus(2)
    texts = [corpus.text(number) for number in range(4_000)]
    chinese = "".join(text for text in texts if not text.isascii())
    for kind, text in (
        ("ordinary text", "\n".join(texts)),
        ("Chinese", chinese),
        ("code", "".join(_library())),
    ):
        seconds = best(lambda text=text: cpu_seconds(lambda: estimate_tokens(text)), 3)
        rate = len(text) / seconds / 1e6
        yield Figure(f"estimating tokens, {kind}", "Mchar/s CPU", rate, None, "≥ 5 Mchar/s", rate >= 5)


def _texts() -> Iterator[tuple[str, list[str]]]:
    yield "code (Python library)", _library()
    folder = os.environ.get("TOKEN_TEXTS")
    for path in sorted(Path(folder).glob("*.txt")) if folder else ():
        yield path.stem, _pieces(path.read_text())


def _library() -> list[str]:
    files = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))[:40]
    return _pieces("".join(file.read_text(errors="replace") for file in files))


def _pieces(text: str) -> list[str]:
    return [text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS)]


def _counters() -> Iterator[tuple[str, tuple[str | None, Counter]]]:
    """By vocabulary: the family to ask for, and what counts."""
    if find_spec("bpe_openai"):
        from bpe_openai import get_encoding  # type: ignore[import-not-found,unused-ignore]

        for name, family in (("o200k", "openai"), ("cl100k", None)):
            encoding = get_encoding(f"{name}_base")
            yield name, (family, lambda text, encoding=encoding: len(encoding.encode(text)))
    folder = os.environ.get("TOKENIZERS")
    if folder and find_spec("tokenizers"):
        from tokenizers import Tokenizer  # type: ignore[import-not-found,unused-ignore]

        for path in sorted(Path(folder).glob("*.json")):
            tokenizer = Tokenizer.from_file(str(path))
            yield (
                path.stem,
                (
                    path.stem,
                    lambda text, tokenizer=tokenizer: len(
                        tokenizer.encode(text, add_special_tokens=False).ids
                    ),
                ),
            )
