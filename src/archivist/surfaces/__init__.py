"""How people and programs reach Archivist."""
