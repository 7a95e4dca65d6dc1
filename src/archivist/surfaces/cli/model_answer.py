"""`archivist model test`: whether the model answers, how fast, and what that costs."""

import os
import time
from typing import TYPE_CHECKING, Any

import click
import msgspec

from archivist.app.choosing import chosen_model, open_choice, prices_of
from archivist.app.world import utc_now
from archivist.models.choosing import NoModelNamed
from archivist.records.display import plain
from archivist.records.requests import Reply
from archivist.surfaces.cli.calling import Call, json_option, print_json, tell

if TYPE_CHECKING:
    from archivist.models.prices import Prices
    from archivist.models.remote import RemoteModel

ASKED = "This is a test of the connection. Answer with the one word: ready"
ROOM = 1_024
"""Tokens that the answer may have; models that think first need some."""
LONGEST = 200


class _Answer(msgspec.Struct, frozen=True):
    """What came, and after how many seconds its first piece and its end."""

    reply: Reply
    first: float
    whole: float


@click.command()
@click.argument("model", required=False)
@json_option
@click.pass_obj
def test(call: Call, model: str | None) -> None:
    """Ask the model one small thing, and show what came.

    MODEL, as provider/name, is asked instead of the one that is set.
    """
    choice = chosen_model(call.place, os.environ, model)
    if choice is None:
        raise NoModelNamed
    prices = prices_of(call.place, choice, utc_now)
    responder = open_choice(choice, prices, tell=lambda notice: tell([notice]))
    try:
        answer = _answer(responder)
    finally:
        responder.close()
    if call.as_json:
        print_json(_as_json(responder.name, answer, prices))
        return
    said = " ".join(plain(answer.reply.text).split()) or "nothing but thoughts"
    place = plain(f"{responder.name} at {choice.endpoint.base_url}")
    click.echo(f"{place} answers: {said[:LONGEST]}")
    click.echo(click.style(_measured(answer, prices), dim=True))


def _answer(responder: "RemoteModel") -> _Answer:
    from archivist.models.responder import Interrupt  # noqa: PLC0415 - a look at the settings asks nobody
    from archivist.records.requests import Request  # noqa: PLC0415 - as above

    began, pieces = time.monotonic(), list[float]()
    request = Request(responder.model, ({"role": "user", "content": ASKED},), max_tokens=ROOM)
    reply = responder.respond(request, lambda _: pieces.append(time.monotonic() - began), Interrupt())
    whole = time.monotonic() - began
    return _Answer(reply, min(pieces, default=whole), whole)


def _as_json(name: str, answer: _Answer, prices: "Prices") -> dict[str, Any]:
    reply = answer.reply
    return {
        "model": name,
        "answered_by": reply.model,
        "text": reply.text,
        "stop": reply.stop,
        "first_piece_seconds": answer.first,
        "seconds": answer.whole,
        "usage": reply.usage,
        "prices_known": prices.are_known,
    }


def _measured(answer: _Answer, prices: "Prices") -> str:
    usage, counts, cost = answer.reply.usage, "", "price unknown"
    if usage:
        sent = usage.input + usage.cache_read + usage.cache_write
        counts = f"{sent:,} tokens in, {usage.output:,} out"
    if prices.origin == "local":
        cost = "costs nothing"
    elif usage and (prices.are_known or usage.cost_usd):
        cost = f"${usage.cost_usd:.6f}"
    times = f"first piece after {answer.first:.2f} s, all of it after {answer.whole:.2f} s"
    return " · ".join(filter(None, [times, counts, cost]))


__all__ = ["test"]
