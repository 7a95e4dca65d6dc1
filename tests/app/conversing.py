"""Conversations in which an agent works, for the tests of what is done to them."""

import json

from archivist import Message, ToolCall

FIXED = "Never push to the release branch without asking me."
_FILES = ("importer.py", "fields.py", "writing.py", "checks.py")


def said(role, text):
    return Message(role, text)


def called(key, name, text, **arguments):
    return [
        Message.assistant(tool_calls=[ToolCall(key, name, json.dumps(arguments))]),
        Message.tool(text, call_id=key, name=name),
    ]


def talk(steps, *, first=0):
    """Turns of a conversation: a ruling in the second, then steps of work with a word of the owner's now and then."""
    messages = [
        Message.user("Fix the importer."),
        Message.assistant("I will look into it."),
        *called(f"k{first}", "Bash", "ok\n", command="git status"),
        Message.user(FIXED),
        Message.assistant("Understood."),
    ]
    for number in range(first, first + steps):
        file = _FILES[number % len(_FILES)]
        body = "".join(f"    value_{line} = read({number}, {line})\n" for line in range(20))
        messages += called(f"k{first}-{number}", "Read", body, path=f"src/{file}")
        messages.append(Message.assistant(f"{file} loses field {number} when it is empty."))
        if number % 10 == 9:
            messages.append(Message.user(f"Keep the name of column {number} as it is."))
    return [*messages, Message.user("And now?"), Message.assistant("Nearly done.")]


def texts(messages):
    return [message.text for message in messages]
