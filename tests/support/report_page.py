# SPDX-License-Identifier: GPL-3.0-or-later
"""A page of a report in headless Chromium."""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from report_formats import written

DESKTOP, PHONE = (1440, 1000), (390, 844)
ENTER, ESCAPE, TAB, RIGHT, END = Keys.ENTER, Keys.ESCAPE, Keys.TAB, Keys.ARROW_RIGHT, Keys.END
AXE = Path(sysconfig.get_path("purelib"), "axe_selenium_python", "node_modules", "axe-core", "axe.min.js")
NEXT_FRAME = "const done = arguments[0]; requestAnimationFrame(() => setTimeout(() => done(true), 0));"


class Page:
    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, accounts: Iterable[Mapping[str, Any]], folder: Path, address: str = "", **options: Any) -> Path:
        """Write the report on these accounts, and open it from disk."""
        file = folder / "report.html"
        file.write_text(written(accounts, **options)["html"], encoding="utf-8")
        self.load(file, address)
        return file

    def load(self, file: Path, address: str = "") -> None:
        self.driver.get("about:blank")
        self.driver.get(f"{file.as_uri()}{address}")
        self.settle()

    def settle(self) -> None:
        self.driver.execute_async_script(NEXT_FRAME)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def displayed(self, selector: str) -> list[str]:
        all_of_them = "return [...document.querySelectorAll(arguments[0])]"
        return list(self.run(f"{all_of_them}.filter(e => e.checkVisibility()).map(e => e.innerText.trim())", selector))

    def click(self, selector: str, number: int = 0) -> None:
        self.run("document.querySelectorAll(arguments[0])[arguments[1]].click()", selector, number)
        self.settle()

    def press(self, *keys: str) -> None:
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()
        self.settle()

    def focused(self) -> str:
        text = "return e.getAttribute('aria-valuetext') || e.innerText || e.id"
        return str(self.run(f"const e = document.activeElement; {text}")).strip()

    def address(self) -> str:
        return str(self.driver.current_url).partition("#")[2]

    def size(self, width: int, height: int, *, is_phone: bool = False) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone}
        self.command("Emulation.setDeviceMetricsOverride", **metrics)

    def phone(self) -> None:
        self.size(*PHONE, is_phone=True)
        self.settle()

    def scheme(self, name: str, media: str = "") -> None:
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.command("Emulation.setEmulatedMedia", features=features, media=media)

    def command(self, name: str, **arguments: Any) -> Any:
        return self.driver.execute_cdp_cmd(name, arguments)

    def problems(self) -> list[str]:
        """The errors and warnings in the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """The addresses that were requested since the last call, other than that of the page itself."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
        requested = [(one["type"], one["request"]["url"]) for one in sent]
        return [url for kind, url in requested if kind != "Document" or not url.startswith("file:")]

    def violations(self) -> list[str]:
        """What axe-core finds: the rule, and the elements that violate it."""
        self.run(AXE.read_text(encoding="utf-8"))
        found_by_axe = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations));"
        )
        return [f"{one['id']}: {node['html'][:200]}" for one in found_by_axe for node in one["nodes"]]
