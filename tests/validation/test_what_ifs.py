"""What-ifs that the practitioner's guide reports, each with the reading it needs."""

import dataclasses

import pytest

from calculator.engine.training.inputs import TrainingStorage, Workload
from calculator.engine.training.throughput import best_strategy, evaluate_strategy
from calculator.engine.units import gbytes_to_bytes
from tests.engine.training.cases import H100, LLAMA_7B, STORAGE, job, network

GUIDE_RATIO = 3 * 24 / 14
"""128 GPUs on one NFS server of 3 GB/s took 3 days; at 50 GB/s the run took 14 hours."""


def run_time(read_gbytes_per_s, bytes_read_per_token):
    storage = TrainingStorage(gbytes_to_bytes(read_gbytes_per_s), 25e9)
    workload = Workload(LLAMA_7B, 4096, 1024, bytes_read_per_token=bytes_read_per_token)
    found = best_strategy(
        workload=workload, gpu=H100, network=network(16), storage=storage
    )
    return found.step_time_s, found.tokens_per_s


def test_an_nfs_server_makes_the_run_as_slow_as_the_guide_says():
    # Reading: 1 GB/s per GPU is the peak. The two run times fix the mean: what 3 GB/s
    # deliver in 3 days, read in 14 h, is 15.4 GB/s or 0.12 GB/s per GPU, which 50 GB/s
    # serve without a stall.
    _, tokens_per_s = run_time(1e5, 4.0)
    mean_bytes_per_s = gbytes_to_bytes(3.0) * GUIDE_RATIO
    assert mean_bytes_per_s / 128 == pytest.approx(0.12e9, rel=0.01)
    per_token = mean_bytes_per_s / tokens_per_s
    slow, _ = run_time(3.0, per_token)
    fast, _ = run_time(50.0, per_token)
    assert slow / fast == pytest.approx(GUIDE_RATIO, rel=0.01)
    assert fast == pytest.approx(run_time(1e5, per_token)[0])


def test_a_constant_gigabyte_per_second_and_gpu_contradicts_the_guides_run_times():
    # Other reading: 128 GB/s all the time. Then 50 GB/s are too little as well, and the
    # run would have become 50 / 3 = 16.7 times as fast, not 5.1 times.
    _, tokens_per_s = run_time(1e5, 4.0)
    per_token = 128e9 / tokens_per_s
    slow, _ = run_time(3.0, per_token)
    fast, _ = run_time(50.0, per_token)
    assert slow / fast == pytest.approx(50 / 3, rel=0.01)


def sharded(**changes):
    """The same pure data-parallel strategy on a changed network."""
    base = job(workload=Workload(LLAMA_7B, 4096, 128))
    found = best_strategy(**base)
    changed = dataclasses.replace(base["network"], **changes)
    return evaluate_strategy(
        workload=base["workload"],
        gpu=H100,
        network=changed,
        storage=STORAGE,
        strategy=found.strategy,
    )


def test_one_degraded_link_slows_the_job_as_much_as_if_all_were():
    # 50 instead of 400 Gb/s on one link: synchronous collectives end with the slowest
    one = sharded(link_degradation_fraction=0.125)
    every = sharded(nic_bytes_per_s=network(2).nic_bytes_per_s * 0.125)
    assert one.step_time_s == pytest.approx(every.step_time_s)
    assert one.step_time_s > sharded().step_time_s


def test_one_gpu_five_per_cent_slow_makes_all_wait_for_its_kernels():
    healthy, slow = sharded(), sharded(slowest_gpu_slowdown_fraction=0.05)
    busy = sum(part.seconds for part in healthy.parts if part.is_busy)
    waited = slow.step_time_s - healthy.step_time_s
    assert waited == pytest.approx(busy * (1 / 0.95 - 1))
    assert {
        p.key for p, q in zip(healthy.parts, slow.parts, strict=True) if p != q
    } == {"straggler"}
