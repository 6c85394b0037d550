# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts that the owners of tunnels choose: which strings are allowed, and which host gets which name. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...module_utils._values.escapes import visible
from ...module_utils._values.option_error import OptionError, OptionErrors

LONGEST_NAME = 253
"""In bytes. No host name can be longer, and it must fit into the name of a file."""

# Other characters have a meaning in Ansible's host patterns, in file paths, or on a command line.
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
_PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")
_MOST_LISTED = 5
_LONGEST_MESSAGE = 1000

# Ansible loads the file host_vars/NAME before it tries host_vars/NAME.yml. A host with the name of a variables file, or
# of a copy that an editor or a package manager left there, would get the variables of another host.
_VARIABLE_FILES = r"ya?ml|json"
_COPIES = r"ba?k|backup|orig|old|save?d?|sw[a-p]|te?mp|rej|new|j2|vault|dpkg-\w+|ucf-\w+|rpm\w+"


def name_prefix_errors(prefix: Any) -> OptionErrors:
    if isinstance(prefix, str) and prefix and not (_PREFIX.fullmatch(prefix) and name_in(f"{prefix}0") == f"{prefix}0"):
        yield OptionError(
            "name_prefix",
            f"{prefix!r} is not a valid prefix of host names; use up to 63 letters, digits, _, ., and -, "
            "starting with a letter or a digit, without a file extension",
        )


def name_in(value: Any, extensions: Collection[str] = ()) -> str:
    """Return a string or a number as the name of a host, or an empty string if it cannot be one.

    `extensions` are additional extensions of variables files.
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    name = _NOT_IN_NAMES.sub("_", str(value))
    if "." in name:
        name = _dot_before_suffix(tuple(extensions)).sub("_", name)
    name = name.strip("._-")
    return name if len(name.encode(errors="surrogatepass")) <= LONGEST_NAME else ""


@lru_cache
def _dot_before_suffix(extensions: tuple[str, ...]) -> re.Pattern[str]:
    others = "".join(f"|{re.escape(suffix)}" for each in extensions if (suffix := each.lstrip(".")))
    # Anything can follow the usual extensions: gate.yml2, gate.yml.2026, and gate.ymlsave are copies.
    return re.compile(rf"\.(?={_VARIABLE_FILES}|(?:{_COPIES}{others})(?![^\W_]))", re.IGNORECASE)


def alike(name: str) -> str:
    """Return a key that is the same for names that a file system, a resolver, or a reader might confuse."""
    return name.casefold() if name.isascii() else unicodedata.normalize("NFKC", name).casefold()


def names_of(
    wanted: Mapping[str, str],
    own: Mapping[str, str],
    taken: Mapping[str, str],
    starts_of_groups: Mapping[str, str] | None = None,
) -> tuple[dict[str, str], list[str]]:
    """Return the names of hosts by the IDs of their tunnels, and warnings.

    `wanted` are the names that the hosts should have, and `own` the names from tunnel IDs, which only the service can
    choose; both by the IDs. If several tunnels want a name, or it is `taken` (the values say by what), none of them
    gets it, because Ansible would merge these hosts, or treat a host as a group. These hosts get their own names. If
    the own name of a tunnel cannot be used either, the tunnel has no host. Names that would be too long are empty.

    `own` also contains the names of tunnels that are not in this inventory: they can be in another one.

    `starts_of_groups` are the strings with which names of groups start, with the paths of the options that say so. No
    host gets a name that starts with one of them, even if no such group exists. Own names can start with them, because
    no group gets an own name.
    """
    names: dict[str, str] = {}
    renamed: dict[str, list[str]] = {}
    lost: dict[str, list[str]] = {}
    taken_by = {alike(name): by for name, by in taken.items()}
    owners = Counter(map(alike, own.values()))
    reasons = _reasons(wanted, own, taken_by, starts_of_groups or {})
    for identifier, name in wanted.items():
        key = alike(own[identifier])
        if not (reason := reasons[identifier]):
            names[identifier] = name
        elif own[identifier] and key not in taken_by and owners[key] == 1:
            names[identifier] = own[identifier]
            renamed.setdefault(reason, []).append(identifier)
        else:
            lost.setdefault(reason, []).append(identifier)
    return names, [
        *(f"{reason}, so {_named_by_id(identifiers)}" for reason, identifiers in sorted(renamed.items())),
        *(
            f"{reason}, and the tunnel ID cannot be used as a name either; without a host: {listed(identifiers)}"
            for reason, identifiers in sorted(lost.items())
        ),
    ]


def _reasons(
    wanted: Mapping[str, str], own: Mapping[str, str], taken_by: Mapping[str, str], starts: Mapping[str, str]
) -> dict[str, str]:
    """Return why the host of each tunnel cannot have its name, or an empty string if it can."""
    keys = {identifier: alike(name) for identifier, name in wanted.items()}
    counts = Counter(keys.values())
    # Of names that are alike, warnings show the first in alphabetical order.
    shown = dict(sorted(((keys[one], name) for one, name in wanted.items()), reverse=True))
    of_ids = Counter(map(alike, own.values()))

    def reason(identifier: str, name: str) -> str:
        key, is_own = keys[identifier], keys[identifier] == alike(own[identifier])
        if not name:
            return f"with `name_prefix`, the name would be longer than {LONGEST_NAME} bytes"
        start = next((start for start in starts if key.startswith(alike(start))), None)
        if start is not None and not is_own:
            return f"names that start with {start} are reserved for the groups of {starts[start]}"
        if counts[key] > 1:
            return f"{counts[key]} tunnels have the name {shown[key]}"
        if key in taken_by:
            return f"the name {name} is {taken_by[key]}"
        return f"the name {name} is the ID of another tunnel" if of_ids[key] > is_own else ""

    return {identifier: reason(identifier, name) for identifier, name in wanted.items()}


def _named_by_id(identifiers: list[str]) -> str:
    if len(identifiers) == 1:
        return f"the host of this tunnel is named after the tunnel ID: {identifiers[0]}"
    return f"the hosts of these tunnels are named after the tunnel IDs: {listed(identifiers)}"


def listed(identifiers: Sequence[str]) -> str:
    """Return the first IDs for a message, and the number of the others."""
    shown = [one if one.isascii() and one.isprintable() else repr(one) for one in sorted(identifiers)[:_MOST_LISTED]]
    more = len(identifiers) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def on_one_line(message: str) -> str:
    """Return a message that can quote a tunnel. A line break or a control character could forge other messages."""
    line = visible(" ".join(message.split()))
    half = _LONGEST_MESSAGE // 2
    return line if len(line) <= _LONGEST_MESSAGE else f"{line[:half]} … {line[-half:]}"
