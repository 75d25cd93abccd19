"""A trigger that refuses every UPDATE of a comparison, on SQLite and on PostgreSQL.

There is no DELETE trigger: deleting is a deliberate act of retention, and Django's test
teardown needs it. A later migration that alters the table on SQLite rebuilds it without
its triggers and must run ``install`` again; a test notices.
"""

from django.db import migrations

MESSAGE = "comparisons never change"

INSTALL = {
    "sqlite": [
        f"""
        CREATE TRIGGER calculator_comparison_no_update
        BEFORE UPDATE ON calculator_comparison
        BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END
        """
    ],
    "postgresql": [
        f"""
        CREATE FUNCTION calculator_comparison_no_update() RETURNS trigger AS $$
        BEGIN
            RAISE EXCEPTION '{MESSAGE}' USING ERRCODE = 'integrity_constraint_violation';
        END
        $$ LANGUAGE plpgsql
        """,
        """
        CREATE TRIGGER calculator_comparison_no_update
        BEFORE UPDATE ON calculator_comparison
        FOR EACH ROW EXECUTE FUNCTION calculator_comparison_no_update()
        """,
    ],
}
REMOVE = {
    "sqlite": ["DROP TRIGGER IF EXISTS calculator_comparison_no_update"],
    "postgresql": [
        "DROP TRIGGER IF EXISTS calculator_comparison_no_update ON calculator_comparison",
        "DROP FUNCTION IF EXISTS calculator_comparison_no_update()",
    ],
}


def install(apps, schema_editor):
    for statement in INSTALL[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def remove(apps, schema_editor):
    for statement in REMOVE[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("calculator", "0001_initial")]

    operations = [migrations.RunPython(install, remove)]
