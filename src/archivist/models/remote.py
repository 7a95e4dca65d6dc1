"""A model behind a provider's own client, whichever that is."""

import weakref
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final

from archivist.models.asking import Asked, Cost, Stream, hear, priced, with_names
from archivist.models.cache_marks import Lasting
from archivist.models.endpoints import Endpoint
from archivist.models.failing import not_made
from archivist.models.listening import Heard, Line
from archivist.models.responder import Interrupt, ModelFailed, OnPiece
from archivist.models.whole_answers import streamed
from archivist.records.requests import Reply, Request

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE: Final = 600.0
"""Seconds without a sign of life after which a model is given up: one that thinks long may send nothing for minutes."""
CONNECT_SECONDS: Final = 10.0
KEPT_ALIVE: Final = 3
"""How many times as long a server is heard that sends nothing but signs of life."""


class RemoteModel(ABC):
    """A model that is asked over a client, which is loaded when it is first asked.

    Args:
        endpoint: Where it lives; nothing of that is read from the environment.
        cost: What its use costs, where the provider does not say.
        timeout: Seconds to wait for the next sign of life; ten minutes where unset.
        lasting: How long what is marked for a cache is kept from its last use, where marks are needed.
    """

    is_model = True

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        cost: Cost | None = None,
        timeout: float = PATIENCE,
        lasting: Lasting = "5m",
    ) -> None:
        self.endpoint = endpoint
        self._cost, self._timeout, self._lasting = cost, timeout, lasting
        self._client: Any = None
        self._let_go: Callable[[], object] = _nothing
        self._line = Line()

    @property
    def name(self) -> str:
        """As a person knows it."""
        return f"{self.endpoint.provider}/{self.endpoint.model}"

    @property
    def model(self) -> str:
        """For requests."""
        return self.endpoint.model

    @property
    def window(self) -> int:
        """Tokens that a request and its reply may have together."""
        return self.endpoint.window

    @property
    def takes_pictures(self) -> bool:
        """Whether it reads pictures."""
        return self.endpoint.takes_pictures

    def respond(self, request: Request, on_piece: OnPiece, interrupt: Interrupt) -> Reply:
        """Ask, tell each piece as it comes, and give the whole reply; of an interrupted one what had come, with that `stop`.

        Raises:
            ModelFailed: It did not answer to the end.
        """
        client = self._opened()
        body, stream = self._body(request), self._stream()
        patience = self._timeout * KEPT_ALIVE
        asked = Asked(lambda: streamed(self._ask(client, body)), self._line, self.endpoint, patience)
        reply = hear(asked, stream, on_piece, interrupt)
        return priced(with_names(reply, request.tools), request.model, self._cost)

    def close(self) -> None:
        """Let its connections go; they are made again when it is asked again."""
        self._let_go()
        self._client, self._let_go = None, _nothing

    def _opened(self) -> Any:  # noqa: ANN401 - of a client that need not be installed
        """The client; a new one where somebody hung up on the one before."""
        if self._client is None or self._line.is_hung_up:
            self.close()
            self._line = Line()
            self._client = self._begun(self._line)
            self._let_go = weakref.finalize(self, self._client.close)
        return self._client

    def _begun(self, line: Line) -> Any:  # noqa: ANN401 - as above
        try:
            return self._made(line)
        except ModelFailed:
            raise
        except (
            Exception
        ) as error:  # it reads proxies, certificates and addresses, each with errors of its own
            raise not_made(error, self.endpoint) from error

    @abstractmethod
    def _made(self, line: Line) -> Any:  # noqa: ANN401 - as above
        """A client, whose connections are the line's."""

    @abstractmethod
    def _body(self, request: Request) -> dict[str, Any]:
        """What is sent."""

    @abstractmethod
    def _ask(self, client: Any, body: dict[str, Any]) -> Heard:  # noqa: ANN401 - as above
        """Send it."""

    @abstractmethod
    def _stream(self) -> Stream:
        """A reply of which nothing has come."""


def _nothing() -> None:
    """There is no client to be closed."""


__all__ = ["CONNECT_SECONDS", "KEPT_ALIVE", "PATIENCE", "RemoteModel"]
