"""Refuse UPDATE of a price quote in the database itself.

No DELETE trigger: an aborting one breaks the flush between transactional tests, and
deletion is a logged act of retention. On SQLite a migration that rebuilds the table
drops its triggers, so such a migration has to run ``create`` again.
"""

from django.db import migrations

MESSAGE = "price quotes are append-only"

SQLITE = f"""
CREATE TRIGGER catalog_pricequote_no_update BEFORE UPDATE ON catalog_pricequote
BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END
"""

POSTGRESQL = f"""
CREATE FUNCTION catalog_pricequote_no_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '{MESSAGE}' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER catalog_pricequote_no_update BEFORE UPDATE ON catalog_pricequote
FOR EACH ROW EXECUTE FUNCTION catalog_pricequote_no_update();
"""

POSTGRESQL_DROP = """
DROP TRIGGER IF EXISTS catalog_pricequote_no_update ON catalog_pricequote;
DROP FUNCTION IF EXISTS catalog_pricequote_no_update();
"""


def create(apps, schema_editor):
    """Create the trigger of the database in use."""
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    schema_editor.execute(POSTGRESQL if is_postgresql else SQLITE)


def drop(apps, schema_editor):
    """Drop the trigger."""
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    schema_editor.execute(
        POSTGRESQL_DROP
        if is_postgresql
        else "DROP TRIGGER IF EXISTS catalog_pricequote_no_update"
    )


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
