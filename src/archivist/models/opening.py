"""A model behind the client of its form, which is loaded when it is first asked."""

from typing import TYPE_CHECKING

from archivist.models.endpoints import Endpoint

if TYPE_CHECKING:
    from archivist.models.asking import Cost
    from archivist.models.remote import RemoteModel


def open_responder(endpoint: Endpoint, *, cost: "Cost | None" = None) -> "RemoteModel":
    """Who answers at an endpoint.

    Args:
        endpoint: Where it is asked.
        cost: What its use costs.
    """
    if endpoint.wire == "anthropic":
        from archivist.models.anthropic_client import AnthropicResponder  # noqa: PLC0415 - the other form is not needed

        return AnthropicResponder(endpoint, cost=cost)
    from archivist.models.openai_client import OpenAIResponder  # noqa: PLC0415 - as above

    return OpenAIResponder(endpoint, cost=cost)


__all__ = ["open_responder"]
