"""A real server (the embedded product, hashed files, thread jobs) and a real browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUM = Path(os.environ.get("CHROMIUM_PATH", "/usr/bin/chromium"))
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_ATTEMPTS = 1800
PAUSE_S = 0.1
STOP_TIMEOUT_S = 60


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.e2e)


def refuse(reason: str) -> None:
    """Skip, or fail where the gate says that a browser must be there."""
    if os.environ.get("REQUIRE_BROWSER"):
        pytest.fail(reason)
    pytest.skip(reason)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[str]:
    """Address of the embedded product, started as a user starts it."""
    if not CHROMIUM.exists():
        refuse(f"no browser at {CHROMIUM}: install chromium or set CHROMIUM_PATH")
    folder = tmp_path_factory.mktemp("product")
    services = {"DATABASE_URL", "REDIS_URL", "JOB_RUNNER", "DEBUG", "STATIC_ROOT"}
    environment = {k: v for k, v in os.environ.items() if k not in services}
    port = free_port()
    log = folder / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "quickstart", "--port", str(port)],
            cwd=ROOT,
            env={**environment, "DATA_DIR": str(folder), "LOG_LEVEL": "WARNING"},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(process, address, log)
        yield address
    finally:
        stop(process)


def stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(timeout=STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        pytest.fail("the server did not stop when asked to")


def wait_until_ready(process: subprocess.Popen, address: str, log: Path) -> None:
    pause = threading.Event()
    for _ in range(START_ATTEMPTS):
        if process.poll() is not None:
            break
        if answers(f"{address}/healthz"):
            return
        pause.wait(PAUSE_S)
    pytest.fail(f"the server did not start:\n{log.read_text()[-3000:]}")


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as response:
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture(scope="module")
def browser(server):
    """Per module, so that no event loop is left running for tests that use the ORM."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=ARGUMENTS
        )
        yield browser
        browser.close()


@dataclass
class Visitor:
    """A fresh browser profile; whatever the browser complains about is kept."""

    browser: Any
    server: str
    complaints: list[str] = field(default_factory=list)
    contexts: list[Any] = field(default_factory=list)

    def page(self, **options: Any) -> Any:
        options = {"viewport": {"width": 1280, "height": 900}} | options
        context = self.browser.new_context(base_url=self.server, **options)
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page


@pytest.fixture
def visitor(browser, server) -> Iterator[Visitor]:
    visitor = Visitor(browser, server)
    yield visitor
    for context in visitor.contexts:
        context.close()
    assert visitor.complaints == []
