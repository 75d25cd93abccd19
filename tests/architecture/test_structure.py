"""The house rules that a machine can check."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("calculator", "catalog", "frontend")
SOURCES = sorted(
    path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if "migrations" not in path.parts
)
PURE = (
    "calculator.engine.evaluate",
    "calculator.resolve.comparison",
    "catalog.documents",
)
FRAMEWORKS = ("django", "rest_framework", "celery", "redis")


def test_import_contracts_hold():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command as c; c()",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", PURE)
def test_pure_parts_load_no_framework(module):
    code = (
        f"import sys, {module}; print([m for m in {FRAMEWORKS!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("package", ["calculator", "calculator/engine", "catalog"])
def test_package_files_above_pure_modules_stay_empty(package):
    assert (ROOT / package / "__init__.py").read_text().strip() == ""


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_keep_their_size(path):
    source = path.read_text()
    assert len(source.splitlines()) <= 500
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = _without_docstring(node)
            assert body <= 70, f"{node.name} has {body} lines"


def _without_docstring(node):
    lines = node.end_lineno - node.lineno + 1
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        lines -= first.end_lineno - first.lineno + 1
    return lines


CONVERSIONS = {1e9, 1e12, 8760, 3600, 86400}


@pytest.mark.parametrize(
    "path",
    [p for p in SOURCES if "engine" in p.parts or "resolve" in p.parts],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_conversion_factors_live_in_units_only(path):
    if path.name == "units.py":
        return
    found = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, (int, float))
        and not isinstance(node.value, bool)
        and node.value in CONVERSIONS
    ]
    assert not found, f"lines {found}: use calculator.engine.units"


def test_every_setting_is_in_the_example_file():
    import re

    settings = (ROOT / "calculator/config/settings.py").read_text()
    read = set(re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", settings))
    documented = set(
        re.findall(r"^#?\s*([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.M)
    )
    assert read <= documented, sorted(read - documented)


def test_the_version_is_the_first_heading_of_the_changelog():
    import re

    from calculator.engine.version import ENGINE_VERSION

    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert heading is not None
    assert heading.group(1) == ENGINE_VERSION
