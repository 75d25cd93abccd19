"""Static files under hashed names, ES-module imports rewritten to them."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage with module imports rewritten (off by default in Django)."""

    support_js_module_import_aggregation = True
