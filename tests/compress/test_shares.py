"""What fills a window is told by parts, and what was put beside a person's words is not theirs."""

from tests.compress.making import read, user

from archivist import Message, Part, ToolCall
from archivist.compress.lines import lines_of
from archivist.compress.shares import shares_of, total_of
from archivist.prompt.fence import NEWS_OPENING, fenced

NEWS = f"{NEWS_OPENING}c12):\n+ added to MEMORY.md: Staging is 8443\n- removed from USER.md: Tea is preferred"
RECALLED = fenced("Deploys happen on Mondays.", about="recall")


def told(*messages, **more):
    return {share.what: (share.messages, share.tokens) for share in shares_of(messages, **more)}


def test_each_part_is_counted_once_and_what_is_not_there_is_not_told():
    call = ToolCall("c1", "Read", '{"path": "a.py"}')
    shares = told(
        Message("user", "Look into it."),
        Message("assistant", "", tool_calls=(call,)),
        Message("tool", "x = 1", tool_call_id="c1", tool_name="Read"),
        prompt="You are an agent. Notes: tea.",
        notes="Notes: tea.",
    )
    assert list(shares) == ["prompt", "notes", "owner", "agent", "outputs"]
    assert [count for count, _ in shares.values()] == [1, 0, 1, 1, 1]


def test_notes_in_the_prompt_are_not_counted_twice():
    prompt, notes = "You are an agent. " * 20 + "Notes: tea.", "Notes: tea."
    whole = total_of(shares_of((), prompt))
    assert abs(total_of(shares_of((), prompt, notes)) - whole) <= 1
    assert total_of(shares_of((), "You are an agent.", notes)) > total_of(shares_of((), "You are an agent."))


def test_what_stands_beside_the_words_is_background():
    for text in (f"and now?\n\n{NEWS}", f"and now?\n\n{RECALLED}"):
        shares = told(Message("user", text))
        assert shares["background"][1] > shares["owner"][1]
    message = Message("user", "and now?", (Part("text", "and now?"), Part("context", NEWS)))
    assert told(message)["owner"][1] < 20


def test_news_and_what_was_recalled_are_nobodys_line():
    for beside in (NEWS, RECALLED):
        (one,) = read([user(f"Keep the port.\n\n{beside}\nNever restart it.")])
        assert [line.text for line in lines_of(one)] == ["Keep the port.", "Never restart it."]


def test_a_summary_is_told_apart_from_what_its_role_says():
    summary = "[Background, not a request: messages up to #7 of this conversation, made shorter. x]"
    assert list(told(Message("user", summary), Message("user", "go on"))) == ["summary", "owner"]


def test_in_a_group_others_are_told_apart_from_the_owner():
    said = (Message("user", "hi", speaker="ann"), Message("user", "hi", speaker="owner"))
    assert list(told(*said, owners={"owner"})) == ["owner", "others"]
