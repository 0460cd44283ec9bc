"""The notebooks and the examples in the documents run."""

import re
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))

# Values for the cell tagged `parameters` in notebooks that would take a long time.
SHORTER = {"slowdown-by-size": 'seeds, settings = 2, {"duration": "3 ms", "measure_from": "0s", "measure_messages_until": "2ms"}'}


def shorten(notebook: Any, parameters: str) -> None:
    """Replaces the cell tagged `parameters`."""
    [cell] = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    cell.source = parameters


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: str(path.stem))
def test_a_notebook_runs(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    if path.stem in SHORTER:
        shorten(notebook, SHORTER[path.stem])
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert kinds & {"image/png", "image/svg+xml"}, "it draws a figure"
    assert not any(output.get("name") == "stderr" for output in outputs), "progress is not an error"


@pytest.mark.parametrize("document", ["python/README.md", "docs/python.md"])
def test_the_examples_of_a_document_run(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, document, "exec"), names)
