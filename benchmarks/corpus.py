"""A seeded corpus of invented conversations: the same on every machine, of any size.

Words follow Zipf's law over an invented vocabulary; a fifth of the messages is Chinese, a third is code or tool output, and every
seventh carries an identifier that stands nowhere else.
"""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate

from archivist import Message

START = datetime(2024, 1, 1, tzinfo=UTC)
SYLLABLES = "ka lo mi ren tu vas pel dor in ga sho ber nit qua zel fo ham jun wex yr".split()
COMMON = (
    "the of to and in is it for that on with as this be are was by not from or have at an we can you all but if will has"
    " one file test run build server error change value user code data line branch release"
).split()
HAN = (
    "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动"
    "方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感"
)


class Corpus:
    """Messages by number."""

    def __init__(self, seed: int = 0) -> None:
        chance = random.Random(seed)
        self._seed = seed
        invented = {"".join(chance.choices(SYLLABLES, k=chance.randint(2, 5))) for _ in range(40_000)}
        self.words = [*COMMON, *sorted(invented, key=lambda word: (hash_of(word, seed), word))]
        self._law = list(accumulate(1 / rank for rank in range(1, len(self.words) + 1)))
        self.pairs = ["".join(chance.choices(HAN, k=2)) for _ in range(6_000)]
        self._pair_law = list(accumulate(1 / rank**0.9 for rank in range(1, len(self.pairs) + 1)))

    def text(self, number: int) -> str:
        """The text of a message."""
        chance = random.Random(self._seed * 1_000_003 + number)
        length = int(min(1500, max(4, chance.lognormvariate(4.3, 0.9))))
        kind = chance.random()
        if kind < 0.2:
            body = "，".join(
                "".join(chance.choices(self.pairs, cum_weights=self._pair_law, k=6))
                for _ in range(1 + length // 6)
            )
        elif kind < 0.5:
            body = self._log(chance, length)
        else:
            body = " ".join(chance.choices(self.words, cum_weights=self._law, k=length)) + "."
        return f"{body}\nsee {identifier(number)}" if number % 7 == 0 else body

    def message(self, number: int) -> Message:
        """A message with its role and time."""
        role = ("user", "assistant", "assistant", "tool")[number % 4]
        said = START + timedelta(seconds=41 * number)
        if role == "tool":
            return Message.tool(self.text(number), call_id=f"c{number}", name="terminal", created_at=said)
        return Message(role, self.text(number), created_at=said)

    def messages(self, count: int) -> Iterator[Message]:
        """The first messages, in order."""
        return map(self.message, range(count))

    def _log(self, chance: random.Random, length: int) -> str:
        lines = []
        for _ in range(1 + length // 8):
            a, b, c, d = chance.choices(self.words, cum_weights=self._law, k=4)
            lines.append(f"src/{a}/{b}_{c}.py:{chance.randint(1, 900)} {d}={chance.randrange(1 << 24):06x}")
        return "\n".join(lines)


def identifier(number: int) -> str:
    """An identifier that one message alone has."""
    return f"QX-{number * 7919 % 10_000_019:08d}"


def hash_of(word: str, seed: int) -> int:
    """A number that orders words at random, the same on every machine."""
    return random.Random(f"{seed}{word}").getrandbits(32)
