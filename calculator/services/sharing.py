"""Share links: made, revoked, resolved."""

import re
import uuid
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from calculator.models import Comparison, ShareLink

MAX_EXPIRY_DAYS = 3650
TOKEN = re.compile(r"[A-Za-z0-9_-]{16,43}")


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
    return _working(token).select_related("comparison").first()


def revoke(
    token: str, *, owner_key: str, comparison_id: uuid.UUID | None = None
) -> bool:
    """End a link; whether there was one to end.

    A link made by the anonymous API has no owner: whoever reads it knows its token, so
    the comparison's id, which a share never shows, is asked for instead.
    """
    links = _working(token).filter(owner_key=owner_key)
    if owner_key == "":
        links = links.filter(comparison_id=comparison_id)
    return bool(links.update(revoked_at=timezone.now()))


def _working(token: str) -> QuerySet[ShareLink]:
    """Links of that token that still work; text that is no token finds none."""
    if not TOKEN.fullmatch(token):  # PostgreSQL cannot compare with every text
        return ShareLink.objects.none()
    in_time = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return ShareLink.objects.filter(in_time, token=token, revoked_at=None)
