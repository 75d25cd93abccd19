"""StackProfile: a buyer's own measured steps and what was fitted to them. Private."""

import uuid

from django.db import models


class StackProfile(models.Model):
    """Only its owner sees it; it may be deleted at any time.

    A saved comparison keeps its own copy of the factors, never of the measurements.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=120)
    owner_key = models.CharField(
        max_length=80,
        blank=True,
        help_text="user:<id>, session:<token>, or empty for the anonymous API.",
    )
    rows = models.JSONField(help_text="Measured rows: cells by column name.")
    fit = models.JSONField(help_text="Factors and errors.")
    residuals = models.JSONField(help_text="One object a row: measured and predicted.")
    engine_version = models.CharField(max_length=32)
    created_at = models.DateTimeField(auto_now_add=True)
    fitted_at = models.DateTimeField()

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [models.Index(fields=["owner_key", "-created_at"])]

    def __str__(self) -> str:
        return self.name
