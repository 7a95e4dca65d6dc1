"""What a prompt carries: layers of values, rendered the same way every time."""
