# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of objects that others refer to by their IDs, such as backends and IP policies. Pure.

They are known from the objects that were read, from what `estate` returns of the declared ones, and from declarations,
in which `ref:name` takes the place of an ID.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...module_utils._values.identifiers import PREFIX
from ...module_utils._values.option_error import dictionary_of, members_of

_ID = re.compile(r"\w+(?:-\w+)*")
KEPT = ("id", "name", "description")
"""What a report contains of these objects. Their other fields can be secrets."""


def names_of(account: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the objects of an account by their IDs. Those of objects that were read come first."""
    planned = dictionary_of(dictionary_of(account.get("plan")).get("objects"))
    declared = members_of(dictionary_of(account.get("estate")).get("objects"))
    found = [
        *((one.get("id"), own_name(one)) for one in members_of(account.get("objects"))),
        *((one.get("id"), own_name(one) or name) for name, one in planned.items() if isinstance(one, Mapping)),
        *(pair for one in declared for pair in _declared_names(one)),
    ]
    # The first one stays.
    return {each: name for each, name in reversed(found) if isinstance(each, str) and each and name}


def own_name(one: Mapping[str, Any]) -> str:
    """Return the name that an object has in the service, else its description, empty if it has none."""
    name = one.get("name") or one.get("description")
    return name if isinstance(name, str) else ""


def _declared_names(member: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Yield the name of a declared object for its ID, and for references by the name in the declaration."""
    reference = member.get("name")
    if not isinstance(reference, str):
        return
    name = own_name({**dictionary_of(member.get("find_by")), **dictionary_of(member.get("body"))}) or reference
    yield member.get("id"), name
    yield f"{PREFIX}{reference}", name


def with_names(sentence: Any, names: Mapping[str, str]) -> Any:
    """Return a sentence with names instead of the IDs in it."""
    if not names or not isinstance(sentence, str):
        return sentence
    if PREFIX in sentence:
        # The names in references can contain spaces, so a longer one can begin like a shorter one.
        known = sorted((each for each in names if each.startswith(PREFIX) and each in sentence), key=len, reverse=True)
        if known:
            found = "|".join(map(re.escape, known))
            sentence = re.sub(rf"(?:{found})(?![\w-])", lambda one: names[one[0]], sentence)
    return _ID.sub(lambda one: names.get(one[0], one[0]), sentence)
