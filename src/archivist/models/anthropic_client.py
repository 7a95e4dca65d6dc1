"""A model behind Anthropic's client: Anthropic's own, and those that speak its messages."""

from typing import TYPE_CHECKING, Any, Final

from archivist.models.anthropic_form import anthropic_body, headers_for
from archivist.models.anthropic_stream import AnthropicStream
from archivist.models.failing import not_installed, usable_key
from archivist.models.listening import Heard, Line
from archivist.models.remote import CONNECT_SECONDS, RemoteModel
from archivist.records.requests import Request

if TYPE_CHECKING:
    from anthropic import Anthropic

OWN_PLACE: Final = "https://api.anthropic.com"


class AnthropicResponder(RemoteModel):
    """A model that is asked in Anthropic's form."""

    def _made(self, line: Line) -> "Anthropic":
        try:
            import anthropic  # noqa: PLC0415 - an extra, and heavy
        except ImportError as error:
            raise not_installed("anthropic") from error
        client = anthropic.Anthropic(
            api_key=usable_key(self.endpoint),
            base_url=self.endpoint.base_url or OWN_PLACE,
            http_client=anthropic.DefaultHttpxClient(event_hooks={"request": [line.watch]}),
            timeout=anthropic.Timeout(self._timeout, connect=min(self._timeout, CONNECT_SECONDS)),
            max_retries=0,  # what is worth another try is decided where other keys and models are known
        )
        # What it read of the environment is not meant for whoever is asked here.
        client._custom_headers = {}  # noqa: SLF001 - there is no other way to take them back
        return client

    def _body(self, request: Request) -> dict[str, Any]:
        return anthropic_body(request, self.endpoint, lasting=self._lasting)

    def _ask(self, client: "Anthropic", body: dict[str, Any]) -> Heard:
        stream: Heard = client.messages.create(**body, stream=True, extra_headers=headers_for(body))
        return stream

    def _stream(self) -> AnthropicStream:
        return AnthropicStream()


__all__ = ["AnthropicResponder"]
