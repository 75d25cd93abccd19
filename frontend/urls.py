"""Pages."""

from django.urls import path

from frontend.views import (
    accuracy,
    calibrate,
    catalog,
    claims,
    comparison,
    home,
    jobs,
    methodology,
    quote,
    shared,
)

urlpatterns = [
    path("", home.start, name="home"),
    path("quote/", quote.edit, name="quote-edit"),
    path("quote/preview/", quote.preview, name="quote-preview"),
    path("comparisons/", comparison.create, name="comparison-create"),
    path(
        "comparisons/<uuid:comparison_id>/", comparison.detail, name="comparison-detail"
    ),
    path(
        "comparisons/<uuid:comparison_id>/figures/<str:name>.svg",
        comparison.figure,
        name="comparison-figure",
    ),
    path(
        "comparisons/<uuid:comparison_id>/share/", comparison.share, name="share-create"
    ),
    path(
        "comparisons/<uuid:comparison_id>/revoke/",
        comparison.revoke,
        name="share-revoke",
    ),
    path("jobs/<uuid:job_id>/", jobs.detail, name="job-detail"),
    path("jobs/<uuid:job_id>/status/", jobs.status, name="job-status"),
    path("jobs/<uuid:job_id>/cancel/", jobs.cancel, name="job-cancel"),
    path("s/<str:token>/", shared.detail, name="shared-detail"),
    path("s/<str:token>/figures/<str:name>.svg", shared.figure, name="shared-figure"),
    path("calibrate/", calibrate.start, name="calibrate"),
    path("calibrate/<uuid:profile_id>/", calibrate.detail, name="calibrate-detail"),
    path(
        "calibrate/<uuid:profile_id>/delete/", calibrate.delete, name="calibrate-delete"
    ),
    path("catalog/", catalog.index, name="catalog-index"),
    path("catalog/sources/", catalog.sources, name="catalog-sources"),
    path("claims/", claims.index, name="claims"),
    path("claims/figures/<str:name>.svg", claims.figure, name="claims-figure"),
    path("accuracy/", accuracy.index, name="accuracy"),
    path("accuracy/figures/<str:name>.svg", accuracy.figure, name="accuracy-figure"),
    path("methodology/", methodology.index, name="methodology-index"),
    path("methodology/<str:name>/", methodology.page, name="methodology-page"),
]
