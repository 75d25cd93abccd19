"""From computed to stored: plain documents with hashes that survive any database."""

from typing import Any

from django.db import IntegrityError, transaction
from pydantic import BaseModel

from calculator.models import Comparison, Job
from calculator.spec.canonical import sha256
from calculator.spec.result import ResultV1


def storable(document: BaseModel) -> dict[str, Any]:
    """Plain JSON of a document, without negative zeros.

    PostgreSQL stores JSON numbers as decimals, which know no ``-0.0``: left in, the
    stored document would no longer have the hash stored beside it.
    """
    return _without_negative_zero(document.model_dump(mode="json"))


def freeze(job: Job, result: ResultV1) -> Comparison:
    """Store the comparison that a job computed; an equal one of this owner is reused."""
    document = storable(result)
    row = Comparison(
        name=job.spec["name"],
        owner_key=job.owner_key,
        spec=job.spec,
        prices=job.prices,
        result=document,
        spec_hash=job.spec_hash,
        prices_hash=job.prices_hash,
        result_hash=sha256(document),
        engine_version=result.engine_version,
        schema_version=result.schema_version,
    )
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        return Comparison.objects.get(
            owner_key=row.owner_key,
            spec_hash=row.spec_hash,
            prices_hash=row.prices_hash,
            engine_version=row.engine_version,
        )
    return row


def _without_negative_zero(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_negative_zero(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_negative_zero(item) for item in value]
    return value + 0.0 if isinstance(value, float) else value
