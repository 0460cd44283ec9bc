"""Controllers written in Python that run inside the simulator."""

import json
import traceback
from pathlib import Path
from typing import Any

import pytest
import setpoint

import qcn
from conftest import Program

BOTH: dict[str, Any] = {"congestion_point": qcn.CongestionPoint, "reaction_point": qcn.ReactionPoint}
LONGER = {"duration": "60 ms"}


class Deaf:
    """A congestion point that never notifies."""

    def __init__(self, line_rate_bps: int, random: setpoint.Random) -> None:
        self.line_rate_bps = line_rate_bps

    def on_enqueue(self, arrival: setpoint.Arrival) -> None:
        return None


class Stubborn:
    """A reaction point that halves its rate at every notification and never raises it."""

    def __init__(self, line_rate_bps: int, random: setpoint.Random) -> None:
        self.rate_bps = float(line_rate_bps)

    def on_notification(self, notification: setpoint.Notification, time_ps: int, from_point: int) -> None:
        self.rate_bps /= 2


@pytest.mark.parametrize("points", [["congestion_point"], ["reaction_point"], ["congestion_point", "reaction_point"]])
@pytest.mark.parametrize("seed", [1, 2])
def test_qcn_in_python_has_the_digest_of_qcn(short: Path, points: list[str], seed: int) -> None:
    built_in = setpoint.run(short, set=LONGER, seed=seed)
    ours = setpoint.run(short, set=LONGER, seed=seed, **{point: BOTH[point] for point in points})
    assert built_in.summary["total"]["notifications"] > 10
    assert without_counters(ours.summary) == without_counters(built_in.summary)
    assert ours.digest == built_in.digest


def without_counters(summary: dict[str, Any]) -> dict[str, Any]:
    """The summary without the counters, which depend on the algorithm and which these classes do not have."""
    flows = [{key: value for key, value in flow.items() if key != "counters"} for flow in summary["flows"]]
    return {**summary, "flows": flows}


def test_the_result_is_the_same_for_any_number_of_threads() -> None:
    settings = {"duration": "500 us", "measure_from": "0s", "sample_interval": "50 us", "control": "qcn"}
    digests = {setpoint.run("league-fabric", set=settings, threads=threads, **BOTH).digest for threads in (1, 2, 4)}
    assert len(digests) == 1


def test_the_manifest_names_the_controllers(short: Path, program: Program, tmp_path: Path) -> None:
    assert "controllers" not in setpoint.run(short).manifest
    result = setpoint.run(short, reaction_point=Stubborn, out=tmp_path / "stored")
    assert result.manifest["controllers"] == {"congestion_point": None, "reaction_point": f"{__name__}.Stubborn"}
    assert json.loads((tmp_path / "stored" / "manifest.json").read_text())["controllers"] == result.manifest["controllers"]
    page = result.report()
    assert "do not reproduce this run" in page and "setpoint run short" not in page
    assert f"{__name__}.Stubborn" in page
    assert setpoint.load(tmp_path / "stored").manifest == result.manifest  # type: ignore[union-attr]


def test_a_sweep_does_not_take_such_a_result_for_its_own(short: Path, tmp_path: Path) -> None:
    sweep = setpoint.run(short, seeds=1, out=tmp_path / "sweep")
    [folder] = sweep.runs["folder"]
    setpoint.run(short, seed=1, out=tmp_path / "sweep" / folder, reaction_point=Stubborn)
    again = setpoint.run(short, seeds=1, out=tmp_path / "sweep")
    assert again.runs["digest"] == sweep.runs["digest"]


def test_controllers_change_the_result(short: Path) -> None:
    built_in = setpoint.run(short)
    assert setpoint.run(short, congestion_point=Deaf).summary["total"]["notifications"] == 0
    assert setpoint.run(short, reaction_point=Stubborn).digest != built_in.digest


def test_a_list_of_notifications_reaches_other_flows(short: Path) -> None:
    class Everyone:
        def __init__(self, line_rate_bps: int, random: setpoint.Random) -> None:
            self.flows: set[int] = set()
            self.frames = 0

        def on_enqueue(self, arrival: setpoint.Arrival) -> list[setpoint.Notification]:
            self.flows.add(arrival.flow)
            self.frames += 1
            if self.frames % 100:
                return []
            return [setpoint.Notification(1, to=flow) for flow in sorted(self.flows)]

    flows = setpoint.run(short, congestion_point=Everyone).summary["flows"]
    assert all(flow["notifications"] > 10 for flow in flows)


def test_an_exception_stops_the_run_and_has_its_traceback(short: Path) -> None:
    class Broken(qcn.CongestionPoint):
        def on_enqueue(self, arrival: setpoint.Arrival) -> setpoint.Notification | None:
            if arrival.time_ps > 10**9:
                raise ArithmeticError(f"too late: {arrival}")
            return super().on_enqueue(arrival)

    with pytest.raises(ArithmeticError, match="too late") as raised:
        setpoint.run(short, set={"duration": "100 s"}, congestion_point=Broken)
    assert "on_enqueue" in "".join(traceback.format_exception(raised.value))


class Silent(Stubborn):
    def on_notification(self, notification: setpoint.Notification, time_ps: int, from_point: int) -> None:
        self.rate_bps = 0


class Overdue(Stubborn):
    timer_ps = 0


class Timeless(Stubborn):
    def on_notification(self, notification: setpoint.Notification, time_ps: int, from_point: int) -> None:
        super().on_notification(notification, time_ps, from_point)
        self.timer_ps = time_ps + 1


class Hasty(Timeless):
    def on_timer(self, time_ps: int) -> None:
        pass


class Loud(Deaf):
    def on_enqueue(self, arrival: setpoint.Arrival) -> Any:
        return setpoint.Notification(64)


class Lost(Deaf):
    def on_enqueue(self, arrival: setpoint.Arrival) -> Any:
        return [setpoint.Notification(1, to=99)]


class Chatty(Deaf):
    def on_enqueue(self, arrival: setpoint.Arrival) -> Any:
        return 7


class Miscounting(Deaf):
    counters = {"frames": 1}


class Unable:
    def __init__(self, line_rate_bps: int, random: setpoint.Random) -> None:
        pass


class Early(Deaf):
    def __init__(self, line_rate_bps: int, random: setpoint.Random) -> None:
        random()


@pytest.mark.parametrize(
    ("points", "error", "message"),
    [
        ({"reaction_point": Silent}, ValueError, "rate_bps is 0; expected"),
        ({"reaction_point": Overdue}, ValueError, "timer_ps is 0 at .*; it must be later, or None"),
        ({"reaction_point": Hasty}, ValueError, "it must be later, or None"),
        ({"reaction_point": Timeless}, AttributeError, "no method on_timer"),
        ({"reaction_point": Unable}, TypeError, "Unable has no method on_notification"),
        ({"reaction_point": lambda: None}, TypeError, "positional argument"),
        ({"congestion_point": Unable}, TypeError, "Unable has no method on_enqueue"),
        ({"congestion_point": Loud}, ValueError, "feedback is 64; expected 0 to 63"),
        ({"congestion_point": Lost}, ValueError, "to flow 99, but no frame of that flow"),
        ({"congestion_point": Chatty}, TypeError, "expected None, a Notification"),
        ({"congestion_point": Miscounting}, ValueError, "counts samples and notifications"),
        ({"congestion_point": Early}, RuntimeError, "while the simulator calls"),
        ({"congestion_point": 7}, TypeError, "congestion_point is a int; expected a class"),
        ({"congestion_point": Deaf, "seeds": 2}, ValueError, "one seed at a time"),
        ({"congestion_point": Deaf, "set": {"control": "none"}}, setpoint.RunError, "sends no notifications"),
    ],
)
def test_wrong_controllers_are_errors(
    short: Path, points: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        setpoint.run(short, **points)
