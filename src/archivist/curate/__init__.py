"""What was learnt, and what the owner says to it: proposals, decided one by one."""
