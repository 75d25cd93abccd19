"""Doors of the product: pages, API, admin, health."""

from django.contrib import admin
from django.urls import include, path

from calculator.config import checks

urlpatterns = [
    path("healthz", checks.healthz, name="healthz"),
    path("readyz", checks.readyz, name="readyz"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("calculator.api.v1.urls")),
    path("", include("frontend.urls")),
]
