"""Version 1 of the API."""

from django.urls import URLPattern, URLResolver

app_name = "api-v1"
urlpatterns: list[URLPattern | URLResolver] = []
