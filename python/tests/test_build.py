"""The build of the package for these tests."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def crates(*options: str) -> set[str]:
    """The crates of a build with their features, except the package itself."""
    command = ["cargo", "tree", "--quiet", "--locked", "--no-dedupe", "--prefix", "none", "--format", "{p} [{f}]"]
    tree = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, check=True)
    return {line for line in tree.stdout.splitlines() if not line.startswith("setpoint-python ")}


def test_the_package_shares_its_build_with_the_other_tests() -> None:
    ours = crates("--package", "setpoint-python", "--features", "shared-build", "--edges", "normal,build")
    apart = ours - crates("--workspace", "--edges", "normal,build,dev")
    assert not apart, "add the missing features to `shared-build` in python/Cargo.toml"
