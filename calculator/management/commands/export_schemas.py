"""Write the JSON Schemas of all documents."""

import json

from django.core.management.base import BaseCommand

from calculator.spec import schema_files


class Command(BaseCommand):
    help = "Write calculator/spec/schemas; a published version must not change meaning."

    def handle(self, **options) -> None:
        schema_files.FOLDER.mkdir(exist_ok=True)
        for (name, version), schema in schema_files.current().items():
            text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
            schema_files.file_of(name, version).write_text(text, "utf-8")
            self.stdout.write(f"{name} {version}")
