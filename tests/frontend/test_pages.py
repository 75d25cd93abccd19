"""Pages with a hand-made result: what a visitor sees and what they may do."""

from __future__ import annotations

import json
import uuid
from html.parser import HTMLParser

import pytest
from django.core.cache import cache
from django.urls import reverse

from calculator.models import Comparison, Job, ShareLink
from calculator.spec import examples_index
from calculator.spec.problems import validate_comparison
from frontend.forms import binding, state

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("faked")]


class Page(HTMLParser):
    """Ids, the references to them, and the text of a page."""

    def __init__(self, response):
        super().__init__()
        self.ids: list[str] = []
        self.references: set[str] = set()
        self.inline: list[str] = []
        self.labelled: set[str] = set()
        self.controls: set[str] = set()
        self.text = ""
        self.feed(response.content.decode())

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if "id" in found:
            self.ids.append(found["id"])
        for name in ("aria-describedby", "aria-labelledby", "popovertarget"):
            self.references.update((found.get(name) or "").split())
        if tag == "label" and "for" in found:
            self.labelled.add(found["for"])
        if tag in {"input", "select", "textarea"} and found.get("type") not in {
            "hidden", "radio", "checkbox",
        }:  # fmt: skip
            self.controls.add(found.get("id", ""))
        is_code = tag == "script" and found.get("type") != "application/json"
        if "style" in found or tag == "style" or (is_code and "src" not in found):
            self.inline.append(self.get_starttag_text())

    def handle_data(self, data):
        self.text += data


def reference() -> dict:
    document = examples_index.load("reference")
    return validate_comparison(document).model_dump(mode="json")


def posted(**changes) -> dict[str, list[str]]:
    return binding.to_posted(reference()) | changes


def energy(value: str) -> dict[str, list[str]]:
    return {"/assumptions/facility/energy_price_usd_per_kwh": [value]}


@pytest.fixture
def save(client, django_capture_on_commit_callbacks):
    """Save the posted form, its job run at once."""

    def act(fields: dict[str, list[str]]):
        with django_capture_on_commit_callbacks(execute=True):
            return client.post(reverse("comparison-create"), fields)

    return act


@pytest.fixture
def saved(save) -> Comparison:
    save(posted())
    return Comparison.objects.get()


@pytest.mark.parametrize("address", ["/", "/quote/", "/quote/?example=nodes-16"])
def test_pages_answer_and_hold_no_inline_code_or_style(client, address):
    response = client.get(address)
    assert response.status_code == 200
    page = Page(response)
    assert page.inline == []
    assert len(page.ids) == len(set(page.ids))
    assert page.references <= set(page.ids)
    assert page.controls <= page.labelled


def test_the_policy_allows_no_inline_code(client):
    policy = client.get("/")["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_start_page_answers_at_once_and_offers_every_example(client):
    page = Page(client.get("/"))
    assert "is cheapest" in page.text
    for name in examples_index.names():
        assert examples_index.load(name)["name"] in page.text


@pytest.mark.parametrize("name", examples_index.names())
def test_every_example_opens_as_a_finished_comparison(client, name):
    response = client.get("/quote/", {"example": name})
    assert response.status_code == 200
    assert response.context["report"] is not None
    assert response.context["problems"] == []


def test_a_preview_answers_with_the_new_cost_and_an_address_that_holds_the_state(
    client,
):
    before = client.post(reverse("quote-preview"), posted())
    after = client.post(reverse("quote-preview"), posted() | energy("0.5"))
    assert after.status_code == 200
    cost = [r.context["report"].rows[0].cells[0].text for r in (before, after)]
    assert cost[0] != cost[1]
    again = client.get(after["HX-Replace-Url"])
    assert again.context["report"].rows[0].cells[0].text == cost[1]


def test_a_bad_preview_keeps_the_result_and_names_the_field(client):
    response = client.post(reverse("quote-preview"), posted() | energy("-1"))
    assert response.status_code == 200
    assert response["HX-Reswap"] == "none"
    assert "HX-Replace-Url" not in response
    page = response.content.decode()
    assert 'href="#f--assumptions--facility--energy_price_usd_per_kwh"' in page
    assert "Energy price must be at least 0" in page


def test_without_javascript_bad_input_keeps_what_was_typed_and_the_last_result(client):
    code = state.encode(binding.without_defaults(reference()))
    response = client.post("/quote/", posted(last=[code]) | energy("lots"))
    assert response.status_code == 422
    page = response.content.decode()
    assert 'value="lots"' in page
    assert 'aria-invalid="true"' in page
    assert response.context["report"] is not None
    assert response.context["has_last_good"]


def test_without_javascript_a_good_post_leads_to_its_own_address(client):
    response = client.post("/quote/", posted(action=["recalculate"]) | energy("0.3"))
    assert response.status_code == 303
    page = client.get(response["Location"])
    assert 'value="0.3"' in page.content.decode()


@pytest.mark.parametrize(
    ("action", "n_alternatives"),
    [("add:rent", 4), ("copy:rent-p5", 4), ("remove:rent-p5", 2), ("later:rent-p5", 3)],
)
def test_buttons_change_the_alternatives(client, action, n_alternatives):
    response = client.post("/quote/", posted(action=[action]))
    page = client.get(response["Location"])
    assert len(page.context["form"].alternatives) == n_alternatives
    assert page.context["problems"] == []


def test_changing_alternatives_loses_no_bad_input(client):
    fields = posted(action=["copy:rent-p5"]) | energy("lots")
    page = client.get(client.post("/quote/", fields)["Location"])
    assert 'value="lots"' in page.content.decode()
    assert len(page.context["form"].alternatives) == 4


@pytest.mark.parametrize("code", ["x", "eJw", "A" * 5000])
def test_a_damaged_link_says_so(client, code):
    response = client.get("/quote/", {"d": code})
    assert response.status_code == 400
    assert b"cannot be read" in response.content


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"alternatives": []},
        {"alternatives": {"a": None}},
        {"alternatives": {"a": {"kind": "steal"}}, "workload": 3, "order": "x"},
        {"alternatives": {"../x": {"kind": "own", "fabric": []}}, "name": ["n"]},
    ],
)
def test_a_strange_link_never_breaks_the_page(client, document):
    response = client.get("/quote/", {"d": state.encode(document)})
    assert response.status_code in {200, 400}
    assert response.status_code == 400 or response.context["problems"]


def test_a_short_link_to_hundreds_of_alternatives_is_refused(client):
    options = {f"a{number}": {"kind": "own"} for number in range(200)}
    code = state.encode({"alternatives": options})
    response = client.get("/quote/", {"d": code})
    assert response.status_code == 400
    assert "too many alternatives" in response.content.decode()


@pytest.mark.parametrize(
    "query",
    ["example=none", "from=none", f"from={uuid.UUID(int=7)}", "share=none"],
)
def test_an_unknown_start_is_not_found(client, query):
    assert client.get(f"/quote/?{query}").status_code == 404


def test_empty_posts_are_explained_not_broken(client):
    assert client.post("/quote/", {}).status_code == 422
    assert client.post(reverse("quote-preview"), {}).status_code == 200
    assert client.post(reverse("comparison-create"), {}).status_code == 422
    assert not Job.objects.exists()


def test_saving_makes_a_job_and_leads_to_the_comparison(client, save):
    response = client.get(save(posted())["Location"], follow=True)
    job = Job.objects.get()
    assert job.state == "succeeded"
    address = reverse("comparison-detail", args=[job.comparison_id])
    assert response.redirect_chain[-1][0] == address
    page = Page(response)
    for identity in (job.comparison.result_hash, job.comparison.spec_hash):
        assert identity in page.text
    assert page.inline == []
    assert page.references <= set(page.ids)


def test_a_saved_comparison_is_listed_at_the_start(client, saved):
    assert (
        reverse("comparison-detail", args=[saved.id])
        in client.get("/").content.decode()
    )


def test_bad_input_is_never_saved(client):
    response = client.post(reverse("comparison-create"), posted() | energy("-1"))
    assert response.status_code == 422
    assert not Job.objects.exists()


def test_a_stranger_finds_neither_comparison_nor_job(client, saved, django_user_model):
    from django.test import Client

    stranger = Client()
    job = Job.objects.get()
    for address in (
        reverse("comparison-detail", args=[saved.id]),
        reverse("comparison-figure", args=[saved.id, "stacked_cost"]),
        reverse("job-detail", args=[job.id]),
        reverse("job-status", args=[job.id]),
    ):
        assert stranger.get(address).status_code == 404
    assert stranger.post(reverse("share-create", args=[saved.id])).status_code == 404
    assert not ShareLink.objects.exists()


def test_copy_and_edit_opens_the_same_inputs(client, saved):
    page = client.get("/quote/", {"from": str(saved.id)})
    assert page.context["form"].about[0].value == saved.name


@pytest.mark.parametrize("name", ["stacked_cost", "step_time", "cumulative_cost"])
def test_charts_of_a_comparison_come_as_svg(client, saved, name):
    response = client.get(reverse("comparison-figure", args=[saved.id, name]))
    assert response["Content-Type"] == "image/svg+xml"
    assert response.content.startswith(b"<svg")


def test_an_unknown_chart_is_not_found(client, saved):
    response = client.get(reverse("comparison-figure", args=[saved.id, "nothing"]))
    assert response.status_code == 404


@pytest.fixture
def link(client, saved) -> ShareLink:
    client.post(reverse("share-create", args=[saved.id]), {"expires_in_days": "30"})
    return ShareLink.objects.get()


def test_a_share_link_is_shown_and_opens_for_anyone(client, saved, link):
    from django.test import Client

    assert link.expires_at is not None
    address = reverse("shared-detail", args=[link.token])
    detail = client.get(reverse("comparison-detail", args=[saved.id]))
    assert f"http://testserver{address}" in detail.content.decode()
    response = Client().get(address)
    assert response.status_code == 200
    assert response["X-Robots-Tag"] == "noindex, nofollow"
    assert response["Referrer-Policy"] == "no-referrer"
    assert "Set-Cookie" not in response.headers
    assert str(saved.id) not in response.content.decode()
    assert saved.result_hash in response.content.decode()


def test_a_shared_page_is_answered_from_the_readers_cache(client, link):
    address = reverse("shared-detail", args=[link.token])
    etag = client.get(address)["ETag"]
    response = client.get(address, headers={"If-None-Match": etag})
    assert response.status_code == 304
    assert response["Referrer-Policy"] == "no-referrer"


def test_a_revoked_or_unknown_link_is_a_friendly_404(client, saved, link):
    address = reverse("shared-detail", args=[link.token])
    client.post(reverse("share-revoke", args=[saved.id]), {"token": link.token})
    for gone in (address, reverse("shared-detail", args=["nobody"])):
        response = client.get(gone)
        assert response.status_code == 404
        assert b"does not open a comparison" in response.content
        assert response["X-Robots-Tag"] == "noindex, nofollow"
    figure = reverse("shared-figure", args=[link.token, "step_time"])
    assert client.get(figure).status_code == 404


def test_an_expired_link_is_gone(client, link):
    from datetime import timedelta

    from django.utils import timezone

    ShareLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert client.get(reverse("shared-detail", args=[link.token])).status_code == 404


def test_a_shared_comparison_can_be_copied(client, link):
    page = client.get("/quote/", {"share": link.token})
    assert page.context["report"] is not None


@pytest.mark.parametrize(
    ("state_name", "words"),
    [
        ("queued", "Waiting"),
        ("running", "Computing"),
        ("failed", "worker stopped"),
        ("cancelled", "Nothing was saved"),
    ],
)
def test_each_state_of_a_job_is_told(client, saved, state_name, words):
    job = Job.objects.get()
    Job.objects.update(
        state=state_name, comparison=None, error_message="its worker stopped"
    )
    for name in ("job-detail", "job-status"):
        assert words in Page(client.get(reverse(name, args=[job.id]))).text


def test_a_finished_job_leads_on(client, saved):
    job = Job.objects.get()
    address = reverse("comparison-detail", args=[saved.id])
    assert client.get(reverse("job-detail", args=[job.id]))["Location"] == address
    assert client.get(reverse("job-status", args=[job.id]))["HX-Redirect"] == address


def test_a_waiting_job_can_be_cancelled(client, saved):
    job = Job.objects.get()
    Job.objects.update(state="queued", comparison=None, finished_at=None)
    client.post(reverse("job-cancel", args=[job.id]))
    job.refresh_from_db()
    assert job.state == "cancelled"


def test_reading_addresses_refuse_writing_and_the_reverse(client, saved):
    assert client.post("/").status_code == 405
    assert client.get(reverse("quote-preview")).status_code == 405
    assert client.get(reverse("comparison-create")).status_code == 405


def test_posts_need_their_cookie(saved):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    response = strict.post("/quote/", posted())
    assert response.status_code == 403
    assert b"grown old" in response.content


@pytest.mark.parametrize(
    "address", ["/nowhere/", "/methodology/nothing/", "/methodology/../x/"]
)
def test_not_found_looks_like_the_product(client, address):
    response = client.get(address)
    assert response.status_code == 404
    assert b"ClusterQuote" in response.content


def test_the_error_page_needs_nothing(client):
    from django.template.loader import render_to_string

    assert "Nothing of yours was lost" in render_to_string("500.html")


def test_hostile_text_stays_text(client):
    evil = "</script><img src=x onerror=alert(1)>"
    fields = posted() | {
        "/name": [evil],
        "/alternatives/rent-p5/label": [evil],
    }
    response = client.post(reverse("quote-preview"), fields)
    page = client.get(response["HX-Replace-Url"])
    for content in (response.content, page.content):
        assert b"<img src=x" not in content
        assert b"</script><img" not in content


def test_figures_reach_the_browser_as_data(client):
    response = client.get("/quote/")
    html = response.content.decode()
    begin = html.index('<script id="payload-stacked_cost" type="application/json">')
    block = html[html.index(">", begin) + 1 : html.index("</script>", begin)]
    payload = json.loads(block)
    assert payload["spec"]["data"] == {"name": "table"}
    assert payload["records"]


@pytest.fixture(autouse=True)
def _no_cache_between_tests():
    cache.clear()
