"""Runs: the same results as the command line, however the scenario is given."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import setpoint

from conftest import SHORT, Program


def test_a_run_has_the_digest_and_the_figures_of_the_command_line(short: Path, program: Program) -> None:
    printed = json.loads(program("run", short, "--json", "--quiet", "--seed", "7").stdout)
    identity = printed.pop("run")
    result = setpoint.run(short, seed=7)
    assert result.digest == identity["digest"]
    assert result.summary == printed
    assert (result.scenario, result.seed) == ("short", 7)


def test_settings_have_the_same_effect(short: Path, program: Program) -> None:
    options = ["--set", "network.buffer=200kB", "--set", "topology.dumbbell.senders=3", "--set", "at=[]"]
    printed = json.loads(program("run", short, "--json", "--quiet", *options).stdout)
    result = setpoint.run(short, set={"network.buffer": "200kB", "topology.dumbbell.senders": 3, "at": []})
    assert result.digest == printed["run"]["digest"]
    assert result.manifest["overrides"] == printed["run"]["overrides"]


def test_a_scenario_is_text_a_dict_a_path_or_an_object(short: Path) -> None:
    expected = setpoint.run(short).digest
    given: list[setpoint.Scenario | dict[str, Any] | str] = [
        SHORT,
        str(short),
        tomllib.loads(SHORT),
        setpoint.Scenario.from_text(SHORT, name="short"),
        setpoint.Scenario.from_dict(tomllib.loads(SHORT)),
        setpoint.Scenario.from_file(short),
    ]
    assert [setpoint.run(scenario).digest for scenario in given] == [expected] * len(given)


@pytest.mark.parametrize("name", setpoint.scenarios())
def test_every_built_in_scenario_survives_the_way_through_a_dict(name: str) -> None:
    scenario = setpoint.Scenario.builtin(name)
    direct = setpoint.check(scenario)
    again = setpoint.check(setpoint.Scenario.from_dict(tomllib.loads(scenario.text)))
    compared = ["name", "description", "seed", "duration_s", "nodes", "links", "flows", "algorithm", "axes", "variants"]
    assert [getattr(direct, key) for key in compared] == [getattr(again, key) for key in compared]
    assert direct.parameters == again.parameters


def test_the_default_is_that_of_the_command_line() -> None:
    assert setpoint.check().name == setpoint.check("default").name == "qcn-dumbbell"


def test_a_stored_result_is_that_of_the_command_line(short: Path, program: Program, tmp_path: Path) -> None:
    assert program("run", short, "--quiet", "--out", "theirs").returncode == 0
    result = setpoint.run(short, out=tmp_path / "ours")
    result.write(tmp_path / "later", report=False)
    for file in (tmp_path / "theirs").iterdir():
        assert (tmp_path / "ours" / file.name).read_bytes() == file.read_bytes(), file.name
    assert not (tmp_path / "later" / "report.html").exists()
    assert (tmp_path / "later" / "summary.json").exists()
    assert result.report() == (tmp_path / "ours" / "report.html").read_text()


def test_several_seeds_are_a_sweep_with_one_variant(short: Path) -> None:
    sweep = setpoint.run(short, seed=5, seeds=3, threads=2)
    assert len(sweep) == 1
    assert sweep.runs["seed"] == [5, 6, 7]
    assert sweep.runs["digest"][2] == setpoint.run(short, seed=7).digest


def test_a_failed_run_and_a_foreign_folder_are_run_errors(short: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("…")
    with pytest.raises(setpoint.RunError, match="mine"):
        setpoint.run(short, out=tmp_path / "mine")
    with pytest.raises(setpoint.RunError, match="the run needs up to"):
        setpoint.run(short, memory="1kB")


def test_a_run_on_several_threads_has_the_same_result(short: Path) -> None:
    assert setpoint.run(short, threads=2).digest == setpoint.run(short).digest
    with pytest.raises(ValueError, match="threads is 0"):
        setpoint.run(short, threads=0)
