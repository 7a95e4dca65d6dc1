"""What a person should know about a result."""

import msgspec


class Notice(msgspec.Struct, frozen=True):
    """Something that a person should know about a result: a code for programs, a sentence for people."""

    code: str
    text: str

    def __str__(self) -> str:
        return self.text
