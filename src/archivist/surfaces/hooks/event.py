"""What happened in a host, and what is answered, whatever the host's own words for both.

Plain classes: those of msgspec and dataclasses take longer to load than a hook may take.
"""

Text = str | None


class NotUnderstood(ValueError):
    """What the host sent cannot be read as an event."""


class Event:
    """One event of a host.

    Attributes:
        host: The program, as the source of its sessions.
        name: In the host's words: SessionStart, Stop, …
        session_id: The host's id of the session.
        cwd: The folder that the session is held in.
        transcript: The file into which the host writes what is said.
        agent_transcript: That of the sub-agent, where the event is one's.
        trigger: Why it happened: startup, resume, clear, compact, fork; manual, auto; the reason of an end.
        model: That answers in the session.
        prompt: What the user has written.
    """

    __slots__ = (
        "agent_transcript",
        "cwd",
        "host",
        "model",
        "name",
        "prompt",
        "session_id",
        "transcript",
        "trigger",
    )

    def __init__(
        self,
        host: str,
        name: str,
        session_id: str,
        *,
        cwd: Text = None,
        transcript: Text = None,
        agent_transcript: Text = None,
        trigger: Text = None,
        model: Text = None,
        prompt: Text = None,
    ) -> None:
        self.host, self.name, self.session_id = host, name, session_id
        self.cwd, self.transcript, self.agent_transcript = cwd, transcript, agent_transcript
        self.trigger, self.model, self.prompt = trigger, model, prompt


class Answer:
    """What a host is told.

    Attributes:
        context: Goes to the model, as background.
        message: One line for the person.
        refusal: Why the host must not do what it is about to do.
        is_trouble: Whether what is said is about something that went wrong here.
    """

    __slots__ = ("context", "is_trouble", "message", "refusal")

    def __init__(
        self, context: str = "", message: str = "", refusal: str = "", *, is_trouble: bool = False
    ) -> None:
        self.context, self.message, self.refusal, self.is_trouble = context, message, refusal, is_trouble
