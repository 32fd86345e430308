"""What do pages look like? ``make screenshots`` photographs site, explorer, notebooks and report.

The pictures are taken in a real browser (Debian's chromium, or one named by CHROMIUM) and of a real
JupyterLab, which opens the executed tour once as its own and once as a notebook that it does not
trust. Notebooks are shown in a theme that is not the system's.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

import strided as st
from strided.demo import attention
from strided.explorer import make_server
from strided.explorer.server import page_url

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
CHAIN = "arange(24).reshape(2, 3, 4).transpose(0, 2)[:, ::2].flip(1)"
LAPTOP = {"width": 1280, "height": 960}
PHONE = {"width": 390, "height": 844}
NOTEBOOK = {"width": 900, "height": 900}
TOUR = ROOT / "examples" / "tour.ipynb"


def browser_path() -> str | None:
    """Return the browser to drive, None where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def _point_at(page: Page, index: str) -> None:
    page.hover(f'.grid [data-index="{index}"]')


def _answer(page: Page) -> None:
    page.fill('#question input[name="strides"]', "5, 1")
    page.fill('#question input[name="offset"]', "7")
    page.click("#question button[type=submit]")
    page.wait_for_selector(".verdict.right")


def _measure(page: Page) -> None:
    page.click("text=Show answer")
    page.wait_for_selector(".measured", timeout=30_000)


# Of the explorer: name, link, size, colours, what to do before.
COPY = "arange(12).reshape(3, 4).T.reshape(12)"
PICTURES: list[tuple[str, str, dict[str, int], str, Any]] = [
    ("laptop", f"#e={CHAIN}", LAPTOP, "light", lambda page: _point_at(page, "1, 0, 1")),
    ("laptop-dark", f"#e={CHAIN}.reshape(16)", LAPTOP, "dark", lambda page: _point_at(page, "5")),
    ("refused", "#e=arange(6).reshape(2, 3).T.view(6)", LAPTOP, "light", lambda page: None),
    ("phone", f"#e={CHAIN}", PHONE, "light", lambda page: None),
    ("phone-dark", f"#e={COPY}", PHONE, "dark", lambda page: None),
    (
        "compare",
        f"#e=arange(24).reshape(2, 3, 4)&f={CHAIN}",
        {"width": 1280, "height": 1080},
        "light",
        lambda page: page.hover('#stage-b .grid [data-index="1, 0, 1"]'),
    ),
    ("exercises", "#p=exercises&x=strides-3", LAPTOP, "light", _answer),
    ("performance", "#p=exercises&x=performance-copies", LAPTOP, "light", _measure),
]


def report_page() -> str:
    """Return the report of an attention block without views."""
    x, w_in, w_out = st.ones(2, 128, 256), st.ones(256, 768), st.ones(256, 256)
    with st.trace_copies() as report, st.copy_everything():
        attention(x, w_in, w_out, heads=8)
    return report.to_html()


# Name, page, width.
PAGES: list[tuple[str, Callable[[], str], int]] = [("copy-report", report_page, 1100)]

# Of the tour in JupyterLab: name, whether it is trusted, theme, the system's colours, the cell that
# is brought to the top.
NOTEBOOKS = [
    ("notebook", True, "Light", "dark", 0),
    ("notebook-dark", True, "Dark", "light", 0),
    ("notebook-untrusted", False, "Light", "dark", 7),
    ("notebook-untrusted-dark", False, "Dark", "light", 7),
]


def _explorer_pictures(browser: Browser, wanted: list[str]) -> None:
    with make_server() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name, link, size, scheme, act in PICTURES:
            if wanted and name not in wanted:
                continue
            page = browser.new_page(viewport=size, color_scheme=scheme)
            page.goto(page_url(server.url) + link)
            page.wait_for_selector("#stage .memory", state="attached")
            act(page)
            page.wait_for_timeout(200)
            _save(page, f"explorer-{name}", whole=size is PHONE)


# Of the site: name, page, size, colours.
SITE = [
    ("site-landing", "index.html", LAPTOP, "light"),
    ("site-reference", "reference/parts.html#strided.Tensor.unfold", LAPTOP, "dark"),
]


def _site_pictures(browser: Browser, wanted: list[str]) -> None:
    chosen = [one for one in SITE if not wanted or one[0] in wanted]
    if not chosen:
        return
    with tempfile.TemporaryDirectory() as folder:
        # Not strict: a page may show a picture that is taken here.
        build = [sys.executable, "-m", "mkdocs", "build", "--site-dir", folder]
        subprocess.run(build, cwd=ROOT, check=True)
        for name, address, size, scheme in chosen:
            page = browser.new_page(viewport=size, color_scheme=scheme)
            page.goto(f"file://{folder}/{address}")
            page.wait_for_selector("html.js")
            page.wait_for_timeout(500)
            _save(page, name, whole=False)


def _executed_tour() -> Any:
    import nbclient
    import nbformat

    notebook = nbformat.read(TOUR, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    return notebook


def _settings(folder: Path, theme: str) -> None:
    """Write what a user would set in JupyterLab: the theme, and that all cells are laid out."""
    for package, name, values in (
        ("apputils-extension", "themes", {"theme": f"JupyterLab {theme}"}),
        ("apputils-extension", "notification", {"fetchNews": "false", "checkForUpdates": False}),
        ("notebook-extension", "tracker", {"windowingMode": "none"}),
    ):
        path = folder / "lab" / "user-settings" / "@jupyterlab" / package
        path.mkdir(parents=True, exist_ok=True)
        (path / f"{name}.jupyterlab-settings").write_text(json.dumps(values))


@contextlib.contextmanager
def _jupyterlab(folder: Path) -> Iterator[str]:
    """Serve a folder by JupyterLab, settings and trust kept below it; give the address."""
    names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    env = {**os.environ, **{f"JUPYTER_{name}": str(folder / name.lower()) for name in names}}
    env["JUPYTERLAB_SETTINGS_DIR"] = str(folder / "lab" / "user-settings")
    env["JUPYTERLAB_WORKSPACES_DIR"] = str(folder / "lab" / "workspaces")
    trusted = folder / "notebooks" / "trusted.ipynb"
    subprocess.run([sys.executable, "-m", "nbformat.sign", str(trusted)], env=env, check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"),
        *("--ServerApp.ip=127.0.0.1", "--ServerApp.token=", "--ServerApp.password="),
        f"--ServerApp.root_dir={folder / 'notebooks'}",
    ]
    with open(folder / "log", "w") as log:
        server = subprocess.Popen(command, env=env, stdout=log, stderr=subprocess.STDOUT)
    try:
        for _ in range(120):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.5)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def _notebook_pictures(browser: Browser, wanted: list[str]) -> None:
    chosen = [one for one in NOTEBOOKS if not wanted or one[0] in wanted]
    if not chosen:
        return
    if importlib.util.find_spec("jupyterlab") is None:
        raise SystemExit("no JupyterLab: pip install jupyterlab")
    import nbformat

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "notebooks").mkdir()
        tour = _executed_tour()
        for name in ("trusted", "untrusted"):
            # Trust belongs to a text: one with another text is not the one that was signed.
            tour.metadata["title"] = name
            nbformat.write(tour, folder / "notebooks" / f"{name}.ipynb")
        with _jupyterlab(folder) as address:
            for name, trusted, theme, scheme, cell in chosen:
                _settings(folder, theme)
                file = "trusted" if trusted else "untrusted"
                page = browser.new_page(viewport=NOTEBOOK, color_scheme=scheme)
                page.goto(f"{address}/doc/tree/{file}.ipynb")
                page.wait_for_selector(".jp-RenderedHTMLCommon img", timeout=60_000)
                page.locator(".jp-Notebook .jp-Cell").nth(cell).evaluate(
                    "cell => cell.scrollIntoView({ block: 'start' })"
                )
                page.wait_for_timeout(2000)
                _save(page, name, whole=False)


def _save(page: Page, name: str, whole: bool) -> None:
    file = IMAGES / f"{name}.png"
    page.screenshot(path=str(file), full_page=whole)
    print(f"{file.name}: {file.stat().st_size // 1024} KB")
    page.close()


def main() -> int:
    """Take every picture; those named on the command line, if any."""
    path = browser_path()
    if path is None:
        print("no chromium found: apt-get install chromium, or set CHROMIUM", file=sys.stderr)
        return 2
    wanted = sys.argv[1:]
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        _explorer_pictures(browser, wanted)
        _site_pictures(browser, wanted)
        _notebook_pictures(browser, wanted)
        for name, make, width in PAGES:
            if wanted and name not in wanted:
                continue
            page = browser.new_page(viewport={"width": width, "height": 400}, color_scheme="light")
            page.set_content(make())
            _save(page, name, whole=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
