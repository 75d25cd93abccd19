"""Kernel times of one micro-batch on one GPU: GEMMs, attention, memory-bound work."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calculator.engine.numeric import Numeric
from calculator.engine.training.parallelism import expert_tensor_ranks
from calculator.engine.training.parameters import Parameters
from calculator.engine.training.table import CaseTable, has_experts

GEMM_TILE_ROWS = 128.0
GEMM_TILE = GEMM_TILE_ROWS * 256.0
"""Output elements that one streaming multiprocessor works on at a time."""
BYTES_BF16 = 2.0


@dataclass(frozen=True, slots=True)
class Kernels:
    """Seconds of kernel time by kind."""

    gemm_s: Numeric
    attention_s: Numeric
    elementwise_s: Numeric

    @property
    def total_s(self) -> Numeric:
        """All kernels one after the other."""
        return self.gemm_s + self.attention_s + self.elementwise_s


@dataclass(frozen=True, slots=True)
class LayerWork:
    """One mean layer (of dense and expert layers) for one micro-batch, and the head."""

    forward: Kernels
    backward: Kernels
    head: Kernels
    tokens: Numeric


def _portable_slowdown(table: CaseTable, fraction: float) -> Numeric:
    """Rate of the stack's kernels over kernels tuned for the GPU's matrix units [1]."""
    is_portable = 1.0 - table.stack.has_native_kernels
    return 1.0 - table.gpu.has_async_matrix_units * is_portable * (1.0 - fraction)


def _gemm_rate(table: CaseTable, p: Parameters, is_linear: bool) -> Numeric:
    gpu = table.gpu
    slowdown = _portable_slowdown(table, p.gemm_portable_fraction)
    rate = gpu.bf16_gemm_flop_per_s * p.gemm_efficiency_bf16 * slowdown
    if not is_linear:
        return rate
    low = gpu.gemm_flop_per_s * p.gemm_efficiency_fp8 * slowdown
    return np.where(np.asarray(gpu.is_fp8) > 0.0, low, rate)


def gemm_s(
    *,
    m: Numeric,
    n: Numeric,
    k: Numeric,
    table: CaseTable,
    p: Parameters,
    is_linear: bool = True,
    groups: Numeric = 1.0,
) -> Numeric:
    r"""Time of an (m x k)(k x n) product: roofline with size-dependent efficiency.

    .. math:: T = \max\left(\frac{2 (mn + w_0\,t\,SM)(k + k_0)}{R\,e},
              \frac{2(mk + gkn + mn)}{B_{HBM}}\right)

    The additive form is the saturating efficiency w/(w+w0) k/(k+k0) written as work:
    w0 waves of tiles and k0 steps of the inner loop are paid by every product.

    Parameters
    ----------
    m, n, k : (n_rows,) or scalar
        Tokens, output width, inner width on this GPU.
    table : CaseTable
        For the GPU's measured matmul rate, memory bandwidth and SM count.
    p : Parameters
        Global parameters.
    is_linear : bool
        Runs at the training precision; the router and the head stay in bf16.
    groups : (n_rows,) or scalar
        Experts whose products run as one: each pads its own tokens to whole tiles
        (half a tile on average) and brings its own weights.
    """
    gpu = table.gpu
    rows = m + GEMM_TILE_ROWS / 2.0 * (groups - 1.0)
    padded = rows * n + p.gemm_wave_overhead * GEMM_TILE * gpu.n_sm
    compute_s = 2.0 * padded * (k + p.gemm_k_overhead) / _gemm_rate(table, p, is_linear)
    moved = BYTES_BF16 * (k * (m + groups * n) + m * n)
    return np.maximum(compute_s, moved / (gpu.hbm_bytes_per_s * p.hbm_efficiency))


def micro_batch_tokens(table: CaseTable) -> Numeric:
    """Tokens that one GPU sees in a micro-batch before tensor parallelism [tokens]."""
    return table.strategy.micro_batch * table.seq_len / table.strategy.cp


def _attention_projections_s(
    table: CaseTable, tokens: Numeric, p: Parameters
) -> Numeric:
    model, tp = table.model, table.strategy.tp
    qkv = gemm_s(m=tokens, n=model.qkv_out / tp, k=model.hidden, table=table, p=p)
    return qkv + gemm_s(m=tokens, n=model.hidden, k=model.q_dim / tp, table=table, p=p)


def _mlp_s(
    table: CaseTable,
    tokens: Numeric,
    width: Numeric,
    p: Parameters,
    groups: Numeric = 1.0,
) -> Numeric:
    model = table.model
    up_width = width * (model.ffn_matrices - 1.0)
    up = gemm_s(m=tokens, n=up_width, k=model.hidden, table=table, p=p, groups=groups)
    return up + gemm_s(
        m=tokens, n=model.hidden, k=width, table=table, p=p, groups=groups
    )


def _experts_s(table: CaseTable, tokens: Numeric, p: Parameters) -> Numeric:
    """Router, routed and shared experts of one expert layer."""
    model, strategy = table.model, table.strategy
    split = expert_tensor_ranks(table)
    local = np.maximum(model.n_experts / strategy.ep, 1.0)
    routed_tokens = tokens * split / strategy.tp * model.experts_per_token
    routed = _mlp_s(table, routed_tokens, model.moe_ffn / split, p, groups=local)
    shared_width = model.n_shared_experts * model.moe_ffn / strategy.tp
    shared = np.where(
        np.asarray(shared_width) > 0.0, _mlp_s(table, tokens, shared_width, p), 0.0
    )
    router = gemm_s(
        m=tokens / strategy.tp,
        n=model.n_experts,
        k=model.hidden,
        table=table,
        p=p,
        is_linear=False,
    )
    return routed + shared + router


def _layer_gemm_s(table: CaseTable, tokens: Numeric, p: Parameters) -> Numeric:
    model = table.model
    dense = _mlp_s(table, tokens, model.ffn / table.strategy.tp, p)
    total = (
        _attention_projections_s(table, tokens, p)
        + dense * model.dense_layers / model.layers
    )
    if has_experts(table):
        total = total + _experts_s(table, tokens, p) * model.moe_layers / model.layers
    return total


def attention_core_s(
    table: CaseTable, tokens: Numeric, p: Parameters
) -> tuple[Numeric, Numeric]:
    """Time of causal scores, softmax and values of one layer: (forward, backward) [s].

    Two limits add up: matrix units, and the special-function units that take one
    exponential per score and pass (so small heads and fast matrix units gain less).
    Without a flash kernel the full square is computed and scores travel to memory.
    """
    model, gpu, stack = table.model, table.gpu, table.stack
    pairs = tokens * table.seq_len / 2.0 / table.strategy.tp
    slowdown = _portable_slowdown(table, p.attention_portable_fraction)
    rate = gpu.bf16_peak_flop_per_s * p.attention_efficiency * slowdown
    matrix = 4.0 * pairs * model.score_dim / rate
    exp_per_s = p.attention_exp_clock_hz * gpu.exp_per_clock_per_sm * gpu.n_sm
    softmax = pairs * model.heads / exp_per_s
    traffic = 2.0 * pairs * model.heads * p.unfused_attention_bytes_per_score
    unfused = 2.0 * matrix + traffic / (gpu.hbm_bytes_per_s * p.hbm_efficiency)
    is_flash = np.asarray(stack.has_flash_attention) > 0.0
    ratio = p.attention_backward_ratio
    forward = np.where(is_flash, matrix + softmax, unfused)
    return forward, np.where(is_flash, ratio * matrix + softmax, ratio * unfused)


def _elementwise_s(table: CaseTable, tokens: Numeric, p: Parameters) -> Numeric:
    """Norms, residuals, rotary, activation, casts of one layer, forward [s]."""
    model, strategy, stack = table.model, table.strategy, table.stack
    norm_split = np.where(
        np.asarray(stack.has_sequence_parallel) > 0.0, strategy.tp, 1.0
    )
    eager = p.elementwise_bytes_eager * (1.0 - stack.has_fused_elementwise)
    per_hidden = p.elementwise_bytes_per_hidden + eager
    routed = model.experts_per_token + model.n_shared_experts
    width = (
        model.dense_layers * model.ffn + model.moe_layers * routed * model.moe_ffn
    ) / model.layers
    activation = (
        2.0 * BYTES_BF16 * (model.ffn_matrices - 1.0) * width / 2.0 + BYTES_BF16 * width
    )
    permute = 4.0 * BYTES_BF16 * model.hidden * model.experts_per_token
    permute = permute * model.moe_layers / model.layers
    cast = p.fp8_cast_bytes * table.gpu.is_fp8 * model.hidden
    moved = (
        per_hidden * model.hidden / norm_split
        + (activation + cast + permute) / strategy.tp
    )
    return tokens * moved / (table.gpu.hbm_bytes_per_s * p.hbm_efficiency)


def _head_kernels(table: CaseTable, tokens: Numeric, p: Parameters) -> Kernels:
    """Vocabulary projection and loss, forward and backward."""
    model, gpu = table.model, table.gpu
    width = model.vocab / table.strategy.tp
    product = gemm_s(
        m=tokens, n=width, k=model.hidden, table=table, p=p, is_linear=False
    )
    moved = tokens * width * p.logit_bytes
    return Kernels(
        gemm_s=3.0 * product,
        attention_s=0.0,
        elementwise_s=moved / (gpu.hbm_bytes_per_s * p.hbm_efficiency),
    )


def layer_work(table: CaseTable, p: Parameters) -> LayerWork:
    """Return kernel times of the mean layer and the head for one micro-batch."""
    tokens = micro_batch_tokens(table)
    attention_forward, attention_backward = attention_core_s(table, tokens, p)
    forward = Kernels(
        gemm_s=_layer_gemm_s(table, tokens, p),
        attention_s=attention_forward,
        elementwise_s=_elementwise_s(table, tokens, p),
    )
    backward = Kernels(
        gemm_s=2.0 * forward.gemm_s,
        attention_s=attention_backward,
        elementwise_s=p.elementwise_backward_ratio * forward.elementwise_s,
    )
    return LayerWork(
        forward=forward,
        backward=backward,
        head=_head_kernels(table, tokens, p),
        tokens=tokens,
    )


def recompute_kernels(table: CaseTable, work: LayerWork) -> Kernels:
    """Kernels that the backward pass repeats, per layer.

    Full repeats the forward layer. Selective repeats norms and activations; where no
    flash kernel exists it repeats the attention core, which is what it was made for.
    """
    code = np.asarray(table.strategy.recompute)
    share = table.strategy.recompute_share
    is_full = np.where(code == 2.0, share, 0.0)
    is_selective = np.where(code == 1.0, share, 0.0)
    flash = table.stack.has_flash_attention
    forward = work.forward
    return Kernels(
        gemm_s=is_full * forward.gemm_s,
        attention_s=(is_full + is_selective * (1.0 - flash)) * forward.attention_s,
        elementwise_s=(is_full + is_selective * flash / 2.0) * forward.elementwise_s,
    )


def soft_maximum(a: Numeric, b: Numeric) -> Numeric:
    """Smooth maximum (4-norm): within 19 % of the larger, equal to it far apart."""
    fourth_powers: Numeric = np.square(np.square(a)) + np.square(np.square(b))
    smooth: Numeric = np.sqrt(np.sqrt(fourth_powers))
    return smooth
