#!/usr/bin/env python
"""Entry point of every command."""

import os
import sys


def main() -> None:
    """Run the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calculator.config.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit(
            "Django is not installed in this Python: use `make run` or `make test`."
        )
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
