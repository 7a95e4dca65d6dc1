"""What a person types: lines with history and completion, a paste of many lines as one message, blocks of lines."""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import ModuleType
from typing import Final

from archivist.surfaces.cli.chat.aside import put_aside
from archivist.surfaces.cli.chat.letters import letters_of_the_terminal

PROMPT, MORE = "> ", ". "
BLOCK: Final = '"""'
_PASTE: Final = "set enable-bracketed-paste on"


class Typist:
    """A person at a keyboard.

    Args:
        history: What the arrow keys bring back, the oldest first.
        completed: Gives what a beginning of a line may go on to.
        styled: Makes a prompt of a text.
    """

    def __init__(
        self,
        history: Sequence[str] = (),
        *,
        completed: Callable[[str], Sequence[str]] = lambda _: (),
        styled: Callable[[str], str] = str,
    ) -> None:
        self._styled, self._completed = styled, completed
        self.held_words = False
        self._readline = _line_editor()
        if self._readline is not None:
            self._set_up(self._readline, history)

    def message(self, draft: str = "") -> str | None:
        """The next message; None where there will be none.

        A line that ends with a backslash goes on in the next; so does a block between lines of three quotation marks.

        Args:
            draft: Stands in the line already.

        Raises:
            KeyboardInterrupt: Ctrl-C, which clears what was typed.
        """
        first = self._line(self._styled(PROMPT), draft)
        if first is None:
            return None
        text = self._block(first) if first.lstrip().startswith(BLOCK) else self._lines(first)
        if self._readline is not None and text.strip():
            _remember(self._readline, text)
        return text

    def line(self, prompt: str) -> str:
        """A line that is no message and that no history keeps.

        Raises:
            EOFError, KeyboardInterrupt: There is none.
        """
        if self._readline is None or not sys.stdout.isatty():
            sys.stderr.write(prompt)
            sys.stderr.flush()
            return input()
        with letters_of_the_terminal(), put_aside(prompt, self._readline.get_line_buffer):
            return input(prompt)

    def answer(self, prompt: str) -> str:
        """A line that answers a question: what was typed before it was asked is none, and is dropped.

        Raises:
            EOFError, KeyboardInterrupt: There is none.
        """
        with suppress(ImportError, OSError):
            import termios  # noqa: PLC0415 - not every system has it

            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        return self.line(prompt)

    def left(self) -> None:
        """Remember whether the line that is left has words."""
        self.held_words = self._readline is not None and bool(self._readline.get_line_buffer().strip())

    def _line(self, prompt: str, draft: str = "") -> str | None:
        editor = self._readline
        if draft and editor is not None:
            editor.set_startup_hook(lambda: _put_in(editor, draft))
        try:
            return self.line(prompt)
        except EOFError:
            return None
        finally:
            if editor is not None:
                editor.set_startup_hook(None)

    def _lines(self, first: str) -> str:
        lines = [first]
        while lines[-1].endswith("\\"):
            lines[-1] = lines[-1][:-1]
            following = self._line(self._styled(MORE))
            if following is None:
                break
            lines.append(following)
        return "\n".join(lines)

    def _block(self, first: str) -> str:
        text = first.lstrip()[len(BLOCK) :]
        while not text.rstrip().endswith(BLOCK):
            following = self._line(self._styled(MORE))
            if following is None:
                return text.strip("\n")
            text += f"\n{following}"
        return text.rstrip()[: -len(BLOCK)].strip("\n")

    def _set_up(self, editor: ModuleType, history: Sequence[str]) -> None:
        is_editline = "libedit" in (editor.__doc__ or "")
        editor.parse_and_bind("bind ^I rl_complete" if is_editline else "tab: complete")
        if not is_editline:
            editor.parse_and_bind(_PASTE)
        editor.set_completer_delims("\n")
        editor.set_completer(lambda begun, number: [*self._completed(begun), None][number])
        editor.set_auto_history(False)
        for line in history:
            _remember(editor, line)


def _remember(editor: ModuleType, line: str) -> None:
    with suppress(UnicodeError):  # letters that this terminal does not have
        editor.add_history(line)


def _put_in(editor: ModuleType, line: str) -> None:
    with suppress(UnicodeError):  # as above
        editor.insert_text(line)


def _line_editor() -> ModuleType | None:
    """The editor of lines, where there is one and a person sits at both ends."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        with letters_of_the_terminal():
            import readline  # noqa: PLC0415 - it takes hold of the terminal when it is loaded
    except ImportError:  # not every Python has it
        return None
    return readline


__all__ = ["Typist"]
