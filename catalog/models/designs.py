"""Node designs and their parts."""

from django.db import models
from django.db.models import F, Q

from catalog.models.components import Component
from catalog.models.fields import slug_field
from catalog.models.prices import PriceBook
from catalog.models.sources import Source


class NodeDesign(models.Model):
    """One node: its GPUs, fabric ports, power, room and parts."""

    slug = slug_field(unique=True)
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True, default="")
    gpu = models.ForeignKey(Component, on_delete=models.PROTECT, related_name="+")
    gpus_per_node = models.PositiveIntegerField()
    default_ports_per_node = models.PositiveIntegerField()
    default_port_gbps = models.FloatField()
    rated_kw = models.FloatField()
    mean_training_kw = models.FloatField()
    idle_kw = models.FloatField()
    rack_units = models.FloatField()
    is_liquid_cooled = models.BooleanField(default=False)
    includes_nics = models.BooleanField(default=False)
    price_book = models.ForeignKey(
        PriceBook, on_delete=models.PROTECT, related_name="+"
    )
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="+")
    power_source = models.ForeignKey(
        Source, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    note = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(
                name="design_power_in_order",
                condition=Q(
                    idle_kw__gt=0,
                    mean_training_kw__gte=F("idle_kw"),
                    rated_kw__gte=F("mean_training_kw"),
                ),
            ),
            models.CheckConstraint(
                name="design_has_gpus_and_room",
                condition=Q(gpus_per_node__gte=1, rack_units__gt=0),
            ),
        ]

    def __str__(self):
        return self.slug


class BomLine(models.Model):
    """A component of a node and how many of it one node holds."""

    design = models.ForeignKey(
        NodeDesign, on_delete=models.CASCADE, related_name="lines"
    )
    position = models.PositiveSmallIntegerField()
    component = models.ForeignKey(Component, on_delete=models.PROTECT, related_name="+")
    quantity = models.FloatField()
    note = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["design", "position"]
        constraints = [
            models.UniqueConstraint(
                name="design_lists_a_component_once", fields=["design", "component"]
            ),
            models.CheckConstraint(
                name="bom_quantity_is_positive", condition=Q(quantity__gt=0)
            ),
        ]

    def __str__(self):
        return f"{self.design_id}: {self.quantity:g} x {self.component_id}"
