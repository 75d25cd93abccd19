"""The Django project package. Importing it binds Celery's shared tasks."""

from calculator.config.celery import app as celery_app

__all__ = ["celery_app"]
