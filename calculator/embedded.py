"""The embedded mode: one process, SQLite, jobs in a thread, no service to install."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import OutputWrapper
from django.db import connection

SQLITE = "django.db.backends.sqlite3"
PACKAGES = ("catalog", "calculator", "frontend")


def prepare(out: OutputWrapper) -> None:
    """Bring database, prices and static files up to date.

    Each part is skipped while the files it is made from have not changed, so that a
    second start is quick.
    """
    prepare_database(out)
    root = settings.BASE_DIR
    _when_changed(
        "static",
        [root / "frontend" / "static", root / "requirements.txt"],
        str(settings.STATIC_ROOT),
        lambda: _static(out),
    )


def prepare_database(out: OutputWrapper) -> None:
    """Migrate and load the bundled prices; a server's database is left to its operator."""
    database = settings.DATABASES["default"]
    if database["ENGINE"] != SQLITE or connection.in_atomic_block:
        return
    root = settings.BASE_DIR
    migrations = [root / package / "migrations" for package in PACKAGES]
    sources = [*migrations, root / "catalog" / "data"]
    _when_changed("database", sources, str(database["NAME"]), lambda: _database(out))


def _database(out: OutputWrapper) -> None:
    out.write("Preparing the database and the bundled prices ...")
    call_command("migrate", verbosity=0)
    call_command("load_pricebook", verbosity=0)


def _static(out: OutputWrapper) -> None:
    out.write("Preparing the static files ...")
    call_command("build_assets", verbosity=0)
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)


def _when_changed(
    name: str, sources: Iterable[Path], target: str, act: Callable[[], None]
) -> None:
    """Run ``act`` unless it ran before on the same sources for the same target."""
    stamp = settings.DATA_DIR / f"{name}.stamp"
    state = fingerprint(sources, target)
    if stamp.is_file() and stamp.read_text() == state and Path(target).exists():
        return
    act()
    stamp.write_text(state)


def fingerprint(sources: Iterable[Path], target: str) -> str:
    """Hash of names, sizes and times of all files, and of where the outcome goes."""
    digest = hashlib.sha256(target.encode())
    for source in sources:
        files = sorted(source.rglob("*")) if source.is_dir() else [source]
        for path in files:
            if path.is_file() and path.suffix != ".pyc":
                state = path.stat()
                line = f"{path}:{state.st_size}:{state.st_mtime_ns}\n"
                digest.update(line.encode())
    return digest.hexdigest()


def serve(host: str, port: int) -> None:
    """Serve with one gunicorn process of a few threads (the job thread lives in it)."""
    from gunicorn.app.base import BaseApplication

    class Embedded(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            options = {
                "bind": f"{host}:{port}",
                "workers": 1,
                "worker_class": "gthread",
                "threads": 8,
                "loglevel": "warning",
                "timeout": 120,
                "control_socket_disable": True,
            }
            for key, value in options.items():
                if key in self.cfg.settings:
                    self.cfg.set(key, value)

        def load(self) -> Any:
            from calculator.config.wsgi import application

            return application

    Embedded().run()
