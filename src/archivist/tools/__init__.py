"""What a model may call; one vocabulary wherever it runs."""
