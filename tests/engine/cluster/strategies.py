"""Random but buildable fabric and bill requests."""

from hypothesis import strategies as st

from calculator.engine.cluster.inputs import FabricRequest

SWITCHES = st.sampled_from(
    [
        (32, 400.0, 1),
        (40, 200.0, 2),
        (64, 400.0, 1),
        (64, 400.0, 2),
        (64, 800.0, 2),
        (64, 800.0, 4),
        (128, 400.0, 2),
        (144, 800.0, 1),
    ]
)


@st.composite
def fabric_requests(draw, max_nodes=600, topologies=None):
    ports, rate, breakout = draw(SWITCHES)
    topology = draw(
        st.sampled_from(topologies or ["fat_tree", "rail_optimised", "rail_planes"])
    )
    return FabricRequest(
        topology=topology,
        n_nodes=draw(st.integers(1, max_nodes)),
        gpus_per_node=draw(st.sampled_from([4, 8, 72])),
        ports_per_node=draw(st.integers(1, 16)),
        port_gbps=draw(st.sampled_from([rate, rate / 2, 100.0])),
        switch_ports=ports,
        switch_port_gbps=rate,
        max_breakout=breakout,
        leaf_oversubscription=draw(st.sampled_from([1.0, 1.5, 2.0, 3.0])),
        pod_oversubscription=draw(st.sampled_from([1.0, 2.0])),
        redundant_spines=draw(st.integers(0, 2)),
        fabric_manager_ports=draw(st.integers(0, 4)),
        reserved_node_positions=draw(st.integers(0, 2)),
    )
