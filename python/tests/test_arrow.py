"""Tables: the same values in every library, with units and origin."""

from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest
import setpoint

from conftest import Program


def rows(query: str, queues: setpoint.Table | None = None) -> list[tuple[Any, ...]]:
    """Queries DuckDB, which finds tables by the names of variables."""
    relation = duckdb.sql(query)
    assert relation is not None
    return list(relation.fetchall())


def test_every_library_reads_the_same_table(short: Path) -> None:
    queues = setpoint.run(short).queue_series
    arrow = pyarrow.table(queues)
    frame = pandas.DataFrame.from_arrow(queues)
    lazy = polars.DataFrame(queues)
    [(mean,)] = rows("select avg(length_bytes) from queues where queue = 'left->right/3'", queues)
    assert len(queues) == arrow.num_rows == len(frame) == lazy.height > 0
    assert queues.columns == arrow.column_names == list(frame.columns) == lazy.columns
    for name in ["queue", "length_bytes"]:
        assert arrow[name].to_pylist() == list(frame[name]) == lazy[name].to_list() == queues[name]
    lengths = zip(queues["queue"], queues["length_bytes"])
    expected = [length for queue, length in lengths if queue == "left->right/3"]
    assert mean == pytest.approx(sum(expected) / len(expected))


def test_every_table_of_a_run_is_read(short: Path) -> None:
    result = setpoint.run(short)
    assert {"summary", "flows", "queues", "ports", "flow_series", "queue_series", "port_series"} <= set(result.tables)
    for name, table in result.tables.items():
        assert table.name == name
        assert polars.DataFrame(table).shape == (len(table), len(table.columns))
    assert result.flows["name"] == [flow["name"] for flow in result.summary["flows"]]
    assert result.messages is None


def test_fields_have_units_and_tables_an_origin(short: Path) -> None:
    result = setpoint.run(short, seed=3)
    schema = pyarrow.schema(result.flow_series)
    assert schema.field("time_s").metadata[b"unit"] == b"s"
    assert schema.field("rate_bps").metadata == {b"unit": b"bit/s", b"meaning": b"Delivery rate in the interval."}
    assert b"unit" not in schema.field("flow").metadata
    assert schema.metadata[b"setpoint.scenario"] == b"short"
    assert schema.metadata[b"setpoint.seed"] == b"3"
    assert schema.metadata[b"setpoint.version"] == setpoint.__version__.encode()
    assert schema.metadata[b"setpoint.digest"] == result.digest.encode()
    assert result.flow_series.units["rate_bps"] == "bit/s"
    assert result.flow_series.metadata["setpoint.digest"] == result.digest


def test_missing_values_are_null(short: Path) -> None:
    limits = pyarrow.table(setpoint.run(short, set={"control": "none"}).flow_series)["limit_bps"]
    assert limits.null_count == len(limits) > 0


def test_messages_have_a_row_each() -> None:
    result = setpoint.run("league-mice", set={"duration": "20ms", "measure_from": "0s"})
    assert result.messages is not None
    messages = pandas.DataFrame.from_arrow(result.messages)
    completed = messages[messages.state == "completed"]
    counts = result.summary["messages"]
    assert len(completed) == counts["completed"] > 0
    assert len(messages) == sum(counts[state] for state in ("completed", "unfinished", "damaged"))
    assert (completed.fct_s >= completed.ideal_s * 0.999).all()
    assert messages[messages.state != "completed"].fct_s.isna().all()


def test_every_table_of_a_sweep_is_read(short: Path) -> None:
    sweep = setpoint.sweep(short, axes={"network.buffer": ["100kB", "200kB"]}, seeds=2)
    variants, runs = polars.DataFrame(sweep.variants), polars.DataFrame(sweep.runs)
    assert (variants.height, runs.height) == (2, 4)
    assert sweep.slowdown_by_size is None
    assert runs["network.buffer"].to_list() == ["100kB", "100kB", "200kB", "200kB"]
    means = runs.group_by("variant", maintain_order=True).agg(polars.col("utilisation_share").mean())
    assert variants["mean_utilisation_share"].to_list() == pytest.approx(means["utilisation_share"].to_list())


def test_slowdown_by_size_has_a_row_per_variant_and_size() -> None:
    settings, axes = {"duration": "5ms", "measure_from": "0s"}, {"control": ["qcn", "none"]}
    sweep = setpoint.sweep("league-mice", set=settings, axes=axes, seeds=3)
    assert sweep.slowdown_by_size is not None
    table = polars.DataFrame(sweep.slowdown_by_size)
    recorded = [
        (variant["index"], size["from_bytes"], size["messages"], size["p50"]["mean"], size["p50"]["interval"])
        for variant in sweep.summary["variants"]
        for size in variant["slowdown_by_size"]
    ]
    columns = ["variant", "from_bytes", "messages", "mean_slowdown_p50", "low_slowdown_p50", "high_slowdown_p50"]
    intervals = [(None, None) if interval is None else (interval["low"], interval["high"]) for *_, interval in recorded]
    assert any(low is not None for low, _ in intervals)
    assert table.select(columns).rows() == [(*row[:-1], *ends) for row, ends in zip(recorded, intervals)]


def test_an_unknown_column_is_a_key_error(short: Path) -> None:
    with pytest.raises(KeyError, match="rate"):
        setpoint.run(short).flow_series["rate"]


def test_parquet_files_hold_the_same_tables(short: Path, program: Program, tmp_path: Path) -> None:
    assert program("run", short, "--quiet", "--format", "parquet", "--out", "stored").returncode == 0
    result = setpoint.run(short)
    stored = sorted((tmp_path / "stored").rglob("*.parquet"))
    assert {file.stem for file in stored} == set(result.tables)
    for file in stored:
        ours = polars.DataFrame(result.tables[file.stem])
        ours = ours.with_columns(polars.col(polars.Categorical).cast(polars.String))
        assert polars.read_parquet(file).equals(ours), file.stem
        assert pandas.read_parquet(file).shape == ours.shape
        assert rows(f"select count(*) from '{file}'") == [(ours.height,)]


def test_jobs_have_a_table() -> None:
    job = {"name": "train", "kind": "ring-all-reduce", "ranks": "h*", "size": "80 kB"}
    scenario = "duration = '1 ms'\nmeasure_from = '0 s'\n[topology.star]\nstations = 4\n[[jobs]]\n"
    scenario += "".join(f"{key} = '{value}'\n" for key, value in job.items())
    result = setpoint.run(scenario)
    assert result.jobs is not None
    assert (result.jobs["name"], result.jobs["ranks"], result.jobs["messages"]) == (["train"], [4], [24])
    assert result.jobs["time_s"][0] == result.summary["jobs"][0]["time_s"] > 0
    assert len(result.tables["jobs.steps"]["step"]) == 6
    assert setpoint.run("duration = '1 ms'\nmeasure_from = '0 s'\n[topology.dumbbell]\nsenders = 2\n").jobs is None
