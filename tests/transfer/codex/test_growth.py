"""A rollout that grows gives the same in the end, wherever it was cut; noise costs itself and nothing more."""

import json
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

KINDS = ("model", "screen", "both", "both turned round")


class Author:
    """Writes a rollout step by step; every text is its own unless it is said to be the same again."""

    def __init__(self, codex):
        self.codex, self.made, self.number, self.choice = codex, codex.Rollout(), 0, 0
        self.said = []

    def _pair(self, model, screen, text):
        kind = KINDS[self.choice % len(KINDS)]
        tellings = {"model": [model], "screen": [screen], "both": [model, screen]}.get(kind, [screen, model])
        for tell in tellings:
            tell(text)
        self.said.append(text)

    def person(self):
        self._pair(self.made.heard, self.made.typed, f"words {self.number}")

    def answer(self):
        self._pair(self.made.gave, self.made.shown, f"answer {self.number}")

    def same_again(self):
        self._pair(self.made.heard, self.made.typed, "go on")
        self._pair(self.made.gave, self.made.shown, "gone on")

    def tool(self):
        self.made.call(f"c{self.number}")
        if self.choice % 2:
            self.made.result(f"c{self.number}", f"result {self.number}")

    def thought(self):
        self.made.think(f"thought {self.number}", encrypted_content="eA==")
        if self.choice % 2:
            self.made.event("agent_reasoning", text=f"thought {self.number}")

    def shown_thought(self):
        self.made.event("agent_reasoning", text=f"thought {self.number}")
        if self.choice % 2:
            self.made.think(f"thought {self.number}")

    def rollback(self):
        self.made.event("thread_rolled_back", num_turns=self.choice)

    def compaction(self):
        self.made.line("compacted", message="the summary", replacement_history=[])

    def tokens(self):
        total = {"input_tokens": 100 * (self.number - self.choice), "output_tokens": self.number}
        self.made.tokens(total, {"input_tokens": 7} if self.choice % 2 else None)

    def title(self):
        self.made.event("thread_name_updated", thread_name=f"title {self.number}")

    def timeless(self):
        self.made.line("event_msg", time=None, type="user_message", message=f"timeless {self.number}")
        self.said.append(f"timeless {self.number}")

    def context(self):
        self.made.heard("<environment_context>x</environment_context>")
        self.made.heard("be good", role="developer")

    def damage(self):
        self.made.lines.append(b'{"type":"response_item","payl')


NAMES = [name for name in vars(Author) if not name.startswith("_")]
STEPS = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 7)), min_size=1, max_size=16)


def written(codex, steps):
    author = Author(codex)
    for author.number, (step, author.choice) in enumerate(steps):
        getattr(author, step)()
    return author


@settings(max_examples=200, deadline=None)
@given(steps=STEPS)
def test_each_text_is_stored_once(kit, codex, steps):
    author = written(codex, steps)
    with tempfile.TemporaryDirectory() as folder:
        memory = kit.Memory()
        codex.imported(author.made.write(Path(folder)), memory)
        told = [
            message.text for _, message in memory.messages.values() if message.role in {"user", "assistant"}
        ]
        assert Counter(text for text in told if text) == Counter(author.said)


@settings(max_examples=100, deadline=None)
@given(steps=STEPS, data=st.data())
def test_growing_by_any_steps_ends_as_the_whole_file_does(kit, codex, steps, data):
    made = written(codex, steps).made
    whole = made.bytes()
    with tempfile.TemporaryDirectory() as folder:
        path = made.write(Path(folder))
        grown, once = kit.Memory(), kit.Memory()
        for cut in sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5))):
            path.write_bytes(whole[:cut])
            codex.imported(path, grown)
        path.write_bytes(whole)
        codex.imported(path, grown)
        codex.imported(path, once)
        assert grown.everything() == once.everything()
        again = codex.imported(path, grown)
        assert again.changed_nothing
        assert again.files_unchanged == 1


@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_growing_line_by_line_ends_as_the_whole_file_does(kit, codex, steps):
    made = written(codex, steps).made
    with tempfile.TemporaryDirectory() as folder:
        path = made.write(Path(folder))
        path.write_bytes(b"")
        grown, once = kit.Memory(), kit.Memory()
        for line in made.lines:
            with path.open("ab") as file:
                file.write(line + b"\n")
            codex.imported(path, grown)
        codex.imported(path, once)
        assert grown.everything() == once.everything()


def survives(kit, codex, content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / codex.Rollout().name
        path.write_bytes(content)
        memory = kit.Memory()
        report = codex.imported(path, memory)
        assert report.read == sum(bool(line.strip()) for line in content.split(b"\n"))
        assert codex.imported(path, memory).changed_nothing
        return memory


CUT = st.tuples(st.integers(0, 10_000), st.integers(0, 60), st.binary(max_size=40))


@settings(max_examples=200, deadline=None)
@given(steps=STEPS, cuts=st.lists(CUT, min_size=1, max_size=4))
def test_damage_anywhere_is_counted_and_survived(kit, codex, steps, cuts):
    content = written(codex, steps).made.bytes()
    for place, length, noise in cuts:
        at = place % (len(content) + 1)
        content = content[:at] + noise + content[at + length :]
    survives(kit, codex, content)


FIELDS = st.sampled_from(
    """type role content text output arguments action summary images item info call_id name id kind phase source git cwd
    total_token_usage last_token_usage input_tokens num_turns message encrypted_content thread_name result tools""".split()
)
TYPES = st.sampled_from(
    """message reasoning function_call function_call_output custom_tool_call local_shell_call web_search_call
    tool_search_output image_generation_call user_message agent_message agent_reasoning token_count
    item_completed thread_rolled_back thread_name_updated exec_command_end UserMessage AgentMessage Plan Reasoning
    input_text output_text input_image user assistant developer""".split()
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=5) | TYPES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=8,
)
BLOCKS = st.lists(
    VALUES | st.fixed_dictionaries({"type": VALUES}, optional={"text": VALUES, "image_url": VALUES})
)
MESSAGE = st.fixed_dictionaries({"type": st.just("message"), "role": TYPES, "content": BLOCKS})
LINE = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            ["response_item", "event_msg", "session_meta", "turn_context", "compacted", "x"]
        ),
        "payload": st.dictionaries(FIELDS, VALUES, max_size=6) | MESSAGE | VALUES,
    },
    optional={"timestamp": VALUES},
)


@settings(max_examples=60, deadline=None)
@given(lines=st.lists(LINE, max_size=6))
def test_lines_of_any_shape_are_counted(kit, codex, lines):
    made = codex.Rollout()
    made.lines += [json.dumps(line).encode() for line in lines]
    made.person("last words")
    memory = survives(kit, codex, made.bytes())
    told = [message.text for _, message in memory.messages.values()]
    assert told.count("last words") == 1
