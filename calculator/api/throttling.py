"""How often one caller may ask, by what is asked for."""

import logging

from django.conf import settings
from redis.exceptions import RedisError
from rest_framework.throttling import SimpleRateThrottle

logger = logging.getLogger(__name__)


class ScopedThrottle(SimpleRateThrottle):
    """Rate of the view's scope, read from settings at each request; empty is no limit."""

    rate = "1/day"  # replaced in allow_request, where the scope is known

    def allow_request(self, request, view):
        """Count the request against its scope."""
        self.scope = view.throttle_scope_of(request)
        rate = settings.API_THROTTLE_RATES[self.scope]
        if not rate:
            return True
        self.num_requests, self.duration = self.parse_rate(rate)
        try:
            return super().allow_request(request, view)
        except RedisError:
            logger.exception("throttling is off: the cache is out of reach")
            return True

    def get_cache_key(self, request, view):
        """Key by user, else by address."""
        user = request.user
        ident = f"user-{user.pk}" if user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}
