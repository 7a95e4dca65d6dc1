"""Search by kind of query beside FTS5's own bm25, and whether a known message is found as surely as by exact BM25.

`python -m benchmarks.search_latency 1000000` measures another size.
"""

import random
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from archivist import Archivist
from benchmarks.corpus import COMMON, Corpus, identifier
from benchmarks.figures import Figure, print_table
from benchmarks.indexing import fill

SIZE, SEED = 100_000, 3
QUERIES, KNOWN_ITEMS = 60, 150
FUNCTION_WORDS = 30
HAN_RUN = re.compile("[\u4e00-\u9fff]+")
BUDGETS = {100_000: (8.0, 20.0), 1_000_000: (50.0, 50.0)}


class Asker:
    """Queries of each kind, drawn from a corpus."""

    def __init__(self, size: int) -> None:
        self.size, self.corpus, self.chance = size, Corpus(SEED), random.Random(17)
        self.common = [word for word in COMMON if len(word) > 3]

    def kinds(self) -> dict[str, Callable[[], str]]:
        """By name, what makes a query of that kind."""
        pick = self.chance
        return {
            "a rare word": lambda: self.word(8_000, 40_000),
            "a common word": lambda: pick.choice(self.common),
            "2 to 8 mixed words": lambda: " ".join(
                [*pick.sample(self.common, pick.randint(1, 4)), *self.words(pick.randint(1, 4))]
            ),
            "4 common words": lambda: " ".join(pick.sample(self.common, 4)),
            "a phrase of 2": lambda: self.phrase(2),
            "a phrase of 3": lambda: self.phrase(3),
            "a phrase of 5": lambda: self.phrase(5),
            "a phrase of common words": lambda: f'"{pick.choice(COMMON)} {pick.choice(COMMON)}"',
            "a prefix of 3 letters": lambda: f"{self.word(60, 4_000)[:3]}*",
            "a prefix of 5 letters": lambda: f"{self.word(60, 4_000)[:5]}*",
            "an identifier": lambda: identifier(7 * pick.randrange(self.size // 7)),
            "1 Chinese character": lambda: self.chinese(1),
            "2 Chinese characters": lambda: self.chinese(2),
            "4 Chinese characters": lambda: self.chinese(4),
        }

    def word(self, first: int, last: int) -> str:
        """A word whose frequency rank lies in that range."""
        return self.corpus.words[self.chance.randrange(first, min(last, len(self.corpus.words)))]

    def words(self, count: int) -> list[str]:
        """Words from middling to rare."""
        return [self.word(100, 20_000) for _ in range(count)]

    def phrase(self, length: int) -> str:
        """Words that stand in a row in some message."""
        while True:
            text = self.corpus.text(self.chance.randrange(self.size))
            words = text.split("\n")[0].rstrip(".").split(" ")
            if len(words) > length + 2 and all(
                word.isascii() and word.isalpha() for word in words[: length + 2]
            ):
                start = self.chance.randrange(len(words) - length)
                return f'"{" ".join(words[start : start + length])}"'

    def chinese(self, length: int) -> str:
        """Characters that stand in a row in some message."""
        while True:
            runs = [
                run
                for run in HAN_RUN.findall(self.corpus.text(self.chance.randrange(self.size)))
                if len(run) >= length
            ]
            if runs:
                run = self.chance.choice(runs)
                start = self.chance.randrange(len(run) - length + 1)
                return run[start : start + length]

    def known(self, first: int, last: int) -> tuple[str, str]:
        """Three common and one to three other words of a message in a range, and its text."""
        while True:
            text = self.corpus.text(self.chance.randrange(first, last))
            words = dict.fromkeys(text.rstrip(".").split()) if text.isascii() else {}
            common = [word for word in words if word in self.common]
            others = [word for word in words if word.isalpha() and word not in COMMON]
            if len(common) >= 3 and len(others) >= 3:
                chosen = [
                    *self.chance.sample(common, 3),
                    *self.chance.sample(others, self.chance.randint(1, 3)),
                ]
                self.chance.shuffle(chosen)
                return " ".join(chosen), text


class Plain:
    """FTS5 with porter over words and pairs of Chinese characters, ordered by bm25."""

    def __init__(self, path: Path, size: int) -> None:
        self.db = sqlite3.connect(path)
        self.db.execute("PRAGMA synchronous = OFF")
        self.db.execute("CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='porter unicode61')")
        texts = ((number, in_pairs(text)) for number, text in enumerate(map(Corpus(SEED).text, range(size))))
        with self.db:
            self.db.executemany("INSERT INTO t(rowid, text) VALUES(?, ?)", texts)

    def search(self, query: str, limit: int = 5) -> list[int]:
        """The best message numbers."""
        if query.startswith('"'):
            match = query
        elif query.endswith("*"):
            match = f'"{query[:-1]}"*'
        else:
            words = in_pairs(query).split() if len(query) > 1 else [f"{query}"]
            match = " OR ".join(f'"{word}"' for word in words) + ("*" if len(query) == 1 else "")
        rows = self.db.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (match, limit))
        return [number for (number,) in rows]


def in_pairs(text: str) -> str:
    """The text with Chinese written as overlapping pairs."""
    return HAN_RUN.sub(
        lambda run: f" {' '.join(run[0][i : i + 2] for i in range(max(1, len(run[0]) - 1)))} ", text
    )


def figures(size: int = SIZE) -> Iterator[Figure]:
    """Milliseconds of CPU by kind, then known items."""
    with tempfile.TemporaryDirectory() as folder, Archivist.open(Path(folder) / "home") as archivist:
        fill(archivist, size)
        archivist.catch_up()
        plain, asker = Plain(Path(folder) / "plain.db", size), Asker(size)

        def ours(query: str) -> object:
            return archivist.sessions.search(query)

        for kind, make in asker.kinds().items():
            queries = [make() for _ in range(QUERIES)]
            yield from compare(
                f"search {size:,}: {kind}", queries, ours, plain.search, BUDGETS.get(size, (20.0, 50.0))
            )
        yield known_items("known message in the top 5", archivist, plain, asker, newest=size)
        yield known_items("the same, oldest tenth", archivist, plain, asker, newest=size // 10)


def compare(
    name: str,
    queries: Sequence[str],
    ours: Callable[[str], object],
    reference: Callable[[str], object],
    budget: tuple[float, float],
) -> Iterator[Figure]:
    """Median and 95th percentile of both."""
    mine, theirs = milliseconds(queries, ours), milliseconds(queries, reference)
    for label, share, bound in (("p50", 0.5, budget[0]), ("p95", 0.95, budget[1])):
        at = int(share * len(queries))
        yield Figure(f"{name}, {label}", "ms CPU", mine[at], theirs[at], f"≤ {bound:g} ms", mine[at] <= bound)


def milliseconds(queries: Sequence[str], search: Callable[[str], object]) -> list[float]:
    """CPU time of each query, warm, in ascending order."""
    for query in queries:
        search(query)
    taken = []
    for query in queries:
        start = time.process_time()
        search(query)
        taken.append(1000 * (time.process_time() - start))
    return sorted(taken)


def known_items(name: str, archivist: Archivist, plain: Plain, asker: Asker, *, newest: int) -> Figure:
    """Share of messages found by some of their words."""
    found = exact = 0
    for _ in range(KNOWN_ITEMS):
        query, text = asker.known(0, newest)
        # the corpus is filled in order, so that a message's id is its number and one
        found += text in {
            asker.corpus.text(hit.message_id - 1) for hit in archivist.sessions.search(query).hits
        }
        exact += text in {asker.corpus.text(number) for number in plain.search(query)}
    ours, reference = 100 * found / KNOWN_ITEMS, 100 * exact / KNOWN_ITEMS
    return Figure(name, "%", ours, reference, "within 5 points of exact BM25", ours >= reference - 5)


if __name__ == "__main__":
    print_table(figures(int(sys.argv[1]) if len(sys.argv) > 1 else SIZE))
