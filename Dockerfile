# One image for web, worker, scheduler and migrate. Nothing is built from foreign sources:
# everything is a pinned wheel.
FROM python:3.11-slim AS base

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    DATA_DIR=/data \
    STATIC_ROOT=/srv/static

RUN useradd --system --uid 10001 --home-dir /data clusterquote \
    && mkdir -p /data /srv/static \
    && chown clusterquote /data /srv/static
WORKDIR /srv/clusterquote

COPY requirements.txt .
RUN pip install -r requirements.txt

COPY manage.py ./
COPY catalog ./catalog
COPY calculator ./calculator
COPY frontend ./frontend
COPY docs ./docs

USER clusterquote
RUN SECRET_KEY=build-only python manage.py build_assets \
    && SECRET_KEY=build-only python manage.py collectstatic --no-input --verbosity 0

EXPOSE 8000
CMD ["gunicorn", "calculator.config.wsgi:application", "--bind", "0.0.0.0:8000", "--workers", "3", "--worker-tmp-dir", "/dev/shm"]
