"""Secret masking over text, and scanning of untrusted text: pure functions. Who needs one of them does not load the other."""

from archivist.late import loading_late

TYPE_CHECKING = False  # typing takes as long to load as an interpreter does
if TYPE_CHECKING:
    from archivist.guard.json_values import mask_value
    from archivist.guard.reading import Secret
    from archivist.guard.secrets import Masked, find_secrets, mask

__all__ = ["Masked", "Secret", "find_secrets", "mask", "mask_value"]

__getattr__ = loading_late(
    __name__,
    {
        "archivist.guard.json_values": ("mask_value",),
        "archivist.guard.reading": ("Secret",),
        "archivist.guard.secrets": ("Masked", "find_secrets", "mask"),
    },
)
