"""The models that are asked while the chosen one cannot answer, as a home's settings name them."""

from collections.abc import Iterator, Mapping

import msgspec

from archivist.app.choosing import chosen_model, keepers
from archivist.config import Home, read_settings
from archivist.models.choosing import KEY_ENV, MODEL_ENV, URL_ENV, Choice, choose
from archivist.records import ArchivistError

_OF_THE_FIRST = (MODEL_ENV, URL_ENV, KEY_ENV)
"""Variables that speak of the model that is chosen, and of no other."""


class LeftOut(msgspec.Struct, frozen=True):
    """A model that cannot be asked, and why."""

    name: str
    reason: str


def fallbacks(home: Home, environ: Mapping[str, str], first: Choice) -> Iterator[Choice | LeftOut]:
    """The models that are asked in its place, in order, each once.

    Args:
        home: Whose settings and keys count.
        environ: The environment.
        first: The model that is chosen.

    Raises:
        SettingsUnreadable: It is not known which they are.
    """
    others = {name: value for name, value in environ.items() if name not in _OF_THE_FIRST}
    settings = read_settings(home.config_file).model
    seen = {first.name}
    for model in settings.fallback:
        name = model if isinstance(model, str) else model.name or ""
        try:
            if isinstance(model, str):
                choice = chosen_model(home, others, model)
            else:
                choice = choose(model, others, stored=keepers(home, ring=settings.keyring))
        except ArchivistError as error:
            yield LeftOut(name, str(error))
            continue
        if choice is not None and choice.name not in seen:
            seen.add(choice.name)
            yield choice


__all__ = ["LeftOut", "fallbacks"]
