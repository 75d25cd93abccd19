"""Private calibration: paste or upload measured steps, see what they change."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from calculator import formatting, selectors
from calculator.models import StackProfile
from calculator.services import owners, stack_profiles
from calculator.spec.problems import Problem, SpecError
from frontend import quoting
from frontend.figures import calibration

UNPROCESSABLE = 422
LISTED = 50
MAX_NAME_CHARACTERS = 120
EXAMPLE_CSV = (
    "id,layers,hidden,ffn,heads,kv_heads,vocab,seq_len,global_batch_seqs,micro_batch,"
    "num_gpus,gpus_per_node,gpu,internode_gbps_per_node,tp,pp,sharding,recompute,"
    "precision,tokens_per_s_per_gpu,step_time_s\n"
    "MPT-70b on 512 H100,80,8192,32768,64,64,50368,2048,4096,8,512,8,H100-SXM-80GB,,1,1,"
    "zero3,full,bf16,1007,16.27\n"
    "MPT-70b on 256 H100,80,8192,32768,64,64,50368,2048,2048,8,256,8,H100-SXM-80GB,,1,1,"
    "zero3,full,bf16,,15.82\n"
)
"""Two published rows: MosaicML llm-foundry, scripts/train/benchmarking/README.md."""


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """The form and the visitor's calibrations; a post makes one."""
    if request.method != "POST":
        name, text = "", EXAMPLE_CSV if "example" in request.GET else ""
        return _page(request, name, text, [])
    name = " ".join(request.POST.get("name", "").split())[:MAX_NAME_CHARACTERS]
    text = ""
    try:
        text = _posted_table(request)
        profile = stack_profiles.create(
            name=name or "My cluster",
            text=text,
            owner_key=owners.owner_key_of(request, create=True),
        )
    except SpecError as error:
        return _page(request, name, text, error.problems)
    return redirect("calibrate-detail", profile.pk)


@require_safe
def detail(request: HttpRequest, profile_id: uuid.UUID) -> HttpResponse:
    """Factors, errors before and after, rows."""
    profile = _own(request, profile_id)
    context = {
        "section": "calibrate",
        "profile": profile,
        "fit": profile.fit,
        "kernel_change": calibration.signed(profile.fit["kernel_efficiency"] - 1.0),
        "network_change": calibration.signed(profile.fit["communication_time"] - 1.0),
        "figure": calibration.figure(profile.fit, profile.residuals),
        "errors": _error_rows(profile.fit),
        "is_better": _is_better(profile.fit),
        "refused": [row for row in profile.residuals if row["measured"] is None],
        "use_url": _use_url(profile),
    }
    response = render(request, "frontend/calibrate/detail.html", context)
    response["Cache-Control"] = "private, no-cache"
    return response


@require_POST
def delete(request: HttpRequest, profile_id: uuid.UUID) -> HttpResponse:
    """Delete a calibration with its measurements."""
    stack_profiles.delete(_own(request, profile_id))
    return redirect("calibrate")


def _posted_table(request: HttpRequest) -> str:
    upload = request.FILES.get("file")
    if upload is None:
        return str(request.POST.get("csv", ""))
    if upload.size > stack_profiles.MAX_CSV_BYTES:
        raise _refused(
            f"the file has {upload.size} bytes; at most {stack_profiles.MAX_CSV_BYTES} are read"
        )
    try:
        return upload.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _refused("the file is not UTF-8 text") from None


def _refused(message: str) -> SpecError:
    return SpecError([Problem(pointer="/csv", code="invalid", message=message)])


def _page(
    request: HttpRequest, name: str, text: str, problems: list[Problem]
) -> HttpResponse:
    owner_key = owners.owner_key_of(request)
    context: dict[str, Any] = {
        "section": "calibrate",
        "name": name,
        "csv": text,
        "problems": problems,
        "profiles": selectors.stack_profiles_visible_to(owner_key)[:LISTED],
        "max_rows": stack_profiles.MAX_ROWS,
        "max_kb": stack_profiles.MAX_CSV_BYTES // 1000,
        "columns": ", ".join(EXAMPLE_CSV.split("\n", 1)[0].split(",")),
    }
    status = UNPROCESSABLE if problems else 200
    return render(request, "frontend/calibrate/start.html", context, status=status)


def _own(request: HttpRequest, profile_id: uuid.UUID) -> StackProfile:
    profile = selectors.stack_profile_for(profile_id, owners.owner_key_of(request))
    if profile is None:
        raise Http404
    return profile


def _error_rows(fit: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
    rows = [
        ("Default model", fit["before"]),
        ("Your calibration, on the rows it was fitted to", fit["after"]),
    ]
    if fit["left_out"]:
        rows.append(("Your calibration, on rows it had not seen", fit["left_out"]))
    return [
        (label, {key: formatting.percent(value) for key, value in errors.items()})
        for label, errors in rows
    ]


def _is_better(fit: dict[str, Any]) -> bool:
    """Whether rows that the fit had not seen are predicted better than without it."""
    judged = fit["left_out"] or fit["after"]
    return bool(judged["median"] < fit["before"]["median"])


def _use_url(profile: StackProfile) -> str:
    document = quoting.start_document()
    workload = {**document["workload"], "stack_profile": str(profile.pk)}
    return quoting.edit_url({**document, "workload": workload})
