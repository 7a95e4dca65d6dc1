"""How often an answer without a model quotes the passage that answers a question, beside plain FTS5 on the same texts.

    python -m benchmarks.quoting FOLDER [--most N]

FOLDER has the question sets locomo.json.gz, memdaily.json.gz and longmemeval.json.gz, or some of them. A passage counts as
quoted where a quote shows the message that has it, and as quoted whole where all of its words stand in the answer.
"""

import argparse
import gzip
import json
import random
import re
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from archivist import Archivist, Message, check_messages
from archivist.loop.quoting import Quoting
from archivist.models.responder import Interrupt
from archivist.recall.stopwords import ENGLISH
from archivist.records.requests import Reply, Request, ToolSpec
from archivist.tools.registry import TOOLS, call_tool
from archivist.tools.telling import told

SPECS = tuple(ToolSpec(tool.name, tool.description, tool.schema) for tool in TOOLS)
UNDATED = datetime(2024, 1, 1, tzinfo=UTC)
DISTRACTORS = 200
TOP = 5
_OPENED = re.compile(r"`archivist sessions show \S+ --around (\d+)`")
_HAN = re.compile("[\u3400-\u9fff]")


class Passage(NamedTuple):
    """A message, in which conversation, and when it was said."""

    text: str
    group: str = ""
    said: datetime = UNDATED


class Asked(NamedTuple):
    """A question, the passages that answer it by their places, and when it is asked."""

    question: str
    gold: frozenset[int]
    at: datetime | None = None


class Figures(NamedTuple):
    """Of one question: whether a passage is quoted, which share of them, whether one is quoted whole, whether anything is quoted at all."""

    any: float
    share: float
    whole: float
    answered: float


def answer(archivist: Archivist, question: str) -> str:
    """The answer to a question that begins a conversation."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": question}]
    context = archivist.tool_context()
    while True:
        reply = Quoting().respond(
            Request("quotes", tuple(messages), tools=SPECS), lambda _: None, Interrupt()
        )
        if not reply.tool_calls:
            return reply.text
        messages += _made(reply, context)
        if check_messages(messages):
            raise ValueError(messages)


def _made(reply: Reply, context: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - of the tools
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.tool_calls
    ]
    yield {"role": "assistant", "content": None, "tool_calls": calls}
    for call in reply.tool_calls:
        result = call_tool(call.name, call.arguments, context)
        yield {"role": "tool", "tool_call_id": call.id, "content": told(result)}


def measure(passages: Sequence[Passage], asked: Sequence[Asked]) -> tuple[list[Figures], list[Figures]]:
    """What is quoted, and what plain FTS5 has among its first five."""
    later = max(passage.said for passage in passages) + timedelta(days=1)
    now = [later]
    with (
        tempfile.TemporaryDirectory() as home,
        Archivist.open(home, clock=lambda: now[0], environ={}) as archivist,
    ):
        places = _stored(archivist, passages)
        quoted = []
        for one in asked:
            now[0] = one.at or later
            quoted.append(_quoted(answer(archivist, one.question), one, passages, places))
    plain = Plain([passage.text for passage in passages])
    return quoted, [_ranked(plain.best(one.question), one, passages) for one in asked]


def _stored(archivist: Archivist, passages: Sequence[Passage]) -> dict[int, int]:
    """The places of passages by the ids of their messages."""
    places = {}
    for group in dict.fromkeys(passage.group for passage in passages):
        session = archivist.sessions.start("benchmark")
        here = [n for n, passage in enumerate(passages) if passage.group == group]
        ids = session.append_many(Message.user(passages[n].text, created_at=passages[n].said) for n in here)
        places |= dict(zip(ids, here, strict=True))
    archivist.catch_up()
    return places


def _quoted(text: str, asked: Asked, passages: Sequence[Passage], places: dict[int, int]) -> Figures:
    shown = [places[int(key)] for key in _OPENED.findall(text)]
    words = " ".join(line.removeprefix("   > ") for line in text.splitlines() if line.startswith("   > "))
    return _figures(shown, asked, passages, " ".join(words.split()))


def _ranked(shown: Sequence[int], asked: Asked, passages: Sequence[Passage]) -> Figures:
    return _figures(shown, asked, passages, " ".join(" ".join(passages[n].text.split()) for n in shown))


def _figures(shown: Sequence[int], asked: Asked, passages: Sequence[Passage], words: str) -> Figures:
    texts = {passages[n].text for n in shown}
    there = {n for n in asked.gold if " ".join(passages[n].text.split()) in words}
    hit = there | {n for n in asked.gold if passages[n].text in texts}
    whole = bool(there)
    return Figures(bool(hit), len(hit) / len(asked.gold), whole, bool(shown))


class Plain:
    """FTS5 as it comes: porter, any word of a question, BM25; Chinese as pairs of characters."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61')")
        rows = ((n, " ".join(_words(text))) for n, text in enumerate(texts))
        self._database.executemany("INSERT INTO texts(rowid, text) VALUES (?, ?)", rows)

    def best(self, question: str) -> list[int]:
        """The places of the best five."""
        words = [word for word in _words(question) if word.lower() not in ENGLISH]
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        found = self._database.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?", (match, TOP)
        )
        return [row[0] for row in found]


def _words(text: str) -> Iterator[str]:
    for run in re.findall("[\u3400-\u9fff]+|[^\\W\u3400-\u9fff]+", text):
        if _HAN.match(run):
            yield from (run[n : n + 2] for n in range(max(len(run) - 1, 1)))
        else:
            yield run


def locomo(data: Any, most: int) -> Iterator[tuple[list[Figures], list[Figures]]]:  # noqa: ANN401 - of JSON
    """Two people over months: turns that hold the evidence, by the audited labels, the four kinds of question that have an answer."""
    for conversation in data["conversations"]:
        turns = conversation["turns"]
        place = {turn["id"]: n for n, turn in enumerate(turns)}
        passages = [Passage(_turn(turn), str(turn["session"]), _moment(turn["date"])) for turn in turns]
        asked = [
            Asked(one["question"], frozenset(place[key] for key in one["audited_evidence"]))
            for one in conversation["questions"]
            if one["audited_evidence"] and one["category"] != 5
        ]
        yield measure(passages, asked[:most])


def memdaily(data: Any, most: int) -> Iterator[tuple[list[Figures], list[Figures]]]:  # noqa: ANN401 - as above
    """A Chinese log of daily life, with 200 lines from elsewhere beside each case."""
    for case in data["cases"][:most]:
        families = sorted(set(data["distractors"]) - {case["family"]})
        others = [text for family in families for text in data["distractors"][family]]
        drawn = random.Random(f"quoting-{case['id']}").sample(others, DISTRACTORS)
        passages = [Passage(text) for text in (*case["messages"], *drawn)]
        yield measure(passages, [Asked(case["question"], frozenset(case["gold"]))])


def longmemeval(data: Any, most: int) -> Iterator[tuple[list[Figures], list[Figures]]]:  # noqa: ANN401 - as above
    """Many conversations with an assistant: any of what the user said in one that holds the evidence."""
    passages = [
        Passage(turn["content"], session["id"], _moment(session["date"]))
        for session in data["sessions"]
        for turn in session["turns"]
        if turn["role"] == "user"
    ]
    asked = []
    for one in data["questions"][:most]:
        gold = frozenset(n for n, passage in enumerate(passages) if passage.group in one["gold"])
        asked.append(Asked(one["question"], gold, _moment(f"{one['date']}T23:59")))
    yield measure(passages, asked)


def _turn(turn: dict[str, Any]) -> str:
    image = f" [image: {turn['image']}]" if turn.get("image") else ""
    return f"{turn['speaker']}: {turn['text']}{image}"


def _moment(date: str | None) -> datetime:
    return UNDATED if date is None else datetime.fromisoformat(date).replace(tzinfo=UTC)


SETS = {"locomo": locomo, "memdaily": memdaily, "longmemeval": longmemeval}


def _row(name: str, figures: Iterable[Figures]) -> str:
    rows = list(figures)
    means = (100 * sum(column) / len(rows) for column in zip(*rows, strict=True))
    return f"{name:<30}{len(rows):>6}" + "".join(f"{mean:>10.1f}" for mean in means)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="How often an answer without a model quotes what answers.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=1_000_000, help="questions of each part of a set")
    parser.add_argument("--only", choices=SETS, action="append")
    given = parser.parse_args()
    print(f"{'':<30}{'n':>6}{'quoted':>10}{'share':>10}{'whole':>10}{'answered':>10}")
    for name in given.only or SETS:
        path = given.folder / f"{name}.json.gz"
        if path.exists():
            with gzip.open(path, "rt", encoding="utf-8") as file:
                parts = list(SETS[name](json.load(file), given.most))
            print(_row(name, (row for quoted, _ in parts for row in quoted)))
            print(_row(f"{name}, FTS5 top {TOP}", (row for _, plain in parts for row in plain)))


if __name__ == "__main__":
    main()
