"""ShareLink: an unguessable address of one comparison, until it ends or is revoked."""

import secrets
import uuid

from django.db import models

TOKEN_BYTES = 24  # 192 bits


def new_token() -> str:
    """Make a random token of 32 URL-safe characters."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class ShareLink(models.Model):
    """Whoever knows the token reads the comparison."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    token = models.CharField(
        max_length=43, unique=True, default=new_token, editable=False
    )
    comparison = models.ForeignKey(
        "calculator.Comparison", on_delete=models.CASCADE, related_name="share_links"
    )
    owner_key = models.CharField(max_length=80, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "id"]

    def __str__(self) -> str:
        return f"share link {self.id}"
