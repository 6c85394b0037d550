# SPDX-License-Identifier: GPL-3.0-or-later
"""The browser that the tests of pages use: Chromium with its driver, as Linux distributions package them."""

from __future__ import annotations

import shutil

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DRIVERS = ("chromedriver", "chromium.chromedriver")


def found(names: tuple[str, ...]) -> str | None:
    """Return the path of the first of these programs that is installed."""
    return next((path for name in names if (path := shutil.which(name))), None)


def missing_programs() -> str:
    """Return the name of a program that is missing, empty if both are there."""
    return next((names[0] for names in (BROWSERS, DRIVERS) if found(names) is None), "")
