"""Documents that only the API speaks: problems, jobs, rows of lists, share links."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from calculator.spec.fields import INTEGRAL, unit
from calculator.spec.problems import Problem
from calculator.spec.result import ResultV1
from calculator.spec.scenario import ComparisonV1

PROBLEM_MEDIA_TYPE = "application/problem+json"


class Document(BaseModel):
    """Closed and frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ProblemDocument(Document):
    """RFC 9457 problem details, with one entry in ``errors`` for each thing to mend."""

    type: str = Field(description="urn:clusterquote:error:<code>")
    title: str
    status: int
    detail: str
    code: str = Field(description="Stable; explained in docs/errors.md.")
    errors: list[Problem] = Field(
        description="``pointer`` is the JSON Pointer of the field in the body sent."
    )
    request_id: str


class JobError(Document):
    """Why a job failed."""

    code: str
    message: str
    errors: list[Problem]


class JobDocument(Document):
    """A job as it stands."""

    id: UUID
    kind: Literal["comparison"]
    state: Literal["queued", "running", "succeeded", "failed", "cancelled"]
    stage: str
    progress: float = Field(ge=0, le=1)
    attempt: int
    cancel_requested: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    url: str
    comparison: UUID | None
    comparison_url: str | None
    error: JobError | None


class ComparisonRow(Document):
    """A saved comparison in a list."""

    id: UUID
    name: str
    verdict: str | None = Field(description="The verdict's sentence.")
    created_at: datetime
    url: str
    spec_hash: str
    prices_hash: str
    result_hash: str
    engine_version: str
    schema_version: str


class ComparisonPage(Document):
    """A page of saved comparisons, newest first."""

    next: str | None
    previous: str | None
    results: list[ComparisonRow]


class SnapshotDocument(Document):
    """A saved comparison without its address: what a share link shows."""

    name: str
    created_at: datetime
    spec_hash: str
    prices_hash: str
    result_hash: str
    engine_version: str
    schema_version: str
    spec: ComparisonV1
    result: ResultV1


class ComparisonDocument(SnapshotDocument):
    """A saved comparison."""

    id: UUID


class SharedDocument(SnapshotDocument):
    """What a share link shows."""

    expires_at: datetime | None


class ShareRequest(Document):
    """Ask for a link to a saved comparison."""

    comparison: UUID = Field(description="Id of the comparison.")
    expires_in_days: (
        (Annotated[int, Field(ge=1, le=3650, json_schema_extra=unit("days")), INTEGRAL])
        | None
    ) = Field(None, description="Days until the link ends; never when absent.")


class ShareDocument(Document):
    """A link just made."""

    id: UUID
    token: str
    url: str = Field(description="Page for people.")
    api_url: str = Field(description="The same snapshot as JSON.")
    comparison: UUID
    created_at: datetime
    expires_at: datetime | None


class ExampleRow(Document):
    """A bundled example."""

    name: str
    title: str
    description: str
    url: str


class ExampleList(Document):
    """All bundled examples."""

    results: list[ExampleRow]
