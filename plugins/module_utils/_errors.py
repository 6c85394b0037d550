# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong, as types.

The core raises these and nothing else; `entry` turns them into a task's failure, in one place. None of them carries
a secret: the client scrubs the key out of whatever the service says before it becomes an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

_SHOWN_DELETIONS = 20

UNSET_VARIABLE = "check whether the variable that it comes from is set"
"""What to do about a value that is empty or missing, where nobody means that."""


class IngressError(Exception):
    """The base of all failures that the collection foresees. `details()` goes into the result beside the message.

    `subject` is the object that it is about, `cause` is what went wrong in words that fit other objects as well, `done`
    are the operations that took effect before the failure, `meanwhile` says what they leave behind. `diff` is that of a
    plan which was stopped as a whole.
    """

    subject = ""
    cause = ""
    diff: Sequence[dict[str, Any]] = ()
    done: Sequence[dict[str, str]] = ()
    meanwhile = ""

    def full_message(self) -> str:
        """The whole message: what it is about, what went wrong, what was done before that and what it leaves behind."""
        steps = ", ".join(f"{step['method']} {step['path']}" for step in self.done)
        said = f"{self.subject}: {self}" if self.subject else str(self)
        parts = (
            as_sentence(said) if steps or self.meanwhile else said,
            f"Before that, this was done: {steps}." if steps else "",
            self.meanwhile,
        )
        return " ".join(filter(None, parts))

    def details(self) -> dict[str, Any]:
        """What the result holds beside the message; for what came of a request, what the service said to that."""
        cause = self.__cause__
        return cause.details() if isinstance(cause, RequestError) else {}


class InvalidInput(IngressError):
    """Faults in what the user wrote, all of them; nothing has been changed."""

    def __init__(self, option_errors: Sequence[str]) -> None:
        self.option_errors = list(option_errors)
        number = len(self.option_errors)
        lines = "".join(f"\n- {option_error}" for option_error in self.option_errors)
        super().__init__(
            f"{as_sentence(self.option_errors[0])} Nothing was changed."
            if number == 1
            else f"{number} faults in the options; nothing was changed.{lines}"
        )

    def details(self) -> dict[str, Any]:
        return {"faults": self.option_errors}


class Contradiction(IngressError):
    """What the user wrote does not go together with what the service holds."""


class Ambiguous(IngressError):
    """More than one object answers to the natural key, so that none can be taken without guessing."""

    def __init__(self, message: str, ids: Sequence[str]) -> None:
        self.ids = list(ids)
        super().__init__(message)

    def details(self) -> dict[str, Any]:
        return {"ids": self.ids}


class Incomplete(IngressError):
    """Something went wrong with some of a task's objects; the others were processed. `message` covers all of them."""

    def __init__(self, message: str, errors: Sequence[IngressError], done: Sequence[dict[str, str]]) -> None:
        self.errors = list(errors)
        super().__init__(message)
        self.done = list(done)

    def full_message(self) -> str:
        return str(self)

    def details(self) -> dict[str, Any]:
        return {"failures": [{"object": e.subject, "msg": str(e), **e.details()} for e in self.errors]}


class UnusableIdentifier(IngressError):
    """An identifier that can't be part of a path. A request made from it would reach something else."""

    def __init__(self, option_error: str) -> None:
        super().__init__(f"{option_error}. No request was made from it.")


class Missing(IngressError):
    """An object that the task needs is not there."""

    def __init__(self, message: str, cause: str = "") -> None:
        self.cause = cause
        super().__init__(message)


class NotTried(IngressError):
    """Nothing was done to an object, because another one failed: its parent, or one that has what it is to get."""

    def __init__(self, why: str) -> None:
        super().__init__(f"It was not tried, because {why}.")


class TooManyDeletions(IngressError):
    """The plan would delete more than the task allows; nothing of it has been carried out."""

    def __init__(self, deletions: Sequence[dict[str, str]], allowed: int, diff: list[dict[str, Any]]) -> None:
        self.deletions = list(deletions)
        self.diff = diff
        number = len(self.deletions)
        lines = [f"\n- {one['object']}: {one['reason']}" for one in self.deletions[:_SHOWN_DELETIONS]]
        if number > len(lines):
            lines.append(f"\n- and {number - len(lines)} more, which the result has under planned_deletions")
        super().__init__(
            f"The plan has {counted(number, 'deletions')}, and max_deletions allows {allowed}. "
            f"Nothing was changed. What would be deleted:{''.join(lines)}"
        )

    def details(self) -> dict[str, Any]:
        return {"planned_deletions": self.deletions}


class Protected(IngressError):
    """Carrying on would destroy something that the task does not name."""


class SecretNeeded(IngressError):
    """A module has to be sent again, its secret is neither given nor shown by the service, and must not be lost."""

    def __init__(self, path: str, placeholder: str) -> None:
        self.path = path
        super().__init__(
            f"{path}: this secret is needed. The module has to be sent as a whole, and the service does not show the "
            f"secret that is in place, if there is one; leaving it out would remove it. Give the secret (an empty "
            f"string means none; {placeholder} or leaving the option out means the one in place, which is not known)."
        )


class RequestError(IngressError):
    """A request that did not bring what it should have.

    `status` is that of its answer, if there was one; `error_code`, `msg` and `operation_id` are what the service says
    of it (section 7). `retries` tells how often it was tried again, `retry_after` how long the service asks to wait.
    """

    error_code: str | None = None
    msg: str | None = None
    operation_id: str | None = None
    retries = 0
    retry_after: float | None = None

    def __init__(self, message: str, method: str, path: str, status: int | None = None) -> None:
        self.method, self.path, self.status = method, path, status
        super().__init__(message)

    def details(self) -> dict[str, Any]:
        names = ("method", "path", "status", "error_code", "msg", "operation_id", "retries")
        return {"error": {name: getattr(self, name) for name in names}}


class Unreachable(RequestError):
    """No connection: the request has surely not been received."""


class Untrusted(RequestError):
    """The service's certificate does not check, so that nothing was sent; trying again would not change that."""


class Misdirected(RequestError):
    """The connection options lead to nothing that could be the service; trying again would not change that."""


class OutcomeUnknown(RequestError):
    """The request was sent and its answer was lost or was a server error: it may have taken effect, or not."""


class UnexpectedAnswer(RequestError):
    """An answer that is no JSON, has another shape than the description gives, or leads to another origin."""


class Refused(RequestError):
    """The service said no."""


class NotThere(Refused):
    """404, 405 or 501: the object is gone, or the service does not have the operation. Only a second look tells."""


class NotOffered(IngressError):
    """The service lacks an operation, and the task can't be done without it."""


class WrongShape(IngressError):
    """The service's answer holds, at `path`, another type than the description gives."""

    def __init__(self, path: str, expected: str, found: object) -> None:
        self.path, self._expected, self._found = path, expected, found
        super().__init__(f"the answer holds {json_kind(found)} at {path or 'its top'}, where {expected} belongs.")

    def within(self, path: str) -> WrongShape:
        """The same, of an answer in which this one is at `path`."""
        return WrongShape(f"{path}.{self.path}" if path else self.path, self._expected, self._found)


def as_sentence(text: str) -> str:
    """The text with a full stop, unless it ends with a sign already; said where another sentence follows."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def counted(number: int, things: str) -> str:
    """How many there are of what `things`, a plural that ends with s, names."""
    return f"{number} {things.removesuffix('s') if number == 1 else things}"


def json_kind(value: object) -> str:
    """What people call a value of this type."""
    kinds = {str: "a text", bool: "a boolean", list: "a list", dict: "an object", type(None): "nothing"}
    return kinds.get(type(value), "a number")


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Tells, of an answer with the wrong shape, what it was that was read."""
    try:
        yield
    except WrongShape as error:
        raise UnexpectedAnswer(f"GET {path}: {error}", "GET", path) from None
