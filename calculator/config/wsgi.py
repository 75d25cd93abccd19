"""WSGI entry point for gunicorn and for the embedded server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calculator.config.settings")

application = get_wsgi_application()
