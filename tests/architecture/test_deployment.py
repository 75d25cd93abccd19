"""The compose file starts what the code has."""

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def test_the_services_are_complete():
    assert set(COMPOSE["services"]) == {
        "web",
        "worker",
        "scheduler",
        "migrate",
        "postgres",
        "redis",
    }


def test_web_worker_and_scheduler_wait_for_the_migration_and_redis():
    for name in ("web", "worker", "scheduler"):
        needs = COMPOSE["services"][name]["depends_on"]
        assert needs["migrate"]["condition"] == "service_completed_successfully"
        assert needs["redis"]["condition"] == "service_healthy"


def test_production_runs_on_celery_postgresql_and_redis():
    environment = COMPOSE["services"]["worker"]["environment"]
    assert environment["JOB_RUNNER"] == "celery"
    assert environment["DATABASE_URL"].startswith("postgres://")
    assert environment["REDIS_URL"].startswith("redis://")


def test_the_image_runs_without_root():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert "USER clusterquote" in lines
    assert any(
        line.startswith("CMD") for line in lines[lines.index("USER clusterquote") :]
    )
