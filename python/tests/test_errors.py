"""Errors: the same text and place as on the command line."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import setpoint

from conftest import SHORT, Program


def test_a_wrong_scenario_has_the_text_of_the_command_line(program: Program, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(SHORT.replace('"20 ms"', "20").replace("senders", "sendrs"))
    with pytest.raises(setpoint.ScenarioError) as raised:
        setpoint.run(wrong)
    assert str(raised.value) + "\n" == program("run", wrong).stderr


def test_problems_have_their_places() -> None:
    with pytest.raises(setpoint.ScenarioError) as raised:
        setpoint.check(SHORT.replace('"20 ms"', "20"))
    [problem] = raised.value.problems
    assert problem.message == "`duration` is 20 without a unit"
    assert (problem.file, problem.line, problem.column) == ("scenario", 2, 12)
    assert (problem.end_line, problem.end_column) == (2, 14)
    assert problem.remedies


@pytest.mark.parametrize("key", ["network.bufer", "duration"])
def test_wrong_settings_have_the_text_of_the_command_line(key: str, short: Path, program: Program) -> None:
    with pytest.raises(setpoint.ScenarioError) as raised:
        setpoint.run(short, set={key: "many"})
    assert str(raised.value) + "\n" == program("run", short, "--set", f"{key}=many").stderr
    assert raised.value.problems[0].file == "--set"


@pytest.mark.parametrize("name", ["defualt", "no-such-thing", "missing/file.toml"])
def test_unknown_names_have_the_text_of_the_command_line(name: str, program: Program) -> None:
    with pytest.raises(setpoint.ScenarioError) as raised:
        setpoint.run(name)
    theirs = program("run", name).stderr
    assert theirs in (f"error: {raised.value}\n", f"{raised.value}\n")


@pytest.mark.parametrize(("command", "function"), [("fluid", setpoint.fluid), ("stability", setpoint.stability)])
def test_a_scenario_without_a_fluid_model_has_the_text_of_the_command_line(
    command: str, function: Callable[[str], object], program: Program
) -> None:
    with pytest.raises(setpoint.ScenarioError) as raised:
        function("parking-lot")
    assert f"error: {raised.value}\n" == program(command, "parking-lot").stderr
    assert raised.value.problems == []


def test_warnings_are_python_warnings(program: Program, short: Path) -> None:
    buffer = {"network.buffer": "30kB"}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        setpoint.run(short, set=buffer)
    theirs = program("check", "--quiet", short, "--set", "network.buffer=30kB").stderr
    ours = [str(warning.message) for warning in caught if warning.category is setpoint.ScenarioWarning]
    assert ours and "".join(f"{text}\n\n" for text in ours) == theirs
    assert setpoint.check(short, set=buffer).warnings == ours


def test_mechanisms_that_did_nothing_are_python_warnings(short: Path, tmp_path: Path) -> None:
    light = {"flows.1.traffic.constant.rate": "1 Mb/s"}
    expected = "warning[inactive-mechanism]: qcn did nothing: no notification was sent"
    with pytest.warns(setpoint.RunWarning) as caught:
        setpoint.run(short, set=light)
    assert [str(warning.message) for warning in caught] == [expected]
    axes = {"topology.dumbbell.senders": [4, 5]}
    with pytest.warns(setpoint.RunWarning) as caught:
        setpoint.sweep(short, set=light, axes=axes, out=tmp_path / "sweep")
    text = expected.replace("qcn", "all 2 variants: qcn")
    assert [str(warning.message) for warning in caught] == [text]


def test_values_that_a_scenario_cannot_hold_are_type_errors(short: Path) -> None:
    with pytest.raises(TypeError, match="a scenario holds text"):
        setpoint.run(short, set={"duration": object()})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="not int"):
        setpoint.run(3)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="seeds is 0; expected a number from 1"):
        setpoint.run(short, seeds=0)


def nested(depth: int, inner: object = 1) -> list[Any]:
    value: Any = inner
    for _ in range(depth):
        value = [value]
    return value  # type: ignore[no-any-return]


def test_values_that_contain_themselves_are_value_errors(short: Path) -> None:
    endless_list: list[Any] = []
    endless_list.append(endless_list)
    endless_dict: dict[str, Any] = {"name": "endless"}
    endless_dict["topology"] = {"dumbbell": endless_dict}
    tables: dict[str, Any] = {"flows": []}
    tables["flows"].append(tables)
    for scenario in (endless_dict, tables):
        with pytest.raises(ValueError, match="a dict contains itself"):
            setpoint.check(scenario)
    with pytest.raises(ValueError, match="a list contains itself"):
        setpoint.run(short, set={"at": endless_list})
    with pytest.raises(ValueError, match="a list contains itself"):
        setpoint.check(short, axes={"at": endless_list})


def test_values_that_are_nested_too_deep_are_value_errors(short: Path) -> None:
    deep: dict[str, Any] = {}
    for _ in range(20_000):
        deep = {"inner": deep}
    with pytest.raises(ValueError, match="nested more than 64 levels deep"):
        setpoint.check(deep)
    with pytest.raises(ValueError, match="nested more than 64 levels deep"):
        setpoint.run(short, set={"at": nested(20_000)})
    with pytest.raises(setpoint.ScenarioError):
        setpoint.run(short, set={"at": nested(64)})


def test_values_that_double_with_every_level_are_value_errors(short: Path) -> None:
    value: list[Any] = ["x" * 1_000_000]
    for _ in range(60):
        value = [value, value]
    with pytest.raises(ValueError, match="more than 64 MiB of text"):
        setpoint.run(short, set={"at": value})


def test_a_step_that_is_not_json_is_a_value_error() -> None:
    point = setpoint.ReactionPoint("qcn")
    for wrong in ({"sent": {"frame_bytes": float("nan")}}, {"sent": nested(500)}):
        with pytest.raises(ValueError):
            point.step(wrong)
