"""Write the OpenAPI document."""

from pathlib import Path

import yaml
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from calculator.api import openapi

FILE = Path("docs/openapi.yaml")


def as_yaml() -> str:
    """Text of the file, without anchors, so that it reads and diffs well."""

    class Plain(yaml.SafeDumper):
        def ignore_aliases(self, data) -> bool:
            return True

    return yaml.dump(
        openapi.document(), Dumper=Plain, sort_keys=False, allow_unicode=True
    )


class Command(BaseCommand):
    help = "Write docs/openapi.yaml."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="write nothing, fail if it differs"
        )

    def handle(self, *args, check: bool, **options) -> None:
        file = settings.BASE_DIR / FILE
        if check:
            if file.read_text("utf-8") != as_yaml():
                raise CommandError(f"{FILE} is stale: run manage.py export_openapi")
            return
        file.write_text(as_yaml(), "utf-8")
        self.stdout.write(str(FILE))
