"""A long working conversation as agents have them: two hundred turns of reading, editing, testing, looking up, being corrected."""

import json
import random

from archivist import Message, Part, ToolCall

PROHIBITIONS = (
    "Never delete the fixtures under tests/golden, not even broken ones.",
    "Do not restart the ingest worker between 08:00 and 18:00.",
    "不要把日志发到外部服务器。",
)
FILES = [
    f"src/harbour/{name}.py" for name in "tides quays berths ledger pilots lamps customs manifest".split()
]
PAGE = "https://docs.example.org/tides/"
CORRECTIONS = (
    "No, the staging port is {port}, not {other}.",
    "That name is wrong: call it berth_{number}, as in the ledger.",
    "Actually keep the old column for quay {number}; the auditors read it.",
)


class Work:
    """Turns, one after the other; the same for the same seed."""

    def __init__(self, seed=7):
        self._chance, self._calls = random.Random(seed), 0

    def turn(self, number):
        """What is said and done in a turn, from the person's words to the agent's last."""
        messages = [Message.user(self._asked(number), parts=self._shown(number))]
        for _ in range(self._chance.randint(1, 4)):
            messages += self._step(number)
        return [
            *messages,
            Message.assistant(f"Turn {number} is done: {self._chance.choice(FILES)} holds case {number}."),
        ]

    def _asked(self, number):
        if number == 2:
            return "Before you go on:\n" + "\n".join(PROHIBITIONS)
        if number % 9 == 0:
            told = self._chance.choice(CORRECTIONS)
            return told.format(port=8000 + number, other=9000 + number, number=number)
        return f"Now fix case {number} in {self._chance.choice(FILES)}, and tell me which test covers it."

    def _shown(self, number):
        picture = [
            Part("image", media_type="image/png", data=b"\x89PNG\r\n\x1a\n" + bytes([number % 256]) * 40)
        ]
        return [Part("text", self._asked(number)), *picture] if number % 40 == 5 else []

    def _step(self, number):
        make = self._chance.choice([self._read, self._test, self._edit, self._look_up, self._list])
        return make(number)

    def _exchange(self, name, arguments, output, said=""):
        self._calls += 1
        key = f"call_{self._calls}"
        call = ToolCall(key, name, json.dumps(arguments, ensure_ascii=False))
        return [Message.assistant(said, tool_calls=[call]), Message.tool(output, call_id=key, name=name)]

    def _read(self, number):
        file = self._chance.choice(FILES)
        body = "".join(
            f"{line:5}\tvalue_{number}_{line} = read({line})\n"
            for line in range(self._chance.randint(20, 200))
        )
        return self._exchange("Read", {"file_path": file}, body, f"I read {file}.")

    def _test(self, number):
        failed = self._chance.randint(0, 3)
        lines = "\n".join(f"tests/test_case_{number}.py::test_{one} PASSED" for one in range(40))
        output = f"{lines}\nE   AssertionError: case {number} is {number * 3}\n{failed} failed, {40 - failed} passed in 2.{number}s"
        return self._exchange("Bash", {"command": f"pytest tests/test_case_{number}.py"}, output)

    def _edit(self, number):
        text = "".join(f"    row_{line} = {number}\n" for line in range(90))
        arguments = {"file_path": self._chance.choice(FILES), "content": text}
        return self._exchange(
            "Write", arguments, "The file was written.", f"Case {number} reads the row first now."
        )

    def _look_up(self, number):
        page = f"Tide tables, part {number}.\n" + "High water is counted from the lower gauge. " * 30
        return self._exchange("WebFetch", {"url": f"{PAGE}{number}"}, page)

    def _list(self, number):
        return self._exchange(
            "Bash",
            {"command": "ls tests/golden"},
            "\n".join(f"case_{one}.json" for one in range(number, number + 30)),
        )


def telling(prompt, most):
    """A model that keeps an account: a line for each of the first messages, each with the id that it rests on."""
    said = prompt.partition("<messages>\n")[2].partition("\n</messages>")[0]
    keys = [
        row.partition("] ")[0][1:] for row in said.splitlines() if row.startswith("[") and "] agent: " in row
    ]
    lines = [row.partition("] agent: ")[2] for row in said.splitlines() if "] agent: " in row]
    told = [f"- {line[:120]} [{key}]" for key, line in zip(keys, lines, strict=False)][:12]
    return "\n".join(("## State", *told))
