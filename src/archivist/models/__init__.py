"""Models behind their providers' own clients, which are loaded when a model is first asked."""
