"""A model's server on a socket of this machine, for tests: the wire formats of OpenAI's chat completions and of Anthropic's messages.

It answers by a script, refuses what the real ones refuse, and keeps account of what a prefix cache would have held of the bytes that it
received. It knows nothing of who asks: no line of it imports what it is there to test.
"""

from tests.model_server.replies import Call, Failure, Hangup, Reply, calls, fails, says
from tests.model_server.serving import ModelServer, Request

__all__ = ["Call", "Failure", "Hangup", "ModelServer", "Reply", "Request", "calls", "fails", "says"]
