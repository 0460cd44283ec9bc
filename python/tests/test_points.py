"""Congestion points and reaction points: the same answers as `setpoint step`."""

import json
from collections.abc import Callable

import pytest
import setpoint

from conftest import Program

Point = setpoint.CongestionPoint | setpoint.ReactionPoint
POINTS: dict[str, Callable[[str], Point]] = {"cp": setpoint.CongestionPoint, "rp": setpoint.ReactionPoint}


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("algorithm", setpoint.algorithms())
def test_golden_vectors_are_repeated(algorithm: str, point: str, program: Program) -> None:
    lines = program("vectors", algorithm, "--point", point).stdout.splitlines()
    stepped = POINTS[point](algorithm)
    for line in lines:
        answer = json.loads(line)
        assert stepped.step(answer["input"]) == answer
    if lines:
        assert stepped.state == answer["state"]
        assert stepped.counters == answer["counters"]


def test_a_loop_of_two_points_converges_to_the_link() -> None:
    """The queue grows by the source's excess over the link rate, and notifications arrive at once."""
    line, link, frame = 10_000_000_000, 5_000_000_000, 1_500
    congestion = setpoint.CongestionPoint("qcn", line_rate="10Gb/s", set={"set_point": "33 kB"})
    reaction = setpoint.ReactionPoint("qcn", line_rate="10Gb/s")
    assert reaction.rate_bps == line
    queue, now, rates = 0.0, 0, []
    for _ in range(200_000):
        interval = frame * 8 * 10**12 // reaction.rate_bps
        now += interval
        queue = max(0.0, queue - link * interval / 8e12) + frame
        if reaction.timer_ps is not None and reaction.timer_ps <= now:
            reaction.timer(now)
        reaction.sent(frame)
        for notification in congestion.enqueue(frame, int(queue), time_ps=now):
            assert reaction.notify(notification, time_ps=now) == (notification.feedback > 0)
        rates.append(reaction.rate_bps)
    late = rates[len(rates) // 2 :]
    assert 0.9 * link < sum(late) / len(late) < 1.1 * link
    assert congestion.counters["notifications"] == reaction.counters["decreases"] > 0


def test_acknowledgements_are_those_of_the_text_protocol(program: Program) -> None:
    stdin, reaction = "", setpoint.ReactionPoint("hpcc")
    line = reaction.rate_bps
    for round, queue in enumerate([0, 200_000, 400_000], 1):
        hops = [{"at_ps": 10_000_000 * round, "queue_bytes": queue, "sent_bytes": 12_500 * round, "rate_bps": 10**10}]
        sent, settled, now = 9_000_000 * round, 12_500 * round, 15_000_000 * round
        reaction.acknowledge(12_500, sent_at_ps=sent, settled_bytes=settled, hops=hops, time_ps=now)
        keys = {"bytes": 12_500, "hops": hops, "sent_at_ps": sent, "settled_bytes": settled, "time_ps": now}
        stdin += json.dumps({"acknowledgement": keys}) + "\n"
    answer = json.loads(program("step", "hpcc", "--point", "rp", stdin=stdin).stdout.splitlines()[-1])
    assert reaction.state == answer["state"]
    assert (reaction.rate_bps, reaction.window_bytes) == (answer["rate_bps"], answer["window_bytes"])
    assert reaction.rate_bps < line
    with pytest.raises(ValueError, match="queue_bytes"):
        reaction.acknowledge(1, sent_at_ps=0, settled_bytes=1, hops=[{"at_ps": 1}])


def test_a_step_has_the_names_of_the_text_protocol(program: Program) -> None:
    notification = setpoint.Notification(63, queue_offset_bytes=-4_000)
    reaction = setpoint.ReactionPoint("qcn")
    assert reaction.notify(notification, time_ps=1_000_000)
    stdin = '{"notification": {"time_ps": 1000000, "feedback": 63, "queue_offset_bytes": -4000}}'
    answer = json.loads(program("step", "qcn", "--point", "rp", stdin=stdin).stdout)
    assert reaction.state == answer["state"]
    assert (reaction.rate_bps, reaction.timer_ps) == (answer["rate_bps"], answer["timer_ps"])
    assert reaction.target_rate_bps == answer["target_rate_bps"]


def test_parameters_change_the_points() -> None:
    point = setpoint.CongestionPoint("qcn", set={"set_point": "33 kB", "first_sample": "first-frame"})
    [notification] = point.enqueue(1_500, 30_000, flow=7, random=[2_147_483_648])
    assert (notification.to, notification.queue_offset_bytes, notification.queue_delta_bytes) == (7, 3_000, 30_000)
    same = setpoint.Notification(notification.feedback, to=7, queue_offset_bytes=3_000, queue_delta_bytes=30_000)
    assert notification == same


def test_admission_is_a_bool() -> None:
    assert setpoint.CongestionPoint("afd").admit(1_500, 0) is True


def test_marks_are_bools() -> None:
    point = setpoint.CongestionPoint("dcqcn")
    assert point.dequeue(1_000, 103_500, random=[21_474_836]) is True
    assert point.dequeue(1_000, 103_500, random=[21_474_837]) is False
    assert point.counters["marks"] == 1
    with pytest.raises(ValueError, match="leave the queue"):
        setpoint.CongestionPoint("qcn").dequeue(1_000, 103_500)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: setpoint.CongestionPoint("qnc"), 'no algorithm "qnc"; did you mean `qcn`'),
        (lambda: setpoint.CongestionPoint("qcn", set={"set_piont": "1 kB"}), "did you mean"),
        (lambda: setpoint.CongestionPoint("qcn", preset="11G"), "there is no preset"),
        (lambda: setpoint.CongestionPoint("qcn", line_rate="fast"), "line_rate"),
        (lambda: setpoint.CongestionPoint("qcn").enqueue(0, 0), "from 1 to 65535"),
        (lambda: setpoint.ReactionPoint("qcn").step({"enqueue": {}}), "frame_bytes"),
    ],
)
def test_wrong_arguments_are_value_errors(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wrong()
