"""Parameters and FLOP of a transformer: dense, mixture of experts, attention, recompute."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calculator.engine.numeric import Numeric
from calculator.engine.training.inputs import ModelShape
from calculator.engine.training.table import ModelColumns, model_columns

FLOP_PER_PARAMETER = 6.0
"""Forward 2 (multiply and add), backward 4."""


@dataclass(frozen=True, slots=True)
class ParameterColumns:
    """Parameter counts by what shards them.

    ``layer_shared`` is the mean layer without routed experts, ``layer_routed`` its
    routed experts, ``layer_routed_active`` those that one token passes; ``embedding``
    one vocabulary matrix, ``outside`` all that is not in a layer.
    """

    layer_shared: Numeric
    layer_routed: Numeric
    layer_routed_active: Numeric
    embedding: Numeric
    outside: Numeric
    total: Numeric
    active: Numeric


@dataclass(frozen=True, slots=True)
class ParameterCount:
    """Parameters of a model: all of them, and those that one token passes."""

    total: float
    active: float


def parameter_columns(m: ModelColumns) -> ParameterColumns:
    """Count parameters, vectorised over model columns.

    Biases and learned positions are left out: under 0.1 % of any model here.
    """
    norms = 2.0 * m.hidden
    attention = m.hidden * (m.qkv_out + m.q_dim)
    dense_mlp = m.ffn_matrices * m.hidden * m.ffn
    expert = m.ffn_matrices * m.hidden * m.moe_ffn
    moe_shared = expert * m.n_shared_experts + m.hidden * m.n_experts
    layer_shared = (
        attention
        + norms
        + (m.dense_layers * dense_mlp + m.moe_layers * moe_shared) / m.layers
    )
    moe_fraction = m.moe_layers / m.layers
    routed = expert * m.n_experts * moe_fraction
    routed_active = expert * m.experts_per_token * moe_fraction
    embedding = m.vocab * m.hidden
    outside = embedding * (2.0 - m.is_tied) + m.hidden
    return ParameterColumns(
        layer_shared=layer_shared,
        layer_routed=routed,
        layer_routed_active=routed_active,
        embedding=embedding,
        outside=outside,
        total=m.layers * (layer_shared + routed) + outside,
        active=m.layers * (layer_shared + routed_active) + outside,
    )


def n_parameters(model: ModelShape) -> ParameterCount:
    """Return total and active parameters of a model.

    Parameters
    ----------
    model : ModelShape
        The transformer; dense models have total equal to active.

    Returns
    -------
    ParameterCount
        Weights of projections, experts, router, norms, embedding and head.

    References
    ----------
    Published counts reproduced by the tests: Llama 2 70B (arXiv:2307.09288), GPT-3 175B
    (arXiv:2005.14165), Mixtral 8x7B (arXiv:2401.04088), DeepSeek-V3 (arXiv:2412.19437).
    """
    counts = parameter_columns(model_columns(model))
    return ParameterCount(total=float(counts.total), active=float(counts.active))


def attention_flop_per_token(m: ModelColumns, seq_len: Numeric) -> Numeric:
    """Forward FLOP of causal attention scores and values per token, all layers [FLOP].

    A token sees half the sequence on average: 2 products x 2 FLOP x seq/2 x head sizes.
    """
    return 2.0 * m.layers * seq_len * m.score_dim


def model_flop_per_token(m: ModelColumns, seq_len: Numeric) -> Numeric:
    """Model FLOP per trained token (no recompute), vectorised [FLOP]."""
    active = parameter_columns(m).active
    return FLOP_PER_PARAMETER * active + 3.0 * attention_flop_per_token(m, seq_len)


def flop_per_token(model: ModelShape, seq_len: int) -> float:
    r"""Model FLOP per trained token: forward and backward, no recompute [FLOP].

    .. math:: F = 6 N_{active} + 6\,L\,s\,h_{heads}

    Parameters
    ----------
    model : ModelShape
        The transformer.
    seq_len : int
        Tokens of one sequence; attention is causal, so half the square counts.
    """
    return float(model_flop_per_token(model_columns(model), float(seq_len)))


def recompute_flop_per_token(
    m: ModelColumns, seq_len: Numeric, recompute: Numeric
) -> Numeric:
    """FLOP per token that recomputation adds (all layers' forward if full) [FLOP].

    Selective recomputation redoes norms and activations, whose FLOP do not count.
    """
    counts = parameter_columns(m)
    layers = 2.0 * m.layers * (counts.layer_shared + counts.layer_routed_active)
    return np.where(
        np.asarray(recompute) == 2.0, layers + attention_flop_per_token(m, seq_len), 0.0
    )
