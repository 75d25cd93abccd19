"""Every error code that a client can meet is explained in docs/errors.md."""

import ast
import re
from pathlib import Path

from calculator.api.errors import STATUS_CODES, TITLES, UNREADABLE
from calculator.services import errors as service_errors
from calculator.spec import problems

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("api", "services", "spec", "resolve", "engine")
DOCUMENTED = set(
    re.findall(r"^\| `([a-z_]+)` \|", (ROOT / "docs/errors.md").read_text(), re.M)
)


def codes_in_sources():
    """Codes written as literals: problem(pointer, code, …), code=…, default_code = …."""
    for folder in FOLDERS:
        for path in (ROOT / "calculator" / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                yield from _codes(node)


def _codes(node):
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name == "problem" and len(node.args) > 1:
            yield from _literal(node.args[1])
        for keyword in node.keywords:
            if keyword.arg in {"code", "error_code"}:
                yield from _literal(keyword.value)
        if name == "_fail" and len(node.args) > 1:
            yield from _literal(node.args[1])
    if isinstance(node, ast.Assign):
        names = {getattr(target, "id", "") for target in node.targets}
        if names & {"code", "default_code"}:
            yield from _literal(node.value)


def _literal(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value


def used():
    tables = {*TITLES, *UNREADABLE, *STATUS_CODES.values(), *problems.CODES.values()}
    fallbacks = {"out_of_bounds", "wrong_type", "text_invalid", "invalid"}
    services = {
        item.code
        for item in vars(service_errors).values()
        if isinstance(item, type) and issubclass(item, service_errors.ServiceError)
    } - {service_errors.ServiceError.code}
    return tables | fallbacks | services | set(codes_in_sources())


def test_every_code_in_use_is_documented():
    assert used() - DOCUMENTED - {service_errors.ServiceError.code} == set()


def test_every_documented_code_is_in_use():
    assert DOCUMENTED - used() == set()


def test_the_scan_finds_codes_of_every_layer():
    found = set(codes_in_sources())
    assert {"malformed_json", "comparison_unknown", "internal_error"} <= found
    assert {"reference_unknown", "plan_infeasible", "worker_lost"} <= found


def test_every_code_of_the_api_has_a_title():
    assert set(STATUS_CODES.values()) | set(UNREADABLE) <= set(TITLES)
