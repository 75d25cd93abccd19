"""Files that are no documents are refused before they fill the memory."""

import pytest

from calculator.spec.document_files import read_document
from calculator.spec.problems import MAX_DOCUMENT_BYTES, SpecError, read_json


def test_a_file_of_many_gigabytes_is_refused_without_being_loaded(tmp_path):
    file = tmp_path / "film.json"
    with file.open("wb") as stream:
        stream.truncate(1 << 36)
    body = read_document(file)
    assert len(body) == MAX_DOCUMENT_BYTES + 1
    with pytest.raises(SpecError) as caught:
        read_json(body)
    assert caught.value.problems[0].code == "document_too_large"


def test_a_document_is_read_whole(tmp_path):
    file = tmp_path / "small.json"
    file.write_bytes(b"{}")
    assert read_document(file) == b"{}"
