"""The keys of a model as a home uses them: what is known of each is shared by all processes of the home."""

from collections.abc import Callable

from archivist.config import Home, read_settings
from archivist.models.choosing import Choice
from archivist.models.pool import Note, OwnShelf, Pool, Shelf, take_no_note
from archivist.records import Notice
from archivist.store import Surroundings


def open_pool(
    home: Home,
    choice: Choice,
    world: Surroundings,
    *,
    tell: Callable[[Notice], None],
    note: Note = take_no_note,
) -> Pool:
    """The keys of a model.

    Args:
        home: Where it stands which of them rest.
        choice: The model.
        world: The time, and chance.
        tell: Is told what a person should know, also why keys are left out.
        note: Takes down what becomes of keys.

    Raises:
        SettingsUnreadable: It is not known which of them should be used.
    """
    for line in choice.left_out:
        tell(Notice("key-left-out", line))
    return Pool(
        choice.keys,
        model=choice.endpoint.model,
        now=world.now,
        draw=world.draw,
        strategy=read_settings(home.config_file).model.key_strategy,
        shelf=_shelf(home, choice, world, tell),
        note=note,
    )


def _shelf(home: Home, choice: Choice, world: Surroundings, tell: Callable[[Notice], None]) -> Shelf:
    """Of a server without a key there is nothing to share."""
    if not choice.endpoint.api_key:
        return OwnShelf()
    from archivist.models.resting_file import RestingFile  # noqa: PLC0415 - models of one's own have no keys

    place = choice.endpoint.base_url or choice.endpoint.provider
    return RestingFile(home.key_rests_file, place, now=world.now, new_id=world.new_id, tell=tell)


__all__ = ["open_pool"]
