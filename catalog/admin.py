"""The catalog in the admin: to read. Quotes arrive from price-book folders only."""

from django.contrib import admin

from catalog.models import (
    BomLine,
    Component,
    FxRate,
    ModelShape,
    NodeDesign,
    PriceBook,
    PriceQuote,
    RentalOffer,
    Source,
)


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows come from price-book folders; the admin shows them."""

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


@admin.register(PriceQuote)
class PriceQuoteAdmin(ReadOnlyAdmin):
    list_display = (
        "item",
        "low",
        "mid",
        "high",
        "currency",
        "unit",
        "effective_from",
        "effective_to",
        "confidence",
        "source",
        "price_book",
    )
    list_filter = ("price_book", "confidence", "item_kind", "unit")
    list_select_related = ("source", "price_book")
    search_fields = ("item", "quote_id", "note")


@admin.register(Component)
class ComponentAdmin(ReadOnlyAdmin):
    list_display = ("slug", "kind", "name", "manufacturer", "part_number", "source")
    list_filter = ("kind",)
    list_select_related = ("source",)
    search_fields = ("slug", "name", "part_number")


class BomLineInline(admin.TabularInline):
    model = BomLine


@admin.register(NodeDesign)
class NodeDesignAdmin(ReadOnlyAdmin):
    list_display = ("slug", "name", "gpu", "gpus_per_node", "rated_kw", "price_book")
    list_select_related = ("gpu", "price_book")
    inlines = (BomLineInline,)


@admin.register(RentalOffer)
class RentalOfferAdmin(ReadOnlyAdmin):
    list_display = (
        "slug",
        "provider",
        "instance",
        "gpu",
        "term",
        "region",
        "transport",
    )
    list_filter = ("provider", "term")
    list_select_related = ("gpu",)
    search_fields = ("slug", "label")


@admin.register(ModelShape)
class ModelShapeAdmin(ReadOnlyAdmin):
    list_display = ("slug", "name", "layers", "hidden", "n_experts", "source")
    list_select_related = ("source",)


@admin.register(Source)
class SourceAdmin(ReadOnlyAdmin):
    list_display = ("slug", "kind", "publisher", "title", "retrieved_on")
    list_filter = ("kind",)
    search_fields = ("slug", "publisher", "title", "reference")


@admin.register(PriceBook)
class PriceBookAdmin(ReadOnlyAdmin):
    list_display = ("slug", "title", "as_of")


@admin.register(FxRate)
class FxRateAdmin(ReadOnlyAdmin):
    list_display = ("currency", "reporting", "rate", "observed_on", "source")
    list_select_related = ("source",)
