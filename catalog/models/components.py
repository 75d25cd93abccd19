"""Parts and rates: what can be priced."""

from django.core.exceptions import ValidationError
from django.db import models
from pydantic import ValidationError as SchemaError

from catalog.attributes import validate_attributes
from catalog.choices import ComponentKind
from catalog.models.fields import slug_field
from catalog.models.sources import Source


class Component(models.Model):
    """A part with attributes typed by its kind, or a rate such as an energy price."""

    slug = slug_field(unique=True)
    kind = models.CharField(max_length=16, choices=ComponentKind, db_index=True)
    name = models.CharField(max_length=120)
    manufacturer = models.CharField(max_length=80, blank=True, default="")
    part_number = models.CharField(max_length=80, blank=True, default="")
    attributes = models.JSONField(default=dict, blank=True)
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="+")
    note = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["kind", "slug"]

    def __str__(self):
        return self.slug

    def clean(self):
        """Refuse attributes that the schema of this kind does not know."""
        try:
            validate_attributes(self.kind, self.attributes)
        except SchemaError as error:
            problems = [
                f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()
            ]
            raise ValidationError({"attributes": problems}) from error
