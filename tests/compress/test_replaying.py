"""A conversation of days: turn after turn, compressed whenever it is due, with a model that fails in the middle."""

import pytest
from tests.compress.making import agent, exchange, texts, user

from archivist import check_messages, compress
from archivist.compress.reading import total
from archivist.compress.summary_form import is_summary
from archivist.compress.timing import Passed, limits, verdict

WINDOW = 16_000
OWNERS = {
    3: "Never restart the harbour server without asking me.",
    20: "For invoices I like short answers better than long ones.",
    41: "不要把客户名单发给任何人。",
    77: "The launch of the depot is on day 4711.",
    90: "Petra from logistics decides about the depot.",
    120: "Correction: the launch of the depot is on day 5822, not 4711.",
    150: "Bitte schreib nie in die Tabelle kunden_alt.",
}
TOOLS = {
    30: "opened incident ZK-40137 for the payroll outage",
    95: "worker of the mailer is listening on port 28117",
}
AGENTS = {
    55: "I have put the new importer settings at /srv/importer/QX17.toml.",
    110: "The nightly job of the archive is number 90331.",
}


def turn(number):
    """What is said in one turn: a request, some work, an answer."""
    noise = "\n".join(f"    value_{number}_{at} = compute({at});" for at in range(60))
    output = f"{noise}\n{TOOLS.get(number, '')}\n{noise}"
    yield user("\n".join(filter(None, (f"Look into part {number}, will you?", OWNERS.get(number)))))
    yield from exchange(f"t{number}", output, name="Bash", arguments=f'{{"command": "make part-{number}"}}')
    yield agent(AGENTS.get(number, f"Part {number} looks good."))


class Model:
    """Tells the goal and the newest message; fails for as many calls as it is told."""

    def __init__(self, failing=()):
        self.calls, self.failing = 0, failing

    def __call__(self, prompt, most_tokens):
        self.calls += 1
        if self.calls in self.failing:
            raise TimeoutError("the model is away")
        newest = prompt.rpartition("\n[")[2].partition("]")[0]
        return f"### Goal\n- look into the parts\n### State\n- the part looks good [{newest}]"


def replayed(model=None, turns=200):
    """The messages at the end, what each pass reported, and the conversation as it was said."""
    messages, whole, passes = [{"role": "system", "content": "You are an agent."}], [], []
    bounds = limits(WINDOW)
    for number in range(turns):
        said = list(turn(number))
        whole += said
        messages += said
        if verdict(bounds, total(messages)).state == "compress":
            done = compress(messages, bounds.target, summarise=model, deadline=None)
            assert check_messages(done.messages) == ()
            passes.append(done.report)
            messages = done.messages
    return messages, passes, whole


@pytest.mark.parametrize("model", [None, Model(), Model(failing={4, 5, 9})])
def test_what_was_said_in_the_first_turns_is_known_after_the_two_hundredth(model):
    messages, passes, _ = replayed(model)
    assert len(passes) >= 10
    said = texts(messages)
    for number, fact in {**OWNERS, **TOOLS, **AGENTS}.items():
        if number != 77:
            assert fact in said, (number, fact)
    assert "⟵ formerly" in said
    assert sum(map(is_summary, messages)) == 1


def test_a_model_that_fails_in_the_middle_costs_one_notice_a_pass_and_no_account():
    model = Model(failing={4, 5, 9})
    messages, passes, _ = replayed(model)
    failed = [report for report in passes if report.notices]
    assert [[notice.code for notice in report.notices] for report in failed] == [["summary-by-rules"]] * 3
    assert "### Goal\n- look into the parts" in texts(messages)


def test_every_line_that_is_kept_leads_to_the_message_that_said_it():
    messages, _, whole = replayed()
    (summary,) = filter(is_summary, messages)
    originals = {f"#{at + 1}": message["content"] or "" for at, message in enumerate(whole)}
    originals |= {
        message["tool_call_id"]: message["content"] for message in whole if message["role"] == "tool"
    }
    sections = summary["content"].partition("## Steps")[0].splitlines()[1:]
    lines = [line for line in sections if line.startswith("- [")]
    assert len(lines) > 20
    for line in lines:
        key, _, text = line.removeprefix("- [x] ").removeprefix("- [ ] ").removeprefix("- ").partition("] ")
        told = text.partition(" ⟵ ")[0].partition(" ⟶ ")[0]
        assert told in originals[key.removeprefix("[")], line


def test_every_pass_saves_most_of_what_it_is_given():
    _, passes, _ = replayed()
    assert all(report.after < 0.6 * report.before for report in passes)
    assert (
        verdict(limits(WINDOW), WINDOW, passes=[Passed(r.before, r.after) for r in passes]).state
        == "compress"
    )
