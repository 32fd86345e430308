"""The explorer as one file: whole, self-contained, and held together by names that exist."""

from __future__ import annotations

import base64
import hashlib
import json
import re

from support.paths import ROOT

from strided.explorer.__main__ import main
from strided.explorer.page_tables import page_tables
from strided.explorer.static_page import script, static_page

EXPLORER = ROOT / "src" / "strided" / "explorer"
MODULES = sorted([*(EXPLORER / "pages").glob("*.js"), *(EXPLORER / "engine").glob("*.js")])
IMPORT = re.compile(r'import (?:\{([^}]*)\}|\* as (\w+)) from "([^"]+)";')


def exports(path):
    names = r"^export (?:async )?(?:function\*?|class|const) (\w+)"
    return set(re.findall(names, path.read_text(), re.MULTILINE))


def test_names_that_are_imported_are_exported():
    found = 0
    for module in MODULES:
        for names, _, other in IMPORT.findall(module.read_text()):
            known = exports((module.parent / other).resolve())
            wanted = {name.partition(" as ")[0].strip() for name in names.split(",")} - {""}
            assert wanted <= known, f"{module.name} imports {wanted - known} from {other}"
            found += len(wanted)
    assert found > 50


def test_every_import_is_of_the_form_that_is_put_together():
    for module in MODULES:
        text = module.read_text()
        assert len(re.findall(r"^import\b", text, re.MULTILINE)) == len(IMPORT.findall(text))
        assert "export default" not in text
        assert not re.search(r"^export \{", text, re.MULTILINE)


def test_the_script_holds_every_module_but_the_one_for_the_server():
    code = script()
    for module in MODULES:
        first = module.read_text().splitlines()[0]
        assert (first in code) == (module.name != "served.js"), module.name
    assert not re.search(r"^(import|export)\b", code, re.MULTILINE)


def test_the_page_loads_nothing():
    page = static_page().replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|@import|url\(|eval\(|innerHTML|src=\"(?!data:)", page)
    assert not re.search(r'<link[^>]+href="(?!data:)', page)


def test_the_policy_names_what_the_page_holds():
    page = static_page()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    for kind, tag in (("script", "script"), ("style", "style")):
        held = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(held.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_the_tables_in_the_page_are_those_of_strided():
    tables = re.search(r'id="tables">(.*?)</script>', static_page(), re.DOTALL)[1]
    assert json.loads(tables) == json.loads(json.dumps(page_tables()))


def test_the_page_is_written_into_a_folder(tmp_path, capsys):
    main(["--write", str(tmp_path / "a" / "b")])
    path = tmp_path / "a" / "b" / "index.html"
    assert path.read_text(encoding="utf-8") == static_page()
    assert capsys.readouterr().out == f"wrote {path}\n"
    assert path.stat().st_size < 300_000
