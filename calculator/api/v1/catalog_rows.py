"""Documents of the catalog's rows and pages, and how rows become documents."""

from datetime import date, datetime

from calculator.api.documents import Document
from catalog import documents as cd
from catalog.models import PriceBook, PriceQuote
from catalog.services import rows


class PriceBookRow(Document):
    """A named, dated collection of quotes."""

    slug: str
    title: str
    as_of: date
    description: str


class QuoteRow(cd.PriceRow):
    """One quote. A price that nobody published is null, never zero."""

    supersedes: str | None
    created_at: datetime


class Page(Document):
    """A page of any list; ``next`` and ``previous`` are addresses."""

    next: str | None
    previous: str | None


class ComponentPage(Page):
    """A page of components."""

    results: list[cd.ComponentRow]


class OfferPage(Page):
    """A page of rental offers."""

    results: list[cd.OfferRow]


class DesignPage(Page):
    """A page of node designs."""

    results: list[cd.DesignRow]


class ModelPage(Page):
    """A page of model shapes."""

    results: list[cd.ModelRow]


class SourcePage(Page):
    """A page of sources."""

    results: list[cd.SourceRow]


class PriceBookPage(Page):
    """A page of price books."""

    results: list[PriceBookRow]


class QuotePage(Page):
    """A page of quotes."""

    results: list[QuoteRow]


def quote_row(quote: PriceQuote) -> QuoteRow:
    """Present a quote; its source, book and predecessor must be joined."""
    row = rows.price_row(quote, label=quote.item, category=quote.item_kind)
    return QuoteRow(
        **row.model_dump(),
        supersedes=quote.supersedes.quote_id if quote.supersedes else None,
        created_at=quote.created_at,
    )


def price_book_row(book: PriceBook) -> PriceBookRow:
    """Present a price book."""
    return PriceBookRow(
        slug=book.slug, title=book.title, as_of=book.as_of, description=book.description
    )
