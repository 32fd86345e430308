"""The notebook of the examples runs from top to bottom, and shows what it says."""

from __future__ import annotations

import json
import os
import re
from typing import Any

import pytest
from support.paths import ROOT

TOUR = ROOT / "examples" / "tour.ipynb"


def code_of(notebook: Any) -> list[str]:
    return ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]


def test_the_tour_is_kept_without_outputs() -> None:
    notebook = json.loads(TOUR.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 12
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    assert TOUR.stat().st_size < 20_000


def test_the_tour_shows_the_library() -> None:
    code = "\n".join(code_of(json.loads(TOUR.read_text(encoding="utf-8"))))
    for name in (
        *("trace_copies", "no_copies", "will_copy", "draw", "relate", "fuse", "plan"),
        *("backward", "from_numpy", "unfold", "expand", "view"),
    ):
        assert re.search(rf"\b{name}\(", code), name


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Run the notebook; return the outputs of its cells, by their code."""
    nbclient = pytest.importorskip("nbclient", reason="needs nbclient")
    pytest.importorskip("ipykernel", reason="needs ipykernel")
    import nbformat

    notebook = nbformat.read(TOUR, as_version=4)
    env = {**os.environ, "IPYTHONDIR": str(tmp_path_factory.mktemp("ipython"))}
    client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3")
    client.execute(env=env)
    return {cell.source: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}


def shown(outputs: dict[str, Any], part: str, kind: str = "text/plain") -> str:
    """Return what the cell with some code shows, of a kind; of a stream its text."""
    (found,) = [texts for code, texts in outputs.items() if part in code]
    return "".join(one.text if "text" in one else one.data.get(kind, "") for one in found)


@pytest.mark.peers
def test_the_tour_runs(outputs: dict[str, Any]) -> None:
    last = "st.relate(array, y[:, ::-1])"
    assert shown(outputs, last).startswith("overlapping")
    assert "Tensor True" in shown(outputs, "np.sin(y)")


@pytest.mark.peers
def test_tensors_show_a_picture_that_no_sanitizer_takes_out(outputs: dict[str, Any]) -> None:
    html = shown(outputs, "x = st.arange(12)", "text/html")
    assert '<img alt="storage of 12 int64' in html
    assert "data:image/svg+xml;base64," in html
    data = [one.get("data", {}) for texts in outputs.values() for one in texts]
    assert sum("text/html" in one for one in data) > 5
    assert not any("<svg" in one.get("text/html", "") for one in data)


@pytest.mark.peers
def test_reports_name_the_cell_and_its_line(outputs: dict[str, Any]) -> None:
    traced = "with st.trace_copies()"
    (number,) = [n for n, code in enumerate(outputs, 1) if traced in code]
    assert f"In[{number}]:7  reshape" in shown(outputs, traced)
    assert f"<code>In[{number}]:7</code>" in shown(outputs, traced, "text/html")
    assert "return joined.reshape(" in shown(outputs, traced, "text/html")
    refused = shown(outputs, "with st.no_copies()")
    assert "reshape would copy 1024 bytes" in refused
    assert f"(In[{number}]:7 in attention)" in refused


@pytest.mark.peers
def test_what_is_not_a_tensor_shows_itself_as_text(outputs: dict[str, Any]) -> None:
    assert ".permute(1, 0).view(12) is a view" in shown(outputs, "st.will_copy")
    assert shown(outputs, "st.plan(mix").startswith("pass 1: multiply")
    assert shown(outputs, "st.plan(st.fuse").count("\npass") == 0
    assert "a[:, ::2]" in shown(outputs, "st.relate(top")
