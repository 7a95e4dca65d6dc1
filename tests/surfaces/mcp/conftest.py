"""Without the extra `mcp` there is no server to test."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("mcp") else ["test_*.py"]
