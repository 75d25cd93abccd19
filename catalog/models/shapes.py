"""Published model shapes."""

from django.db import models

from catalog.models.fields import slug_field
from catalog.models.sources import Source


class ModelShape(models.Model):
    """A decoder-only transformer, dense (``n_experts`` 0) or mixture of experts."""

    slug = slug_field(unique=True)
    name = models.CharField(max_length=120)
    layers = models.PositiveIntegerField()
    hidden = models.PositiveIntegerField()
    ffn = models.PositiveIntegerField()
    heads = models.PositiveIntegerField()
    kv_heads = models.PositiveIntegerField()
    head_dim = models.PositiveIntegerField()
    vocab = models.PositiveIntegerField()
    is_gated_mlp = models.BooleanField(default=True)
    is_tied_embedding = models.BooleanField(default=False)
    n_experts = models.PositiveIntegerField(default=0)
    experts_per_token = models.PositiveIntegerField(default=0)
    n_shared_experts = models.PositiveIntegerField(default=0)
    moe_ffn = models.PositiveIntegerField(default=0)
    dense_ffn_layers = models.PositiveIntegerField(default=0)
    mla_query_rank = models.PositiveIntegerField(default=0)
    mla_kv_rank = models.PositiveIntegerField(default=0)
    mla_rope_dim = models.PositiveIntegerField(default=0)
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="+")
    note = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["slug"]

    def __str__(self):
        return self.slug
