"""An agent that lives on the memory: one turn after the other, everything stored before the next step."""
