"""The embedded product in one command: prepare, show the reference comparison, serve."""

import socket

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from calculator import embedded


class Command(BaseCommand):
    help = "Migrate, load the bundled prices if there are none, print the reference, serve."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--no-serve", action="store_true", help="prepare and print, then stop"
        )

    def handle(self, *args, host: str, port: int, no_serve: bool, **options) -> None:
        if not no_serve:
            _refuse_busy_port(host, port)
        embedded.prepare(self.stdout)
        call_command("compare", "reference", stdout=self.stdout)
        if no_serve:
            return
        self.stdout.write(
            f"\nClusterQuote is at http://{host}:{port}/ (stop with Ctrl-C)"
        )
        self.stdout.flush()
        embedded.serve(host, port)


def _refuse_busy_port(host: str, port: int) -> None:
    """Say at once, in one sentence, that the port is taken."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} on {host} cannot be used ({error.strerror}): "
                f"stop what uses it, or choose another with `make run PORT={port + 1}`."
            ) from None
    if settings.JOB_RUNNER == "inline":
        raise CommandError("JOB_RUNNER=inline is for tests; use thread or celery.")
