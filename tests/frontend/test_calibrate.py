"""The calibration page: paste or upload, see errors before and after, delete."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from calculator.engine.training.own_stack import OwnStack
from calculator.models import StackProfile
from frontend.views import calibrate
from tests.measured.own_rows import rows, table

pytestmark = pytest.mark.django_db

TEXT = table(rows(OwnStack(kernel_efficiency=0.8), sizes=(8, 64)))
START = reverse("calibrate")


def made(client, **fields):
    return client.post(START, {"name": "Ours", "csv": TEXT, **fields}, follow=True)


def test_pasted_rows_become_a_page_with_both_errors_chart_and_table(client):
    page = made(client)
    text = page.content.decode()
    assert page.status_code == 200
    assert "Errors before and after" in text
    assert "figure-calibration" in text
    assert "run 64" in text
    fit = StackProfile.objects.get().fit
    assert f"{fit['kernel_efficiency']:.3f}" in text


def test_an_uploaded_file_counts_like_pasted_text(client):
    upload = SimpleUploadedFile("runs.csv", ("\ufeff" + TEXT).encode())
    made(client, csv="", file=upload)
    assert StackProfile.objects.get().residuals[1]["id"] == "run 64"


@pytest.mark.parametrize(
    ("upload", "word"),
    [(b"\xff\xfe\x00", "UTF-8"), (b"x" * 200_001, "at most 200000")],
    ids=["binary", "large"],
)
def test_a_file_that_cannot_be_read_is_refused(client, upload, word):
    page = made(client, file=SimpleUploadedFile("runs.csv", upload))
    assert page.status_code == 422
    assert word in page.content.decode()


def test_a_refused_table_stays_in_the_form_beside_its_reason(client):
    page = made(client, csv="layers,<b>\n1,2\n")
    text = page.content.decode()
    assert page.status_code == 422
    assert "is not known" in text
    assert "layers,&lt;b&gt;" in text
    assert not StackProfile.objects.exists()


def test_the_example_on_the_page_works(client):
    assert "MPT-70b" in client.get(START, {"example": ""}).content.decode()
    page = made(client, csv=calibrate.EXAMPLE_CSV)
    assert page.status_code == 200
    assert StackProfile.objects.get().fit["n_fitted"] == 2


def test_a_calibration_is_its_visitors_own(client):
    address = made(client).redirect_chain[-1][0]
    assert client.get(address).status_code == 200
    client.cookies.clear()
    assert client.get(address).status_code == 404
    assert client.post(f"{address}delete/").status_code == 404
    assert "Ours" not in client.get(START).content.decode()


def test_it_is_listed_and_deleted(client):
    address = made(client).redirect_chain[-1][0]
    assert "Ours" in client.get(START).content.decode()
    assert client.post(f"{address}delete/", follow=True).status_code == 200
    assert client.get(address).status_code == 404
    assert not StackProfile.objects.exists()


def test_the_quote_form_offers_it_by_name(client, faked):
    made(client)
    profile = StackProfile.objects.get()
    text = client.get(reverse("quote-edit")).content.decode()
    assert f'<option value="{profile.pk}"' in text
    client.cookies.clear()
    assert str(profile.pk) not in client.get(reverse("quote-edit")).content.decode()


def test_a_fit_that_does_not_help_says_so(client):
    made(client)
    profile = StackProfile.objects.get()
    profile.fit = {**profile.fit, "left_out": {"median": 0.9, "largest": 0.9}}
    profile.save()
    page = client.get(reverse("calibrate-detail", args=[profile.pk]))
    assert "no better than the default model" in page.content.decode()
