"""Who asks: one text that rows are kept under."""

import secrets
from typing import Any

SESSION_FIELD = "owner_token"


def owner_key_of(request: Any, *, create: bool = False) -> str:
    """Owner key of a Django (or DRF) request.

    ``user:<id>`` when logged in, ``session:<token>`` for a visitor with a session, else
    the empty key of the anonymous API. ``create`` starts a session where there is none
    (pages do, the API does not). The token is not the session key, so that a stored row
    opens nobody's session.
    """
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return f"user:{user.pk}"
    session = request.session
    token = session.get(SESSION_FIELD, "")
    if not token and create:
        token = session[SESSION_FIELD] = secrets.token_urlsafe(24)
    return f"session:{token}" if token else ""
