"""What is trained: model, batch, precision, and how it may be split."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from calculator.spec import fields as f
from calculator.spec.base import Asked, Cited, Pinned, SpecModel


class CatalogModel(SpecModel):
    """A model shape from the catalog."""

    kind: Literal["catalog"]
    name: f.Slug = Asked("Model shape in the catalog.", choices="models")


class CustomModel(SpecModel):
    """A model shape typed in: a decoder-only transformer, dense or mixture of experts."""

    kind: Literal["custom"]
    label: f.Name = Asked("What to call it.")
    layers: f.Layers = Asked("Transformer layers.")
    hidden: f.Width = Asked("Hidden size.")
    ffn: f.Width = Asked("Width of the dense MLP.")
    heads: f.Heads = Asked("Attention heads.")
    kv_heads: f.Heads = Asked("Key-value heads; equal to the heads without grouping.")
    head_dim: f.HeadDim = Asked("Size of one head.")
    vocab: f.Vocab = Asked("Vocabulary size.")
    is_gated_mlp: bool = Cited(
        True, "Three MLP matrices (SwiGLU) instead of two.", source="llama3-herd"
    )
    is_tied_embedding: bool = Cited(
        False, "Input and output embedding share weights.", source="llama3-herd"
    )
    n_experts: f.Experts = Cited(
        0,
        "Routed experts a layer; 0 is dense.",
        source="planning-assumption",
        advanced=True,
    )
    experts_per_token: f.Experts = Cited(
        0,
        "Routed experts each token visits.",
        source="planning-assumption",
        advanced=True,
    )
    n_shared_experts: f.Experts = Cited(
        0,
        "Experts that every token visits.",
        source="planning-assumption",
        advanced=True,
    )
    moe_ffn: f.ExpertWidth = Cited(
        0, "Width of one expert.", source="planning-assumption", advanced=True
    )
    dense_ffn_layers: f.DenseLayers = Cited(
        0,
        "Layers of a mixture-of-experts model that keep a dense MLP.",
        source="planning-assumption",
        advanced=True,
    )
    mla_query_rank: f.Rank = Cited(
        0,
        "Rank of the query projection of latent attention; 0 for plain attention.",
        source="planning-assumption",
        advanced=True,
    )
    mla_kv_rank: f.Rank = Cited(
        0,
        "Rank of the key-value projection of latent attention.",
        source="planning-assumption",
        advanced=True,
    )
    mla_rope_dim: f.Rank = Cited(
        0,
        "Rotary part of a head in latent attention.",
        source="planning-assumption",
        advanced=True,
    )

    @model_validator(mode="after")
    def _shape_exists(self) -> Self:
        """Refuse shapes that no model has; each alone is within its bounds."""
        if self.heads % self.kv_heads:
            raise _impossible("kv_heads", f"divide the {self.heads} heads")
        if self.dense_ffn_layers > self.layers:
            raise _impossible("dense_ffn_layers", f"be at most {self.layers} layers")
        if self.experts_per_token > self.n_experts:
            raise _impossible(
                "experts_per_token", f"be at most the {self.n_experts} experts"
            )
        if self.n_experts and not self.experts_per_token:
            raise _impossible("experts_per_token", "be at least 1 where experts are")
        if self.n_experts and not self.moe_ffn:
            raise _impossible("moe_ffn", "be at least 1 where experts are")
        return self


def _impossible(field: str, bound: str) -> PydanticCustomError:
    return PydanticCustomError(
        "model_shape",
        "{field} must {bound}",
        {"field": field, "bound": bound, "pointer": f"/workload/model/{field}"},
    )


ModelChoice = Annotated[CatalogModel | CustomModel, Field(discriminator="kind")]


class StrategyChoice(SpecModel):
    """Parts of the parallel strategy that are fixed; what is absent is searched."""

    tp: f.Degree | None = Pinned("Tensor-parallel degree.")
    pp: f.Degree | None = Pinned("Pipeline-parallel degree.")
    vp: f.Chunks | None = Pinned("Model chunks per pipeline stage (interleaving).")
    cp: f.Degree | None = Pinned("Context-parallel degree.")
    ep: f.Degree | None = Pinned("Expert-parallel degree.")
    sharding: Literal["none", "zero1", "zero2", "zero3", "hsdp"] | None = Pinned(
        "What data-parallel ranks share: nothing, optimizer (zero1), also gradients "
        "(zero2), also parameters (zero3), or parameters inside a node only (hsdp)."
    )
    micro_batch_seqs: f.MicroBatch | None = Pinned("Sequences in one micro-batch.")
    recompute: Literal["none", "selective", "full"] | None = Pinned(
        "Activation recomputation."
    )


class Workload(SpecModel):
    """One training job; every alternative runs the same one."""

    model: ModelChoice = Asked("The model to train.")
    train_tokens_billions: f.BillionTokens = Cited(
        1400.0, "Tokens of one run; 20 per parameter for 70B.", source="chinchilla"
    )
    seq_len: f.Tokens = Cited(4096, "Tokens in one sequence.", source="llama2-paper")
    global_batch_seqs: f.Sequences = Cited(
        1024,
        "Sequences in one optimizer step, all GPUs together.",
        source="llama2-paper",
    )
    precision: Literal["bf16", "fp16", "fp8"] = Cited(
        "bf16", "Number format of the matrix products.", source="llama3-herd"
    )
    bytes_read_per_token: f.BytesPerToken = Cited(
        4.0,
        "Bytes read from shared storage for one token; 4 for pre-tokenised text.",
        source="planning-assumption",
        advanced=True,
    )
    slowest_gpu_slowdown_fraction: f.SlowdownFraction = Cited(
        0.0,
        "How much slower one GPU computes than the rest, on top of the measured spread; "
        "every step waits for it. 0.05 is one GPU 5 % slow.",
        source="planning-assumption",
        advanced=True,
    )
    stack_profile: f.ProfileId | None = Pinned(
        "Your own measurements that correct the speed model: the id of a calibration.",
        choices="stack-profiles",
    )
    strategy: StrategyChoice = Cited(
        StrategyChoice(),
        "Fixed parts of the parallel strategy; the fastest feasible fills the rest.",
        source="computed",
        advanced=True,
    )
