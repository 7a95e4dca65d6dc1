"""A server of the Model Context Protocol over standard input and output: memory for the agent that somebody already uses.

It keeps nothing but the home: whoever starts it again goes on where they were, and several may serve one home at once.
"""
