"""Hardware, models and jobs that the tests of this folder share."""

from calculator.engine.training.inputs import (
    ClusterNetwork,
    GpuSpec,
    ModelShape,
    StrategyPins,
    TrainingStorage,
    Workload,
)
from calculator.engine.units import (
    gbps_to_bytes_per_s,
    gbytes_to_bytes,
    tflops_to_flop_per_s,
)


def gpu(
    name="H100 SXM",
    *,
    bf16=989.0,
    fp8=1979.0,
    mamf=794.5,
    mamf_fp8=1402.6,
    hbm_gb=80.0,
    hbm_gbytes_per_s=3350.0,
    scaleup_gbytes_per_s=450.0,
    n_sm=132,
):
    return GpuSpec(
        name=name,
        peak_bf16_flop_per_s=tflops_to_flop_per_s(bf16),
        peak_fp8_flop_per_s=tflops_to_flop_per_s(fp8),
        mamf_bf16_flop_per_s=tflops_to_flop_per_s(mamf),
        mamf_fp8_flop_per_s=tflops_to_flop_per_s(mamf_fp8),
        hbm_bytes=gbytes_to_bytes(hbm_gb),
        hbm_bytes_per_s=gbytes_to_bytes(hbm_gbytes_per_s),
        scaleup_bytes_per_s=gbytes_to_bytes(scaleup_gbytes_per_s),
        n_sm=n_sm,
    )


H100 = gpu()
A100 = gpu(
    "A100 SXM 80GB",
    bf16=312.0,
    fp8=0.0,
    mamf=271.2,
    mamf_fp8=0.0,
    hbm_gbytes_per_s=2000.0,
    scaleup_gbytes_per_s=300.0,
    n_sm=108,
)

LLAMA_7B = ModelShape("Llama-2-7B", 32, 4096, 11008, 32, 32, 128, 32000)
LLAMA_70B = ModelShape("Llama-2-70B", 80, 8192, 28672, 64, 8, 128, 32000)
LLAMA_405B = ModelShape("Llama-3.1-405B", 126, 16384, 53248, 128, 8, 128, 128256)
GPT3_175B = ModelShape("GPT-3-175B", 96, 12288, 49152, 96, 96, 128, 50257, False, True)
MIXTRAL_8X7B = ModelShape(
    "Mixtral-8x7B",
    32,
    4096,
    14336,
    32,
    8,
    128,
    32000,
    n_experts=8,
    experts_per_token=2,
    moe_ffn=14336,
)
DEEPSEEK_V3 = ModelShape(
    "DeepSeek-V3",
    61,
    7168,
    18432,
    128,
    128,
    128,
    129280,
    n_experts=256,
    experts_per_token=8,
    n_shared_experts=1,
    moe_ffn=2048,
    dense_ffn_layers=3,
    mla_query_rank=1536,
    mla_kv_rank=512,
    mla_rope_dim=64,
)

STORAGE = TrainingStorage(read_bytes_per_s=50e9, write_bytes_per_s=25e9)


def network(n_nodes=8, *, ports=8, gbps=400.0, transport="infiniband", **more):
    more.setdefault("gpus_per_node", 8)
    return ClusterNetwork(
        n_nodes=n_nodes,
        nics_per_node=ports,
        nic_bytes_per_s=gbps_to_bytes_per_s(gbps),
        transport=transport,
        **more,
    )


def job(model=LLAMA_7B, **changes):
    """Keyword arguments of best_strategy for a small job on two nodes."""
    values = {
        "workload": Workload(model, seq_len=4096, global_batch_seqs=128),
        "gpu": H100,
        "network": network(2),
        "storage": STORAGE,
        "pins": StrategyPins(),
    }
    return values | changes
