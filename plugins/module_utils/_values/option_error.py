# SPDX-License-Identifier: GPL-3.0-or-later
"""The errors in the options of a task, as data and as the failure of the task. Pure.

Checks for errors inside of options get these from here, because the type of an option may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from .._errors import IngressError, as_sentence

_SHOWN = 5000
"""Characters of the errors in one message. An error in a template is in each of the thousand objects made with it."""


@dataclass(frozen=True)
class OptionError:
    """An error in the option at `path`; an empty path is that of an error about the task as a whole.

    `or_paths` are those of options of which any could be set instead. `premises` are the paths of values that the error
    follows from. `meant` is the path of the option that the user of an unknown one probably meant.
    """

    path: str
    text: str
    premises: tuple[str, ...] = ()
    or_paths: tuple[str, ...] = ()
    meant: str = ""

    def __str__(self) -> str:
        return f"{' or '.join((self.path, *self.or_paths))}: {self.text}" if self.path else self.text

    def within(self, path: str) -> OptionError:
        """Return the same error for options that are the suboptions of the option at `path`."""
        or_paths, premises, meant = (
            tuple(join(path, each) for each in paths if each) for paths in (self.or_paths, self.premises, (self.meant,))
        )
        # The name of an unknown option may be empty.
        return OptionError(join(path, self.path), self.text, premises, or_paths, *meant)

    def may_follow_from(self, other: OptionError) -> bool:
        """Return whether this error may only be a consequence of the other one, whose value was removed.

        It concerns the options that it names, those inside and around them, and those from which it is concluded.
        """
        about = (self.path, *self.or_paths, *self.premises)
        wrong = filter(None, (other.path, other.meant))
        return any(_is_inside(path, one) or _is_inside(one, path) for one in wrong for path in about)


OptionErrors = Iterator[OptionError]


class InvalidOptions(IngressError):
    """All errors in the options of a task, found before any request."""

    def __init__(self, option_errors: Iterable[OptionError]) -> None:
        self.option_errors = [str(option_error) for option_error in option_errors]
        super().__init__("; ".join(self.option_errors))

    def full_message(self, *, can_write: bool = True) -> str:
        number = len(self.option_errors)
        if number == 1:
            sentence = as_sentence(self.option_errors[0])
            return f"{sentence} Nothing was changed." if can_write else sentence
        head = f"{number} option errors; nothing was changed." if can_write else f"{number} option errors."
        lengths = accumulate(len(option_error) for option_error in self.option_errors)
        shown = self.option_errors[: max(1, sum(length <= _SHOWN for length in lengths))]
        more = f"\n- and {number - len(shown)} more, which are displayed once these are fixed"
        return head + "".join(f"\n- {one}" for one in shown) + (more if len(shown) < number else "")

    def details(self) -> dict[str, Any]:
        return {"option_errors": self.option_errors}


def join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _is_inside(path: str, outer: str) -> bool:
    return path == outer or path.startswith((f"{outer}.", f"{outer}["))


def list_of(value: Any) -> list[Any]:
    """Return the members of an option that is a list, none of one that is not."""
    return value if isinstance(value, list) else []


def with_paths(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the members of an option that is a list, each with its path; none of one that is not."""
    return ((f"{path}[{number}]", member) for number, member in enumerate(list_of(value)))


def dictionary_of(value: Any) -> dict[str, Any]:
    """Return an option that is a dictionary; for anything else, an empty one."""
    return value if isinstance(value, dict) else {}


def members_of(value: Any) -> list[Mapping[str, Any]]:
    """Return the dictionaries in an option that is a list of them."""
    return [one for one in list_of(value) if isinstance(one, Mapping)]
