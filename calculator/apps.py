"""Registration of the app with Django."""

from django.apps import AppConfig


class CalculatorConfig(AppConfig):
    """The calculator app."""

    name = "calculator"
    default_auto_field = "django.db.models.BigAutoField"
