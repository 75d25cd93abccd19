"""Static files of the product: what packages bring and no page uses is left out."""

from django.contrib.staticfiles.apps import StaticFilesConfig


class ProductStaticFiles(StaticFilesConfig):
    """Collect our files, htmx, the back office and the API's page."""

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "redoc*",
        "rest_framework",
        "*.js.map",
        "swagger-ui-es-*",
    ]
