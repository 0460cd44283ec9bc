"""Tables: the same values in every library, with units and origin."""

from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import setpoint


def test_every_library_reads_the_same_table(short: Path) -> None:
    queues = setpoint.run(short).queues
    arrow = pyarrow.table(queues)
    frame = pandas.DataFrame.from_arrow(queues)
    lazy = polars.DataFrame(queues)
    mean = duckdb.sql("select avg(length_bytes) from queues").fetchone()
    assert len(queues) == arrow.num_rows == len(frame) == lazy.height > 0
    assert queues.columns == arrow.column_names == list(frame.columns) == lazy.columns
    expected = queues["length_bytes"]
    assert arrow["length_bytes"].to_pylist() == list(frame["length_bytes"]) == lazy["length_bytes"].to_list() == expected
    assert mean is not None and abs(mean[0] - sum(expected) / len(expected)) < 1e-6


def test_fields_have_units_and_tables_an_origin(short: Path) -> None:
    result = setpoint.run(short, seed=3)
    schema = pyarrow.schema(result.flows)
    assert schema.field("time_s").metadata == {b"unit": b"s"}
    assert schema.field("rate_bps").metadata == {b"unit": b"b/s"}
    assert schema.field("flow").metadata is None
    assert schema.metadata == {
        b"scenario": b"short",
        b"seed": b"3",
        b"version": setpoint.__version__.encode(),
        b"digest": result.digest.encode(),
    }
    assert result.flows.units["rate_bps"] == "b/s"
    assert result.flows.metadata["digest"] == result.digest


def test_missing_values_are_null(short: Path) -> None:
    limits = pyarrow.table(setpoint.run(short, set={"control": "none"}).flows)["limit_bps"]
    assert limits.null_count == len(limits) > 0


def test_messages_have_a_row_each() -> None:
    result = setpoint.run("league-mice", set={"duration": "20ms", "measure_from": "0s"})
    messages = pandas.DataFrame.from_arrow(result.messages)
    assert len(messages) == result.summary["messages"]["completed"] > 0
    assert (messages.fct_s >= messages.ideal_s * 0.999).all()


def test_every_table_of_a_sweep_is_read(short: Path) -> None:
    sweep = setpoint.sweep(short, axes={"network.buffer": ["100kB", "200kB"]}, seeds=2)
    variants, runs = polars.DataFrame(sweep.variants), polars.DataFrame(sweep.runs)
    assert (variants.height, runs.height) == (2, 4)
    assert runs["network.buffer"].to_list() == ["100kB", "100kB", "200kB", "200kB"]
    assert variants["mean_utilisation_share"].to_list() == (
        runs.group_by("variant", maintain_order=True).agg(polars.col("utilisation_share").mean())["utilisation_share"].to_list()
    )


def test_an_unknown_column_is_a_key_error(short: Path) -> None:
    try:
        setpoint.run(short).flows["rate"]
    except KeyError as error:
        assert error.args == ("rate",)
    else:
        raise AssertionError("there is no such column")
