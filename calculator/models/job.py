"""Job: the truth about work under way; couriers only deliver its id."""

import uuid

from django.db import models


class Job(models.Model):
    """A comparison to be computed, with its inputs fixed when it was asked for."""

    class Kind(models.TextChoices):
        COMPARISON = "comparison"

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        SUCCEEDED = "succeeded"
        FAILED = "failed"
        CANCELLED = "cancelled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=20, choices=Kind, default=Kind.COMPARISON)
    owner_key = models.CharField(max_length=80, blank=True)
    idempotency_key = models.CharField(max_length=200, blank=True)

    spec = models.JSONField(help_text="ComparisonV1, every default filled in.")
    spec_hash = models.CharField(max_length=64)
    prices = models.JSONField(help_text="PriceSnapshot taken when the job was made.")
    prices_hash = models.CharField(max_length=64)

    state = models.CharField(max_length=12, choices=State, default=State.QUEUED)
    stage = models.CharField(max_length=40, blank=True)
    progress = models.FloatField(default=0.0, help_text="From 0 to 1.")
    attempt = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(
        null=True,
        blank=True,
        help_text="A queued job not claimed, or a running one not renewed, by then is "
        "taken for lost.",
    )
    cancel_requested = models.BooleanField(default=False)
    error_code = models.CharField(max_length=60, blank=True)
    error_message = models.TextField(blank=True)
    errors = models.JSONField(default=list, blank=True)
    comparison = models.ForeignKey(
        "calculator.Comparison",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="jobs",
    )

    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [
            models.Index(fields=["state", "lease_until"]),
            models.Index(fields=["owner_key", "-created_at"]),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["owner_key", "idempotency_key"],
                condition=~models.Q(idempotency_key=""),
                name="job_once_per_idempotency_key",
            ),
            models.CheckConstraint(
                condition=models.Q(progress__gte=0) & models.Q(progress__lte=1),
                name="job_progress_is_a_fraction",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id} ({self.state})"

    @property
    def is_finished(self) -> bool:
        """True when nothing more will happen to this job."""
        return self.state not in {self.State.QUEUED, self.State.RUNNING}
