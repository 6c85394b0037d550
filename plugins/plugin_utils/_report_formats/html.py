# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as one HTML file, which loads nothing and sends nothing, and can be read without its script.

The Content-Security-Policy in it allows only its own style and script, by their digests. Each value in the template is
shown as text, and escaped by Jinja.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChainableUndefined, Environment, FileSystemLoader
from markupsafe import Markup, escape

from ...module_utils._exposure.finding import SEVERITIES
from ...module_utils._values.option_error import members_of
from .._report.account_view import highest_severity
from .._report.drawing import OTHERS
from .._report.findings import by_rule
from .._report.identity import without_id
from .._report.report import MISSING, Report
from .._report.wording import text, titled
from . import page_view

_FOLDER = Path(__file__).parent / "page"

_MARKS = {"create": "+", "update": "~", "delete": "\N{MINUS SIGN}"}
_FUNCTIONS = (by_rule, highest_severity, members_of, titled, without_id)


@cache
def _without_license(name: str) -> str:
    """Return a file without its first line, because the page belongs to those who write it."""
    return (_FOLDER / name).read_text(encoding="utf-8").partition("\n")[2]


def html_page(report: Report) -> str:
    """Return the page. The same report always results in the same page."""
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=ChainableUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        prose=_prose, short=lambda value, longest: escape(text(value, longest)), thousands="{:,}".format
    )
    style = _without_license("style.css")
    script = f"'use strict';\n(() => {{\n{_without_license('script.js')}}})();\n"
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    environment.globals.update(
        {function.__name__: function for function in _FUNCTIONS},
        policy=policy,
        style=Markup(style),
        script=Markup(script),
        icons={**dict.fromkeys(OTHERS, page_view.GENERAL), **page_view.ICONS},
        modules=OTHERS,
        marks=_MARKS,
        severities=SEVERITIES,
        missing=MISSING,
        report=report,
        page=page_view,
    )
    return environment.get_template("page.html.j2").render() + "\n"


def _shown(value: Any) -> Any:
    """Return what the template writes of a value. Only markup of our own stays as it is."""
    return value if isinstance(value, Markup) else text(value)


def _prose(sentence: Any) -> Markup:
    """Return a sentence of a rule, which names options in backticks."""
    parts = text(sentence, 2000).split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in enumerate(parts)
    )


def _digest(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"
