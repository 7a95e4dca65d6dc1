"""The kinds of lines, items and events that are known, by what they are good for.

An event of any other kind, and any other completed item, shows what the program does: calls and results are items of their own.
"""

from archivist.records.compactions import COMPACTIONS

CALLS = frozenset(
    {
        "function_call",
        "local_shell_call",
        "custom_tool_call",
        "web_search_call",
        "tool_search_call",
        "image_generation_call",
    }
)
RESULTS = frozenset(
    {"function_call_output", "custom_tool_call_output", "tool_search_output", "mcp_tool_call_output"}
)
MARKERS = COMPACTIONS | frozenset(
    {
        "ghost_snapshot",
        "compaction_trigger",
        "additional_tools",
        "agent_message",
    }
)
"""Items that are nobody's words: snapshots, compactions, and what agents write to each other."""

THOUGHTS = frozenset({"agent_reasoning", "agent_reasoning_raw_content"})

LINES = frozenset(
    {"session_meta", "turn_context", "inter_agent_communication", "inter_agent_communication_metadata"}
)
