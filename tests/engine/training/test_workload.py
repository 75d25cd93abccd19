"""Parameter and FLOP counts against the papers that introduced the models."""

import pytest

from calculator.engine.training.memory import checkpoint_bytes
from calculator.engine.training.workload import flop_per_token, n_parameters

from .cases import DEEPSEEK_V3, GPT3_175B, LLAMA_7B, LLAMA_70B, LLAMA_405B, MIXTRAL_8X7B


@pytest.mark.parametrize(
    ("model", "total_billion", "active_billion"),
    [
        (LLAMA_7B, 6.738, 6.738),  # arXiv:2307.09288, released weights
        (LLAMA_70B, 68.977, 68.977),  # arXiv:2307.09288, released weights
        (GPT3_175B, 174.6, 174.6),  # arXiv:2005.14165, table 2.1 as 175.0 B
        (LLAMA_405B, 405.9, 405.9),  # arXiv:2407.21783, released weights
        (MIXTRAL_8X7B, 46.7, 12.9),  # arXiv:2401.04088
        (DEEPSEEK_V3, 671.0, 37.0),  # arXiv:2412.19437
    ],
)
def test_parameter_counts_match_the_papers(model, total_billion, active_billion):
    counts = n_parameters(model)
    # published to three digits; DeepSeek counts its active ones without the embedding
    assert counts.total / 1e9 == pytest.approx(total_billion, rel=0.002)
    assert counts.active / 1e9 == pytest.approx(active_billion, rel=0.02)


def test_a_tied_head_saves_one_vocabulary_matrix():
    import dataclasses

    tied = dataclasses.replace(LLAMA_7B, is_tied_embedding=True)
    saved = n_parameters(LLAMA_7B).total - n_parameters(tied).total
    assert saved == LLAMA_7B.vocab * LLAMA_7B.hidden


def test_flop_per_token_is_six_n_plus_causal_attention():
    attention = 6 * 80 * 4096 * 64 * 128
    expected = 6 * n_parameters(LLAMA_70B).total + attention
    assert flop_per_token(LLAMA_70B, 4096) == pytest.approx(expected, rel=1e-12)


def test_flop_per_token_of_experts_counts_only_those_that_a_token_passes():
    active = n_parameters(MIXTRAL_8X7B).active
    assert flop_per_token(MIXTRAL_8X7B, 1) == pytest.approx(6 * active, rel=1e-3)


def test_checkpoint_of_a_published_model_has_its_published_size():
    # 181B parameters took 2.4 TB (BigScience chronicles): 13.3 bytes a parameter
    per_parameter = checkpoint_bytes(LLAMA_70B) / n_parameters(LLAMA_70B).total
    assert per_parameter * 181e9 == pytest.approx(2.4e12, rel=0.06)
