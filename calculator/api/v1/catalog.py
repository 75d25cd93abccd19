"""Catalog reads: what can be bought and rented, what it costs, and who says so."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django_filters import FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_view
from pydantic import BaseModel

from calculator.api import filters
from calculator.api.base import ApiView, json_response
from calculator.api.pagination import PAGING, Pages
from calculator.api.v1 import catalog_rows as cr
from catalog import documents as cd
from catalog import selectors
from catalog.models import PriceBook, PriceQuote, Source
from catalog.services import rows


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table of the catalog, as the API serves it."""

    singular: str
    rows: Callable[[], QuerySet]
    present: Callable[[Any], BaseModel]
    row: type[BaseModel]
    page: type[cr.Page]
    filters: type[FilterSet] = FilterSet
    key: str = "slug"
    ordering: tuple[str, ...] = ("slug",)


def _quotes() -> QuerySet[PriceQuote]:
    return PriceQuote.objects.select_related("source", "price_book", "supersedes")


TABLES = {
    "components": Table(
        singular="component",
        rows=selectors.component_list,
        present=rows.component_row,
        row=cd.ComponentRow,
        page=cr.ComponentPage,
        filters=filters.ComponentFilters,
    ),
    "offers": Table(
        singular="offer",
        rows=selectors.offer_list,
        present=rows.offer_row,
        row=cd.OfferRow,
        page=cr.OfferPage,
        filters=filters.OfferFilters,
    ),
    "designs": Table(
        singular="design",
        rows=selectors.design_list,
        present=rows.design_row,
        row=cd.DesignRow,
        page=cr.DesignPage,
        filters=filters.DesignFilters,
    ),
    "models": Table(
        singular="model",
        rows=selectors.model_list,
        present=rows.model_row,
        row=cd.ModelRow,
        page=cr.ModelPage,
        filters=filters.ModelFilters,
    ),
    "quotes": Table(
        singular="quote",
        rows=_quotes,
        present=cr.quote_row,
        row=cr.QuoteRow,
        page=cr.QuotePage,
        filters=filters.QuoteFilters,
        key="quote_id",
        ordering=("item", "quote_id"),
    ),
    "sources": Table(
        singular="source",
        rows=Source.objects.all,
        present=rows.source_row,
        row=cd.SourceRow,
        page=cr.SourcePage,
        filters=filters.SourceFilters,
    ),
    "price-books": Table(
        singular="price book",
        rows=PriceBook.objects.all,
        present=cr.price_book_row,
        row=cr.PriceBookRow,
        page=cr.PriceBookPage,
    ),
}


class CatalogView(ApiView):
    """What the views of all tables share."""

    table: Table


class CatalogList(CatalogView):
    """One list, in pages by cursor."""

    def known_parameters(self) -> frozenset[str]:
        """Paging and the list's own filters."""
        return frozenset({"cursor", "page_size", *self.table.filters.base_filters})

    def get(self, request):
        """Rows in a stable order."""
        table = self.table
        found = filters.filtered(table.filters, request.query_params, table.rows())
        pages = Pages()
        pages.ordering = table.ordering
        page = pages.paginate_queryset(found, request, self)
        document = table.page(
            next=pages.get_next_link(),
            previous=pages.get_previous_link(),
            results=[table.present(row) for row in page],
        )
        return json_response(document)


class CatalogDetail(CatalogView):
    """One row."""

    def get(self, request, **key: str):
        """Answer with the row of that name."""
        row = self.table.rows().filter(**key).first()
        if row is None:
            raise Http404
        return json_response(self.table.present(row))


def list_view(plural: str) -> Callable:
    """View of a table's list."""
    table = TABLES[plural]
    described = extend_schema_view(
        get=extend_schema(
            operation_id=f"{table.singular.replace(' ', '_')}_list",
            tags=["catalog"],
            summary=f"List {plural.replace('-', ' ')}",
            parameters=[*PAGING, *filters.parameters_of(table.filters)],
            responses={200: table.page},
        )
    )
    return described(_named(CatalogList, table)).as_view()


def detail_view(plural: str) -> Callable:
    """View of one row of a table."""
    table = TABLES[plural]
    described = extend_schema_view(
        get=extend_schema(
            operation_id=f"{table.singular.replace(' ', '_')}_read",
            tags=["catalog"],
            summary=f"Read one {table.singular}",
            responses={200: table.row},
        )
    )
    return described(_named(CatalogDetail, table)).as_view()


def _named(base: type[CatalogView], table: Table) -> type[CatalogView]:
    """Subclass per table, because the description hangs on the class."""
    return type(f"{table.row.__name__}{base.__name__}", (base,), {"table": table})
