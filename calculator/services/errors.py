"""What services refuse, each with a stable code that ``docs/errors.md`` explains."""


class ServiceError(Exception):
    """Base: a request that is well formed but cannot be met."""

    code = "refused"


class IdempotencyConflict(ServiceError):
    """The key was used before, for another document."""

    code = "idempotency_conflict"

    def __init__(self) -> None:
        super().__init__(
            "This Idempotency-Key was used for another comparison: send a new key, or "
            "the same document."
        )


class AlreadyFinished(ServiceError):
    """The job can no longer be cancelled."""

    code = "job_finished"

    def __init__(self, state: str) -> None:
        super().__init__(f"The job has already {state}: it can no longer be cancelled.")
