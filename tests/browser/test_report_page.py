# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a report as people use it: with a mouse, with a keyboard, on paper, and without JavaScript."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.owners import Owners
from collection_tree import CHECKOUT
from report_accounts import EXPECTED, UGLY, accounts, entry, many, shop
from report_page import AXE, DESKTOP, END, ENTER, ESCAPE, RIGHT, TAB, Page

ROUTES = "#edges .lane"
BACKGROUND = "return getComputedStyle(document.body).backgroundColor"


@pytest.fixture
def report(page: Page, tmp_path: Path) -> Page:
    page.open(accounts(), tmp_path, expected=EXPECTED, title="Ingress of all accounts")
    return page


def focused_route(page: Page) -> str:
    name: str = page.run("return document.activeElement.closest('.lane').querySelector('.name > bdi').innerText")
    return name


def names(page: Page) -> list[str]:
    return page.displayed(f"{ROUTES} .name > bdi")


def test_the_page_shows_everything_without_a_network(report: Page) -> None:
    assert "This report is not complete: 2 accounts of 4" in report.displayed(".warnings h2")[0]
    assert [text.split()[0] for text in report.displayed(".warnings li")] == ["field", "hub"]
    have, _open, plan = report.displayed(".moments .big")
    assert (have, plan) == ("6 edges, 14 routes in 2 of 4 accounts", "Opens 1 route, closes 1 5 changes")
    assert len(names(report)) == 16
    assert report.displayed("#owner") == []
    assert report.run("return document.querySelectorAll('[style]:not(html)').length") == 0
    assert report.run("return document.documentElement.scrollWidth") <= 1440
    # What is open by mistake is the only red line.
    assert report.displayed(".lane.hot .name > bdi") == ["/metrics", "/admin", "/export"]
    assert report.displayed(".lane.hot .lock.off .label") == ["shop-staff"]
    widths = {".lane.hot .cell": "5px", ".lane.one .last": "2px"}
    width = "return getComputedStyle(document.querySelector(arguments[0]), '::before').borderTopWidth"
    assert {selector: report.run(width, selector) for selector in widths} == widths


ADDRESSES: dict[str, list[str]] = {
    "#?who=certificate": ["/"],
    "#?who=signature": ["/hooks"],
    "#?who=login&acc=shop": ["/", "/reports"],
    "#?who=closed": ["/old"],
    "#?sev=high": ["/metrics", "/admin", "/export", "/"],
    "#?q=%2Freports+staff": ["/reports"],
    "#?q=ipp_office&acc=bank": ["/"],
    "#?q=no%20such%20route": [],
    "#?view=after&q=gifts": ["/"],
}


def test_filters_have_addresses(page: Page, tmp_path: Path) -> None:
    file = page.open(accounts(), tmp_path, expected=EXPECTED)
    for address, expected in ADDRESSES.items():
        page.load(file, address)
        assert (names(page), page.address()) == (expected, address[1:])
        page.click("#clear") if "view" not in address else page.press(ESCAPE)
        assert len(names(page)) > 10


def test_buttons_filter_and_say_how_many_are_left(report: Page) -> None:
    report.click("[data-field=who]", 0)
    assert report.displayed("#shown") == ["7 of 14 routes"]
    assert set(report.displayed(".who-cell .who")) == {"Public"}
    report.click("[data-field=severity]", 0)
    assert names(report) == ["/metrics", "/admin", "/export"]
    assert report.address() == "?who=public&sev=high"
    assert len(report.displayed("#rules details")) == len(report.displayed("#rules .severity.high"))
    report.click("#clear")
    assert report.displayed("#shown") == [""]
    assert len(names(report)) == 16


def test_a_link_leads_to_a_route_with_its_finding_and_options(report: Page) -> None:
    report.click("#rules a.link")
    [opened] = report.displayed(".lane[open] .name > bdi")
    assert opened == "/metrics"
    assert report.displayed(".more .settings h4")
    address = report.address()
    assert address.startswith("r-")
    report.driver.refresh()
    report.settle()
    assert report.displayed(".lane[open] .name > bdi") == [opened]
    assert focused_route(report) == opened


def test_a_fix_can_be_copied(report: Page) -> None:
    report.run("navigator.clipboard.writeText = async text => { window.copied = text; }")
    report.click("#rules .copy button")
    assert report.run("return window.copied").startswith("oauth:\n  enabled: true\n  provider:\n")
    assert report.displayed("#rules .copy button")[0] == "Copied"
    report.click("#unknowns .copy button")
    declaration = "- description: Old\n  hostports:\n    - old.example.com:443\n  id: edghts_old\n"
    assert report.run("return window.copied") == declaration


def test_the_plan_shows_before_and_after_and_what_it_opens_comes_first(page: Page, tmp_path: Path) -> None:
    account: dict[str, Any] = shop()
    gone = account["estate"]["https_edges"][2]
    account["plan"]["plan"].append(entry("delete", "https_edge partners.example.com:443", gone, None, "https_edge"))
    opens = [{"kind": kind, "request": f"https://{kind}.example.com/", "text": "why"} for kind in ("new", "unlocked")]
    account["plan"]["plan"][3] |= {"opens": opens, "opens_count": 23}
    page.open([account], tmp_path)
    assert page.displayed(".moments .bad + bdi") == ["https://unlocked.example.com/"]
    assert not AXE.is_file() or page.violations() == []
    page.click("#openings li a")
    assert page.run("return document.querySelector('#changes > details').open")
    page.press("/", *"no such request", ENTER)
    assert page.displayed("#openings li") == []
    page.click("#clear")
    assert {"gifts.example.com", "opens"} <= {*page.displayed("#changes > details")[1].replace(":", " ").split()}
    assert page.displayed("#edges h3")[-3:][0] == "partners.example.com"
    page.click("[data-shows=after]")
    assert {"gifts.example.com", "partners.example.com"} & {*page.displayed("#edges h3")} == {"gifts.example.com"}
    assert "This edge has no routes." not in page.displayed("#edges .nothing")
    assert page.displayed(".lane.hot .name > bdi") == ["/export"]
    [created] = page.displayed("#created .rule")
    assert "The plan creates this finding: Backend open elsewhere" in created
    assert page.address() == "?view=after"


def test_everything_can_be_done_by_keyboard(report: Page) -> None:
    report.press("/", *"staff", ENTER)
    assert report.run("return document.activeElement.id") == "q"
    assert names(report) == ["/", "/metrics", "/admin", "/", "/reports", "/export"]
    report.press(ESCAPE)
    assert report.run("return [document.activeElement.id, document.getElementById('q').value]") == ["", "staff"]
    report.press("j", ESCAPE)
    assert len(names(report)) == 16
    report.press("j")
    first = focused_route(report)
    report.press("j", "k")
    assert focused_route(report) == first
    report.press("n", ENTER)
    assert report.displayed(".lane[open] .name > bdi") == [focused_route(report)]
    report.press(ESCAPE)
    assert report.displayed(".lane[open]") == []
    report.press("?")
    assert report.displayed("#keys h2") == ["Keyboard", "Legend"]
    report.click("#single")
    report.press(ESCAPE, ESCAPE)
    assert report.displayed("#keys h2") == []
    report.press("j")  # which is switched off
    assert report.run("return document.activeElement.closest('.lane') === null")


def test_the_overview_is_one_stop_of_the_keyboard(report: Page) -> None:
    report.run("document.getElementById('bars').focus()")
    report.press(RIGHT)
    assert report.focused() == "staff.example.org /: network + login"
    report.press(END)
    assert "partners.example.com /old: closed" in report.focused()
    report.press(ENTER)
    assert report.displayed(".lane[open] .name > bdi") == ["/old"]
    report.run("document.getElementById('bars').focus()")
    report.press(TAB)
    assert report.run("return document.activeElement.closest('#bars') === null")


def test_both_color_schemes_and_a_choice_between_them(report: Page) -> None:
    light = report.run(BACKGROUND)
    report.scheme("dark")
    assert report.run(BACKGROUND) != light
    report.click("#theme")
    assert report.run(BACKGROUND) == light
    report.click("#theme")
    report.click("#theme")
    assert report.displayed("#theme") == ["Theme: auto"]


def print_page(page: Page) -> bytes:
    """The page as PDF, after which it stays as it is on paper."""
    page.scheme("dark", media="print")
    page.run("dispatchEvent(new Event('beforeprint'))")
    return base64.b64decode(page.command("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])


def test_paper_has_everything_that_is_folded_on_the_screen(report: Page) -> None:
    assert print_page(report).startswith(b"%PDF")
    assert len(report.displayed(".lane .settings")) == 16
    assert report.run("return [...document.querySelectorAll('details.rule, .planned')].every(one => one.open)")
    assert report.displayed("#filters") == report.displayed("#paper") == []
    assert report.run(BACKGROUND) == "rgb(255, 255, 255)"


def test_paper_has_long_lists_and_says_what_it_leaves_out(page: Page, tmp_path: Path) -> None:
    account: dict[str, Any] = shop()
    account["plan"]["undeclared"] *= 60
    page.open([account], tmp_path, address="#?q=shop.example.com")
    print_page(page)
    assert page.displayed("#paper") == ["Only what matches the filters is shown: 5 of 10 routes."]
    page.click("#clear")
    assert len(page.displayed(".undeclared")) == 60
    page.open(many(24, 5), tmp_path)
    assert 2 < print_page(page).count(b"/Type /Page\n") <= 12
    assert page.displayed(f"{ROUTES} .lock") == []
    assert len(page.displayed(f"{ROUTES} .who")) == len(page.displayed(f"{ROUTES} .backend")) == 120
    page.scheme("light")
    assert page.displayed(f"{ROUTES} .lock")
    page.open(many(24, 100), tmp_path)
    print_page(page)
    assert page.displayed("#paper")[0].startswith("The 2,400 routes are not shown, because there are more than 2,000.")


def test_the_page_can_be_read_without_javascript(report: Page) -> None:
    report.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        report.driver.refresh()
        text = report.driver.find_element("tag name", "body").text
    finally:
        report.command("Emulation.setScriptExecutionDisabled", value=False)
    parts = [
        *("/reports", "Network + login", "Protection disabled", "tall: public", "Opens 1 route"),
        *("https_edge_route path_prefix / of gifts.example.com:443", "This report is not complete"),
    ]
    assert [part for part in parts if part not in text] == []
    assert "Search" not in text


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (320, "light"), (320, "dark")])
def test_a_phone_needs_no_scrolling_to_the_side(page: Page, tmp_path: Path, width: int, scheme: str) -> None:
    long_name = {"hosts": "shop.*", "owner": "The people of the window " * 9}
    page.open(owned(accounts(), long_name), tmp_path, expected=EXPECTED)
    page.scheme(scheme)
    page.size(width, 2 * width, is_phone=True)
    page.settle()
    page.run("document.querySelectorAll('#rules details').forEach(box => { box.open = true; })")
    assert page.run("return [document.documentElement.scrollWidth, innerWidth]") == [width, width]
    assert page.run("const nav = document.querySelector('.top nav'); return nav.scrollWidth - nav.clientWidth") == 0
    box = page.run("const b = document.getElementById('owner').getBoundingClientRect(); return [b.left, b.right]")
    assert 0 <= box[0] < box[1] <= width
    shown = "document.querySelectorAll('#edges .lane:not([hidden]) .lock.k-login')"
    starts = f"return [...{shown}].map(one => Math.round(one.getBoundingClientRect().left))"
    assert len(set(page.run(starts))) == 1
    assert not AXE.is_file() or page.violations() == []


@pytest.mark.skipif(not AXE.is_file(), reason="the package with axe-core requires Python 3.12")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(report: Page, scheme: str) -> None:
    report.scheme(scheme)
    assert report.violations() == []
    report.run("dispatchEvent(new Event('beforeprint'))")
    report.settle()
    assert report.violations() == []


def hostile(text: str) -> list[dict[str, Any]]:
    account = shop()
    account["name"] = account["plan"]["findings"][1]["rule"] = text
    edge = account["estate"]["https_edges"][0]
    edge.update(description=text, metadata=text, hostports=[text])
    edge["routes"].append({**edge["routes"][0], "match": text, "backend": {"backend_id": text}, "metadata": text})
    return [*owned([account], {"hosts": "*", "owner": text}), {"name": f"{text}2", "error": text}]


def test_hostile_text_is_only_shown(page: Page, tmp_path: Path) -> None:
    page.open([account for text in UGLY for account in hostile(text)], tmp_path, title=UGLY[0])
    page.run("dispatchEvent(new Event('beforeprint'))")

    assert page.run("return window.hacked") is None
    assert page.run("return document.images.length") == 0
    assert page.run("return [...document.links].filter(one => !one.getAttribute('href').startsWith('#')).length") == 0
    shown = page.run("return document.body.textContent")
    assert [text for text in ("\\u202e", *UGLY) if text.isprintable() and text[:60] not in shown] == []
    assert not set("\u202e\u2066\u200b") & set(page.run("return document.body.innerText"))
    assert page.run("return document.documentElement.scrollWidth") <= 1440
    page.phone()
    assert page.run("return [document.documentElement.scrollWidth, innerWidth]") == [390, 390]


def save(page: Page, name: str, selector: str = "") -> None:
    """Keep a picture of the window or of an element, if the environment variable PICTURES asks for it."""
    source = page.driver.find_element("css selector", selector) if selector else page.driver
    picture = source.screenshot_as_png if selector else source.get_screenshot_as_png()
    if os.environ.get("PICTURES"):
        (CHECKOUT / "docs" / "images" / name).write_bytes(picture)
    assert picture.startswith(b"\x89PNG")


def test_pictures_for_the_documentation(page: Page, tmp_path: Path) -> None:
    file = page.open(owned(accounts()), tmp_path, expected=EXPECTED, title="Ingress of all accounts")
    page.size(1280, 860)
    page.settle()
    save(page, "report.png")
    page.click("#changes > details:nth-of-type(2) > summary")
    save(page, "report_plan.png", "#changes > details:nth-of-type(2)")
    page.load(file)
    page.click(".lane.hot > summary")
    for name, scheme in (("report_routes.png", "dark"), ("report_phone.png", "light")):
        page.scheme(scheme)
        if name == "report_phone.png":
            page.phone()
        page.run("document.getElementById('routes').scrollIntoView()")
        page.settle()
        save(page, name)
    page.size(*DESKTOP)
    page.open(many(52, 10), tmp_path, title="520 routes")
    save(page, "report_500.png", "#sky")


@pytest.mark.long(cores=0)
def test_ten_thousand_routes(page: Page, tmp_path: Path) -> None:
    assert page.open(many(1000, 10), tmp_path).stat().st_size < 20_000_000
    for button in ("[data-field=who]", "[data-field=severity]", "#clear"):
        page.click(button)
    page.run("const one = document.getElementById('order'); one.value = 'name'; one.onchange({target: one});")
    page.run("const one = document.getElementById('q'); one.value = 'reports/6'; one.oninput({target: one});")
    page.driver.execute_async_script("setTimeout(arguments[0], 300)")
    assert 100 < page.run("return document.querySelectorAll('#edges .edge:not([hidden])').length") <= 1000


OWNERS = (
    {"hosts": "staff.example.*", "owner": "Staff tools"},
    {"hosts": "gifts.*", "owner": "Web team"},
    {"hosts": "shop.*", "owner": "Web team"},
)


def owned(read: list[dict[str, Any]], *others: dict[str, str]) -> list[dict[str, Any]]:
    """The accounts, of which some edges have owners."""
    return [dict(Owners("", [*others, *OWNERS]).added_to(with_exposure(account))) for account in read]


def choose_owner(page: Page, *keys: str) -> None:
    """Choose a member of the list with the keyboard."""
    page.run("document.getElementById('owner').focus()")
    page.press(*keys)


def test_the_owner_is_a_filter(page: Page, tmp_path: Path) -> None:
    page.open(owned(accounts()), tmp_path, expected=EXPECTED)
    everything = len(names(page))
    choose_owner(page, *"Staff")
    assert page.displayed("#shown") == ["5 of 14 routes"]
    assert set(page.displayed("#edges .edge > header .owner")) == {"Owner: Staff tools"}
    found = page.run("return [...document.querySelectorAll('#rules li:not([hidden]) .owner')].map(e => e.innerText)")
    assert set(found) == {"Owner: Staff tools"}
    assert page.displayed("#changes .planned") == []
    assert page.address() == "?own=Staff+tools"
    page.driver.refresh()
    page.settle()
    assert page.run("return document.getElementById('owner').selectedOptions[0].text") == "Staff tools"
    choose_owner(page, *"Web")
    assert len(page.displayed("#changes > details")) == 4
    assert len(page.displayed("#created .rule")) == 1
    choose_owner(page, END)
    assert page.displayed("#edges .edge > header .owner") == []
    assert page.address() == "?own=none"
    page.press(ESCAPE)
    assert page.address() == ""
    assert len(names(page)) == everything
    page.press(ESCAPE, "/", *"web team", ENTER)
    page.settle()
    assert {text.split("\n")[0] for text in page.displayed("#edges h3")} == {"shop.example.com"}
