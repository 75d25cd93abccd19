"""The parameter file: complete, explained, sourced."""

import dataclasses

import pytest

from calculator.engine.errors import DomainError
from calculator.engine.training.parameters import (
    Parameters,
    StackProfile,
    default_parameters,
    fit_summary,
    p90_error_fraction,
    parameter_table,
    stack_profiles,
)
from calculator.engine.training.table import stack_profile


def test_the_file_holds_exactly_the_parameters_of_the_model():
    names = {field.name for field in dataclasses.fields(Parameters)}
    assert set(parameter_table()) == names


@pytest.mark.parametrize("name", [f.name for f in dataclasses.fields(Parameters)])
def test_every_parameter_has_value_unit_meaning_and_source(name):
    entry = parameter_table()[name]
    assert entry["value"] > 0
    assert entry["unit"]
    assert len(entry["meaning"]) > 20
    assert len(entry["source"]) > 5


def test_shares_and_efficiencies_stay_physical():
    p = default_parameters()
    for field in dataclasses.fields(Parameters):
        if field.name.endswith(("_fraction", "_interference")):
            assert 0 < getattr(p, field.name) <= 1, field.name
    assert p.gemm_efficiency_bf16 <= 1.0
    assert max(p.transport_efficiencies()) <= 1.0


def test_the_fit_states_its_date_its_data_and_left_out_errors():
    summary = fit_summary()
    assert summary["fit_date"] == "2026-12-02"
    assert "runs" in summary["fitted_on"]
    residuals = summary["residuals"]
    assert residuals["left_out_family_mean_p90"] == p90_error_fraction()
    assert 0 < residuals["in_sample_family_mean_median"] < p90_error_fraction() < 1
    assert len(residuals["by_family"]) > 10


def test_every_stack_profile_is_flags_and_sizes():
    for name, profile in stack_profiles().items():
        for field in dataclasses.fields(StackProfile):
            value = getattr(profile, field.name)
            allowed = (0, 1) if field.name.startswith("has_") else (0, 1, 2, 4, 20)
            assert value in allowed, (name, field.name)
    assert "default" in stack_profiles()


def test_an_unknown_stack_is_refused_with_the_names_that_exist():
    with pytest.raises(DomainError, match="megatron-core-2024"):
        stack_profile("mystery")
