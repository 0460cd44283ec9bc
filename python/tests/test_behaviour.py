"""Threads, signals, progress, and the cost of a call."""

import signal
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import setpoint

# A simulation that takes minutes in any build.
ENDLESS = {"duration": "100 s", "measure_from": "0s", "at": []}

INTERRUPTED = """
import setpoint, sys
print("ready", flush=True)
try:
    setpoint.{call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize(
    "call",
    [
        f"run(set={ENDLESS})",
        f"sweep(set={ENDLESS}, axes={{'network.buffer': ['100kB', '200kB']}})",
        "reproduce()",
        "stability('qcn-loop', size=(999, 999), "
        "x=('topology.dumbbell.rtt', '20us..400us'), y=('control.qcn.cp.set_point', '20kB..200kB'))",
    ],
)
def test_ctrl_c_raises_promptly(call: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED.replace("{call}", call)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - began < 2
        process.kill()


def test_other_threads_continue_during_a_run(short: Path) -> None:
    def ticks_during_a_run() -> int:
        ticks, done = [], threading.Event()

        def tick() -> None:
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        began = time.monotonic()
        setpoint.run(short, set={"duration": "500 ms"})
        ended = time.monotonic()
        done.set()
        thread.join()
        return sum(began < tick < ended for tick in ticks)

    # If a run kept the interpreter lock, the other thread could tick only when the run begins and ends. On a busy machine a thread
    # may get no processor time during one run, but it will during some of a hundred.
    assert any(ticks_during_a_run() > 3 for _ in range(100))


def test_runs_on_several_python_threads_have_the_same_results(short: Path) -> None:
    expected = {seed: setpoint.run(short, seed=seed).digest for seed in range(4)}
    found: dict[int, str] = {}
    threads = [
        threading.Thread(target=lambda seed=seed: found.update({seed: setpoint.run(short, seed=seed).digest}))
        for seed in expected
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_a_callback_receives_progress(short: Path) -> None:
    calls: list[tuple[float, str]] = []
    setpoint.run(short, set={"duration": "1 s"}, progress=lambda share, text: calls.append((share, text)))
    shares = [share for share, _ in calls]
    assert shares == sorted(shares) and all(0 <= share <= 1 for share in shares)
    assert any(text == "of 1 s" for _, text in calls)


def test_a_callback_can_stop_a_run() -> None:
    def stop(share: float, text: str) -> None:
        raise RuntimeError("enough")

    began = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        setpoint.run(set=ENDLESS, progress=stop)
    assert time.monotonic() - began < 5


def test_a_line_shows_progress_and_is_cleared(short: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setpoint.run(short, set={"duration": "1 s"}, progress=True)
    shown = capsys.readouterr().err
    assert "% of 1 s" in shown
    assert shown.endswith("\r") and shown.split("\r")[-2].strip() == ""
    setpoint.run(short)
    assert capsys.readouterr().err == ""


def test_a_call_costs_less_than_five_milliseconds_more_than_the_run(short: Path) -> None:
    scenario = setpoint.Scenario.from_file(short)

    def cost() -> float:
        began = time.perf_counter()
        result = setpoint.run(scenario)
        return time.perf_counter() - began - result.elapsed_s

    # Other programs on the machine can only make a batch slower.
    cheapest = min(statistics.median(cost() for _ in range(20)) for _ in range(5))
    print(f"a call costs {cheapest * 1e3:.2f} ms more than its run")
    assert cheapest < 5e-3
