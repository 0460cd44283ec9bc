"""Sweeps: the same files as the command line."""

import csv
import json
from pathlib import Path

import pytest
import setpoint

from conftest import Program


def test_a_sweep_has_the_files_of_the_command_line(short: Path, program: Program, tmp_path: Path) -> None:
    axis = "topology.dumbbell.senders=2,3"
    assert program("sweep", short, "--axis", axis, "--seeds", "2", "--quiet", "--out", "theirs").returncode == 0
    sweep = setpoint.sweep(
        short, axes={"topology.dumbbell.senders": [2, 3]}, seeds=2, threads=2, out=tmp_path / "ours"
    )
    for name in ["sweep.json", "sweep.csv", "sweep.html"]:
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    assert sweep.summary == json.loads((tmp_path / "ours" / "sweep.json").read_text())
    assert sweep.failures == []


def test_the_table_of_variants_is_that_of_the_file(short: Path, tmp_path: Path) -> None:
    axes = {"topology.dumbbell.senders": "2..4", "network.buffer": ["100kB", "200kB"]}
    sweep = setpoint.sweep(short, axes=axes, out=tmp_path / "sweep")
    with open(tmp_path / "sweep" / "sweep.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(sweep) == len(rows) == 6
    for name in ["topology.dumbbell.senders", "network.buffer"]:
        assert sweep.variants[name] == [row[name] for row in rows]
    for name in ["mean_utilisation_share", "mean_queue_mean_bytes"]:
        assert sweep.variants[name] == [float(row[name]) for row in rows]
    assert len(sweep.runs) == 6


def test_without_a_folder_nothing_is_left_behind(
    short: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    assert len(setpoint.sweep(short, axes={"network.buffer": ["100kB", "200kB"]})) == 2
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_scenario_without_axes_has_nothing_to_sweep(short: Path) -> None:
    with pytest.raises(setpoint.ScenarioError, match="nothing to sweep"):
        setpoint.sweep(short)
