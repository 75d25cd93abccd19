"""Who says so."""

from django.db import models

from catalog.choices import SourceKind
from catalog.models.fields import slug_field


class Source(models.Model):
    """A publication, feed, measurement or plain assumption that a number rests on."""

    slug = slug_field(unique=True)
    kind = models.CharField(max_length=16, choices=SourceKind)
    publisher = models.CharField(max_length=120)
    title = models.CharField(max_length=240)
    reference = models.TextField(help_text="Citation, address or document identity.")
    retrieved_on = models.DateField(null=True, blank=True)
    note = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["slug"]

    def __str__(self):
        return self.slug
