"""Claude Code: a plugin in its folder of skills for all projects, or hooks in the settings of one."""
