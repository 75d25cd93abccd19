"""Hypothesis without deadlines: a busy machine must not fail a test."""

from hypothesis import settings

settings.register_profile("no_deadline", deadline=None)
settings.load_profile("no_deadline")
