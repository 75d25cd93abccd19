"""What the engine raises: only for impossible input, never for a bad outcome."""


class EngineError(ValueError):
    """Base of all engine refusals.

    Parameters
    ----------
    message : str
        One sentence that names the quantity, its value, the bound and the unit.
    field : str
        Name of the engine input at fault, empty where several are.
    code : str
        Stable snake_case code for interfaces.
    """

    default_code = "engine_error"

    def __init__(self, message: str, *, field: str = "", code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.code = code or self.default_code


class DomainError(EngineError):
    """A value outside the domain in which a formula holds."""

    default_code = "out_of_domain"


class InfeasiblePlan(EngineError):
    """Nothing that was asked for can exist: the message gives the limiting number."""

    default_code = "plan_infeasible"


class UnsupportedTopology(EngineError):
    """A fabric that the sizing does not support: refused, never guessed."""

    default_code = "topology_unsupported"
