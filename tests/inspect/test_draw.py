"""Drawings by their structure: which cell of storage every cell of a grid names."""

from __future__ import annotations

import base64
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.layouts import LAYOUTS, fill, placed
from support.paths import ROOT

import strided
from strided.inspect import Limits, storage_picture
from strided.inspect.storage_picture import MANY, UNKNOWN, Gap

SVG = "{http://www.w3.org/2000/svg}"


def drawn(name: str) -> tuple[Any, strided.Drawing]:
    x, _ = placed(LAYOUTS[name], fill([1], LAYOUTS[name].room, "int16"))
    return x, x.draw()


def items_of(svg: str, tensor: str | None = None) -> dict[tuple[int, ...], int]:
    """Return index -> cell as the grid of an SVG has them."""
    found = {}
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        if group.get("class") == "sd-item" and tensor in (None, group.get("data-tensor")):
            text = group.get("data-index", "")
            index = tuple(int(part) for part in text.split(",") if part)
            cell = int(group.get("data-cell", "-1"))
            shown = group.find(f"{SVG}text")
            assert shown is not None
            assert (shown.text or "").partition("-")[0] == str(cell)
            found[index] = cell
    return found


def cells_of(svg: str) -> list[int]:
    groups = ElementTree.fromstring(svg).iter(f"{SVG}g")
    return [int(g.get("data-cell", "-1")) for g in groups if g.get("class") == "sd-cell"]


# ---- every layout class ----


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_grid_names_the_right_cells(name: str) -> None:
    x, drawing = drawn(name)
    found = items_of(drawing.svg())
    assert all(cell == x.layout.offset_of(index) for index, cell in found.items())
    few = all(n <= 7 for n in x.shape) and x.size <= 24
    assert len(found) == x.size if few else len(found) < x.size
    model = {
        item.index: item.first
        for panel in drawing.strips[0].tensors[0].panels
        if panel is not None
        for row in panel.items
        for item in row
        if item is not None
    }
    assert model == found


@pytest.mark.parametrize("name", [name for name in LAYOUTS if "wide" not in name])
def test_the_strip_counts_how_often_a_cell_is_used(name: str) -> None:
    x, drawing = drawn(name)
    strip = drawing.strips[0]
    assert strip.total == len(x.storage())
    at = [x.layout.offset_of(index) for index in np.ndindex(*x.shape)]
    shown = [cell for cell in strip.cells if isinstance(cell, int)]
    assert strip.tensors[0].uses == {c: at.count(c) for c in shown if c in at}
    assert len(shown) + sum(c.count for c in strip.cells if isinstance(c, Gap)) == strip.total
    assert cells_of(drawing.svg()) == shown


@pytest.mark.parametrize("name", [n for n in LAYOUTS if LAYOUTS[n].room <= 64])
def test_the_text_shows_every_cell(name: str) -> None:
    x, drawing = drawn(name)
    text = str(drawing)
    strip, _, grid = text.partition("\nstrided ")
    assert {str(n) for n in range(len(x.storage()))} <= set(re.findall(r"\d+", strip))
    assert set(map(str, items_of(drawing.svg()).values())) <= set(re.findall(r"\d+", grid))
    assert str(x.layout) in text


def test_arrows_follow_the_strides() -> None:
    x = strided.arange(24).reshape(2, 3, 4).flip(2)[:, :, ::2]
    arrows = x.draw().strips[0].tensors[0].arrows
    assert [(a.axis, a.start, a.end, a.step) for a in arrows] == [
        (0, 3, 15, "+12"),
        (1, 3, 7, "+4"),
        (2, 3, 1, "-2"),
    ]
    lines = str(x.draw()).splitlines()
    back = next(line for line in lines if line.startswith("  axis 2"))
    assert re.search(r"←─+o .*-2$", back)
    repeated = strided.arange(3).expand(2, 3).draw()
    assert repeated.strips[0].tensors[0].arrows[0].step == "0, repeats"
    assert "↺" in str(repeated)
    assert "×2" in str(repeated)
    assert ">×2<" in repeated.svg()


def test_arrows_to_cells_that_are_not_on_the_line() -> None:
    text = str(strided.zeros(1000, 1000).draw())
    assert "+1000" in text
    far = str(strided.draw(strided.Layout((2, 2), (60, 1)), limits=Limits(cells=64)))
    assert "to cell 60" in far
    assert "to cell 60" in strided.draw(strided.Layout((2, 2), (60, 1))).svg()


# ---- large ones ----


def test_large_tensors_leave_out_their_middle() -> None:
    x = strided.zeros(1000, 1000)[:, ::2]
    drawing = x.draw()
    strip = drawing.strips[0]
    assert strip.total == 1_000_000
    assert len(strip.cells) < 64
    assert any(isinstance(cell, Gap) and cell.count > 1000 for cell in strip.cells)
    assert (strip.cells[0], strip.cells[-1]) == (0, 999_999)
    panel = strip.tensors[0].panels[0]
    assert panel is not None
    assert (panel.rows[-2:], panel.columns[-2:]) == ((None, 999), (None, 499))
    assert panel.items[-1][-1].first == 999_998  # type: ignore[union-attr]
    assert "⋯" in str(drawing)
    assert "⋮" in drawing.svg()
    assert len(drawing.svg()) < 40_000


def test_many_panels() -> None:
    panels = strided.zeros(2, 3, 2, 2, 3).draw().strips[0].tensors[0].panels
    assert [p and p.prefix for p in panels] == [(0, 0, 0), (0, 0, 1), None, (1, 2, 1)]
    assert "[1, 2, 1, :, :]" in str(strided.zeros(2, 3, 2, 2, 3).draw())


def test_repeats_of_large_tensors() -> None:
    uses = strided.zeros(4).expand(100_000, 4).draw().strips[0].tensors[0].uses
    assert uses == {0: 100_000, 1: 100_000, 2: 100_000, 3: 100_000}
    windows = strided.zeros(100_000).unfold(0, 5, 1)
    shown = windows.draw().strips[0].tensors[0].uses
    assert set(shown.values()) == {MANY}
    assert "×n" in str(windows.draw())
    gaps = strided.zeros(1_000_000)[::2].draw().strips[0].tensors[0].uses
    assert set(gaps.values()) == {1}
    assert all(cell % 2 == 0 for cell in gaps)


def test_what_is_too_hard_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hard:
        """A layout whose every question is too hard."""

        size = 500_000

        def __init__(self, *parts: Any) -> None:
            self.shape, self.strides, self.offset = (1000, 500), (7, 3), 0

        def refuse(self, *parts: Any) -> Any:
            raise strided.OverlapTooHard(work_limit=1)

        overlaps_itself = index_of = refuse

    monkeypatch.setattr(storage_picture, "Layout", Hard)
    drawing = strided.zeros(1000, 500).draw()
    assert set(drawing.strips[0].tensors[0].uses.values()) == {UNKNOWN}
    assert " ?" in str(drawing)
    assert ">?<" in drawing.svg()


def test_outer_axes_of_any_length() -> None:
    panels = strided.zeros(2, 2).expand(10**9, 10**6, 2, 2).draw().strips[0].tensors[0].panels
    assert [p and p.prefix for p in panels][-2:] == [None, (10**9 - 1, 10**6 - 1)]
    assert [p and p.prefix for p in panels][:2] == [(0, 0), (0, 1)]


def test_limits_are_kept() -> None:
    drawing = strided.draw(strided.zeros(9, 9), limits=Limits(cells=100, rows=4, columns=5))
    panel = drawing.strips[0].tensors[0].panels[0]
    assert panel is not None
    assert panel.rows == (0, 1, None, 8)
    assert panel.columns == (0, 1, 2, None, 8)


# ---- several tensors ----


def test_tensors_over_one_storage_are_drawn_together() -> None:
    x = strided.arange(12).reshape(3, 4)
    drawing = strided.draw(x, x.T, x[1])
    assert len(drawing.strips) == 1
    assert [t.name for t in drawing.strips[0].tensors] == ["a", "b", "c"]
    svg = drawing.svg()
    for name, view in (("a", x), ("b", x.T), ("c", x[1])):
        found = items_of(svg, name)
        assert found == {i: view.layout.offset_of(i) for i in np.ndindex(*view.shape)}
    used = set(re.findall(r'class="sd-used (sd-c\d)"', svg))
    assert used == {"sd-c0", "sd-c1", "sd-c2"}


def test_tensors_on_different_storages_are_separate_strips() -> None:
    x, y = strided.zeros(3), np.zeros(4)
    drawing = strided.draw(x, y, x[1:])
    assert [[t.name for t in strip.tensors] for strip in drawing.strips] == [["a", "c"], ["b"]]
    assert str(drawing).count("storage of") == 2


def test_arrays_of_other_libraries_share_a_strip() -> None:
    a = np.arange(12).reshape(3, 4)
    drawing = strided.draw(a, strided.from_numpy(a[1:]), names=["array", "tensor"])
    assert len(drawing.strips) == 1
    assert items_of(drawing.svg(), "tensor")[(0, 0)] == 4


@pytest.mark.peers
def test_torch_tensors_are_drawn() -> None:
    import torch

    t = torch.arange(12).reshape(3, 4)
    drawing = strided.draw(t.T, strided.asarray(t)[::2], t.numpy())
    assert len(drawing.strips) == 1
    assert items_of(drawing.svg(), "a")[(1, 2)] == 9
    assert items_of(drawing.svg(), "b")[(1, 3)] == 11


def test_elements_that_cover_several_cells() -> None:
    packets = np.zeros(3, dtype=[("flag", "u1"), ("value", "f8")])
    drawing = strided.draw(packets["value"], packets["flag"])
    strip = drawing.strips[0]
    assert (strip.unit, strip.total, len(strip.cells)) == (1, 27, 27)
    assert strip.tensors[0].uses.keys() | strip.tensors[1].uses.keys() == set(range(27))
    assert items_of(drawing.svg(), "a") == {(0,): 1, (1,): 10, (2,): 19}
    assert "10-17" in str(drawing)
    x = strided.arange(4)
    both = strided.draw(x, x.view(strided.int32)).strips[0]
    assert (both.unit, both.total) == (4, 8)


# ---- text, files, notebooks ----


def test_colours_only_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    drawing = strided.draw(strided.zeros(3), strided.zeros(3))
    assert "\x1b" not in str(drawing)
    coloured = drawing.text(colour=True)
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured).split() == str(drawing).split()
    drawing.show()
    assert "\x1b" not in capsys.readouterr().out
    drawing.show(colour=True)
    assert "\x1b[38;5;" in capsys.readouterr().out


def test_colours_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    strided.zeros(3).draw().show()
    assert "\x1b" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    strided.zeros(3).draw().show()
    assert "\x1b" not in capsys.readouterr().out


def test_saving(tmp_path: Path) -> None:
    drawing = strided.zeros(2, 3).draw()
    drawing.save(tmp_path / "x.svg")
    ElementTree.parse(tmp_path / "x.svg")
    drawing.save(str(tmp_path / "x.txt"))
    assert (tmp_path / "x.txt").read_text(encoding="utf-8") == f"{drawing}\n"
    with pytest.raises(strided.InvalidArgument):
        drawing.save(tmp_path / "x.pdf")
    assert not (tmp_path / "x.pdf").exists()


def test_png_names_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(strided.MissingExtra) as caught:
        strided.zeros(2).draw().save(tmp_path / "x.png")
    assert (caught.value.package, caught.value.extra) == ("cairosvg", "pictures")
    assert not (tmp_path / "x.png").exists()


@pytest.mark.peers
def test_png() -> None:
    pytest.importorskip("cairosvg", reason='needs pip install "strided[pictures]"')
    assert strided.zeros(2).draw().png().startswith(b"\x89PNG")


def test_the_svg_follows_light_and_dark() -> None:
    svg = strided.zeros(2).draw().svg()
    assert "prefers-color-scheme:dark" in svg
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for text in root.iter(f"{SVG}text"):
        assert 0 < float(text.get("x", -1)) < width
        assert 0 < float(text.get("y", -1)) < height


def overlapping_labels(svg: str) -> list[str]:
    """Return pairs of texts whose boxes touch; letters are as wide as those of DejaVu Sans Mono."""
    boxes = []
    for text in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        said = text.text or ""
        wide, x, y = 7.3 * len(said), float(text.get("x", 0)), float(text.get("y", 0))
        left = {"middle": x - wide / 2, "end": x - wide}.get(text.get("text-anchor", ""), x)
        boxes.append((left, left + wide, y - 9, y + 2, said))
    return [
        f"{a[4]} / {b[4]}"
        for i, a in enumerate(boxes)
        for b in boxes[:i]
        if a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
    ]


PICTURES = {
    **{name: lambda name=name: drawn(name)[1] for name in LAYOUTS},
    "three": lambda: strided.draw(*[strided.arange(24).reshape(4, 6)[i:].T for i in range(3)]),
    "large": lambda: strided.zeros(64, 32, 32, 32)[3:5].permute(0, 2, 3, 1).draw(),
    "long names": lambda: strided.draw(
        strided.zeros(3), np.zeros(3), names=["a rather long name", "and another one"]
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_no_label_covers_another(name: str) -> None:
    assert overlapping_labels(PICTURES[name]().svg()) == []


def test_names_are_escaped() -> None:
    svg = strided.draw(strided.zeros(2), names=['<"a"&b>']).svg()
    assert {g.get("data-tensor") for g in ElementTree.fromstring(svg).iter(f"{SVG}g")} == {
        None,
        '<"a"&b>',
    }
    ElementTree.fromstring(strided.draw(strided.zeros(2), names=["a\x00\x1b[31m"]).svg())


@pytest.mark.parametrize(
    "call",
    [strided.draw, lambda: strided.draw(strided.zeros(2), names=["a", "b"])],
)
def test_bad_arguments(call: Any) -> None:
    with pytest.raises(strided.InvalidArgument):
        call()


def picture_in(html: str) -> ElementTree.Element:
    """Return the SVG that the only image of some HTML holds."""
    (image,) = re.findall(r'<img alt="[^"]+" src="data:image/svg\+xml;base64,([^"]+)"/>', html)
    return ElementTree.fromstring(base64.b64decode(image))


@pytest.mark.parametrize("name", LAYOUTS)
def test_notebooks_show_values_layout_and_picture(name: str) -> None:
    x, _ = drawn(name)
    html = x._repr_html_()
    root = ElementTree.fromstring(html)
    assert (root.findtext("pre") or "") == repr(x)
    assert str(x.layout) in (root.findtext("div/code") or "")
    assert repr(x).startswith("tensor(")
    if x.ndim and x.size:
        alt = root.find("img").get("alt")  # type: ignore[union-attr]
        assert str(x.layout) in alt
        assert picture_in(html).tag == f"{SVG}svg"
    else:
        assert root.find("img") is None


def test_pictures_in_notebooks_have_a_ground_of_their_own() -> None:
    """They hold their colours: no theme decides, neither the system's nor the notebook's."""
    html = strided.zeros(2, 3)._repr_html_()
    svg = ElementTree.tostring(picture_in(html), encoding="unicode")
    assert "prefers-color-scheme" not in svg
    assert "#ffffff" in svg
    assert "<svg" not in html
    assert "style" not in html


def test_large_tensors_are_summarised_in_notebooks() -> None:
    html = strided.zeros(1_000_000)[::3].expand(1000, -1)._repr_html_()
    assert len(html) < 20_000
    assert "⋯" in "".join(picture_in(html).itertext())


def test_the_pictures_of_the_docs_are_up_to_date(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tools = ROOT / "tools"
    monkeypatch.syspath_prepend(str(tools))
    import make_pictures

    monkeypatch.setattr(sys, "argv", ["make_pictures.py", "--check"])
    assert make_pictures.main() == 0, capsys.readouterr().out


def test_drawings_in_notebooks() -> None:
    drawing = strided.zeros(2).draw()
    html = drawing._repr_html_()
    assert html == drawing.image()
    assert picture_in(html).tag == f"{SVG}svg"
    assert f'alt="{drawing.description}"' in html
    assert not hasattr(drawing, "_repr_svg_")


def test_drawings_show_themselves_at_the_prompt() -> None:
    drawing = strided.zeros(2, 3).T.draw()
    assert repr(drawing) == str(drawing) == drawing.text()


def test_the_theme_of_an_svg_can_be_chosen() -> None:
    drawing = strided.zeros(2).draw()
    light, dark = drawing.svg("light"), drawing.svg("dark")
    assert "prefers-color-scheme" not in light + dark
    assert "#0d1117" in dark
    assert "#0d1117" not in light
    with pytest.raises(strided.InvalidArgument, match="must be one of auto, light, dark"):
        drawing.svg("blue")


def test_an_svg_says_what_it_shows() -> None:
    drawing = strided.draw(strided.arange(6)[::-2], names=["<x>"])
    label = ElementTree.fromstring(drawing.svg()).get("aria-label")
    assert label == drawing.description
    assert label.endswith("<x>: strided (3,):(-2,)+5 int64, axis 0: -2")
