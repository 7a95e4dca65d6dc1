"""What a host starts at its events: memory goes in at the beginning of a session, what was said comes out at the end of a turn.

A hook never breaks its host: whatever happens, it says one line, ends with 0 and lets the host go on. It imports what it needs, when it
needs it, because a person waits for it.
"""
