"""Copies of the bundled price book that tests may spoil."""

import csv
import shutil

from catalog.services.importing import BUNDLED_FOLDER


def copy_of_bundled(tmp_path):
    """Copy the bundled folder."""
    folder = tmp_path / "book"
    shutil.copytree(BUNDLED_FOLDER, folder)
    return folder


def rows_of(folder, name):
    with (folder / name).open(newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


def rewrite(folder, name, rows):
    with (folder / name).open("w", newline="", encoding="utf-8") as handle:
        writer = csv.DictWriter(handle, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def change(folder, file, match, **cells):
    """Change cells of the first row whose cells equal ``match``; return its row number."""
    rows = rows_of(folder, file)
    for number, row in enumerate(rows, start=2):
        if all(row[column] == value for column, value in match.items()):
            row.update(cells)
            rewrite(folder, file, rows)
            return number
    raise LookupError(match)
