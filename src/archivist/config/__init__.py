"""Where Archivist lives and how it is set up."""

from archivist.late import loading_late

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

__getattr__ = loading_late(
    __name__,
    {
        "archivist.config.home": ("Home", "HomeNotUsable", "UnknownProfile", "find_home"),
        "archivist.config.settings": ("Settings", "SettingsUnreadable", "read_settings"),
    },
)
