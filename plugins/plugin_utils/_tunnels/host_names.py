# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts that others choose: which texts can be one, and which host gets which. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

LONGEST_NAME = 253
"""In bytes: no name of a host can be longer, and it has to fit into the name of a file."""

# Everything else means something in Ansible's patterns of hosts, in paths of files or on a command line.
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
_ENDS_NO_NAME = "._-"
_PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")
_MOST_LISTED = 5

# Ansible loads the file host_vars/NAME before it tries host_vars/NAME.yml. A host that is called like a file of
# variables, or like a copy of one that an editor or a package manager left there, would get another host's variables.
_VARIABLE_FILES = r"ya?ml|json"
_COPIES = r"ba?k|backup|orig|old|save?d?|sw[a-p]|te?mp|rej|new|j2|vault|dpkg-\w+|ucf-\w+|rpm\w+"


def name_prefix_errors(prefix: Any) -> Iterator[str]:
    """What is wrong with the prefix of the hosts' names."""
    if isinstance(prefix, str) and prefix and not (_PREFIX.fullmatch(prefix) and name_in(f"{prefix}0") == f"{prefix}0"):
        yield (
            f"name_prefix: {prefix!r} cannot start the name of a host; use up to 63 letters, digits, _, . and -, "
            "beginning with a letter or a digit, without the extension of a file"
        )


def name_in(value: Any, extensions: Collection[str] = ()) -> str:
    """The name of a host that a string or a number can be used as; empty if there is none.

    `extensions` are those that files of variables have besides the ones that they have by default.
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    name = _NOT_IN_NAMES.sub("_", str(value))
    if "." in name:
        name = _dot_before_suffix(tuple(extensions)).sub("_", name)
    name = name.strip(_ENDS_NO_NAME)
    return name if len(name.encode(errors="surrogatepass")) <= LONGEST_NAME else ""


@lru_cache
def _dot_before_suffix(extensions: tuple[str, ...]) -> re.Pattern[str]:
    others = "".join(f"|{re.escape(suffix)}" for each in extensions if (suffix := each.lstrip(".")))
    # Whatever comes after the extensions that everybody uses: gate.yml2, gate.yml.2026 and gate.ymlsave are copies.
    return re.compile(rf"\.(?={_VARIABLE_FILES}|(?:{_COPIES}{others})(?![^\W_]))", re.IGNORECASE)


def alike(name: str) -> str:
    """What names have in common that a file system, a resolver or a reader can take for one another."""
    return name.casefold() if name.isascii() else unicodedata.normalize("NFKC", name).casefold()


def names_of(
    wanted: Mapping[str, str],
    own: Mapping[str, str],
    taken: Mapping[str, str],
    starts_of_groups: Mapping[str, str] | None = None,
) -> tuple[dict[str, str], list[str]]:
    """The names of hosts by the IDs of their tunnels, and warnings.

    `wanted` are the names that they are to have, and `own` those that only the service chose, both by the IDs. A name
    that several tunnels want, or that is `taken` (whose values say by what), is given to none of them, because Ansible
    would make one host of many, or a group of a host. Their hosts get their own names. A tunnel whose own name
    cannot be used either has no host.

    `starts_of_groups` are what names of groups start with, and where the options say so. A name that starts so is given
    to no host, whether there is such a group at the moment or not. Own names may start so: no group gets one of them.
    """
    starts = {
        alike(start): f"{start} are for the groups of {where}" for start, where in (starts_of_groups or {}).items()
    }
    taken_by = {alike(name): by for name, by in taken.items()}
    keys = {identifier: alike(name) for identifier, name in wanted.items()}
    times = Counter(keys.values())
    shown = dict(sorted(((keys[one], name) for one, name in wanted.items()), reverse=True))
    owners: dict[str, list[str]] = {}
    for identifier, name in own.items():
        owners.setdefault(alike(name), []).append(identifier)

    def refusal(identifier: str) -> str:
        key, name = keys[identifier], wanted[identifier]
        met = [start for start in starts if key.startswith(start)]
        if met and key != alike(own[identifier]):
            return f"names that start with {starts[met[0]]}"
        if times[key] > 1:
            return f"{times[key]} tunnels have the name {shown[key]}"
        if key in taken_by:
            return f"the name {name} is {taken_by[key]}"
        return f"the name {name} is the ID of another tunnel" if owners.get(key, [identifier]) != [identifier] else ""

    names: dict[str, str] = {}
    renamed: dict[str, list[str]] = {}
    lost: dict[str, list[str]] = {}
    for identifier in wanted:
        reason = refusal(identifier)
        if not reason:
            names[identifier] = wanted[identifier]
            continue
        name, key = own[identifier], alike(own[identifier])
        if not name or key in taken_by or len(owners[key]) > 1:
            lost.setdefault(reason, []).append(identifier)
        else:
            names[identifier] = name
            renamed.setdefault(reason, []).append(identifier)
    return names, [
        *(f"{reason}; {_named_by_id(identifiers)}" for reason, identifiers in sorted(renamed.items())),
        *(
            f"{reason}, and the ID cannot be used as a name either; left out: {listed(identifiers)}"
            for reason, identifiers in sorted(lost.items())
        ),
    ]


def _named_by_id(identifiers: list[str]) -> str:
    if len(identifiers) == 1:
        return f"the host of this tunnel is named by its ID: {identifiers[0]}"
    return f"their hosts are named by their IDs: {listed(identifiers)}"


def listed(identifiers: Sequence[str]) -> str:
    """Some IDs for a message, and how many more there are."""
    shown = [one if one.isascii() and one.isprintable() else repr(one) for one in sorted(identifiers)[:_MOST_LISTED]]
    more = len(identifiers) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
