"""ChatGPT's data export: conversations as trees of nodes, images and uploads beside them."""

from archivist.transfer.chatgpt.codec import ChatGpt

__all__ = ["ChatGpt"]
