"""What was distilled: entries of text files that their owner may edit, with identity and history in a journal."""
