"""Stored results, pickled results, and how notebooks show them."""

import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas
import polars
import pytest
import setpoint

from conftest import SHORT, Program

MICE = {"duration": "5ms", "measure_from": "0s"}
LOOP = {"duration": "20ms", "measure_from": "10ms", "topology.dumbbell.senders": "2"}
GAIN = {"control.qcn.rp.gain": ["2^-8", "2^-7", "2^-6"]}


def wrong() -> None:
    setpoint.check("duration = 2\n")


def tuned(short: Path, **options: Any) -> setpoint.Tuning:
    return setpoint.tune(
        short, parameters=GAIN, objectives=["queue_error_bytes"], candidates=3, seeds=1, unseen=5, **options
    )


def same(one: Any, other: Any) -> None:
    """Two objects of one class with the same summary and tables."""
    assert type(one) is type(other)
    assert repr(one) == repr(other) and one._repr_html_() == other._repr_html_()
    if hasattr(one, "summary"):
        assert one.summary == other.summary


def test_errors_keep_their_text_and_problems_in_a_process_pool() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(setpoint.ScenarioError, match="`duration` is 2 without a unit") as raised:
            pool.submit(wrong).result()
    [problem, *_] = [problem for problem in raised.value.problems if "duration" in problem.message]
    assert (problem.line, problem.column) == (1, 12)


def test_everything_can_be_pickled(short: Path) -> None:
    run = setpoint.run(short)
    axes = {"network.buffer": ["100kB", "200kB"]}
    objects: list[Any] = [
        run,
        setpoint.check(short),
        setpoint.sweep(short, axes=axes),
        setpoint.fluid("qcn-loop", set=LOOP),
        setpoint.stability("qcn-loop", set=LOOP),
        setpoint.phase("qcn-loop", set=LOOP),
        setpoint.compare(run, run),
        run.queue_series,
    ]
    for one in objects:
        same(one, pickle.loads(pickle.dumps(one)))
    again = pickle.loads(pickle.dumps(run))
    assert (again.digest, again.elapsed_s) == (run.digest, run.elapsed_s)
    for name, table in run.tables.items():
        assert polars.DataFrame(again.tables[name]).equals(polars.DataFrame(table)), name
        copied = pickle.loads(pickle.dumps(table))
        assert polars.DataFrame(copied).equals(polars.DataFrame(table)), name
        assert (copied.units, copied.metadata) == (table.units, table.metadata)
    scenario = setpoint.Scenario.from_text(SHORT, name="mine")
    assert pickle.loads(pickle.dumps(scenario)).text == SHORT


def test_stored_results_are_loaded(short: Path, tmp_path: Path, program: Program) -> None:
    axes = {"network.buffer": ["100kB", "200kB"]}
    stored: dict[str, Any] = {
        "run": setpoint.run(short, out=tmp_path / "run"),
        "sweep": setpoint.sweep(short, axes=axes, out=tmp_path / "sweep"),
        "tune": tuned(short, out=tmp_path / "tune"),
        "fluid": setpoint.fluid("qcn-loop", set=LOOP, out=tmp_path / "fluid"),
        "stability": setpoint.stability("qcn-loop", set=LOOP, out=tmp_path / "stability"),
        "phase": setpoint.phase("qcn-loop", set=LOOP, out=tmp_path / "phase"),
    }
    for name, result in stored.items():
        same(setpoint.load(tmp_path / name), result)
    assert program("run", short, "--quiet", "--out", "theirs").returncode == 0
    assert setpoint.load(tmp_path / "theirs").summary == stored["run"].summary  # type: ignore[union-attr]
    with pytest.raises(setpoint.RunError, match="holds no result that can be loaded"):
        setpoint.load(tmp_path)


def test_a_changed_result_is_refused(short: Path, tmp_path: Path) -> None:
    setpoint.run(short, out=tmp_path / "run")
    queues = tmp_path / "run" / "queues.csv"
    queues.write_text(queues.read_text().replace("1", "2"))
    with pytest.raises(setpoint.RunError, match="queues.csv"):
        setpoint.load(tmp_path / "run")


def test_messages_of_a_sweep_are_one_table(tmp_path: Path) -> None:
    axes = {"network.buffer": ["150kB", "300kB"]}
    sweep = setpoint.sweep("league-mice", set=MICE, axes=axes, seeds=2, out=tmp_path / "sweep")
    assert sweep.messages is not None
    messages = polars.DataFrame(sweep.messages)
    assert messages.columns[:6] == ["variant", "network.buffer", "network.buffer_bytes", "seed", "flow", "entry"]
    alone = setpoint.run("league-mice", set={**MICE, "network.buffer": "300kB"}, seed=sweep.runs["seed"][0])
    assert alone.messages is not None
    figures = ["flow", "entry", "size_bytes", "fct_s", "slowdown"]
    ours = messages.filter((polars.col("variant") == 1) & (polars.col("seed") == alone.seed)).select(figures)
    text = [polars.col("flow", "entry").cast(polars.String)]
    assert ours.with_columns(text).equals(polars.DataFrame(alone.messages).select(figures).with_columns(text))
    loaded = setpoint.load(tmp_path / "sweep")
    assert isinstance(loaded, setpoint.Sweep) and loaded.messages is not None
    assert len(loaded.messages) == len(sweep.messages)
    with pytest.raises(setpoint.RunError, match="not stored; give `out`"):
        setpoint.sweep("league-mice", set=MICE, axes=axes).messages


def test_tables_have_the_entry_of_each_flow() -> None:
    flows = [
        {"from": "s1", "to": "r1", "name": "first"},
        {"from": ["s2", "s3"], "to": "r2"},
    ]
    dumbbell = {"dumbbell": {"senders": 3, "rate": "10 Gb/s"}}
    scenario = {"duration": "2 ms", "control": "qcn", "topology": dumbbell, "flows": flows}
    result = setpoint.run(scenario)
    assert result.flows["entry"] == ["first", *["flows.2"] * (len(result.flows) - 1)]
    series = pandas.DataFrame.from_arrow(result.flow_series)
    assert series.groupby("flow", observed=True).entry.first().tolist() == result.flows["entry"]
    assert "entry" not in setpoint.run(set={"duration": "2 ms", "measure_from": "0s", "at": []}).flows.columns


def test_a_comparison_has_the_metrics_of_all_runs(short: Path, tmp_path: Path) -> None:
    runs = [setpoint.run(short, set={"control": control}) for control in ("qcn", "none")]
    compared = setpoint.compare(*runs, out=tmp_path / "compare")
    assert compared.names == ["control=qcn", "control=none"]
    metrics = compared.metrics
    throughput = metrics["metric"].index("throughput_bps")
    assert metrics["control=qcn"][throughput] == runs[0].summary["total"]["throughput_bps"]
    assert (tmp_path / "compare" / "compare.html").read_text() == compared.report()
    runs[0].write(tmp_path / "stored")
    assert setpoint.compare(tmp_path / "stored", runs[1], names=["a", "b"]).names == ["a", "b"]
    with pytest.raises(ValueError, match="2 to 4 runs, not 1"):
        setpoint.compare(runs[0])


def test_a_tuning_is_that_of_the_command_line(short: Path, program: Program) -> None:
    options = ["--objective", "queue_error_bytes", "--candidates", "3", "--seeds", "1", "--unseen", "5"]
    printed = program("tune", short, "-p", "control.qcn.rp.gain=2^-8,2^-7,2^-6", *options, "--json", "--quiet")
    tuning = tuned(short)
    assert setpoint.Tuning is type(tuning)
    assert tuning.summary == json.loads(printed.stdout)
    assert set(tuning.front["candidate"]) >= set(tuning.summary["front"])
    assert len(tuning.candidates) == sum(len(rung["candidates"]) for rung in tuning.summary["rungs"])
    if tuning.recommended is not None:
        setpoint.check(short, set=tuning.recommended)
    with pytest.raises(ValueError, match="cannot be tuned"):
        setpoint.tune(short, parameters={"seed": [1, 2]})


def test_a_league_is_that_of_the_command_line(program: Program, tmp_path: Path) -> None:
    control = ["none", "qcn", "afd", "timely:patched"]
    league = setpoint.league("incast", control=control, seeds=1, out=tmp_path / "ours")
    options = ["--seeds", "1", "--json", "--quiet", "--out", "theirs"]
    printed = program("league", "incast", f"--control={','.join(control)}", *options).stdout
    assert league.summary == json.loads(printed)
    for name in ["league.json", "league.csv", "league.html"]:
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    assert set(league.standings["algorithm"]) == set(control)
    same(setpoint.load(tmp_path / "theirs"), league)
    same(pickle.loads(pickle.dumps(league)), league)
    with pytest.raises(ValueError, match="did you mean `few`"):
        setpoint.league("fev")
    with pytest.raises(ValueError, match="timely has no profile .*did you mean `patched`"):
        setpoint.league("few", control=["timely:pached"])
    with pytest.raises(ValueError, match="the baseline qcn is not among the algorithms none"):
        setpoint.league("few", control=["none"], baseline="qcn")


def test_phase_planes_are_those_of_the_command_line(program: Program) -> None:
    options = [option for key, value in LOOP.items() for option in ("--set", f"{key}={value}")]
    theirs = json.loads(program("phase", "qcn-loop", *options, "--from", "-20kB,1Gb/s", "--json").stdout)
    phase = setpoint.phase("qcn-loop", set=LOOP, starts=[(-20_000, 1e9)])
    assert phase.summary == theirs
    assert phase.trajectories["offset_bytes"] == theirs["trajectories"][0]["offset_bytes"]


def test_plots_are_svg(short: Path, tmp_path: Path) -> None:
    result = setpoint.run(short)
    for name, plot in result.plots.items():
        assert ElementTree.fromstring(plot._repr_svg_()).tag == "{http://www.w3.org/2000/svg}svg"
        assert plot.name == name and plot.title
    result.plot("queues").save(tmp_path / "queue.svg")
    assert (tmp_path / "queue.svg").read_text() == result.plots["queues"].svg
    with pytest.raises(KeyError, match="did you mean `queues`"):
        result.plot("queus")


def test_plots_for_print(short: Path, tmp_path: Path) -> None:
    result = setpoint.run(short)
    plot = result.plot("queues", size="88mm x 60mm", font_size="8pt", greyscale=True, title=False, note=False)
    assert ' width="88mm" height="60mm"' in plot.svg and "#0072b2" not in plot.svg
    plot.save(tmp_path / "queue.pdf")
    assert (tmp_path / "queue.pdf").read_bytes().startswith(b"%PDF-1.4")
    with pytest.raises(ValueError, match="has no unit; write 88mm"):
        result.plot("queues", size="88")
    with pytest.raises(ValueError, match="use at most"):
        result.plot("queues", size="88mm", font_size="40pt")
    with pytest.raises(TypeError, match="did you mean `greyscale`"):
        result.plot("queues", grayscale=True)  # type: ignore[call-arg]


def test_html_is_escaped_and_well_formed() -> None:
    hostile = {**{"name": "<script>alert(1)</script>"}, "duration": "2 ms"}
    result = setpoint.run(set={**hostile, "measure_from": "0s", "at": []})
    check = setpoint.check(set={**hostile, "measure_from": "0s", "at": [], "network.buffer": "30kB"})
    shown: list[Any] = [result, check, result.flows, result.flow_series]
    for one in shown:
        page = one._repr_html_()
        assert "<script>" not in page and len(page) < 20_000
        ElementTree.fromstring(f"<div>{page}</div>")
    assert "20 of" in result.flow_series._repr_html_()
