"""Simulations of congestion control in lossless data-centre Ethernet.

    >>> import setpoint
    >>> result = setpoint.run(set={"duration": "100ms"})
    >>> result.summary["total"]["dropped_frames"]
    0

Every function does what the command of the same name does, and takes its options: `run`, `check`, `sweep`, `fluid`,
`stability` and `reproduce`. `CongestionPoint` and `ReactionPoint` are the algorithms, step by step.
"""

from ._setpoint import (
    Check,
    CongestionPoint,
    Error,
    Fluid,
    Notification,
    Problem,
    ReactionPoint,
    Reproduction,
    Run,
    RunError,
    Scenario,
    ScenarioError,
    ScenarioWarning,
    Stability,
    Sweep,
    Table,
    __version__,
    algorithms,
    check,
    fluid,
    reproduce,
    run,
    scenarios,
    stability,
    sweep,
)

__all__ = [
    "Check",
    "CongestionPoint",
    "Error",
    "Fluid",
    "Notification",
    "Problem",
    "ReactionPoint",
    "Reproduction",
    "Run",
    "RunError",
    "Scenario",
    "ScenarioError",
    "ScenarioWarning",
    "Stability",
    "Sweep",
    "Table",
    "__version__",
    "algorithms",
    "check",
    "fluid",
    "reproduce",
    "run",
    "scenarios",
    "stability",
    "sweep",
]
