"""Comparison: a finished comparison, stored whole and never changed."""

import uuid

from django.db import models


class ImmutableRow(TypeError):
    """Somebody tried to change a row that never changes."""

    def __init__(self) -> None:
        super().__init__("A comparison never changes: copy its spec to a draft.")


class ComparisonQuerySet(models.QuerySet):
    """Rows may be made and deleted, not updated."""

    def update(self, **kwargs):
        """Refuse: comparisons never change."""
        raise ImmutableRow

    def bulk_update(self, *args, **kwargs):
        """Refuse: comparisons never change."""
        raise ImmutableRow

    def bulk_create(self, objs, *args, **kwargs):
        """Refuse upserts, which are updates in disguise."""
        if kwargs.get("update_conflicts"):
            raise ImmutableRow
        return super().bulk_create(objs, *args, **kwargs)


class Comparison(models.Model):
    """Spec, prices and result as they were, with their hashes.

    A database trigger (migration 0002) refuses updates that pass Django by.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=120)
    owner_key = models.CharField(
        max_length=80,
        blank=True,
        help_text="user:<id>, session:<token>, or empty for the anonymous API.",
    )
    spec = models.JSONField(help_text="ComparisonV1, every default filled in.")
    prices = models.JSONField(help_text="PriceSnapshot: all that the catalog said.")
    result = models.JSONField(help_text="ResultV1.")
    spec_hash = models.CharField(max_length=64)
    prices_hash = models.CharField(max_length=64)
    result_hash = models.CharField(max_length=64)
    engine_version = models.CharField(max_length=32)
    schema_version = models.CharField(max_length=8)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ComparisonQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [models.Index(fields=["owner_key", "-created_at"])]
        constraints = [
            models.UniqueConstraint(
                fields=["owner_key", "spec_hash", "prices_hash", "engine_version"],
                name="comparison_once_per_owner",
            )
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args, **kwargs):
        """Insert; refuse to save a row that is stored already."""
        if not self._state.adding:
            raise ImmutableRow
        super().save(*args, **{**kwargs, "force_insert": True})
