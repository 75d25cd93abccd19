"""Fabrics that vendors and sites have published, against the sizing."""

import tomllib
from pathlib import Path

import pytest

from calculator.engine.cluster.inputs import FabricRequest
from calculator.engine.cluster.topology import size_fabric

_PUBLISHED = tomllib.loads(
    Path(__file__).with_name("fabrics.toml").read_text(encoding="utf-8")
)
_ROWS = [
    pytest.param(design, row, id=f"{design['name']}-{row['n_nodes']}")
    for design in _PUBLISHED["design"]
    for row in design["rows"]
]


def _size(request, n_nodes):
    return size_fabric(FabricRequest(n_nodes=n_nodes, **request))


@pytest.mark.parametrize(("design", "row"), _ROWS)
def test_published_switch_counts_are_reproduced(design, row):
    size = _size(design["request"], row["n_nodes"])

    assert (size.n_leaf, size.n_spine, size.n_core) == (
        row["leaf"],
        row["spine"],
        row["core"],
    )


@pytest.mark.parametrize(
    ("design", "row"), [p for p in _ROWS if "cables" in p.values[1]]
)
def test_published_cable_counts_are_reproduced(design, row):
    size = _size(design["request"], row["n_nodes"])

    assert [
        size.n_node_leaf_cables + size.n_fabric_manager_cables,
        size.n_leaf_spine_cables,
        size.n_spine_core_cables,
    ] == row["cables"]


@pytest.mark.parametrize("leaf", _PUBLISHED["leaf"], ids=lambda leaf: leaf["name"])
def test_published_leaves_divide_their_ports_as_published(leaf):
    size = size_fabric(FabricRequest(**leaf["request"]))

    assert (size.node_ports_per_leaf, size.leaf_uplinks) == (
        leaf["node_ports"],
        leaf["uplinks"],
    )
    assert size.n_leaf == leaf.get("n_leaf", size.n_leaf)


def test_every_published_design_names_its_source():
    for design in _PUBLISHED["design"] + _PUBLISHED["leaf"]:
        assert len(design["source"]) > 20, design["name"]


def test_isolated_planes_save_128_switches_on_512_nodes():
    superpod = {
        "gpus_per_node": 8,
        "ports_per_node": 8,
        "port_gbps": 400.0,
        "switch_ports": 64,
        "switch_port_gbps": 400.0,
    }
    joined = _size({"topology": "rail_optimised", **superpod}, 512)
    planes = _size({"topology": "rail_planes", **superpod}, 512)

    assert joined.n_switches - planes.n_switches == 128
    assert joined.is_any_to_any
    assert not planes.is_any_to_any
    assert "no any-to-any" in planes.topology_title
