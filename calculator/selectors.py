"""What a visitor may see. Every page and endpoint starts here."""

import uuid

from django.db.models import QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform

from calculator.models import Comparison, Job, ShareLink, StackProfile

ANONYMOUS = ""
DOCUMENTS = ("spec", "prices", "result")


def comparisons_visible_to(owner_key: str) -> QuerySet[Comparison]:
    """Comparisons that belong to this owner, newest first.

    The anonymous API owns nothing in a list: there an id is known or it is not.
    """
    if owner_key == ANONYMOUS:
        return Comparison.objects.none()
    return Comparison.objects.filter(owner_key=owner_key)


def comparison_list(owner_key: str) -> QuerySet[Comparison]:
    """Rows for lists: the large documents stay in the database, ``verdict`` is text."""
    return (
        comparisons_visible_to(owner_key)
        .defer(*DOCUMENTS)
        .annotate(
            verdict=KeyTextTransform("sentence", KeyTransform("verdict", "result"))
        )
    )


def comparison_for(comparison_id: uuid.UUID | str, owner_key: str) -> Comparison | None:
    """Comparison that this owner may open, or ``None``."""
    return (
        _reachable(Comparison.objects.all(), owner_key).filter(pk=comparison_id).first()
    )


def result_hash_for(comparison_id: uuid.UUID | str, owner_key: str) -> str | None:
    """Hash of the result that this owner may open, without reading the documents."""
    rows = _reachable(Comparison.objects.all(), owner_key).filter(pk=comparison_id)
    return rows.values_list("result_hash", flat=True).first()


def jobs_visible_to(owner_key: str) -> QuerySet[Job]:
    """Jobs that belong to this owner, newest first."""
    if owner_key == ANONYMOUS:
        return Job.objects.none()
    return Job.objects.filter(owner_key=owner_key)


def job_for(job_id: uuid.UUID | str, owner_key: str) -> Job | None:
    """Job that this owner may follow, without its input documents, or ``None``."""
    jobs = Job.objects.defer("spec", "prices")
    return _reachable(jobs, owner_key).filter(pk=job_id).first()


def share_links_of(comparison: Comparison, owner_key: str) -> QuerySet[ShareLink]:
    """Links of this owner to a comparison that were not revoked."""
    if owner_key == ANONYMOUS:
        return ShareLink.objects.none()
    return ShareLink.objects.filter(
        comparison=comparison, owner_key=owner_key, revoked_at=None
    )


def stack_profiles_visible_to(owner_key: str) -> QuerySet[StackProfile]:
    """Calibrations that belong to this owner, newest first."""
    if owner_key == ANONYMOUS:
        return StackProfile.objects.none()
    return StackProfile.objects.filter(owner_key=owner_key)


def stack_profile_for(
    profile_id: uuid.UUID | str, owner_key: str
) -> StackProfile | None:
    """Calibration that this owner may use, or ``None``."""
    return (
        _reachable(StackProfile.objects.all(), owner_key).filter(pk=profile_id).first()
    )


def _reachable(rows: QuerySet, owner_key: str) -> QuerySet:
    """Own rows, and ownerless ones, whose unguessable id is the permission."""
    return rows.filter(owner_key__in={owner_key, ANONYMOUS})
