"""The compiled part of the package. Docstrings are available at run time: `help(setpoint.run)`."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NoReturn, Protocol, TypeAlias, final, overload

__all__ = [
    "Arrival",
    "Check",
    "Comparison",
    "CongestionPoint",
    "Error",
    "Explanation",
    "Fluid",
    "League",
    "Notification",
    "Phase",
    "Plot",
    "Problem",
    "Random",
    "ReactionPoint",
    "Reproduction",
    "Run",
    "RunError",
    "RunWarning",
    "Scenario",
    "ScenarioError",
    "ScenarioWarning",
    "Stability",
    "Sweep",
    "Table",
    "Tuning",
    "__version__",
    "_restore",
    "algorithms",
    "check",
    "compare",
    "explain",
    "fluid",
    "league",
    "load",
    "phase",
    "reproduce",
    "run",
    "scenarios",
    "stability",
    "sweep",
    "tune",
]
__version__: Final[str]

_Path: TypeAlias = str | os.PathLike[str]
_Value: TypeAlias = str | int | float | bool | Sequence[Any] | dict[str, Any]
_Settings: TypeAlias = Mapping[str, _Value]
_Axes: TypeAlias = Mapping[str, str | Sequence[_Value]]
_Scenario: TypeAlias = Scenario | dict[str, Any] | _Path
_Progress: TypeAlias = bool | Callable[[float, str], object]
_Axis: TypeAlias = tuple[str, str | Sequence[str | int | float]]
_Result: TypeAlias = Run | Sweep | Tuning | League | Fluid | Stability | Phase | Reproduction

class _CongestionPoint(Protocol):
    """The methods that a congestion point must have; `on_clock` and `counters` are optional."""

    def on_enqueue(self, arrival: Arrival, /) -> Notification | Sequence[Notification] | None: ...

class _ReactionPoint(Protocol):
    """The methods that a reaction point must have; `on_sent`, `on_timer`, `timer_ps`, `may_release` and `counters` are optional."""

    @property
    def rate_bps(self) -> float: ...
    def on_notification(self, notification: Notification, time_ps: int, from_point: int, /) -> object: ...

_MakeCongestionPoint: TypeAlias = Callable[[int, Random], _CongestionPoint]
_MakeReactionPoint: TypeAlias = Callable[[int, Random], _ReactionPoint]

class Error(Exception): ...

class ScenarioError(Error):
    problems: list[Problem]

class RunError(Error): ...
class ScenarioWarning(UserWarning): ...
class RunWarning(UserWarning): ...

@final
class Problem:
    @property
    def message(self) -> str: ...
    @property
    def file(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...
    @property
    def end_line(self) -> int | None: ...
    @property
    def end_column(self) -> int | None: ...
    @property
    def remedies(self) -> list[str]: ...

@final
class Scenario:
    @staticmethod
    def from_text(text: str, name: str = ...) -> Scenario: ...
    @staticmethod
    def from_dict(dict: dict[str, Any], name: str = ...) -> Scenario: ...
    @staticmethod
    def from_file(path: _Path) -> Scenario: ...
    @staticmethod
    def builtin(name: str) -> Scenario: ...
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...

@final
class Table:
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def units(self) -> dict[str, str]: ...
    @property
    def metadata(self) -> dict[str, str]: ...
    def __getitem__(self, key: str, /) -> list[Any]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def _repr_html_(self) -> str: ...

@final
class Plot:
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def svg(self) -> str: ...
    def save(self, path: _Path) -> None: ...
    def _repr_svg_(self) -> str: ...

class _Plotted:
    """The plots of a result. This class exists only here, not at run time."""

    @property
    def plots(self) -> dict[str, Plot]: ...
    def plot(
        self,
        name: str,
        *,
        size: str | None = None,
        font_size: str = "8pt",
        greyscale: bool = False,
        title: bool = True,
        note: bool = True,
    ) -> Plot: ...

@final
class Run(_Plotted):
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def digest(self) -> str: ...
    @property
    def scenario(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def manifest(self) -> dict[str, Any]: ...
    @property
    def elapsed_s(self) -> float: ...
    @property
    def tables(self) -> dict[str, Table]: ...
    @property
    def flows(self) -> Table: ...
    @property
    def queues(self) -> Table: ...
    @property
    def ports(self) -> Table: ...
    @property
    def flow_series(self) -> Table: ...
    @property
    def queue_series(self) -> Table: ...
    @property
    def port_series(self) -> Table: ...
    @property
    def source_series(self) -> Table | None: ...
    @property
    def messages(self) -> Table | None: ...
    @property
    def jobs(self) -> Table | None: ...
    def report(self) -> str: ...
    def write(self, folder: _Path, *, report: bool = True) -> None: ...
    def _repr_html_(self) -> str: ...

@final
class Sweep(_Plotted):
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def tables(self) -> dict[str, Table]: ...
    @property
    def variants(self) -> Table: ...
    @property
    def runs(self) -> Table: ...
    @property
    def slowdown_by_size(self) -> Table | None: ...
    @property
    def failures(self) -> list[tuple[str, str]]: ...
    @property
    def messages(self) -> Table | None: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Check:
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def duration_s(self) -> float: ...
    @property
    def nodes(self) -> int: ...
    @property
    def links(self) -> int: ...
    @property
    def flows(self) -> int: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def axes(self) -> list[str]: ...
    @property
    def variants(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    @property
    def parameters(self) -> list[dict[str, Any]]: ...
    @property
    def warnings(self) -> list[str]: ...
    def _repr_html_(self) -> str: ...

@final
class Explanation:
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def facts(self) -> list[tuple[str, str]]: ...
    @property
    def related(self) -> list[tuple[str, str]]: ...
    @property
    def parameters(self) -> list[tuple[str, str]]: ...
    def _repr_html_(self) -> str: ...

@final
class Fluid(_Plotted):
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def curves(self) -> Table: ...
    def _repr_html_(self) -> str: ...

@final
class Stability(_Plotted):
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def is_stable(self) -> bool: ...
    @property
    def margin_s(self) -> float | None: ...
    @property
    def delay_s(self) -> float: ...
    @property
    def response(self) -> Table: ...
    @property
    def map(self) -> Table | None: ...
    def _repr_html_(self) -> str: ...

@final
class Phase(_Plotted):
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def findings(self) -> list[str]: ...
    @property
    def trajectories(self) -> Table: ...
    def _repr_html_(self) -> str: ...

@final
class Tuning(_Plotted):
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def recommended(self) -> dict[str, str] | None: ...
    @property
    def is_confirmed(self) -> bool | None: ...
    @property
    def verdict(self) -> str: ...
    @property
    def candidates(self) -> Table: ...
    @property
    def front(self) -> Table: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class League(_Plotted):
    @property
    def summary(self) -> list[dict[str, Any]]: ...
    @property
    def standings(self) -> Table: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Comparison(_Plotted):
    @property
    def names(self) -> list[str]: ...
    @property
    def metrics(self) -> Table: ...
    def report(self) -> str: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Reproduction:
    @property
    def claims(self) -> list[dict[str, Any]]: ...
    @property
    def verdicts(self) -> Table: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Notification:
    def __new__(
        cls,
        feedback: int,
        *,
        to: int = 0,
        feedback_256: int | None = None,
        queue_offset_bytes: int = 0,
        queue_delta_bytes: int = 0,
    ) -> Notification: ...
    @property
    def to(self) -> int: ...
    @property
    def feedback(self) -> int: ...
    @property
    def feedback_256(self) -> int | None: ...
    @property
    def queue_offset_bytes(self) -> int: ...
    @property
    def queue_delta_bytes(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Arrival:
    @property
    def time_ps(self) -> int: ...
    @property
    def frame_bytes(self) -> int: ...
    @property
    def queue_bytes(self) -> int: ...
    @property
    def flow(self) -> int: ...
    @property
    def tenant(self) -> int: ...
    @property
    def weight(self) -> int: ...
    @property
    def max_bps(self) -> int | None: ...
    @property
    def tag(self) -> int | None: ...

@final
class Random:
    def __call__(self, *args: NoReturn, **kwargs: NoReturn) -> int: ...

@final
class CongestionPoint:
    def __new__(
        cls,
        algorithm: str,
        *,
        set: _Settings | None = None,
        preset: str = "10G",
        line_rate: str | None = None,
        seed: int = 1,
    ) -> CongestionPoint: ...
    def enqueue(
        self,
        frame_bytes: int,
        queue_bytes: int,
        *,
        time_ps: int | None = None,
        flow: int | None = None,
        tenant: int | None = None,
        weight: int | None = None,
        max_bps: int | None = None,
        tag: int | None = None,
        random: Sequence[int] | None = None,
    ) -> list[Notification]: ...
    def admit(
        self,
        frame_bytes: int,
        queue_bytes: int,
        *,
        time_ps: int | None = None,
        flow: int | None = None,
        tenant: int | None = None,
        weight: int | None = None,
        max_bps: int | None = None,
        tag: int | None = None,
        random: Sequence[int] | None = None,
    ) -> bool: ...
    def dequeue(
        self,
        frame_bytes: int,
        queue_bytes: int,
        *,
        time_ps: int | None = None,
        flow: int | None = None,
        random: Sequence[int] | None = None,
    ) -> bool: ...
    def step(self, input: Mapping[str, Any]) -> dict[str, Any]: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def state(self) -> dict[str, Any]: ...
    @property
    def counters(self) -> dict[str, int]: ...

@final
class ReactionPoint:
    def __new__(
        cls,
        algorithm: str,
        *,
        set: _Settings | None = None,
        preset: str = "10G",
        line_rate: str | None = None,
        seed: int = 1,
    ) -> ReactionPoint: ...
    def notify(
        self,
        notification: Notification,
        *,
        time_ps: int | None = None,
        from_point: int | None = None,
        random: Sequence[int] | None = None,
    ) -> bool: ...
    def acknowledge(
        self,
        acknowledged_bytes: int,
        *,
        sent_at_ps: int,
        settled_bytes: int,
        time_ps: int | None = None,
        marked: bool = False,
        hops: Sequence[Mapping[str, int]] | None = None,
        random: Sequence[int] | None = None,
    ) -> bool: ...
    def sent(self, frame_bytes: int, *, random: Sequence[int] | None = None) -> bool: ...
    def timer(self, time_ps: int | None = None, *, random: Sequence[int] | None = None) -> bool: ...
    def step(self, input: Mapping[str, Any]) -> dict[str, Any]: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def rate_bps(self) -> int: ...
    @property
    def window_bytes(self) -> int | None: ...
    @property
    def target_rate_bps(self) -> int: ...
    @property
    def timer_ps(self) -> int | None: ...
    @property
    def tag(self) -> int | None: ...
    @property
    def state(self) -> dict[str, Any]: ...
    @property
    def counters(self) -> dict[str, int]: ...

def _restore(kind: str, content: bytes) -> object: ...
def algorithms() -> list[str]: ...
def scenarios() -> dict[str, str]: ...
@overload
def run(
    scenario: _Scenario | None = None,
    *,
    set: _Settings | None = None,
    seed: int | None = None,
    seeds: None = None,
    threads: int | None = None,
    out: _Path | None = None,
    report: bool = True,
    memory: str | None = None,
    progress: _Progress | None = None,
    congestion_point: _MakeCongestionPoint | None = None,
    reaction_point: _MakeReactionPoint | None = None,
) -> Run: ...
@overload
def run(
    scenario: _Scenario | None = None,
    *,
    set: _Settings | None = None,
    seed: int | None = None,
    seeds: int,
    threads: int | None = None,
    out: _Path | None = None,
    report: bool = True,
    memory: str | None = None,
    progress: _Progress | None = None,
    congestion_point: None = None,
    reaction_point: None = None,
) -> Sweep: ...
def check(
    scenario: _Scenario | None = None,
    *,
    set: _Settings | None = None,
    seed: int | None = None,
    axes: _Axes | None = None,
) -> Check: ...
def explain(name: str = "qcn") -> Explanation: ...
def sweep(
    scenario: _Scenario | None = None,
    *,
    axes: _Axes | None = None,
    set: _Settings | None = None,
    seed: int | None = None,
    seeds: int = 1,
    threads: int | None = None,
    out: _Path | None = None,
    report: bool = True,
    memory: str | None = None,
    progress: _Progress | None = None,
) -> Sweep: ...
def fluid(
    scenario: _Scenario | None = None,
    *,
    set: _Settings | None = None,
    seed: int | None = None,
    packets: bool = False,
    out: _Path | None = None,
    progress: _Progress | None = None,
) -> Fluid: ...
def stability(
    scenario: _Scenario | None = None,
    *,
    set: _Settings | None = None,
    seed: int | None = None,
    x: _Axis | None = None,
    y: _Axis | None = None,
    size: tuple[int, int] = ...,
    packets: tuple[int, int] | None = None,
    threads: int | None = None,
    out: _Path | None = None,
    progress: _Progress | None = None,
) -> Stability: ...
def reproduce(
    *names: str,
    quick: bool = False,
    full_size: bool = False,
    threads: int | None = None,
    out: _Path | None = None,
    progress: _Progress | None = None,
) -> Reproduction: ...
def phase(
    scenario: _Scenario | None = None,
    *,
    set: _Settings | None = None,
    seed: int | None = None,
    starts: Sequence[tuple[float, float]] | None = None,
    delay: str | None = None,
    until: str | None = None,
    out: _Path | None = None,
    progress: _Progress | None = None,
) -> Phase: ...
def tune(
    scenario: _Scenario | None = None,
    *,
    parameters: _Axes,
    objectives: Sequence[str] | None = None,
    candidates: int = 81,
    seeds: int = 4,
    unseen: int = 10,
    set: _Settings | None = None,
    seed: int | None = None,
    threads: int | None = None,
    out: _Path | None = None,
    report: bool = True,
    memory: str | None = None,
    progress: _Progress | None = None,
) -> Tuning: ...
def league(
    *scenarios: str,
    control: Sequence[str] | None = None,
    baseline: str | None = None,
    seeds: int = 5,
    threads: int | None = None,
    out: _Path | None = None,
    memory: str | None = None,
    progress: _Progress | None = None,
) -> League: ...
def compare(
    *runs: Run | _Path,
    names: Sequence[str] | None = None,
    out: _Path | None = None,
) -> Comparison: ...
def load(folder: _Path) -> _Result: ...
