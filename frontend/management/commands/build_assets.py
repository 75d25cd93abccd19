"""Write the chart library out of its wheel into the generated static files."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import vl_convert
from django.conf import settings
from django.core.management.base import BaseCommand

from frontend.figures.base import VEGA_LITE_VERSION

FOLDER = Path("frontend") / "vendor"
BUNDLE, MARKER = "vega-bundle.js", "vega-bundle.version"


class Command(BaseCommand):
    help = (
        "Write the Vega bundle into the generated static files; quick when it is there."
    )

    def handle(self, *args, **options) -> None:
        folder = Path(settings.GENERATED_ASSETS_DIR) / FOLDER
        wanted = f"vl-convert {vl_convert.__version__}, vega-lite {VEGA_LITE_VERSION}"
        if _is_current(folder, wanted):
            return
        folder.mkdir(parents=True, exist_ok=True)
        _replace(folder / BUNDLE, chart_library())
        _replace(folder / MARKER, wanted)
        if options["verbosity"]:
            self.stdout.write(f"Wrote {folder / BUNDLE} ({wanted})")


def chart_library() -> str:
    """The bundle, made in a process of its own.

    The converter keeps threads of a JavaScript engine. A server that forks after they
    were started here would wait for them for ever.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
        made = apart.submit(vl_convert.javascript_bundle, vl_version=VEGA_LITE_VERSION)
        return made.result()


def _is_current(folder: Path, wanted: str) -> bool:
    marker = folder / MARKER
    return (
        (folder / BUNDLE).is_file()
        and marker.is_file()
        and marker.read_text() == wanted
    )


def _replace(file: Path, text: str) -> None:
    """Write beside and rename, so that nobody ever serves half a file."""
    part = file.with_suffix(file.suffix + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(file)
