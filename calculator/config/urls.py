"""Doors of the product: pages, API, admin, health."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("calculator.api.v1.urls")),
    path("", include("frontend.urls")),
]
