"""A model behind OpenAI's client: OpenAI's own, and all that speak its chat completions."""

from typing import TYPE_CHECKING, Any, Final

from archivist.models.failing import not_installed, usable_key
from archivist.models.listening import Heard, Line
from archivist.models.openai_form import openai_body
from archivist.models.openai_spared import refused_in, without
from archivist.models.openai_stream import OpenAIStream
from archivist.models.remote import CONNECT_SECONDS, RemoteModel
from archivist.records.requests import Request

if TYPE_CHECKING:
    from openai import OpenAI

OWN_PLACE: Final = "https://api.openai.com/v1"


class OpenAIResponder(RemoteModel):
    """A model that is asked in OpenAI's form."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - of every model
        super().__init__(*args, **options)
        self._refused = frozenset[str]()

    def _made(self, line: Line) -> "OpenAI":
        try:
            import openai  # noqa: PLC0415 - an extra, and heavy
        except ImportError as error:
            raise not_installed("openai") from error
        client = openai.OpenAI(
            api_key=usable_key(self.endpoint),
            base_url=self.endpoint.base_url or OWN_PLACE,
            http_client=openai.DefaultHttpxClient(event_hooks={"request": [line.watch]}),
            timeout=openai.Timeout(self._timeout, connect=min(self._timeout, CONNECT_SECONDS)),
            max_retries=0,  # what is worth another try is decided where other keys and models are known
        )
        # What it read of the environment is not meant for whoever is asked here.
        client.organization = client.project = None
        client._custom_headers = {}  # noqa: SLF001 - there is no other way to take them back
        return client

    def _body(self, request: Request) -> dict[str, Any]:
        return without(openai_body(request, self.endpoint, lasting=self._lasting), self._refused)

    def _ask(self, client: "OpenAI", body: dict[str, Any]) -> Heard:
        """Send it; again without a field that it names as none of its own."""
        import openai  # noqa: PLC0415 - its client is here, so that it is loaded

        try:
            # What it is given beside, it sends as it is; its own look at each message takes a tenth of a second where they are many.
            stream: Heard = client.chat.completions.create(
                model=body["model"], messages=[], stream=True, extra_body=body
            )
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            field = refused_in(body, str(error))
            if field is None:
                raise
            self._refused |= {field}
            return self._ask(client, without(body, self._refused))
        return stream

    def _stream(self) -> OpenAIStream:
        return OpenAIStream()


__all__ = ["OpenAIResponder"]
