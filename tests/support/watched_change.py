# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of a drawn change, looked at after each write that reaches the service."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from threading import Lock
from typing import Any

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from any_change import Change
from module_task import WRITES, applied
from reference_service_process import API_KEY, ReferenceService
from scripted_service import BREAK_OFF, Received, Response, ScriptedService, as_json, forwarding


@dataclass(frozen=True)
class Failure:
    """What becomes of one write. Without a response, its connection breaks off."""

    response: Response
    takes_effect: bool = False
    methods: tuple[str, ...] = WRITES


FAILURES: dict[str, Failure] = {
    "403": Failure(as_json({"error_code": "ERR_FORBIDDEN", "status_code": 403, "msg": "Not allowed."}, 403)),
    "400": Failure(as_json({"error_code": "ERR_INVALID", "status_code": 400, "msg": "Not accepted."}, 400)),
    "500": Failure(as_json({"error_code": "ERR_INTERNAL", "status_code": 500, "msg": "Something broke."}, 500)),
    "503": Failure(Response(503)),
    "broken off before": Failure(BREAK_OFF),
    "broken off after": Failure(BREAK_OFF, takes_effect=True),
    "204, ignored": Failure(Response(204), methods=("PATCH", "PUT")),
}


OBJECT_PARTS = 3
"""The most parts of the path of an object."""

IGNORED = [
    (method, name)
    for name in ("backend", "ip_restriction", "oidc", "saml", "oauth", "mutual_tls", "webhook_verification")
    for method in ("PATCH", "DELETE")
]
"""The writes to which a service says 204, and does nothing: their methods, and the traffic modules in them."""

Fails = Callable[[int, Received], Failure | None]
"""What becomes of a write, given its number, which counts from 0; None if it does not fail."""


def ignoring(method: str, name: str) -> Fails:
    """Ignore the writes with this method and this traffic module."""
    failure = Failure(Response(204), methods=(method,))
    return lambda _number, one: failure if one.path.endswith(f"/{name}") or name in (one.json() or {}) else None


@dataclass(frozen=True)
class Step:
    """A write, with the states around it, and with those around what somebody else has done before it, if they have."""

    request: str
    before: Any
    after: Any
    meddled: tuple[Any, Any] | None = None


@dataclass
class Run:
    """A run that has ended. `steps` are the writes that reached the service, `sent` says of all what came of them."""

    before: Any
    result: dict[str, Any] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    meddled: tuple[Any, Any] | None = None

    @property
    def after(self) -> Any:
        return self.steps[-1].after if self.steps else self.before

    @property
    def has_failed(self) -> bool:
        return bool(self.result.get("failed"))


Meddle = Callable[[ReferenceService, Any], None]
"""What somebody else does to the service, given its state."""


class Watched:
    """Runs changes against a service, one write at a time, so that a state can be read between any two of them."""

    def __init__(self, service: ReferenceService, between: ScriptedService) -> None:
        self.service, self.between = service, between
        self._one_at_a_time = Lock()
        self._forwarded = forwarding(service.base_url)
        self._run = Run(None)
        between.script = self._response

    def start_over(self, change: Change) -> None:
        self.service.reset()
        self._switch(change.switches)
        self.service.seed(**change.live)

    def run_again(self, change: Change) -> Run:
        """Run the task once more, when every hostport that was given up is free."""
        self._switch({**change.switches, "slow_releases": 0})
        return self.run(change)

    def _switch(self, switches: Mapping[str, Any]) -> None:
        self._switches = switches
        self.service.switches(**switches)

    def run(
        self,
        change: Change,
        fails: Fails = lambda _number, _request: None,
        meddling: Mapping[int, Meddle] | None = None,
        check: bool = False,
        **options: Any,
    ) -> Run:
        """Run the task on what the service holds. What somebody else does comes immediately before the write of its
        number.
        """
        self._fails, self._meddling = fails, meddling or {}
        self._is_silent = change.is_silent
        self._is_shuffled = change.options.get("concurrency", 1) > 1
        run = self._run = Run(self.service.state())
        connection = {"base_url": self.between.base_url, "api_key": API_KEY, "timeout": 20.0, "retries": 0}
        if change.switches.get("slow_releases"):
            options["retries"] = 4  # Each of several hostports is released late.
        impatient = Progress(sleep=lambda seconds: time.sleep(min(seconds, 0.002)))
        run.result = applied(change.module, {**connection, **change.options, **options}, check, impatient)
        return run

    def _response(self, request: Received) -> Response:
        if request.method not in WRITES:
            return self._forwarded(request)
        if self._is_shuffled:
            time.sleep(random.random() * 0.003)  # so that what is sent at the same time arrives in varying order
        with self._one_at_a_time:
            return self._written(request)

    def _written(self, request: Received) -> Response:
        run = self._run
        number = len(run.sent)
        said = f"{request.method} {request.path} {request.body.decode()}".rstrip()
        if number in self._meddling:
            untouched = self.service.state()
            self._meddling[number](self.service, untouched)
            run.meddled = (untouched, self.service.state())
        failure = self._fails(number, request)
        if failure is not None and request.method not in failure.methods:
            failure = None
        if failure is not None and not failure.takes_effect:
            run.sent.append(f"not carried out: {said}")
            return failure.response
        before = self.service.state() if self._meddling else run.after
        response = self._carried_out(request)
        run.steps.append(Step(said, before, self.service.state(), run.meddled))
        run.sent.append(f"{response.status}{' but no response' if failure else ''}: {said}")
        return failure.response if failure is not None else response

    def _carried_out(self, request: Received) -> Response:
        """The service knows no PUT of objects, which have fewer parts in their paths than traffic modules."""
        if request.method == "PUT" and request.path.count("/") <= OBJECT_PARTS:
            self.service.switches(**{**self._switches, "patch_empties": "everything"})
            response = self._forwarded(replace(request, method="PATCH"))
            self.service.switches(**self._switches)
        else:
            response = self._forwarded(request)
        is_update = request.method in ("PATCH", "PUT") and response.status == HTTPStatus.OK
        return Response(HTTPStatus.NO_CONTENT) if self._is_silent and is_update else response
