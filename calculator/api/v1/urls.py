"""Version 1 of the API."""

from django.urls import URLResolver, include, path, re_path, register_converter

from calculator.api.v1 import (
    catalog,
    comparisons,
    fabrics,
    jobs,
    previews,
    reference,
    shares,
    stack_profiles,
    trust,
)
from calculator.api.v1.converters import Slug, Token

register_converter(Slug, "slug_name")
register_converter(Token, "token")

app_name = "api-v1"
CATALOG = [
    route
    for plural, table in catalog.TABLES.items()
    for route in (
        path(plural, catalog.list_view(plural), name=plural),
        path(
            f"{plural}/<slug_name:{table.key}>",
            catalog.detail_view(plural),
            name=table.singular.replace(" ", "-"),
        ),
    )
]
urlpatterns = [
    path("previews", previews.Previews.as_view(), name="previews"),
    path("fabrics", fabrics.Fabrics.as_view(), name="fabrics"),
    path("comparisons", comparisons.Comparisons.as_view(), name="comparisons"),
    path(
        "comparisons/<uuid:comparison_id>",
        comparisons.ComparisonDetail.as_view(),
        name="comparison",
    ),
    path(
        "comparisons/<uuid:comparison_id>/exports/<slug_name:format>",
        comparisons.ComparisonExport.as_view(),
        name="export",
    ),
    path("jobs/<uuid:job_id>", jobs.JobDetail.as_view(), name="job"),
    path("jobs/<uuid:job_id>/cancel", jobs.JobCancel.as_view(), name="job-cancel"),
    path("shares", shares.Shares.as_view(), name="shares"),
    path("shares/<token:token>", shares.ShareDetail.as_view(), name="share"),
    path("claims", trust.Claims.as_view(), name="claims"),
    path("accuracy", trust.Accuracy.as_view(), name="accuracy"),
    path(
        "stack-profiles", stack_profiles.StackProfiles.as_view(), name="stack-profiles"
    ),
    path(
        "stack-profiles/<uuid:profile_id>",
        stack_profiles.StackProfileDetail.as_view(),
        name="stack-profile",
    ),
    path("examples", reference.Examples.as_view(), name="examples"),
    path(
        "examples/<slug_name:name>", reference.ExampleDetail.as_view(), name="example"
    ),
    path(
        "schemas/<slug_name:name>/<slug_name:version>",
        reference.SchemaDetail.as_view(),
        name="schema",
    ),
    *CATALOG,
    path("openapi.json", reference.OpenApi.as_view(), name="openapi"),
    path("docs/", reference.Docs.as_view(), name="docs"),
    re_path(r"^(?P<rest>.*)$", reference.Elsewhere.as_view(), name="elsewhere"),
]


def mounted() -> list[URLResolver]:
    """The patterns under their full prefix, as the OpenAPI generator needs them."""
    return [path("api/v1/", include((urlpatterns, app_name)))]
