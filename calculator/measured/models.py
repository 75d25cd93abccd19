"""Model shapes: what the row states, completed by published architectures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from calculator.engine.training.inputs import ModelShape
from calculator.engine.training.workload import n_parameters
from calculator.engine.units import BILLION
from calculator.measured.columns import (
    MAX_PARAMS_B,
    Unreadable,
    cell,
    count,
    needed_count,
    positive,
    shown,
)

MAX_EXPERTS = 100_000
GPT_VOCAB = 51_200
"""GPT-2's 50,257 entries padded as Megatron-LM pads them (arXiv:2104.04473)."""
NEGLIGIBLE_VOCAB = 128


@dataclass(frozen=True, slots=True)
class Architecture:
    """Published facts that a run's columns leave out; 0 where nothing is special."""

    pattern: str
    is_gated: bool = True
    is_tied: bool = False
    vocab: int = 0
    head_dim: int = 0
    ffn: int = 0
    moe_ffn: int = 0
    n_shared_experts: int = 0
    dense_layers: int = 0
    mla_query_rank: int = 0
    mla_kv_rank: int = 0
    mla_rope_dim: int = 0


_MLA = {"mla_query_rank": 1536, "mla_kv_rank": 512, "mla_rope_dim": 64}

ARCHITECTURES: tuple[Architecture, ...] = (
    # DeepSeek-V3: arXiv:2412.19437; V2: arXiv:2405.04434; Kimi K2: arXiv:2507.20534
    Architecture(
        r"deepseek.?v2.?lite",
        vocab=102400,
        head_dim=128,
        ffn=10944,
        moe_ffn=1408,
        n_shared_experts=2,
        dense_layers=1,
        mla_kv_rank=512,
        mla_rope_dim=64,
    ),
    Architecture(
        r"deepseek.?v2",
        vocab=102400,
        head_dim=128,
        ffn=12288,
        moe_ffn=1536,
        n_shared_experts=2,
        dense_layers=1,
        **_MLA,
    ),
    Architecture(
        r"deepseek.?moe",
        vocab=102400,
        head_dim=128,
        ffn=10944,
        moe_ffn=1408,
        n_shared_experts=2,
        dense_layers=1,
    ),
    Architecture(
        r"deepseek.?(v3|r1)",
        vocab=129280,
        head_dim=128,
        ffn=18432,
        moe_ffn=2048,
        n_shared_experts=1,
        dense_layers=3,
        **_MLA,
    ),
    Architecture(
        r"kimi.?k2",
        vocab=163840,
        head_dim=128,
        ffn=18432,
        moe_ffn=2048,
        n_shared_experts=1,
        dense_layers=1,
        **_MLA,
    ),
    # Qwen3: arXiv:2505.09388; Qwen2: arXiv:2407.10671
    Architecture(r"qwen3.?(moe.?)?30b", vocab=151936, head_dim=128, moe_ffn=768),
    Architecture(r"qwen3.?(moe.?)?235b", vocab=151936, head_dim=128, moe_ffn=1536),
    Architecture(r"qwen3.?(coder|480b)", vocab=151936, head_dim=128, moe_ffn=2560),
    Architecture(r"qwen3", vocab=151936, head_dim=128),
    Architecture(
        r"qwen2.?57b", vocab=151936, head_dim=128, moe_ffn=2560, n_shared_experts=8
    ),
    Architecture(r"qwen1?.?5?.?moe", vocab=151936, moe_ffn=1408, n_shared_experts=4),
    Architecture(r"qwen", vocab=151936),
    # gpt-oss model card, arXiv:2508.10925
    Architecture(r"gpt.?oss", vocab=201088, head_dim=64, moe_ffn=2880),
    # Grok-1 open release; Mixtral: arXiv:2401.04088; DBRX: Databricks 2024
    Architecture(r"grok", vocab=131072, head_dim=128, moe_ffn=32768),
    Architecture(r"mixtral.*22b", vocab=32768, head_dim=128, moe_ffn=16384),
    Architecture(r"mixtral", vocab=32000, head_dim=128, moe_ffn=14336),
    Architecture(r"mistral", vocab=32000),
    Architecture(r"dbrx", vocab=100352, head_dim=128, moe_ffn=10752),
    Architecture(r"phi.?3.?5.?moe", vocab=32064, head_dim=128, moe_ffn=6400),
    Architecture(r"olmoe", vocab=50304, head_dim=128, moe_ffn=1024),
    # Llama 4 config: shared expert of the routed width, every layer expert (Scout)
    Architecture(
        r"llama.?4", vocab=202048, head_dim=128, moe_ffn=8192, n_shared_experts=1
    ),
    # Llama 3: arXiv:2407.21783; Llama 2: arXiv:2307.09288; LLaMA: arXiv:2302.13971
    Architecture(r"llama.?3", vocab=128256),
    Architecture(r"llama|vicuna|alpaca|internlm|yi-|baichuan", vocab=32000),
    # Gemma: arXiv:2403.08295, shares embedding and head
    Architecture(r"gemma.?3", is_tied=True, vocab=262208),
    Architecture(r"gemma", is_tied=True, vocab=256000),
    # Nemotron-4: arXiv:2402.16819, squared ReLU, separate head
    Architecture(r"nemotron", is_gated=False, vocab=256000),
    # GPT-2/3 lineage shares embedding and head (arXiv:2005.14165); MPT likewise
    Architecture(r"mpt", is_gated=False, is_tied=True, vocab=50368),
    Architecture(r"bloom", is_gated=False, is_tied=True, vocab=250880),
    Architecture(r"opt.?\d", is_gated=False, is_tied=True, vocab=50272),
    Architecture(r"falcon", is_gated=False, is_tied=True, vocab=65024),
    Architecture(r"pythia|neox", is_gated=False, vocab=50432),
    Architecture(r"\bt5|bert", is_gated=False, is_tied=True, vocab=30592),
    Architecture(r"gpt", is_gated=False, is_tied=True, vocab=GPT_VOCAB),
)
PLAIN = Architecture("", is_gated=False, vocab=GPT_VOCAB)


def architecture(model: str) -> Architecture:
    """Return the published facts of a named model; a plain GPT block for other names."""
    low = model.lower().replace("_", "-")
    return next((a for a in ARCHITECTURES if re.search(a.pattern, low)), PLAIN)


def model_shape(row: Mapping[str, object], notes: list[str]) -> ModelShape:
    """Return the shape of a row's model; what was assumed goes to the notes.

    Raises
    ------
    Unreadable
        Where layers or hidden size are missing, heads do not divide, or experts are
        stated whose width nothing tells.
    """
    facts = architecture(cell(row, "model"))
    layers, hidden = needed_count(row, "layers"), needed_count(row, "hidden")
    heads, head_dim = _heads(row, hidden, facts, notes)
    kv_heads = count(row, "kv_heads") or heads
    if kv_heads > heads:
        raise Unreadable(f"kv_heads is {kv_heads}, more than {heads} heads")
    n_experts, chosen = _experts(row)
    shape = ModelShape(
        name=cell(row, "model") or "unnamed",
        layers=layers,
        hidden=hidden,
        ffn=count(row, "ffn") or facts.ffn or _default_ffn(hidden, facts, notes),
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        vocab=_vocab(row, facts, notes),
        is_gated_mlp=facts.is_gated,
        is_tied_embedding=facts.is_tied,
    )
    return _with_experts(row, shape, facts, n_experts, chosen) if n_experts else shape


def _heads(
    row: Mapping[str, object], hidden: int, facts: Architecture, notes: list[str]
) -> tuple[int, int]:
    heads = count(row, "heads")
    if heads is None:
        heads = max(1, hidden // 128)
        notes.append(f"{heads} heads of 128 assumed")
    if heads > hidden:
        raise Unreadable(f"heads is {heads}, more than the hidden size {hidden}")
    return heads, facts.head_dim or max(1, round(hidden / heads))


def _default_ffn(hidden: int, facts: Architecture, notes: list[str]) -> int:
    if facts.moe_ffn:
        return facts.moe_ffn
    width = 4 * hidden if not facts.is_gated else 256 * round(8 * hidden / 3 / 256)
    notes.append(f"MLP width {width} assumed")
    return max(width, 1)


def _vocab(row: Mapping[str, object], facts: Architecture, notes: list[str]) -> int:
    stated = count(row, "vocab")
    if stated:
        return stated
    if "head negligible" in cell(row, "notes").lower():
        return NEGLIGIBLE_VOCAB
    notes.append(f"vocabulary {facts.vocab} assumed")
    return facts.vocab


def _experts(row: Mapping[str, object]) -> tuple[int, int]:
    """Experts and how many a token passes, (0, 0) for a dense model."""
    text = cell(row, "moe")
    if not text:
        return 0, 0
    match = re.fullmatch(r"(\d{1,6})\s*/\s*(\d{1,6})", text)
    if match is None:
        raise Unreadable(f"moe is {shown(text)}, must read experts/experts per token")
    n_experts, chosen = int(match[1]), int(match[2])
    if not 1 <= chosen <= n_experts <= MAX_EXPERTS:
        raise Unreadable(
            f"moe is {shown(text)}: experts per token from 1 to the number of experts"
        )
    return n_experts, chosen


def _with_experts(
    row: Mapping[str, object],
    dense: ModelShape,
    facts: Architecture,
    n_experts: int,
    chosen: int,
) -> ModelShape:
    width = facts.moe_ffn or _expert_width(row, dense, n_experts)
    return ModelShape(
        name=dense.name,
        layers=dense.layers,
        hidden=dense.hidden,
        ffn=facts.ffn or width,
        heads=dense.heads,
        kv_heads=dense.kv_heads,
        head_dim=dense.head_dim,
        vocab=dense.vocab,
        is_gated_mlp=True,
        is_tied_embedding=dense.is_tied_embedding,
        n_experts=n_experts,
        experts_per_token=chosen,
        n_shared_experts=facts.n_shared_experts,
        moe_ffn=width,
        dense_ffn_layers=min(facts.dense_layers, dense.layers),
        mla_query_rank=facts.mla_query_rank,
        mla_kv_rank=facts.mla_kv_rank,
        mla_rope_dim=facts.mla_rope_dim,
    )


def _expert_width(row: Mapping[str, object], dense: ModelShape, n_experts: int) -> int:
    """Width of an expert: as stated, else what the stated total leaves for experts."""
    stated = count(row, "ffn")
    if stated:
        return stated
    total_b = positive(row, "params_b", MAX_PARAMS_B)
    per_width = 3.0 * dense.hidden * dense.layers
    rest = (total_b or 0.0) * BILLION - n_parameters(dense).total
    rest += per_width * dense.ffn * (1.0 if dense.is_gated_mlp else 2.0 / 3.0)
    width = round(rest / per_width / n_experts)
    if width < 1:
        raise Unreadable(
            f"{n_experts} experts, but neither their width (ffn) nor the total "
            "parameters (params_b) that would tell it"
        )
    return width
