"""Measurements beside a reference, in one run: ratios hold where absolute times do not."""
