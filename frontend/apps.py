"""Registration of the app with Django."""

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    """The frontend app."""

    name = "frontend"
    default_auto_field = "django.db.models.BigAutoField"
