"""The built site: links, nothing loaded from elsewhere, accessibility, search without a server.

The build itself fails on a link between pages that leads nowhere and on a page that the navigation
lacks. Chromium reads the pages from files, as somebody does who has no network.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

import pytest
from support.paths import ROOT

from strided.explorer.steps import evaluate

pytest.importorskip("mkdocs", reason="MkDocs is not installed")
pytest.importorskip("material", reason="Material for MkDocs is not installed")
sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
axe = pytest.importorskip("axe_playwright_python", reason="axe is not installed")

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no chromium: apt-get install chromium")
pytestmark = pytest.mark.peers

EXPLORER = "explorer/index.html"
LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
AXE = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


@cache
def site() -> Path:
    """Return the folder of the built site; it is built once, for whoever asks first."""
    folder = ROOT / "build" / "site-tested"
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        build, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def pages() -> list[str]:
    """Return all pages but the one for addresses that do not exist, which a server alone shows.

    The explorer is a page of its own, with tests of its own.
    """
    found = {str(path.relative_to(site())) for path in site().rglob("*.html")}
    return sorted(found - {"404.html", EXPLORER})


# ---- links ----


class Links(HTMLParser):
    """What a page refers to, and the places that others may refer to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Take up one element."""
        given = {name: value or "" for name, value in attributes}
        self.ids.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag in ("link", "script", "img", "iframe", "source"):
            self.loaded += [given[name] for name in ("href", "src") if name in given]


@cache
def links_of(page: str) -> Links:
    return Links((site() / page).read_text(encoding="utf-8"))


def is_chain(anchor: str) -> bool:
    """Return whether what a link hands to the explorer can be explored."""
    (chain,) = parse_qs(anchor)["e"]
    return evaluate(chain).problem is None


def test_every_link_leads_somewhere() -> None:
    wrong, found = [], 0
    for page in pages():
        for link in (*links_of(page).links, *links_of(page).loaded):
            if re.match(r"(https?:|mailto:|data:|javascript:)", link) or link in ("", "."):
                continue
            path, _, anchor = link.partition("#")
            path = path.partition("?")[0]
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(path)))
            target = page if not path else target
            found += 1
            there = (site() / target).is_file()
            if target == EXPLORER:
                there = there and (not anchor or is_chain(anchor))
            elif there and anchor and target.endswith(".html"):
                there = unquote(anchor) in links_of(target).ids
            if not there:
                wrong.append(f"{page}: {link}")
    assert found > 5000
    assert not sorted(set(wrong))


def test_nothing_is_loaded_from_elsewhere() -> None:
    for page in pages():
        assert not [one for one in links_of(page).loaded if re.match(r"(https?:)?//", one)], page
    for style in site().rglob("*.css"):
        # The theme's own sheet has one address in a comment.
        text = re.sub(r"/\*.*?\*/", "", style.read_text(encoding="utf-8"), flags=re.S)
        assert not re.search(r"url\([\"']?(https?:)?//", text), style


# ---- in a browser ----


@contextmanager
def launched() -> Iterator[Any]:
    """Start a browser and end it."""
    # Chromium's own sandbox does not start for root, as in containers.
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    quiet = ["--disable-gpu", "--no-first-run", "--disable-background-networking"]
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=BROWSER, args=[*root, *quiet])
        yield made
        made.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as made:
        yield made


class Reader:
    """A page in a browser that must not complain, nor ask for anything but files."""

    def __init__(self, browser: Any, viewport: dict[str, int], scheme: str = "light") -> None:
        self.context = browser.new_context(viewport=viewport, color_scheme=scheme)
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("request", self._request)

    def _request(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "about:")):
            self.said.append(request.url)

    def open(self, page: str) -> Any:
        """Open a page and wait until its scripts ran."""
        self.page.goto(f"file://{site()}/{page}")
        self.page.wait_for_selector("html.js")
        return self.page

    def close(self) -> None:
        """Close it, and say whether it complained."""
        self.context.close()
        assert not self.said


# ---- accessibility ----

LISTING = "source/"
WORKERS = 2  # browsers at a time
_RUN = """options => axe.run(document, options).then(result => result.violations.map(
    one => `${one.id}: ${one.nodes.length}, ${one.nodes[0].html.slice(0, 200)}`))"""
# Style sheets are there already: axe need not ask for them once more. What stands in a frame, the
# explorer, is read as a page of its own.
_OPTIONS = {"resultTypes": ["violations"], "preload": False, "iframes": False}
_SHORTEN = """document.querySelectorAll('.listing code > span:nth-child(n + 40)').forEach(
    line => line.remove())"""


def violations(chosen: list[str], shorten: bool = False) -> dict[str, Any]:
    """Return what axe finds, by page: all rules in light colours, contrast in dark ones.

    With ``shorten`` only the first lines of listings are left.
    """
    site()  # built once, not by each thread
    found: dict[str, Any] = {}

    def read(part: list[str]) -> None:
        with launched() as browser:
            reader = Reader(browser, LAPTOP)
            for page in part:
                opened = reader.open(page)
                if shorten:
                    opened.evaluate(_SHORTEN)
                opened.evaluate(AXE)
                said = opened.evaluate(_RUN, _OPTIONS)
                opened.emulate_media(color_scheme="dark")
                opened.wait_for_selector("body[data-md-color-scheme=slate]")
                said += opened.evaluate(_RUN, {**_OPTIONS, "runOnly": ["color-contrast"]})
                opened.emulate_media(color_scheme="light")
                if said:
                    found[page] = said
            reader.close()

    with ThreadPoolExecutor(WORKERS) as threads:
        for done in [threads.submit(read, chosen[i::WORKERS]) for i in range(WORKERS)]:
            done.result()
    return found


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_explorer_is_accessible(browser: Any, scheme: str) -> None:
    """As the site has it; tests/explorer/test_browser.py reads its other states."""
    reader = Reader(browser, LAPTOP, scheme)
    reader.page.goto(f"file://{site()}/{EXPLORER}#e=arange(12).reshape(3, 4).T")
    reader.page.wait_for_selector(".grid")
    reader.page.evaluate(AXE)
    assert not reader.page.evaluate(_RUN, _OPTIONS)
    reader.close()


@needs_browser
def test_accessible() -> None:
    """Every page that is no listing."""
    chosen = [page for page in pages() if not page.startswith(LISTING)]
    assert len(chosen) > 50
    assert not violations(chosen)


@needs_browser
def test_listings_are_accessible() -> None:
    """Listings differ in their code alone: all by their first lines, the most colourful whole."""
    chosen = [page for page in pages() if page.startswith(LISTING)]
    assert not violations(chosen, shorten=True)

    def kinds(page: str) -> int:
        text = (site() / page).read_text(encoding="utf-8")
        return len(set(re.findall(r'<span class="(\w+)">', text)))

    assert not violations(sorted(chosen, key=kinds)[-4:])


# ---- what scripts do ----


@needs_browser
def test_search_without_a_server(browser: Any) -> None:
    reader = Reader(browser, LAPTOP)
    page = reader.open("index.html")
    asked = page.locator(".md-search__input")
    asked.focus()
    for words, chapter, anchor in (
        ("unfold", "parts", "strided.Tensor.unfold"),
        ("take_along_axis", "indexing", "strided.take_along_axis"),
        ("trace_copies", "copies", "strided.trace_copies"),
    ):
        asked.fill("")
        asked.press_sequentially(words)
        link = f"[href*='reference/{chapter}.html'][href$='#{anchor}']"
        page.wait_for_selector(f".md-search-result__link{link}", state="attached")
    reader.close()


@needs_browser
def test_copied_examples_have_no_prompts(browser: Any) -> None:
    reader = Reader(browser, LAPTOP)
    page = reader.open("index.html")
    text = page.evaluate("typed(document.querySelector('.md-content pre > code'))")
    lines = text.splitlines()
    assert lines[0] == "import strided as st"
    assert "    flat = y.reshape(16)" in lines
    assert not [line for line in lines if line.startswith((">>>", "...", "Layout", "100"))]
    reader.close()


@needs_browser
def test_pages_fit_a_phone(browser: Any) -> None:
    reader = Reader(browser, PHONE)
    wide = {}
    for page in (one for one in pages() if not one.startswith(LISTING)):
        opened = reader.open(page)
        opened.wait_for_timeout(50)
        width = opened.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            wide[page] = width
    reader.close()
    assert not wide


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_follow_the_page(browser: Any, scheme: str) -> None:
    reader = Reader(browser, LAPTOP, scheme)
    page = reader.open("index.html")
    shown = page.evaluate(
        "[...document.querySelectorAll('.hero img')]"
        ".filter(one => one.offsetWidth).map(one => one.src)"
    )
    assert [Path(unquote(one)).name.split("#")[0] for one in shown] == [f"together.{scheme}.svg"]
    reader.close()
