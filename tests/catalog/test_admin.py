"""The admin shows the catalog and changes nothing."""

import pytest

from catalog.models import NodeDesign, PriceQuote

pytestmark = pytest.mark.django_db

PAGES = (
    "component",
    "fxrate",
    "modelshape",
    "nodedesign",
    "pricebook",
    "pricequote",
    "rentaloffer",
    "source",
)


@pytest.fixture(autouse=True)
def _plain_static_files(settings):
    """Serve pages without collected files: this is about the tables."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    settings.MIDDLEWARE = [m for m in settings.MIDDLEWARE if "whitenoise" not in m]


@pytest.mark.parametrize("page", PAGES)
def test_every_table_is_listed(admin_client, page):
    assert admin_client.get(f"/admin/catalog/{page}/").status_code == 200


def test_a_quote_is_shown_but_not_editable(admin_client):
    quote = PriceQuote.objects.get(item="qm9700")
    address = f"/admin/catalog/pricequote/{quote.pk}/change/"
    page = admin_client.get(address)
    assert page.status_code == 200
    assert b'name="mid"' not in page.content
    assert admin_client.post(address, {"mid": "1"}).status_code == 403


def test_a_design_shows_its_lines(admin_client):
    design = NodeDesign.objects.get(slug="hgx-h100-parts")
    page = admin_client.get(f"/admin/catalog/nodedesign/{design.pk}/change/")
    assert b"hgx-h100-baseboard" in page.content
