"""Small conversations for the tests of compression."""

from archivist.compress.reading import read_all


def user(text, **more):
    return {"role": "user", "content": text, **more}


def agent(text, **more):
    return {"role": "assistant", "content": text, **more}


def exchange(key, text, *, name="Read", arguments='{"path": "a.py"}', said=None):
    """A call and its result."""
    call = {"id": key, "type": "function", "function": {"name": name, "arguments": arguments}}
    return [
        {"role": "assistant", "content": said, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": key, "content": text},
    ]


def work(count, *, start=0, chars=600):
    """Exchanges in which nothing is said that must be kept."""
    return [
        message
        for number in range(start, start + count)
        for message in exchange(f"w{number}", f"    x = {number};\n" * (chars // 14), said=f"Step {number}.")
    ]


def texts(messages):
    return "\n".join(str(message["content"]) for message in messages)


def read(messages):
    return read_all(messages)
