"""Secret masking over text: pure functions from text to text."""

from archivist.guard.json_values import mask_value
from archivist.guard.reading import Secret
from archivist.guard.secrets import Masked, find_secrets, mask

__all__ = ["Masked", "Secret", "find_secrets", "mask", "mask_value"]
