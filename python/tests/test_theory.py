"""Fluid models, stability, and papers: the same records as the command line."""

import json
from pathlib import Path

import pytest
import setpoint

from conftest import Program

LOOP = {"duration": "20ms", "measure_from": "10ms", "topology.dumbbell.senders": "2"}
OPTIONS = [option for key, value in LOOP.items() for option in ("--set", f"{key}={value}")]


def test_a_fluid_solution_is_that_of_the_command_line(program: Program, tmp_path: Path) -> None:
    theirs = json.loads(program("fluid", "qcn-loop", *OPTIONS, "--packets", "--json").stdout)
    fluid = setpoint.fluid("qcn-loop", set=LOOP, packets=True, out=tmp_path / "fluid")
    assert fluid.summary == theirs
    assert fluid.curves["queue_bytes"] == theirs["queue_bytes"]
    assert fluid.curves.units["packets queue_bytes"] == "bytes"
    assert (tmp_path / "fluid" / "fluid.html").exists()


def test_margins_are_those_of_the_command_line(program: Program) -> None:
    theirs = json.loads(program("stability", "qcn-loop", *OPTIONS, "--json").stdout)
    stability = setpoint.stability("qcn-loop", set=LOOP)
    assert stability.summary == theirs
    assert stability.margin_s == theirs["here"]["margin_s"]
    assert stability.map is None
    assert len(stability.response) == len(theirs["here"]["response"])


def test_a_map_is_that_of_the_command_line(program: Program) -> None:
    rtt, senders = "topology.dumbbell.rtt", "topology.dumbbell.senders"
    options = ["--x", f"{rtt}=20us..400us", "--y", f"{senders}=1,2,5", "--size", "4x3", "--json"]
    theirs = json.loads(program("stability", "qcn-loop", *options).stdout)
    stability = setpoint.stability("qcn-loop", x=(rtt, "20us..400us"), y=(senders, [1, 2, 5]), size=(4, 3))
    assert stability.summary == theirs
    assert stability.map is not None
    assert stability.map["stability"] == [cell for row in theirs["map"]["stability"] for cell in row]
    with pytest.raises(ValueError, match="both x and y"):
        setpoint.stability("qcn-loop", x=(rtt, "20us..400us"))


def test_claims_are_those_of_the_command_line(program: Program, tmp_path: Path) -> None:
    printed = program("reproduce", "smcc/fig05", "--quick", "--json", "--out", "theirs").stdout
    found = setpoint.reproduce("smcc/fig05", quick=True, out=tmp_path / "ours")
    assert found.claims == [json.loads(line) for line in printed.splitlines()]
    assert found.verdicts["claim"][:2] == ["around-the-set-point", "grows-with-background"]
    assert (tmp_path / "ours" / "smcc" / "fig05.html").exists()
    with pytest.raises(setpoint.ScenarioError, match="did you mean"):
        setpoint.reproduce("smcc/fig5")
