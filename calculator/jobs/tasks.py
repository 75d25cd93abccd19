"""Celery tasks: they deliver, nothing else."""
