"""The program whose results the package must reproduce, and a scenario that runs in milliseconds."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Program = Callable[..., "subprocess.CompletedProcess[str]"]

SHORT = """\
name = "short"
duration = "20 ms"
control = "qcn"

[topology.dumbbell]
senders = 4
rate = "10 Gb/s"

[[flows]]
from = "s*"
to = "r*"
pattern = "pairs"
"""


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """The short scenario as a file."""
    path = tmp_path / "short.toml"
    path.write_text(SHORT)
    return path


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Calls the command line in a separate folder."""

    def call(*arguments: str | Path, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        command = [os.environ["SETPOINT"], *map(str, arguments)]
        return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=tmp_path, check=False)

    return call
