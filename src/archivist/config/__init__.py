"""Where Archivist lives and how it is set up."""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from archivist.config.home import Home, HomeNotUsable, UnknownProfile, find_home
    from archivist.config.settings import Settings, SettingsUnreadable, read_settings

__all__ = [
    "Home",
    "HomeNotUsable",
    "Settings",
    "SettingsUnreadable",
    "UnknownProfile",
    "find_home",
    "read_settings",
]

_SETTINGS = frozenset({"Settings", "SettingsUnreadable", "read_settings"})


def __getattr__(name: str) -> object:
    """Load a name when it is first asked for: a hook that has nothing to do asks only where the home is."""
    if name in __all__:
        return getattr(import_module(f"{__name__}.{'settings' if name in _SETTINGS else 'home'}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
