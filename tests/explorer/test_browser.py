"""The explorer page in a real browser: typing, pointing, keys, undo, links, exercises, widths.

Each test runs twice: on the page that the server gives, where strided answers, and on the page
without a server, opened from a file, where its engine does. A test also fails on any message in the
browser's console. Needs Playwright and a chromium of the system (``apt-get install chromium``, or
CHROMIUM=path).
"""

from __future__ import annotations

import functools
import http.server
import os
import re
import shutil
import threading
import urllib.parse
from pathlib import Path

import pytest

from strided.explorer import make_server
from strided.explorer.static_page import write_static_page
from strided.explorer.steps import evaluate

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
axe = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
expect = sync_api.expect

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(BROWSER is None, reason="no chromium: apt-get install chromium"),
]

CHAIN = "arange(24).reshape(2, 3, 4).transpose(0, 2)[:, ::2].flip(1)"
LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def server():
    with make_server() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server


@pytest.fixture(scope="module")
def page_folder(tmp_path_factory):
    return write_static_page(tmp_path_factory.mktemp("explorer")).parent


@pytest.fixture(scope="module", params=["served", "file"])
def address(request, server, page_folder):
    return server.url if request.param == "served" else (page_folder / "index.html").as_uri()


@pytest.fixture(scope="module")
def browser():
    # Chromium's own sandbox does not start for root, as in containers.
    args = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    # What is loaded before Python (the sanitizer of make asan) does not fit a browser.
    env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=args, env=env)
        yield browser
        browser.close()


@pytest.fixture
def watched(browser):
    """Opens addresses, and fails on whatever the browser's console is told."""
    said, contexts = [], []

    def opened(address, viewport=LAPTOP, scheme="light", forced_colors="none"):
        context = browser.new_context(
            viewport=viewport, color_scheme=scheme, forced_colors=forced_colors
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("requestfailed", lambda request: said.append(f"failed: {request.url}"))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert said == []


def opener(watched, address):
    def opened(link="", *args, **kwargs):
        page = watched(address + link, *args, **kwargs)
        page.wait_for_selector("#stage .memory", state="attached")
        return page

    return opened


@pytest.fixture
def open_page(watched, address):
    return opener(watched, address)


@pytest.fixture
def open_served(watched, server):
    """What only the server can do: measure."""
    return opener(watched, server.url)


def link_of(chain, **more):
    return "#" + urllib.parse.urlencode({"e": chain, **more})


def layouts(page):
    return [re.sub(r"\s", "", text) for text in page.locator("#steps .layout").all_inner_texts()]


def expected_layouts(chain):
    return [re.sub(r"\s", "", s.layout).replace("-", "\u2212") for s in evaluate(chain).steps]


def lit(page, where):
    return page.locator(f"{where} .lit").evaluate_all(
        "cells => cells.map(c => Number(c.dataset.at))"
    )


# ---- exploring ----


def test_typing_a_chain_shows_its_steps(open_page):
    page = open_page()
    page.fill("#chain", "")
    page.type("#chain", CHAIN)
    expect(page.locator("#steps > li")).to_have_count(5)
    expect(page.locator("#stage h2")).to_have_text(".flip(1)")
    assert layouts(page) == expected_layouts(CHAIN)
    expect(page.locator("#stage .facts")).to_contain_text("axis 2 steps 12, row-major needs 1")
    expect(page.locator(".panel")).to_have_count(4)
    page.click("#steps li:nth-child(3) button")
    expect(page.locator("#stage h2")).to_have_text(".transpose(0, 2)")
    expect(page.locator("#steps [aria-current]")).to_have_count(1)


def test_a_copy_shows_bytes_cause_and_hint(open_page):
    page = open_page(link_of("arange(12).reshape(3, 4).T.reshape(12)"))
    expect(page.locator("#steps li").last.locator(".badge")).to_have_text("copy 96 bytes")
    expect(page.locator(".why")).to_contain_text("length[1] * stride[1] = 12")
    expect(page.locator(".why")).to_contain_text("Hint:")


def test_pointing_lights_the_memory_cell_and_the_reverse(open_page):
    page = open_page(link_of(CHAIN))
    page.hover('.grid [data-index="1, 0, 1"]')
    assert lit(page, ".memory") == [21]
    expect(page.locator(".formula")).to_contain_text("8 + 1·1 + 0·(\u22128) + 1·12 = 21")
    page.hover('.memory [data-at="9"]')
    assert lit(page, ".grid") == [9]
    expect(page.locator(".formula")).to_contain_text("[1, 0, 0]")
    page.hover('.memory [data-at="4"]')
    assert lit(page, ".grid") == []
    expect(page.locator(".formula")).to_contain_text("not reached by this view")
    page.hover("h1")
    assert lit(page, "#stage") == []


def test_a_repeated_element_lights_everywhere(open_page):
    page = open_page(link_of("arange(3).unsqueeze(1).expand(3, 4)"))
    page.hover('.memory [data-at="1"]')
    assert lit(page, ".grid") == [1, 1, 1, 1]


def test_a_clicked_element_is_followed_through_the_steps(open_page):
    page = open_page(link_of(CHAIN + ".reshape(16)", s=4))
    page.click('.grid [data-index="1, 0, 1"]')
    page.click("#steps li:nth-child(2) button")
    assert lit(page, "#stage") == [21, 21]
    expect(page.locator('.grid [aria-selected="true"]')).to_have_attribute("data-index", "1, 2, 1")
    page.click("#steps li:nth-child(6) button")  # a copy: another storage
    assert lit(page, "#stage") == []
    page.fill("#chain", "arange(30)")  # and another
    expect(page.locator("#steps > li")).to_have_count(1)
    assert lit(page, "#stage") == []
    page.click("#undo")
    expect(page.locator("#steps > li")).to_have_count(6)
    page.click("#steps li:nth-child(1) button")
    assert lit(page, "#stage") == [21, 21]
    page.focus('.grid [data-index="21"]')
    page.keyboard.press("Enter")  # once more: no longer
    page.focus("#chain")
    assert lit(page, "#stage") == []


def test_cells_are_walked_by_keys(open_page):
    page = open_page(link_of("arange(12).reshape(3, 4)"))
    page.focus('.grid [tabindex="0"]')
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(150)  # the lit cell has grown
    page.keyboard.press("ArrowDown")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "[1, 1] is 5, storage element 5")
    assert lit(page, ".memory") == [5]
    assert page.eval_on_selector(":focus", "cell => getComputedStyle(cell).outlineStyle") == "solid"
    page.keyboard.press("End")
    page.keyboard.press("Tab")  # one stop a group: the next is the memory strip
    assert lit(page, ".grid") == [0]
    page.keyboard.press("ArrowRight")
    assert lit(page, ".grid") == [1]


def test_the_page_can_be_used_by_keys_alone(open_page):
    page = open_page(link_of("arange(6)"))
    page.focus("#chain")
    page.keyboard.press("End")
    page.keyboard.type(".reshape(2, 3)")
    page.keyboard.press("Enter")
    expect(page.locator("#steps > li")).to_have_count(2)
    page.focus("#next button:text-is('T')")
    page.keyboard.press("Enter")
    expect(page.locator("#chain")).to_have_value("arange(6).reshape(2, 3).T")
    expect(page.locator("#next button:text-is('T')")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.locator("#chain")).to_have_value("arange(6).reshape(2, 3)")
    page.keyboard.press("Control+Shift+z")
    expect(page.locator("#chain")).to_have_value("arange(6).reshape(2, 3).T")
    page.focus("#tab-explore")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#exercises")).to_be_visible()
    expect(page.locator("#tab-exercises")).to_be_focused()


def test_a_next_step_is_added_by_its_form(open_page):
    page = open_page(link_of("arange(24).reshape(2, 3, 4)"))
    page.click("#next button:text-is('transpose')")
    expect(page.locator(".next-form input").first).to_be_focused()
    page.fill('.next-form input[name="dim1"]', "1")
    expect(page.locator(".next-form output")).to_have_text(".transpose(0, 1)")
    page.keyboard.press("Enter")
    expect(page.locator("#chain")).to_have_value("arange(24).reshape(2, 3, 4).transpose(0, 1)")
    page.click("#next button:text-is('flip')")
    page.keyboard.press("Escape")
    expect(page.locator(".next-form")).to_have_count(0)
    page.click("#next button:text-is('clone')")
    expect(page.locator("#steps li").last.locator(".badge")).to_have_text("copy 192 bytes")


def test_steps_are_undone_and_redone(open_page):
    page = open_page(link_of("arange(6)"))
    expect(page.locator("#undo")).to_be_disabled()
    page.click("#examples button:nth-child(2)")
    expect(page.locator("#steps > li")).to_have_count(4)
    page.click("#drop")
    expect(page.locator("#steps > li")).to_have_count(3)
    page.click("#undo")
    expect(page.locator("#steps > li")).to_have_count(4)
    page.click("#undo")
    expect(page.locator("#chain")).to_have_value("arange(6)")
    expect(page.locator("#undo")).to_be_disabled()
    page.click("#redo")
    page.click("#redo")
    expect(page.locator("#steps > li")).to_have_count(3)
    expect(page.locator("#redo")).to_be_disabled()


def test_a_link_restores_the_state(open_page):
    page = open_page(link_of(CHAIN))
    page.click("#steps li:nth-child(2) button")
    page.wait_for_function("location.hash.includes('s=1')")
    other = open_page(urllib.parse.urlsplit(page.url).fragment.join(["#", ""]))
    expect(other.locator("#chain")).to_have_value(CHAIN)
    expect(other.locator("#stage h2")).to_have_text(".reshape(2, 3, 4)")
    assert layouts(other) == expected_layouts(CHAIN)
    third = open_page("#p=exercises&x=detective-2")
    expect(third.locator("#question h2")).to_have_text("Where does the write land?")


def test_refusals_say_where_and_offer_what_works(open_page):
    page = open_page(link_of("arange(6).reshape(2, 3).T.view(6)"))
    expect(page.locator("#problem")).to_contain_text("ViewNotPossible")
    expect(page.locator("#problem .mark")).to_have_text(".view(6)")
    expect(page.locator("#steps > li")).to_have_count(4)
    page.click("#problem .fixes button:text-is('.reshape(6)')")
    expect(page.locator("#problem")).to_be_empty()
    expect(page.locator("#chain")).to_have_value("arange(6).reshape(2, 3).T.reshape(6)")


def test_unreadable_text_keeps_the_last_chain_in_sight(open_page):
    page = open_page(link_of("arange(6)"))
    page.fill("#chain", "arange(6).<img src=x onerror=alert(1)>")
    expect(page.locator("#problem")).to_contain_text("column 11")
    expect(page.locator("#problem .mark")).to_have_text("<")
    expect(page.locator("#problem img")).to_have_count(0)
    expect(page.locator("#chain")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#steps > li")).to_have_count(1)


def test_large_tensors_are_summarised(open_page):
    page = open_page(link_of("arange(1000000).reshape(1000, 1000).T"))
    expect(page.locator("#stage h3").first).to_contain_text("1000000 elements in all")
    page.hover('.grid [data-index="1, 999"]')
    assert lit(page, ".memory") == [999 * 1000 + 1]


def test_chains_of_numpy_are_shown(open_page):
    page = open_page(link_of("np.zeros((3, 4), dtype=np.float32).T[:, np.newaxis]"))
    expect(page.locator("#problem")).to_be_empty()
    expect(page.locator("#stage .facts")).to_contain_text("in bytes (4, 48, 16)")
    expect(page.locator("#stage .facts")).to_contain_text("12 × float32")


def test_a_typo_keeps_the_last_picture_and_is_marked(open_page):
    page = open_page(link_of("arange(12).reshape(3, 4)"))
    page.fill("#chain", "arange(12).reshpe(3, 4).T")
    mark = page.locator("#problem .mark")
    expect(mark).to_have_text("reshpe")
    assert page.locator(".grid .cell").count() == 12
    assert layouts(page) == expected_layouts("arange(12).reshape(3, 4)")
    expect(page.locator(".chain")).to_have_class(re.compile("stale"))
    mark.click()
    selected = "[document.activeElement.selectionStart, document.activeElement.selectionEnd]"
    assert page.evaluate(selected) == [11, 17]
    page.click("#problem .fixes button:text-is('reshape')")
    expect(page.locator("#chain")).to_have_value("arange(12).reshape(3, 4).T")
    expect(page.locator("#problem")).to_be_empty()
    expect(page.locator(".chain")).not_to_have_class(re.compile("stale"))


def test_a_link_with_a_typo_shows_what_can_be_done(open_page):
    page = open_page(link_of("arange(12).reshape(3, 4).flop(0)"))
    assert layouts(page) == expected_layouts("arange(12).reshape(3, 4)")
    expect(page.locator("#problem .mark")).to_have_text("flop")


def test_a_copy_offers_what_does_without_it(open_page):
    page = open_page(link_of("arange(12).reshape(3, 4).T.reshape(12)"))
    page.click(".why .fixes button:text-is('.permute(1, 0).view(12)')")
    expect(page.locator("#chain")).to_have_value(
        "arange(12).reshape(3, 4).T.permute(1, 0).view(12)"
    )
    expect(page.locator(".badge.copy")).to_have_count(0)
    page.fill("#chain", "arange(12).reshape(3, 4)[:, :2].flatten()")
    expect(page.locator(".why")).to_contain_text("No view has these elements in this order")


def arrows(page, where="#stage"):
    return page.locator(f"{where} .arrows text").all_text_contents()


def test_axes_are_labelled_and_arrows_show_their_strides(open_page):
    page = open_page(link_of(CHAIN))
    labels = page.locator("#stage .axis").all_inner_texts()
    assert labels == ["axis 0 +1", "axis 1 \u22128", "axis 2 +12"]
    assert sorted(arrows(page)) == ["+1", "+12", "\u22128"]  # of the element at the offset
    page.hover('.grid [data-index="3, 0, 1"]')  # nothing follows along axes 0 and 2
    assert arrows(page) == ["\u22128"]
    page.hover('.grid [data-index="3, 1, 1"]')
    assert arrows(page) == []
    page.hover('.memory [data-at="4"]')  # not reached
    assert arrows(page) == []
    page.fill("#chain", "arange(3).unsqueeze(1).expand(3, 4)")
    expect(page.locator("#steps > li")).to_have_count(3)
    assert arrows(page) == ["0", "+1"]


def test_long_vectors_scroll_and_say_so(open_page):
    page = open_page(link_of("arange(1000)"))
    cue = page.locator("#stage .scrolled:has(.panels) .cue")
    expect(cue).to_have_text("more →")
    page.locator("#stage .panels").evaluate("panels => panels.scrollTo(1e6, 0)")
    expect(cue).to_be_hidden()
    below = page.locator("#stage .scrolled:has(.memory) .cue")
    expect(below).to_have_text("more ↓")
    page.fill("#chain", "arange(10)")
    expect(page.locator("#stage .cue:visible")).to_have_count(0)


def test_high_contrast_keeps_what_colours_said(open_page):
    page = open_page(link_of(CHAIN), forced_colors="active")
    style = """(cell) => { const s = getComputedStyle(cell);
        return [s.borderBottomStyle, s.outlineStyle, s.backgroundColor]; }"""
    page.click('.memory [data-at="21"]')
    page.hover("h1")
    page.focus("#undo, #link")
    cells = {at: page.eval_on_selector(f'.memory [data-at="{at}"]', style) for at in (4, 8, 9, 21)}
    assert cells[9] == ["solid", "none", cells[9][2]]  # an element like any other
    assert cells[4][0] == "dashed"  # not reached
    assert cells[8][0] == "double"  # the offset
    assert cells[21][1] == "solid"  # followed
    assert cells[21][2] != cells[9][2]
    assert page.eval_on_selector("#steps .step[aria-current]", style)[1] == "solid"


# ---- two chains ----


def test_two_chains_stand_side_by_side(open_page):
    page = open_page(link_of("arange(24).reshape(2, 3, 4)"))
    page.click("#compare")
    expect(page.locator("#chain-b")).to_have_value("arange(24).reshape(2, 3, 4)")
    page.fill("#chain-b", "arange(24).reshape(2, 3, 4).transpose(0, 2)")
    page.keyboard.press("Enter")
    expect(page.locator("#steps-b > li")).to_have_count(3)
    boxes = [page.locator(where).bounding_box() for where in ("#stage", "#stage-b")]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    # One storage: an element is lit in both, and a clicked one followed in both.
    page.hover('#stage .grid [data-index="1, 0, 1"]')
    assert lit(page, "#stage-b .grid") == [13]
    expect(page.locator("#stage-b .formula")).to_contain_text("storage element 13")
    page.click('#stage-b .grid [data-index="3, 2, 1"]')
    expect(page.locator('#stage .grid [aria-selected="true"]')).to_have_attribute(
        "data-index", "1, 2, 3"
    )
    page.click("#drop")  # of the chain that was used last
    expect(page.locator("#chain-b")).to_have_value("arange(24).reshape(2, 3, 4)")
    page.click("#undo")
    expect(page.locator("#steps-b > li")).to_have_count(3)
    page.click("#compare")
    expect(page.locator("#chain-b")).to_have_count(0)
    page.click("#undo")
    expect(page.locator("#chain-b")).to_have_value("arange(24).reshape(2, 3, 4).transpose(0, 2)")


def test_a_link_holds_both_chains(open_page):
    page = open_page(link_of("arange(6)", f="arange(8).reshape(2, 4).T", t=1))
    expect(page.locator("#stage h2")).to_have_text("arange(6)")
    expect(page.locator("#stage-b h2")).to_have_text(".reshape(2, 4)")
    page.click("#steps-b li:nth-child(1) button")
    page.wait_for_function("location.hash.includes('t=0')")
    page.hover('#stage .grid [data-index="3"]')  # another storage
    assert lit(page, "#stage-b") == []


def test_two_chains_stand_below_each_other_on_a_phone(open_page):
    page = open_page(link_of("arange(6)", f="arange(8)"), PHONE)
    boxes = [page.locator(where).bounding_box() for where in ("#stage", "#stage-b")]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    assert boxes[0]["x"] == boxes[1]["x"]


# ---- the page without a server ----


@pytest.fixture(scope="module")
def host(page_folder):
    """A static host, with a page that holds the explorer in a frame."""
    frame = "index.html?embed&theme=dark" + link_of("arange(12).reshape(3, 4).T")
    for name, sandbox in (("frame", ""), ("strict", 'sandbox="allow-scripts"')):
        text = f'<iframe {sandbox} width="700" height="600" src="{frame}"></iframe>'
        head = '<!doctype html><link rel="icon" href="data:,">'
        (page_folder / f"{name}.html").write_text(head + text)
    handler = functools.partial(QuietHandler, directory=page_folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.mark.parametrize("name", ["frame", "strict"])
def test_the_page_can_be_embedded(watched, host, name):
    page = watched(f"{host}{name}.html")
    frame = page.frame_locator("iframe")
    frame.locator('.grid [data-index="3, 2"]').hover()
    expect(frame.locator(".memory .lit")).to_have_attribute("data-at", "11")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    for hidden in (".tabs", "#theme", ".tools", "#examples", "#next"):
        expect(frame.locator(hidden)).to_be_hidden()
    frame.locator("#chain").fill("arange(6)[::2]")
    expect(frame.locator("#steps > li")).to_have_count(2)
    link = frame.locator("#whole-page")
    expect(link).to_have_attribute("target", "_blank")
    whole = link.get_attribute("href")
    assert whole.startswith(f"{host}index.html#")
    assert urllib.parse.parse_qs(whole.partition("#")[2]) == {"e": ["arange(6)[::2]"]}


def test_the_page_without_a_server_asks_for_nothing(watched, host):
    asked = []
    page = watched("about:blank")
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{host}index.html{link_of(CHAIN)}")
    page.wait_for_selector("#stage .memory")
    page.fill("#chain", "arange(3)")
    expect(page.locator("#steps > li")).to_have_count(1)
    page.click("#tab-exercises")
    page.click("text=Show answer")
    page.wait_for_selector(".verdict")
    assert [url.partition("#")[0] for url in asked] == [f"{host}index.html"]


def test_the_page_without_a_server_says_where_speeds_are_measured(watched, host):
    page = watched(f"{host}index.html#p=exercises")
    expect(page.locator("#questions")).to_contain_text("python -m strided.explorer")
    expect(page.locator("#questions")).not_to_contain_text("Performance")


# ---- exercises ----


def test_an_exercise_is_answered_wrongly_then_rightly(open_page):
    page = open_page("#p=exercises&x=strides-1")
    expect(page.locator(".answers")).to_contain_text("one number for each axis")
    page.fill('#question input[name="strides"]', "4, 3, 1")
    page.click("#question button[type=submit]")
    expect(page.locator(".verdict.wrong")).to_contain_text("axis 0, axis 1")
    page.click("text=Hint")
    expect(page.locator(".hint")).to_be_visible()
    page.fill('#question input[name="strides"]', "12, 4, 1")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict.right")).to_be_visible()
    expect(page.locator(".explanation")).to_contain_text("(2, 3, 4):(12, 4, 1)+0")
    expect(page.locator("#progress-count")).to_contain_text("1/")
    page.reload()
    expect(page.locator("#progress-count")).to_contain_text("1/")
    expect(page.locator(".badge.done")).to_have_count(1)
    page.click("text=Reset")
    expect(page.locator("#progress-count")).to_contain_text("0/")


def test_choices_and_chains_are_answered(open_page):
    page = open_page("#p=exercises&x=reshape-1")
    for option in (1, 3, 4):
        page.check(f'.options input[value="{option}"]')
    page.click("#question button[type=submit]")
    expect(page.locator(".verdict.right")).to_be_visible()
    page.click("text=Next →")
    page.fill('#question input[name="chain"]', "zeros(2, 3).T.view(6)")
    page.click("#question button[type=submit]")
    expect(page.locator(".verdict.right")).to_be_visible()
    page.click(".said .chip")
    expect(page.locator("#explore")).to_be_visible()
    expect(page.locator("#chain")).to_have_value("zeros(2, 3).T.reshape(6)")


def test_the_measured_exercise_measures(open_served):
    page = open_served("#p=exercises&x=performance-copies")
    place = "items => items.map(i => Number(i.dataset.option))"
    while (order := page.locator(".ordering li").evaluate_all(place)) != [0, 1, 2]:
        slot = next(i for i, option in enumerate(order) if option != i)
        page.locator(".ordering li").nth(order.index(slot)).locator("button").first.click()
    page.click("#question button[type=submit]")
    page.wait_for_selector(".measured", timeout=60_000)
    expect(page.locator(".measured tbody tr")).to_have_count(3)
    expect(page.locator(".measured td").first).to_contain_text(re.compile("[0-9] (ns|µs|ms)"))


def test_where_a_write_lands_says_what_it_needs(open_page):
    page = open_page("#p=exercises&x=detective-2")
    expect(page.locator(".answers")).to_contain_text("2 numbers: row and column in b")
    page.fill('#question input[name="index"]', "4")
    page.click("#question button[type=submit]")
    expect(page.locator(".verdict.wrong")).to_contain_text("2 numbers are needed")
    page.fill('#question input[name="index"]', "0, 0")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict.right")).to_be_visible()


def test_practice_never_ends(open_page):
    page = open_page("#p=exercises&x=practice-12")
    expect(page.locator("#question h2")).to_have_text("Practice 12")
    page.click("text=Show answer")
    expect(page.locator(".explanation li").first).to_be_visible()
    page.click("text=Practice with a new chain")
    expect(page.locator("#question h2")).not_to_have_text("Practice 12")


# ---- looks ----

PAGES = [
    link_of(CHAIN),
    link_of("arange(1024).reshape(32, 32)"),
    link_of("arange(6).reshape(2, 3).T.view(6)"),
    "#p=exercises&x=reshape-1",
    "#p=exercises&x=detective-1",
    link_of("arange(12).reshape(3, 4).T.flatten()", f="arange(24).reshape(2, 3, 4)"),
]


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_no_width_scrolls_sideways(open_page, width):
    for link in PAGES:
        page = open_page(link, {"width": width, "height": 844})
        if "exercises" not in link and "f=" not in link:
            page.click("#next button:text-is('as_strided')")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, link


@pytest.mark.parametrize("width", [320, 1280])
def test_measurements_fit(open_served, width):
    page = open_served("#p=exercises&x=performance-sums", {"width": width, "height": 844})
    page.click("text=Show answer")
    page.wait_for_selector(".measured", timeout=60_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


# The contrast of WCAG 2 between a text and what lies behind it, as the browser paints it.
CONTRAST = """(elements) => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const paint = (colours) => {
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((c) => {
      const s = c / 255;
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
  };
  const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return elements.filter((e) => e.textContent.trim() && e.offsetParent).map((e) => {
    const behind = [];
    for (let p = e; p; p = p.parentElement) behind.unshift(getComputedStyle(p).backgroundColor);
    const back = light(paint(['white', ...behind]));
    const fore = light(paint(['white', ...behind, getComputedStyle(e).color]));
    const ratio = (Math.max(back, fore) + 0.05) / (Math.min(back, fore) + 0.05);
    return [ratio, e.textContent.trim().slice(0, 30)];
  }).filter(([ratio]) => ratio < 4.5);
}"""
TEXTS = (
    "button:not(:disabled), .badge, .axis, .cue, a, dt, dd .code, dd small, .cell, .cell small, p, "
    "h2, h3, label"
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "link", [PAGES[0], PAGES[2], link_of("arange(6).flop(0)"), "#p=exercises&x=strides-3"]
)
def test_text_has_contrast(open_page, scheme, link):
    page = open_page(link, scheme=scheme)
    if "exercises" in link:
        page.click("text=Show answer")
        page.wait_for_selector(".verdict")
    assert page.eval_on_selector_all(TEXTS, CONTRAST) == []


AXE = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
VIOLATIONS = """() => axe.run(document, {preload: false}).then(result => result.violations.map(
    one => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`))"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(open_page, scheme):
    embedded = "?embed" + link_of("arange(12).reshape(3, 4)")
    typo, copy = link_of("arange(6).flop(0)"), link_of("eye(3).T.reshape(9)")
    for link in (*PAGES, typo, copy, link_of("arange(1000)"), embedded):
        page = open_page(link, scheme=scheme)
        page.evaluate(AXE)
        assert page.evaluate(VIOLATIONS) == [], link


def test_the_theme_can_be_chosen_and_is_kept(open_page):
    page = open_page()
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(back)
    page.click("#theme")
    page.click("#theme")
    expect(page.locator("#theme")).to_have_text("Theme: dark")
    assert page.evaluate(back) != light
    page.reload()
    expect(page.locator("#theme")).to_have_text("Theme: dark")
    assert page.evaluate(back) != light


def test_everything_on_the_page_has_a_name(open_page):
    page = open_page(link_of(CHAIN))
    nameless = """controls => controls.filter(c => !(c.textContent.trim() || c.ariaLabel ||
        c.labels?.length)).map(c => c.outerHTML)"""
    for tab in ("explore", "exercises"):
        page.click(f"#tab-{tab}")
        assert page.eval_on_selector_all("button, input", nameless) == []
