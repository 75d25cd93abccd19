"""The embedded mode: one process, SQLite, jobs in a thread, no service to install."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import OutputWrapper

STAMP = "static.stamp"


def prepare(out: OutputWrapper) -> None:
    """Bring database, prices and static files up to date; quick when nothing changed."""
    call_command("migrate", verbosity=0)
    call_command("load_pricebook", verbosity=0)
    call_command("build_assets", verbosity=0)
    fingerprint = static_fingerprint()
    stamp = settings.DATA_DIR / STAMP
    if not stamp.is_file() or stamp.read_text() != fingerprint:
        out.write("Preparing static files ...")
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        stamp.write_text(fingerprint)


def static_fingerprint() -> str:
    """Hash of names, sizes and times of all sources of the static files."""
    digest = hashlib.sha256()
    folders = [settings.BASE_DIR / "frontend" / "static", *settings.STATICFILES_DIRS]
    files = [settings.BASE_DIR / "requirements.txt"]
    files += [path for folder in folders for path in sorted(Path(folder).rglob("*"))]
    for path in files:
        if path.is_file():
            state = path.stat()
            digest.update(f"{path.name}:{state.st_size}:{state.st_mtime_ns}\n".encode())
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
                "accesslog": None,
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
