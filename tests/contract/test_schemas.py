"""Published JSON Schemas are frozen."""

import json

import pytest
from jsonschema import Draft202012Validator

from calculator.spec import examples_index, schema_files

PUBLISHED = sorted(schema_files.current())


@pytest.mark.parametrize("key", PUBLISHED, ids="-v".join)
def test_the_frozen_schema_is_that_of_the_code(key):
    current = json.loads(json.dumps(schema_files.current()[key]))
    assert schema_files.frozen(*key) == current, "run manage.py export_schemas"


def test_each_frozen_file_belongs_to_a_document():
    files = {file.name for file in schema_files.FOLDER.glob("*.json")}
    assert files == {schema_files.file_of(*key).name for key in PUBLISHED}


@pytest.mark.parametrize("key", PUBLISHED, ids="-v".join)
def test_the_frozen_schema_is_a_schema(key):
    Draft202012Validator.check_schema(schema_files.frozen(*key))


@pytest.mark.parametrize("name", examples_index.names())
def test_examples_satisfy_the_frozen_schema(name):
    validator = Draft202012Validator(schema_files.frozen("comparison", "1"))
    assert not list(validator.iter_errors(examples_index.load(name)))


def test_the_frozen_schema_refuses_what_the_code_refuses():
    validator = Draft202012Validator(schema_files.frozen("comparison", "1"))
    document = examples_index.load("reference")
    document["colour"] = "red"
    [error] = validator.iter_errors(document)
    assert "colour" in error.message
