"""Stored documents: comparisons, jobs, share links."""

from calculator.models.comparison import Comparison, ImmutableRow
from calculator.models.job import Job
from calculator.models.share import ShareLink
from calculator.models.stack_profile import StackProfile

__all__ = ["Comparison", "ImmutableRow", "Job", "ShareLink", "StackProfile"]
