# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a report, which are those of the documentation, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ansible.module_utils.common.yaml import yaml_load

from ...module_utils._arguments import validated
from ...module_utils._errors import UNSET_VARIABLE
from ...module_utils._values.option_error import InvalidOptions, OptionError, OptionErrors, list_of
from ...module_utils._values.option_wording import kind_of, quoted
from ...modules.report import DOCUMENTATION
from .._plan_markdown.result import list_errors

PARTS = ("estate", "plan", "exposure", "tunnels", "objects")
"""What is known of an account. Ansible does not check these: they contain what a service has returned, of any form."""

_COLLECTIONS = ("https_edges", "tls_edges", "event_subscriptions")
_LISTS = (*_COLLECTIONS, "objects")
"""What the configuration of an account consists of. It is not an estate without any of them."""

_MEMBERS = {
    "estate": _COLLECTIONS,
    "plan": ("plan", "undeclared", "not_examined", "failures"),
    "exposure": ("exposure", "findings", "not_judged"),
}
_RESULTS = {
    "estate": "what estate_info returns as `estate`",
    "plan": "the result of estate, with a list `plan`",
    "exposure": "the result of exposure_info, with a list `exposure`",
}
_EMPTY_NAME = f"expected the name of an account, got an empty string; {UNSET_VARIABLE}"


def _spec(documented: Mapping[str, Any]) -> dict[str, Any]:
    """Return the argument spec of options as they are documented."""
    found: dict[str, Any] = {}
    for name, option in documented.items():
        found[name] = {key: value for key, value in option.items() if key not in ("description", "suboptions")}
        if "suboptions" in option:
            found[name]["options"] = _spec(option["suboptions"])
    return found


SPEC = _spec(yaml_load(DOCUMENTATION)["options"])
SPEC["accounts"]["options"].update({part: {"type": "raw"} for part in PARTS})
FORMATS: Sequence[str] = SPEC["format"]["choices"]


def checked(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options in the arguments of a task. Raises InvalidOptions with everything that is wrong with them."""
    found = validated(SPEC, _without_parts(arguments))
    errors = [*found.option_errors, *option_errors(arguments)]
    if errors:
        raise InvalidOptions(errors)
    return {**found.options, "accounts": arguments.get("accounts") or ()}


def document_errors(content: Mapping[str, Any]) -> OptionErrors:
    """Yield what is wrong with the accounts in a report as JSON, and with the names that it expects."""
    spec = {"accounts": {**SPEC["accounts"], "required": True}, "expected_accounts": SPEC["expected_accounts"]}
    given = {name: content[name] for name in spec if name in content}
    yield from validated(spec, _without_parts(given)).option_errors
    yield from _errors_in_accounts(given)


def _without_parts(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments without what services have returned, which can contain anything."""
    accounts = arguments.get("accounts")
    if not isinstance(accounts, list):
        return dict(arguments)
    small = [
        {name: value for name, value in account.items() if name not in PARTS}
        if isinstance(account, Mapping)
        else account
        for account in accounts
    ]
    return {**arguments, "accounts": small}


def option_errors(arguments: Mapping[str, Any]) -> OptionErrors:
    """Yield what is wrong with the values of options that have the right type."""
    if all(arguments.get(name) in (None, []) for name in ("accounts", "merge", "expected_accounts")):
        advice = f"set accounts, merge, or expected_accounts, or {UNSET_VARIABLE}"
        yield OptionError("accounts", f"nothing to report; {advice}")
    if arguments.get("fail_on_new") and not arguments.get("previous"):
        yield OptionError("fail_on_new", "requires previous, the report to compare with")
    if arguments.get("dest") == "":
        yield OptionError("dest", f"expected the path of a file, got an empty string; {UNSET_VARIABLE}")
    yield from _errors_in_accounts(arguments)


def _errors_in_accounts(arguments: Mapping[str, Any]) -> OptionErrors:
    for number, name in enumerate(list_of(arguments.get("expected_accounts"))):
        if name == "":
            yield OptionError(f"expected_accounts[{number}]", _EMPTY_NAME)
    places: dict[str, str] = {}
    for number, account in enumerate(list_of(arguments.get("accounts"))):
        if isinstance(account, Mapping):
            yield from _account_errors(account, f"accounts[{number}]", places)
        elif isinstance(account, str):
            yield OptionError(f"accounts[{number}]", f"expected a dictionary, got {kind_of(account)}")


def _account_errors(account: Mapping[str, Any], path: str, places: dict[str, str]) -> OptionErrors:
    name = account.get("name")
    name = None if isinstance(name, (Mapping, list, type(None))) else str(name)  # others are errors of their type
    if name == "":
        yield OptionError(f"{path}.name", _EMPTY_NAME)
    elif name in places:
        also = f"{quoted(name)} is also the name of {places[name]}"
        yield OptionError(f"{path}.name", f"{also}; each account can be listed once")
    elif name is not None:
        places[name] = path
    declaration = str(account.get("declaration") or "")
    if declaration.startswith("/") or ".." in declaration.split("/"):
        expected = "expected a path inside of the repository"
        yield OptionError(f"{path}.declaration", f"{expected}, got {quoted(declaration)}")
    for part in PARTS:
        if account.get(part) is not None:
            yield from _part_errors(part, account[part], f"{path}.{part}")


def _part_errors(part: str, value: Any, path: str) -> OptionErrors:
    if part in ("tunnels", "objects"):
        yield from list_errors(value, path)
        return
    if not isinstance(value, Mapping):
        yield OptionError(path, f"expected a dictionary, got {kind_of(value)}")
        return
    if part == "estate" and isinstance(value.get("estate"), Mapping):
        value, path = value["estate"], f"{path}.estate"
    is_known = is_estate(value) or not value if part == "estate" else isinstance(value.get(part), list)
    if not is_known and not value.get("failed"):  # the report shows why there is none
        got = "the result of a task that was skipped" if value.get("skipped") else "another dictionary"
        yield OptionError(path, f"expected {_RESULTS[part]}, got {got}")
    for name in _MEMBERS[part]:
        if value.get(name) is not None and (is_known or part == "estate"):
            yield from list_errors(value[name], f"{path}.{name}")
    for number, edge in enumerate(list_of(value.get("https_edges")) if part == "estate" else ()):
        if isinstance(edge, Mapping) and edge.get("routes") is not None:
            yield from list_errors(edge["routes"], f"{path}.https_edges[{number}].routes")


def is_estate(value: Mapping[str, Any]) -> bool:
    """Return whether anything of the configuration of an account was read."""
    return any(value.get(name) is not None for name in _LISTS)
