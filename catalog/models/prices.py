"""Price books and their append-only quotes, and exchange rates."""

from django.db import models
from django.db.models import F, Q

from catalog.choices import Confidence, ItemKind, PriceUnit
from catalog.models.fields import money_field, slug_field
from catalog.models.sources import Source


class AppendOnlyError(Exception):
    """Somebody tried to change a quote; a correction is a new quote that supersedes."""


class PriceBook(models.Model):
    """A named, dated collection of quotes."""

    slug = slug_field(unique=True)
    title = models.CharField(max_length=120)
    as_of = models.DateField(help_text="Day the book is meant for.")
    description = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["-as_of", "slug"]

    def __str__(self):
        return self.slug


class QuoteQuerySet(models.QuerySet):
    """Query set that adds and reads quotes but never changes one."""

    def update(self, **kwargs):
        """Refuse."""
        raise AppendOnlyError("Price quotes are append-only: add one that supersedes.")

    def bulk_update(self, objs, fields, batch_size=None):
        """Refuse."""
        raise AppendOnlyError("Price quotes are append-only: add one that supersedes.")

    def bulk_create(self, objs, *args, update_conflicts=False, **kwargs):
        """Add quotes; refuse the form that would overwrite."""
        if update_conflicts:
            raise AppendOnlyError(
                "Price quotes are append-only: add one that supersedes."
            )
        return super().bulk_create(objs, *args, **kwargs)

    def in_force(self, as_of):
        """Keep quotes in effect on ``as_of`` that no other quote supersedes."""
        return self.filter(
            Q(effective_from__isnull=True) | Q(effective_from__lte=as_of),
            Q(effective_to__isnull=True) | Q(effective_to__gte=as_of),
            superseded_by__isnull=True,
            is_withdrawn=False,
        )


class PriceQuote(models.Model):
    """What somebody asked for an item at a time. Never updated, only superseded."""

    quote_id = models.CharField(max_length=16, unique=True)
    content_hash = models.CharField(max_length=64, editable=False)
    price_book = models.ForeignKey(
        PriceBook, on_delete=models.PROTECT, related_name="quotes"
    )
    item_kind = models.CharField(max_length=12, choices=ItemKind)
    item = slug_field(db_index=True)
    low = money_field()
    mid = money_field()
    high = money_field()
    currency = models.CharField(max_length=3, default="USD")
    unit = models.CharField(max_length=16, choices=PriceUnit)
    region = models.CharField(max_length=40, blank=True, default="")
    min_quantity = models.PositiveIntegerField(default=1)
    payment_option = models.CharField(max_length=40, blank=True, default="")
    effective_from = models.DateField(null=True, blank=True)
    effective_to = models.DateField(null=True, blank=True)
    observed_on = models.CharField(max_length=24, blank=True, default="")
    confidence = models.CharField(max_length=12, choices=Confidence)
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="+")
    supersedes = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="superseded_by",
    )
    is_withdrawn = models.BooleanField(
        default=False, help_text="Ends what it supersedes without another price."
    )
    note = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = QuoteQuerySet.as_manager()

    class Meta:
        ordering = ["item", "-effective_from", "quote_id"]
        constraints = [
            models.CheckConstraint(
                name="quote_low_mid_high_in_order",
                condition=(Q(low__isnull=True) | Q(low__lte=F("mid")))
                & (Q(high__isnull=True) | Q(high__gte=F("mid"))),
            ),
            models.CheckConstraint(
                name="quote_unknown_has_no_range",
                condition=Q(mid__isnull=False) | Q(low__isnull=True, high__isnull=True),
            ),
            models.CheckConstraint(
                name="quote_withdrawn_has_no_price",
                condition=Q(is_withdrawn=False)
                | Q(mid__isnull=True, supersedes__isnull=False),
            ),
            models.CheckConstraint(
                name="quote_is_not_negative",
                condition=(Q(low__isnull=True) | Q(low__gte=0))
                & (Q(mid__isnull=True) | Q(mid__gte=0)),
            ),
            models.CheckConstraint(
                name="quote_effective_range_in_order",
                condition=Q(effective_from__isnull=True)
                | Q(effective_to__isnull=True)
                | Q(effective_to__gte=F("effective_from")),
            ),
            models.CheckConstraint(
                name="quote_min_quantity_from_one", condition=Q(min_quantity__gte=1)
            ),
        ]

    def __str__(self):
        return f"{self.item} {self.quote_id}"

    def save(self, *args, **kwargs):
        """Add a new quote; refuse to write an existing one again."""
        if not self._state.adding:
            raise AppendOnlyError(
                "Price quotes are append-only: add one that supersedes."
            )
        super().save(*args, **kwargs)


class FxRate(models.Model):
    """Units of the reporting currency for one unit of a currency on a day."""

    currency = models.CharField(max_length=3)
    reporting = models.CharField(max_length=3, default="USD")
    rate = models.DecimalField(max_digits=15, decimal_places=6)
    observed_on = models.DateField()
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["currency", "-observed_on"]
        constraints = [
            models.UniqueConstraint(
                name="one_fx_rate_a_day",
                fields=["currency", "reporting", "observed_on"],
            ),
            models.CheckConstraint(name="fx_rate_is_positive", condition=Q(rate__gt=0)),
        ]

    def __str__(self):
        return f"{self.currency}/{self.reporting} {self.observed_on}"
