"""The Celery application; it is a courier only, the Job row is the truth."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calculator.config.settings")

app = Celery("clusterquote")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["calculator.jobs"])
