"""Numbers of the bundled comparisons may change only on purpose.

`pytest --update-golden` rewrites the files; that needs a new ENGINE_VERSION and a line in
the changelog.
"""

import json
from pathlib import Path

import pytest

from calculator.services import previews
from calculator.spec.examples_index import load, names
from calculator.spec.pointers import walk
from calculator.spec.problems import validate_comparison

FOLDER = Path(__file__).parent
REL = 1e-9  # float summation order may differ between builds of NumPy


def frozen_part(result):
    """Everything a reader quotes, without the long tables that follow from it."""
    document = result.model_dump(mode="json")
    for alternative in document["alternatives"].values():
        alternative.pop("cash_flow")
        for line in alternative["lines"]:
            line.pop("note")
    return {
        "engine_version": document["engine_version"],
        "verdict": document["verdict"],
        "alternatives": document["alternatives"],
    }


@pytest.mark.django_db
@pytest.mark.parametrize("name", names())
def test_the_numbers_of_an_example_stay(name, request):
    found = frozen_part(previews.preview(validate_comparison(load(name))))
    file = FOLDER / f"{name}.json"
    if request.config.getoption("--update-golden"):
        file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    expected = dict(walk(json.loads(file.read_text())))
    actual = dict(walk(found))
    assert actual.keys() == expected.keys()
    for pointer, value in expected.items():
        if isinstance(value, float):
            assert actual[pointer] == pytest.approx(value, rel=REL, abs=1e-12), pointer
        else:
            assert actual[pointer] == value, pointer
