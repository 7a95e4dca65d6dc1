"""The kinds of lines, items and events that are known, by what they are good for."""

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
MARKERS = frozenset(
    {
        "ghost_snapshot",
        "compaction",
        "compaction_summary",
        "compaction_trigger",
        "context_compaction",
        "additional_tools",
        "agent_message",
    }
)
"""Items that are nobody's words: snapshots, compactions, and what agents write to each other."""

EVENTS = frozenset(
    """
    apply_patch_approval_request background_event collab_agent_interaction_end collab_agent_spawn_end collab_close_end
    collab_resume_end collab_waiting_end context_compacted deprecation_notice dynamic_tool_call_request
    dynamic_tool_call_response elicitation_request entered_review_mode error exec_approval_request
    exec_command_begin exec_command_end exited_review_mode guardian_assessment guardian_warning hook_completed
    hook_started image_generation_end item_started mcp_startup_complete mcp_startup_update mcp_tool_call_begin
    mcp_tool_call_end model_reroute model_verification patch_apply_begin patch_apply_end plan_update request_user_input
    session_configured shutdown_complete stream_error sub_agent_activity task_complete task_started
    terminal_interaction thread_goal_updated thread_name_updated thread_rolled_back thread_settings_applied token_count
    turn_aborted turn_complete turn_diff turn_moderation_metadata turn_started undo_completed
    view_image_tool_call warning web_search_begin web_search_end
    """.split()
)
ITEMS = frozenset(
    """
    CollabAgentToolCall CommandExecution ContextCompaction DynamicToolCall EnteredReviewMode ExitedReviewMode Extension
    FileChange HookPrompt ImageGeneration ImageView McpToolCall Sleep SubAgentActivity WebSearch
    """.split()
)
"""Completed items that show what a call did; the call and its result are lines of their own."""

THOUGHTS = frozenset({"agent_reasoning", "agent_reasoning_raw_content"})

LINES = frozenset(
    {"session_meta", "turn_context", "inter_agent_communication", "inter_agent_communication_metadata"}
)
