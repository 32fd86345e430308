"""What do pages look like? ``make screenshots`` photographs explorer, notebook and report.

The pictures are taken in a real browser: Debian's chromium, or one named by CHROMIUM.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

import strided as st
from strided.demo import attention
from strided.explorer import make_server
from strided.explorer.server import page_url

IMAGES = Path(__file__).parents[1] / "docs" / "images"
CHAIN = "arange(24).reshape(2, 3, 4).transpose(0, 2)[:, ::2].flip(1)"
LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


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
PICTURES: list[tuple[str, str, dict[str, int], str, Any]] = [
    ("laptop", f"#e={CHAIN}", LAPTOP, "light", lambda page: _point_at(page, "1, 0, 1")),
    ("laptop-dark", f"#e={CHAIN}.reshape(16)", LAPTOP, "dark", lambda page: _point_at(page, "5")),
    ("refused", "#e=arange(6).reshape(2, 3).T.view(6)", LAPTOP, "light", lambda page: None),
    ("phone", f"#e={CHAIN}", PHONE, "light", lambda page: None),
    ("exercises", "#p=exercises&x=strides-3", LAPTOP, "light", _answer),
    ("performance", "#p=exercises&x=performance-copies", LAPTOP, "light", _measure),
]


def notebook_page() -> str:
    """Return two cells of a notebook, as it would show them."""
    code = "font:13px monospace;background:#f5f5f5;border:1px solid #ddd;padding:6px 10px"
    x = st.arange(12).reshape(3, 4)
    shown = [("x.flip(1)", x.flip(1)), ("strided.inspect(x.T)", st.inspect(x.T))]
    cells = "".join(
        f'<div style="{code}">{text}</div><div style="margin:8px 12px">{value._repr_html_()}</div>'
        for text, value in shown
    )
    style = "font:14px sans-serif;margin:16px"
    return f'<!doctype html><meta charset="utf-8"><body style="{style}">{cells}</body>'


def report_page() -> str:
    """Return the report of an attention block without views."""
    x, w_in, w_out = st.ones(2, 128, 256), st.ones(256, 768), st.ones(256, 256)
    with st.trace_copies() as report, st.copy_everything():
        attention(x, w_in, w_out, heads=8)
    return report.to_html()


# Name, page, width.
PAGES: list[tuple[str, Callable[[], str], int]] = [
    ("notebook", notebook_page, 640),
    ("copy-report", report_page, 1100),
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
