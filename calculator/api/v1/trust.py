"""How far the numbers can be trusted: accuracy of throughput, and the claims ledger."""

from drf_spectacular.utils import extend_schema

from calculator.api.base import ApiView, json_response
from calculator.services import accuracy, claims
from calculator.spec.accuracy import AccuracyV1
from calculator.spec.claims import ClaimsLedgerV1


class Claims(ApiView):
    """Read the claims ledger."""

    @extend_schema(
        operation_id="claims_read",
        tags=["reference"],
        summary="Every claim of the reference cluster against this model, with verdicts",
        responses={200: ClaimsLedgerV1},
    )
    def get(self, request):
        """Answer with the ledger as engine and prices of today make it."""
        return json_response(claims.ledger())


class Accuracy(ApiView):
    """Read the calibration."""

    @extend_schema(
        operation_id="accuracy_read",
        tags=["reference"],
        summary="Predicted against measured throughput, errors by source, parameters",
        responses={200: AccuracyV1},
    )
    def get(self, request):
        """Answer with the residuals of the last calibration."""
        return json_response(accuracy.report())
