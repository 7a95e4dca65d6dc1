"""Masking: ordinary text, and text made of nothing but what looks like the beginning of a secret."""

from collections.abc import Iterator

from archivist import mask
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, best, cpu_seconds

WORST = (
    "password = token: sk-abc key= " * 20_000,
    "=" * 500_000,
    "postgres://user:pass@" * 25_000,
    "密码是" * 150_000,
    "-----BEGIN PRIVATE KEY-----" * 18_000,
    "a" * 500_000,
)


def figures() -> Iterator[Figure]:
    """Both figures."""
    corpus = Corpus(2)
    texts = [corpus.text(number) for number in range(4_000)]
    ordinary = sum(len(text.encode()) for text in texts) / 1e6
    per_megabyte = best(lambda: cpu_seconds(lambda: [mask(text) for text in texts]), 3) * 1e3 / ordinary
    yield Figure("masking ordinary text", "ms/MB CPU", per_megabyte, None, "≤ 30 ms/MB", per_megabyte <= 30)
    worst = max(
        cpu_seconds(lambda text=text: mask(text)) * 1e3 / (len(text.encode()) / 1e6) for text in WORST
    )
    yield Figure("masking at its worst", "ms/MB CPU", worst, None, "≤ 200 ms/MB", worst <= 200)
