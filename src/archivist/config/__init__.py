"""Where Archivist lives and how it is set up."""

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
