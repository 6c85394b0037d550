# SPDX-License-Identifier: GPL-3.0-or-later
"""How option errors are written: what they call values and options, and what an unknown option probably meant. Pure.

This includes options that the argument specs of Ansible cannot express.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from .option_error import OptionError

_LONGEST_QUOTE = 60
_LEAST_SIMILARITY = 0.65
"""Less similar names of options have nothing to do with each other, such as update_secrets and validate_certs."""

_MOST_PLACES = 3
_MEMBER = "[]"

IN_QUOTES = "put it in quotes if you mean a string"
"""What to do about a value that YAML does not read as a string."""


def kind_of(value: object) -> str:
    """Return the name of a value's type for users of YAML, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if value == "":
        return "an empty string"
    kinds = ((str, "a string"), (Mapping, "a dictionary"), (list, "a list"), ((int, float), "a number"))
    return next((noun for types, noun in kinds if isinstance(value, types)), f"a value of type {type(value).__name__}")


def quoted(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}…"


def did_you_mean(names: Sequence[str]) -> str:
    """Return the end of an error that suggests these names, or an empty string if there are none."""
    return f"; did you mean {enumerated([f'`{name}`' for name in names])}?" if names else ""


def options_of(spec: Iterable[str]) -> str:
    names = list(spec)
    return f"its only option is {names[0]}" if len(names) == 1 else f"its options are {', '.join(names)}"


def enumerated(names: Sequence[str], conjunction: str = "or") -> str:
    """Return the names as a list in a sentence, with a comma before the conjunction if there are three or more."""
    comma = "," if len(names) > 2 else ""  # noqa: PLR2004
    return f"{comma} {conjunction} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def unknown_option_error(name: str, spec: Spec, path: str = "") -> OptionError:
    """Return the error about an unknown option inside of `path`, which suggests a similar one or lists all options."""
    places = _places(name, spec)
    close = similar_names(name, list(spec))
    if len(places) == 1 and places[0] in spec:
        close = [f"{places[0]}.{name}"]
    elif 0 < len(places) <= _MOST_PLACES:
        shown = (f"the members of `{one[:-2]}`" if one.endswith(_MEMBER) else f"`{one}`" for one in places)
        text = f"unknown option; indent it further, because it is an option of {enumerated(list(shown))}"
        return OptionError(name, text).within(path)
    advice = did_you_mean(close) or f"; the options are {', '.join(spec)}"
    return OptionError(name, f"unknown option{advice}", meant=close[0] if close else "").within(path)


def _places(name: str, spec: Spec) -> list[str]:
    """Return the paths of the options with such a suboption that are nested least."""
    inside: Mapping[str, Spec] = {"": spec}
    while inside:
        inside = {
            f"{path}.{outer}".lstrip(".") + (_MEMBER if option.get("type") == "list" else ""): suboptions
            for path, options in inside.items()
            for outer, option in options.items()
            if (suboptions := suboptions_of(option))
        }
        if found := [path for path, options in inside.items() if name in options]:
            return found
    return []


def similar_names(name: str, known: Sequence[str]) -> list[str]:
    return get_close_matches(name.lower().replace("-", "_"), known, 1, _LEAST_SIMILARITY)


Option = Mapping[str, Any]
Spec = Mapping[str, Option]


class NeverNull(dict[str, Any]):
    """The spec of an option that restricts what a task may do. Null is an error, and does not lift the restriction."""


class DocumentedElsewhere(dict[str, Any]):
    """The spec of an option whose suboptions are documented with another option, and validated as there.

    Ansible does not know the suboptions. `whole` is the spec with them. It is optional because libraries that copy
    dictionaries, such as that of ansible-test, begin with an empty one.
    """

    def __init__(self, whole: Option | None = None) -> None:
        self.whole = whole or {}
        super().__init__({key: value for key, value in self.whole.items() if key != "options"})


def suboptions_of(option: Option) -> Spec | None:
    spec: Spec | None = (option.whole if isinstance(option, DocumentedElsewhere) else option).get("options")
    return spec
