"""Catalog rows to engine inputs: the one place where vendor units are converted."""

from __future__ import annotations

from calculator.engine.training.inputs import (
    ClusterNetwork,
    GpuSpec,
    ModelShape,
    TrainingStorage,
    Transport,
)
from calculator.engine.units import (
    gbps_to_bytes_per_s,
    gbytes_to_bytes,
    tflops_to_flop_per_s,
)
from calculator.spec.workload import CustomModel, Workload
from catalog.attributes import (
    Attributes,
    CableAttributes,
    GpuAttributes,
    NicAttributes,
    SwitchAttributes,
    TransceiverAttributes,
    validate_attributes,
)
from catalog.documents import ComponentRow, PriceSnapshot


def gpu_spec(row: ComponentRow) -> GpuSpec:
    """An accelerator in base units; an unpublished rate becomes 0."""
    attributes = GpuAttributes.model_validate(row.attributes)
    return GpuSpec(
        name=row.slug,
        peak_bf16_flop_per_s=tflops_to_flop_per_s(attributes.peak_bf16_tflops),
        peak_fp8_flop_per_s=tflops_to_flop_per_s(attributes.peak_fp8_tflops or 0.0),
        mamf_bf16_flop_per_s=tflops_to_flop_per_s(attributes.mamf_bf16_tflops or 0.0),
        mamf_fp8_flop_per_s=tflops_to_flop_per_s(attributes.mamf_fp8_tflops or 0.0),
        hbm_bytes=gbytes_to_bytes(attributes.hbm_gb),
        hbm_bytes_per_s=gbytes_to_bytes(attributes.hbm_gbytes_per_s),
        scaleup_bytes_per_s=gbytes_to_bytes(attributes.scaleup_gbytes_per_s),
        n_sm=attributes.n_sm,
        exp_per_clock_per_sm=attributes.exp_per_clock_per_sm,
    )


def model_shape(workload: Workload, snapshot: PriceSnapshot) -> ModelShape:
    """The model to train, from the catalog or typed in."""
    choice = workload.model
    row = choice if isinstance(choice, CustomModel) else snapshot.models[choice.name]
    return ModelShape(
        name=row.label if isinstance(row, CustomModel) else row.name,
        layers=row.layers,
        hidden=row.hidden,
        ffn=row.ffn,
        heads=row.heads,
        kv_heads=row.kv_heads,
        head_dim=row.head_dim,
        vocab=row.vocab,
        is_gated_mlp=row.is_gated_mlp,
        is_tied_embedding=row.is_tied_embedding,
        n_experts=row.n_experts,
        experts_per_token=row.experts_per_token,
        n_shared_experts=row.n_shared_experts,
        moe_ffn=row.moe_ffn,
        dense_ffn_layers=row.dense_ffn_layers,
        mla_query_rank=row.mla_query_rank,
        mla_kv_rank=row.mla_kv_rank,
        mla_rope_dim=row.mla_rope_dim,
    )


def network(
    *,
    n_nodes: int,
    gpus_per_node: int,
    ports_per_node: int,
    port_gbps: float,
    transport: Transport,
    n_tiers: int,
    oversubscription: float = 1.0,
    link_degradation_fraction: float = 1.0,
) -> ClusterNetwork:
    """What joins the nodes, in bytes/s per port."""
    return ClusterNetwork(
        n_nodes=n_nodes,
        gpus_per_node=gpus_per_node,
        nics_per_node=ports_per_node,
        nic_bytes_per_s=gbps_to_bytes_per_s(port_gbps),
        transport=transport,
        n_tiers=n_tiers,
        oversubscription=oversubscription,
        link_degradation_fraction=link_degradation_fraction,
    )


def storage(*, read_gbytes_per_s: float, write_gbytes_per_s: float) -> TrainingStorage:
    """Shared storage in bytes/s."""
    return TrainingStorage(
        read_bytes_per_s=gbytes_to_bytes(read_gbytes_per_s),
        write_bytes_per_s=gbytes_to_bytes(write_gbytes_per_s),
    )


def switch_attributes(row: ComponentRow) -> SwitchAttributes:
    """Typed attributes of a switch."""
    return SwitchAttributes.model_validate(row.attributes)


def nic_attributes(row: ComponentRow) -> NicAttributes:
    """Typed attributes of a network adapter."""
    return NicAttributes.model_validate(row.attributes)


def transceiver_attributes(row: ComponentRow) -> TransceiverAttributes:
    """Typed attributes of an optical module."""
    return TransceiverAttributes.model_validate(row.attributes)


def cable_attributes(row: ComponentRow) -> CableAttributes:
    """Typed attributes of a cable."""
    return CableAttributes.model_validate(row.attributes)


def power_w(row: ComponentRow) -> float | None:
    """Draw of one unit, where its attributes state it. [W]."""
    attributes: Attributes = validate_attributes(row.kind, row.attributes)
    return getattr(attributes, "power_w", None)
