# SPDX-License-Identifier: GPL-3.0-or-later
"""The errors of the collection.

The core raises these and nothing else, and `_entry` turns them into the result of a failed task, in one place. An error
is complete when it is raised, and nobody changes it afterwards; more is said by another error. None of them contains a
secret: the client masks what the service returns before it becomes part of an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

UNSET_VARIABLE = "check whether the variable that it comes from is set"
"""What to do about a value that is empty or missing, which is probably not what the user meant."""


@dataclass(frozen=True)
class Request:
    """A request that failed, and what the service returned for it, as far as that is known.

    `path` is relative to `base_url`. `error_code`, `msg`, and `operation_id` are the service's own (section 7).
    `retries` counts how often the request was retried, `retry_after` is the delay in seconds that the service asks
    for.
    """

    method: str
    path: str
    retries: int = 0
    status: int | None = None
    error_code: str | None = None
    msg: str | None = None
    operation_id: str | None = None
    retry_after: float | None = None

    @property
    def is_explained(self) -> bool:
        """Whether the response is an error in the service's own format, and not that of a proxy."""
        return bool(self.error_code or self.msg)

    def shown(self) -> dict[str, Any]:
        """Return the request as the return value `error` contains it."""
        names = ("method", "path", "status", "error_code", "msg", "operation_id", "retries")
        return {name: getattr(self, name) for name in names}


class IngressError(Exception):
    """The base of all errors that the collection expects.

    `shared` is the message for several objects that failed in the same way, empty if that is the message itself. `diff`
    is that of a plan of which nothing was executed, `done` lists the operations that took effect before the error.
    """

    diff: Sequence[dict[str, Any]] = ()
    done: Sequence[dict[str, str]] = ()

    def __init__(self, message: str, shared: str = "") -> None:
        super().__init__(message)
        self.shared = shared

    def full_message(self, *, can_write: bool = True) -> str:
        """Return the message of a task that failed with this error; `can_write` if it could have changed something."""
        return str(self)

    def details(self) -> dict[str, Any]:
        """Return what the result contains in addition to the message, such as the request that failed."""
        cause = self.__cause__
        return cause.details() if isinstance(cause, RequestError) else {}


class ObjectFailed(IngressError):
    """An object that could not be processed, because of `error`.

    `subject` is what messages call the object. In a list of objects with the same `noun`, it is called by its `name`.
    `done` lists the operations on it that took effect, and `interim_state` is a sentence about the state in which they
    leave it.
    """

    def __init__(
        self,
        subject: str,
        error: IngressError,
        done: Sequence[dict[str, str]] = (),
        interim_state: str = "",
        noun: str = "",
        name: str = "",
    ) -> None:
        super().__init__(str(error))
        self.subject, self.error, self.done, self.interim_state = subject, error, tuple(done), interim_state
        self.noun, self.name = noun, name

    def full_message(self, *, can_write: bool = True) -> str:
        message = f"{self.subject}: {self.error}"
        if not (self.done or self.interim_state):
            return message
        steps = ", ".join(f"{step['method']} {step['path']}" for step in self.done)
        parts = (as_sentence(message), f"Already done: {steps}." if steps else "", self.interim_state)
        return " ".join(filter(None, parts))

    def details(self) -> dict[str, Any]:
        return self.error.details()


class Contradiction(IngressError):
    """Options that contradict the live configuration."""


class NamesKept(Contradiction):
    """An object that would give up names that its task does not declare."""


class Ambiguous(IngressError):
    """Several objects that match, of which none can be chosen without guessing."""

    def __init__(self, message: str, ids: Sequence[str]) -> None:
        self.ids = list(ids)
        super().__init__(message)

    def details(self) -> dict[str, Any]:
        return {"ids": self.ids}


class Incomplete(IngressError):
    """The failure of some of a task's objects; the rest were processed. `message` is about all of them."""

    def __init__(self, message: str, errors: Sequence[ObjectFailed], done: Sequence[dict[str, str]]) -> None:
        self.errors = list(errors)
        self.done = list(done)
        super().__init__(message)

    def details(self) -> dict[str, Any]:
        return {"failures": [{"object": e.subject, "msg": str(e), **e.details()} for e in self.errors]}


class UnusableIdentifier(IngressError):
    """An ID that cannot be part of a path. A request with it would address something else."""


class Missing(IngressError):
    """An object that the task requires does not exist."""


class Withheld(IngressError):
    """A change that was not made, because another object failed that it waits for. `cause` is the name of that one."""

    def __init__(self, what: str, cause: str) -> None:
        self.cause = cause
        why = f"Not {what}, because {cause} failed"
        super().__init__(f"{why}. Fix that failure, then run the task again.", why)


class ChangeWithheld(IngressError):
    """A change that was not made, because it could destroy something that the task does not declare."""


class SecretNeeded(IngressError):
    """A traffic module must be sent as a whole, and its secret is neither declared nor returned by the service."""

    def __init__(self, path: str, placeholder: str) -> None:
        self.path = path
        super().__init__(
            f"{path}: required for this change. The service replaces `{path.rpartition('.')[0]}` as a whole and does "
            "not return its current secret, so omitting the secret would remove it. Set the secret; "
            f"`{placeholder}` cannot be used here. If there is none, remove what it would belong to, and declare that "
            "in the next run."
        )


Failed = TypeVar("Failed", bound="RequestError")


class RequestError(IngressError):
    """A request that failed. `problem` is the message without the request."""

    def __init__(self, problem: str, request: Request) -> None:
        super().__init__(f"{request.method} {request.path}: {problem}", problem)
        self.problem, self.request = problem, request

    def with_note(self: Failed, note: str) -> Failed:
        return type(self)(f"{as_sentence(self.problem)} {note}", self.request)

    def after_retries(self: Failed, retries: int) -> Failed:
        """Return the same error for a request after so many retries."""
        return type(self)(self.problem, replace(self.request, retries=retries))

    def details(self) -> dict[str, Any]:
        return {"error": self.request.shown()}


class Unreachable(RequestError):
    """No connection: the request was certainly not received."""


class Misdirected(RequestError):
    """The connection options do not lead to the service, or its certificate is invalid. A retry would not help."""


class OutcomeUnknown(RequestError):
    """The request was sent, and its response was lost or is a server error: it may have taken effect, or not."""


MAY_HAVE_EFFECT = "The request may have taken effect, or may still do so. If you run the task again, it finds out."


class IdentityChanged(OutcomeUnknown):
    """The response to a creation shows another object: the service has changed what identifies it, or mixed it up."""


class UnexpectedResponse(RequestError):
    """A response that is not JSON, has an unexpected type, or leads to another origin."""


class RequestRejected(RequestError):
    """The service rejected the request."""


class NotFound(RequestRejected):
    """404: the object does not exist, or the service does not know the path. Reading the object decides."""


class PageNotFound(RequestRejected):
    """404 in another format than the service's errors, such as HTML: it does not say that the object does not exist."""


class UnsupportedRequest(RequestRejected):
    """405 or 501: the service does not support the request."""


POSSIBLY_UNSUPPORTED = (NotFound, PageNotFound, UnsupportedRequest)
"""What a service returns for a request that it does not support. After a 404, the object may not exist instead."""


class NotSupported(IngressError):
    """A request that the task requires and the service does not support."""


class UnexpectedType(IngressError):
    """A value of an unexpected type at `path` of a response."""

    def __init__(self, path: str, expected: str, found: object) -> None:
        self.path, self._expected, self._found = path, expected, found
        place = f"{path}: " if path else ""
        super().__init__(f"unexpected response ({place}expected {expected}, got {json_type(found)}).")

    def within(self, path: str) -> UnexpectedType:
        """Return the same error for a response that contains this one at `path`."""
        return UnexpectedType(f"{path}.{self.path}" if path else self.path, self._expected, self._found)


def as_sentence(text: str) -> str:
    """Return the text with a final period, so that another sentence can follow."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def counted(number: int, things: str) -> str:
    """Return the number with its noun; `things` is the plural, which ends with an s."""
    return f"{number} {things.removesuffix('s') if number == 1 else things}"


def json_type(value: object) -> str:
    """Return the name of a JSON value's type, with its article."""
    if value == "":
        return "an empty string"
    kinds = {str: "a string", bool: "a boolean", list: "a list", dict: "an object", type(None): "null"}
    return kinds.get(type(value), "a number")


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Name the request in errors about the types of its response."""
    try:
        yield
    except UnexpectedType as error:
        raise UnexpectedResponse(str(error), Request("GET", path)) from None
