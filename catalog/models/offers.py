"""Rental offers."""

from django.db import models
from django.db.models import Q

from catalog.choices import OfferTerm, Transport
from catalog.models.components import Component
from catalog.models.fields import slug_field
from catalog.models.sources import Source


class RentalOffer(models.Model):
    """What is rented, on which terms, through which network."""

    slug = slug_field(unique=True)
    provider = models.CharField(max_length=80)
    instance = models.CharField(max_length=80)
    label = models.CharField(max_length=120)
    gpu = models.ForeignKey(Component, on_delete=models.PROTECT, related_name="+")
    gpus_per_instance = models.PositiveIntegerField()
    term = models.CharField(max_length=16, choices=OfferTerm)
    payment_option = models.CharField(max_length=40, blank=True, default="")
    region = models.CharField(max_length=40, blank=True, default="")
    commitment_months = models.PositiveIntegerField(default=0)
    billing_increment_h = models.FloatField(default=1.0)
    releases_when_idle = models.BooleanField()
    transport = models.CharField(max_length=12, choices=Transport)
    ports_per_instance = models.PositiveIntegerField()
    port_gbps = models.FloatField()
    scaleup_gpus = models.PositiveIntegerField(default=8)
    interruptions_per_node_day = models.FloatField(default=0.0)
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="+")
    network_source = models.ForeignKey(
        Source, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    note = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["provider", "slug"]
        constraints = [
            models.CheckConstraint(
                name="offer_sizes_are_positive",
                condition=Q(
                    gpus_per_instance__gte=1,
                    ports_per_instance__gte=1,
                    port_gbps__gt=0,
                    billing_increment_h__gt=0,
                    interruptions_per_node_day__gte=0,
                ),
            ),
        ]

    def __str__(self):
        return self.slug
