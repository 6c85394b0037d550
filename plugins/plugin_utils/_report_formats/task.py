# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the report of a task: from its options to its result."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...module_utils._errors import counted
from ...module_utils._exposure.finding import SEVERITIES
from ...module_utils._values.option_error import InvalidOptions, OptionError
from .._report.concealment import concealed
from .._report.file import FileProblem, current_bytes, writable_target, write_atomically
from .._report.judging import with_exposure
from .._report.merging import EXPECTED, Collected, Conflict, collected, read_document
from .._report.owners import Owners
from .._report.report import Report, with_missing
from .._report.wording import text
from .html import html_page
from .junit import junit_document
from .markdown import markdown_page
from .sarif import sarif_document

_FORMATS: Mapping[str, Callable[[Report], str]] = {
    "html": html_page,
    "markdown": markdown_page,
    "junit": junit_document,
    "sarif": sarif_document,
}

_ANY_TIME = "0000-00-00T00:00:00Z"
"""Stands for any time. It is as long as a time of the modules, so limited formats are shortened in the same way."""

_LONGEST_TIME = 200
_AROUND_TIMES = re.compile(rb'["`<\r\n]')
"""One of them ends a time in each format, so that nothing which has been removed next to a time counts as its part."""

_MOST_NAMED = 20
"""New findings, and accounts that were not read, in the error message."""


def result_of(options: Mapping[str, Any], *, check_mode: bool, diff: bool) -> dict[str, Any]:
    """Write the report unless the file is the same already, or in check mode, and return the result of the task.

    Whether it has changed does not depend on the time at which the accounts were read. `options` are free of option
    errors. Raises InvalidOptions if a file cannot be read or written.
    """
    found = _collected(options)
    previous, warnings = _previous(options.get("previous"))
    report, content = _written(options, found, previous)
    dest = Path(options["dest"])
    try:
        before = current_bytes(dest)
        writable_target(dest)
        changed = before is None or (before != content and not _is_only_newer(before, options, found, previous))
        if before != content and not check_mode:
            write_atomically(dest, content)
    except FileProblem as problem:
        raise InvalidOptions([OptionError("dest", str(problem))]) from None
    totals = report.summary()
    return {
        "changed": changed,
        "dest": str(dest),
        "format": options["format"],
        "summary": {name: value for name, value in totals.items() if name not in ("missing", "incomplete")},
        "missing_accounts": totals["missing"],
        "incomplete_accounts": totals["incomplete"],
        **({"diff": _diff(dest, before if changed else content, content)} if diff else {}),
        **({"warnings": warnings} if warnings else {}),
        **_failure(report, options.get("fail_on_new")),
    }


def _written(
    options: Mapping[str, Any], found: Collected, previous: Sequence[Mapping[str, Any]] | None
) -> tuple[Report, bytes]:
    report = Report(options["title"], found.ordered(), sorted(found.expected), previous)
    report.sources = _sources(report, Path(options["repository"])) if options["format"] == "sarif" else {}
    return report, rendered(report, found, options["format"]).encode("utf-8", "backslashreplace")


def _is_only_newer(
    before: bytes, options: Mapping[str, Any], found: Collected, previous: Sequence[Mapping[str, Any]] | None
) -> bool:
    """Return whether a file would only differ in the times at which the accounts were read."""
    accounts = {
        name: {**account, "collected_at": _ANY_TIME} if account.get("collected_at") else account
        for name, account in found.accounts.items()
    }
    _report, content = _written(options, Collected(accounts, found.expected), previous)
    first, *others = content.split(_ANY_TIME.encode())
    end = len(first) if before.startswith(first) else -1
    for part in others:
        start = before.find(part, end, end + _LONGEST_TIME + len(part)) if end >= 0 else -1
        end = start + len(part) if start >= 0 and not _AROUND_TIMES.search(before, end, start) else -1
    return end == len(before)


def _sources(report: Report, repository: Path) -> dict[str, str]:
    """Return the declarations of accounts that are in the repository, by their paths in it."""
    found = {}
    for path in {view.declaration for view in report.accounts if view.declaration}:
        # The report may be merged from those of jobs with other repositories.
        with suppress(OSError, FileProblem):
            found[path] = (current_bytes(repository / path) or b"").decode("utf-8", "replace")
    return found


def _failure(report: Report, severity: str | None) -> dict[str, Any]:
    """Return that the task fails, if there are new findings of this severity or a higher one, or may be."""
    if not severity:
        return {}
    new = report.since.new if report.since else ()
    found = [one for one in new if one.severity in SEVERITIES[: SEVERITIES.index(severity) + 1]]
    unread = [f"{text(view.name)}: could not be read completely" for view in report.accounts if view.error]
    lines = [*(": ".join(map(text, (one.account.name, one.object, one.message))) for one in found), *unread]
    if not lines:
        return {}
    more = [f"and {len(lines) - _MOST_NAMED} more"] if len(lines) > _MOST_NAMED else []
    higher = "" if severity == SEVERITIES[0] else " or higher"
    head = f"{counted(len(found), 'new findings')} of severity {severity}{higher}"
    head += f", and {counted(len(unread), 'accounts')} that may have others" if unread else ""
    return {"failed": True, "msg": "\n- ".join([f"{head}:", *lines[:_MOST_NAMED], *more])}


def _previous(path: str | None) -> tuple[list[Mapping[str, Any]] | None, list[str]]:
    """Return the accounts of the report to compare with, None if there is none; and a warning if it does not exist."""
    if not path:
        return None, []
    try:
        if current_bytes(Path(path)) is None:
            advice = "so nothing is compared. Check the path after the first run."
            return None, [f"previous: {path} does not exist, {advice}"]
        accounts, expected = _read(path)
        return with_missing([concealed(account) for account in accounts], expected), []
    except (FileProblem, ValueError) as problem:
        raise InvalidOptions([OptionError("previous", str(problem))]) from None


def _read(path: str) -> tuple[list[Mapping[str, Any]], list[str]]:
    content = current_bytes(Path(path))
    if content is None:
        raise ValueError(f"{path} does not exist")
    try:
        return read_document(content.decode("utf-8-sig"))  # some editors write a mark at the beginning
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8; {EXPECTED}") from None


def _collected(options: Mapping[str, Any]) -> Collected:
    """Return the accounts of the task, and those of the reports to merge, without secrets."""
    own = [concealed(with_exposure(account)) for account in options["accounts"]]
    found = collected(own, options.get("expected_accounts") or ())
    problems = []
    for number, path in enumerate(options.get("merge") or ()):
        try:
            others, expected = _read(path)
            found.expected.update(expected)
            for account in others:
                found.add(concealed(account))
        except (Conflict, FileProblem, ValueError) as problem:
            problems.append(OptionError(f"merge[{number}]", str(problem)))
    if problems:
        raise InvalidOptions(problems)
    # Only now, because one report can contain the metadata of an edge, and another one its findings.
    owners = Owners(options.get("owner_field") or "", options.get("owners") or ())
    accounts = {name: dict(owners.added_to(account)) for name, account in found.accounts.items()}
    return Collected(accounts, found.expected)


def rendered(report: Report, found: Collected, format_name: str) -> str:
    if format_name == "json":
        return found.document(report.summary())
    return _FORMATS[format_name](report)


def _diff(dest: Path, before: bytes | None, after: bytes) -> dict[str, str]:
    """Return a diff that says whether the file differs. The page itself would be thousands of lines."""
    return {
        "before_header": str(dest),
        "after_header": str(dest),
        "before": "" if before is None else _described(before),
        "after": _described(after),
    }


def _described(content: bytes) -> str:
    return f"{len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}\n"
