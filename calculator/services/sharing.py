"""Share links: made, revoked, resolved."""

import uuid
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from calculator.models import Comparison, ShareLink

MAX_EXPIRY_DAYS = 3650


def create(
    comparison: Comparison, *, owner_key: str, expires_in_days: int | None = None
) -> ShareLink:
    """Make a link to a comparison, for ever unless ``expires_in_days`` is given."""
    expires_at = (
        timezone.now() + timedelta(days=expires_in_days) if expires_in_days else None
    )
    return ShareLink.objects.create(
        comparison=comparison, owner_key=owner_key, expires_at=expires_at
    )


def resolve(token: str) -> ShareLink | None:
    """Link with its comparison if it still works, in one query."""
    return _working().filter(token=token).select_related("comparison").first()


def revoke(
    token: str, *, owner_key: str, comparison_id: uuid.UUID | None = None
) -> bool:
    """End a link; whether there was one to end.

    A link made by the anonymous API has no owner: whoever reads it knows its token, so
    the comparison's id, which a share never shows, is asked for instead.
    """
    links = _working().filter(token=token, owner_key=owner_key)
    if owner_key == "":
        links = links.filter(comparison_id=comparison_id)
    return bool(links.update(revoked_at=timezone.now()))


def _working():
    in_time = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return ShareLink.objects.filter(in_time, revoked_at=None)
