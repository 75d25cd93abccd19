"""Documents that only the API speaks: problems, jobs, rows of lists, share links."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from calculator.spec.fields import INTEGRAL, Name, unit
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


class StackProfileRequest(Document):
    """Measured steps of your own cluster."""

    name: Name = Field(description="What to call the calibration.")
    csv: str = Field(
        min_length=1,
        max_length=200_000,
        description="Table with a line of column names: configuration columns (layers, "
        "hidden, heads, seq_len, global_batch_seqs, num_gpus, gpus_per_node, gpu, "
        "internode_gbps_per_node, tp, pp, sharding, ...) and tokens_per_s_per_gpu or "
        "step_time_s. At most 200 rows, comma or tab separated.",
    )


class StackProfileErrors(Document):
    """Relative errors of predicted speed."""

    median: float
    largest: float


class StackProfileResidual(Document):
    """One measured row [tokens/s per GPU]; null where the row could not be used."""

    id: str
    measured: float | None
    before: float | None
    after: float | None
    left_out: float | None = Field(
        description="Predicted with factors fitted to other rows."
    )
    note: str


class StackProfileSummary(Document):
    """A private calibration in a list."""

    id: UUID
    name: str
    created_at: datetime
    url: str
    n_fitted: int
    engine_version: str


class StackProfileDocument(StackProfileSummary):
    """A private calibration: three factors and how well they describe the rows."""

    kernel_efficiency: float
    communication_time: float
    step_overhead_s: float
    before: StackProfileErrors
    after: StackProfileErrors
    left_out: StackProfileErrors | None
    rows: list[StackProfileResidual]


class StackProfilePage(Document):
    """A page of private calibrations, newest first."""

    next: str | None
    previous: str | None
    results: list[StackProfileSummary]


class ExampleRow(Document):
    """A bundled example."""

    name: str
    title: str
    description: str
    url: str


class ExampleList(Document):
    """All bundled examples."""

    results: list[ExampleRow]
