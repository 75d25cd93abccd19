"""The chart library is written once and never by half."""

from __future__ import annotations

import threading

import pytest
from django.core.management import call_command

from frontend.management.commands import build_assets


@pytest.fixture
def folder(settings, tmp_path, monkeypatch):
    settings.GENERATED_ASSETS_DIR = tmp_path
    calls = []

    def library():
        calls.append("made")
        return "window.vegaEmbed = 1;"

    monkeypatch.setattr(build_assets, "chart_library", library)
    target = tmp_path / "frontend" / "vendor"
    return target, calls


def test_a_second_run_does_nothing(folder):
    target, calls = folder
    call_command("build_assets", verbosity=0)
    call_command("build_assets", verbosity=0)
    assert len(calls) == 1
    assert (target / "vega-bundle.js").read_text() == "window.vegaEmbed = 1;"
    assert sorted(p.name for p in target.iterdir()) == [
        "vega-bundle.js",
        "vega-bundle.version",
    ]


def test_another_version_is_written_again(folder):
    target, calls = folder
    call_command("build_assets", verbosity=0)
    (target / "vega-bundle.version").write_text("older")
    call_command("build_assets", verbosity=0)
    assert len(calls) == 2


def test_the_library_leaves_no_thread_that_a_fork_would_lose():
    before = set(threading.enumerate())
    assert "vegaEmbed" in build_assets.chart_library()
    assert set(threading.enumerate()) == before
