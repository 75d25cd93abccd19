"""Field types shared by the catalog's models."""

from django.core.validators import RegexValidator
from django.db import models

SLUG_PATTERN = r"^[a-z0-9][a-z0-9._-]*$"
SLUG_LENGTH = 64


def slug_field(**options):
    """Build a key as comparisons write it: lower case, digits, dot, dash, underscore."""
    return models.CharField(
        max_length=SLUG_LENGTH,
        validators=[
            RegexValidator(SLUG_PATTERN, "Use lower-case letters, digits, . _ -")
        ],
        **options,
    )


def money_field():
    """Build a money amount as a vendor wrote it; null is unknown, never zero."""
    return models.DecimalField(max_digits=15, decimal_places=6, null=True, blank=True)
