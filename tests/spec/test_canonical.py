"""Equal documents have equal hashes."""

from calculator.spec.canonical import canonical_bytes, sha256


def test_key_order_does_not_matter_and_values_do():
    assert sha256({"a": 1, "b": [1, 2]}) == sha256({"b": [1, 2], "a": 1})
    assert sha256({"a": 1}) != sha256({"a": 2})


def test_bytes_are_compact_utf8():
    assert canonical_bytes({"b": "€", "a": 1.5}) == '{"a":1.5,"b":"€"}'.encode()
