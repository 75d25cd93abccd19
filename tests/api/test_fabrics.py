"""Fabric sizing over REST and in the terminal."""

import json

import pytest
from django.core.management import CommandError, call_command

SUPERPOD = {
    "schema_version": "1",
    "topology": "rail_optimised",
    "n_nodes": 127,
    "gpus_per_node": 8,
    "ports_per_node": 8,
    "port_gbps": 400,
    "switch_ports": 64,
    "switch_port_gbps": 400,
    "fabric_manager_ports": 4,
}


def test_a_superpod_is_sized_with_its_topology_beside_the_counts(api):
    found = api.send("/fabrics", SUPERPOD).json()
    assert (found["n_leaf"], found["n_spine"], found["n_core"]) == (32, 16, 0)
    assert found["n_node_leaf_cables"] + found["n_fabric_manager_cables"] in {
        1020,
        1024,
    }
    assert "any-to-any" in found["topology_title"]


def test_a_fabric_that_cannot_exist_is_refused_at_its_field(api):
    response = api.send("/fabrics", {**SUPERPOD, "topology": "single_switch"})
    assert response.status_code == 422
    assert response.json()["errors"][0]["message"]


def test_bounds_name_field_and_unit(api):
    response = api.send("/fabrics", {**SUPERPOD, "n_nodes": 0})
    error = response.json()["errors"][0]
    assert error["pointer"] == "/n_nodes"
    assert "at least 1 nodes" in error["message"]


def test_the_terminal_prints_the_same_counts(tmp_path, capsys):
    file = tmp_path / "fabric.json"
    file.write_text(json.dumps(SUPERPOD))
    call_command("size_fabric", str(file))
    printed = capsys.readouterr().out
    assert "n_leaf" in printed
    assert "32" in printed


def test_the_terminal_refuses_with_code_2(tmp_path):
    file = tmp_path / "fabric.json"
    file.write_text(json.dumps({**SUPERPOD, "n_nodes": 10**12}))
    with pytest.raises(CommandError, match="at most 16,384 nodes") as caught:
        call_command("size_fabric", str(file))
    assert caught.value.returncode == 2
