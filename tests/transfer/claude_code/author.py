"""Transcripts of any shape, for property tests."""

from hypothesis import strategies as st


class Author:
    """Writes a transcript step by step; responses say truly when they end."""

    def __init__(self, kit):
        self.kit, self.made, self.spoken = kit, kit.Transcript(), [None]
        self.number, self.choice, self.time = 0, 0, {}

    def person(self):
        self.spoken.append(self.made.person(f"words {self.number}", **self.time))

    def response(self):
        for piece in range(self.choice % 3):
            self.made.answer(f"r{self.number}", f"part {piece} of {self.number}", output=piece, **self.time)
        self.spoken.append(
            self.made.answer(f"r{self.number}", f"end of {self.number}", stop="end_turn", **self.time)
        )

    def tools(self):
        first = self.made.answer(
            f"r{self.number}", self.kit.call(f"t{self.number}-0", n=self.number), **self.time
        )
        if self.choice % 2:
            self.made.result(f"t{self.number}-0", f"result 0 of {self.number}", **self.time)
        self.made.answer(
            f"r{self.number}", self.kit.call(f"t{self.number}-1"), parent=first, stop="tool_use", **self.time
        )
        self.made.result(f"t{self.number}-1", f"result 1 of {self.number}", **self.time)

    def edit(self):
        parent = self.spoken[self.choice % len(self.spoken)]
        self.spoken.append(self.made.person(f"other words {self.number}", parent=parent, **self.time))

    def meta(self):
        self.made.person("caveat", isMeta=True, **self.time)

    def compaction(self):
        self.made.chained("system", subtype="compact_boundary", parent=None, logicalParentUuid=self.made.last)
        self.made.person("the summary", isCompactSummary=True)

    def sidechain(self):
        main = self.made.last
        self.made.person(f"task {self.number}", isSidechain=True, parent=None if self.choice % 2 else main)
        self.made.answer(
            f"s{self.number}", f"answer {self.number}", isSidechain=True, stop="end_turn", **self.time
        )
        self.made.last = main

    def title(self):
        self.made.line(type="ai-title", aiTitle=f"title {self.number}", sessionId=self.made.session)

    def damage(self):
        self.made.lines.append(b'{"type":"user","uuid":"torn')

    def attachment(self):
        self.made.chained("attachment", attachment={})


NAMES = [name for name in vars(Author) if not name.startswith("_")]
STEPS = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 5), st.booleans()), min_size=1, max_size=14)


def written(kit, steps):
    author = Author(kit)
    for author.number, (step, author.choice, has_time) in enumerate(steps):
        author.time = {} if has_time else {"time": None}
        getattr(author, step)()
    return author.made
