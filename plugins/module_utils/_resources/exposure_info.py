# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets in: what the live configuration, or a declared one, lets through, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from .._access.policies import Policies
from .._access.requirements import without_hosts
from .._access.served_objects import served_state
from .._definition import Client, Options, Outcome, PluginDefinition
from .._errors import IngressError
from .._exposure.declared import declared_estate
from .._exposure.judge import judgement_of
from .._exposure.judged import Estate, NotJudged, Subject, served_object
from .._exposure.shown_access import request_of, traced
from .._objects import common_options, live_estate, rejection
from .._objects.estate_options import DECLARED, estate_errors, estate_secrets
from .._objects.https_edges import compared_fields, live_edges
from .._objects.rejection import ACCEPT, SEVERITY, acceptance_errors, counted_findings, lines_of
from .._objects.surroundings import rules_around, surroundings
from .._objects.tls_edges import read_modules
from .._objects.tunnels import online_tunnels
from .._planning.object_names import joined
from .._planning.undeclared import NotExamined, Surrounding
from .._transport.addresses import secrets_in_address
from .._values.option_error import OptionError, OptionErrors, list_of
from .._values.option_wording import DocumentedElsewhere, NeverNull

_AS_NEW = "They are judged as those of a new object. An object that exists keeps its current settings."

_NOT_DECLARED = "The declaration contains none."


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    yield from live_estate.live_errors(options, check_mode)
    yield from acceptance_errors(options.get("accept"))
    yield from common_options.requirement_errors(options)
    for number, one in enumerate(list_of(options.get("requests"))):
        if isinstance(one, str) and request_of(one) is None:
            expected = "expected one such as 'https://shop.example.com/admin', or with 'OPTIONS ' before it"
            # The whole string, because secrets in it are masked later.
            yield OptionError(f"requests[{number}]", f"{one!r} cannot be traced; {expected}, but no user name")
    declared = options.get("estate")
    if not isinstance(declared, Mapping):
        return
    for name in ("tls_edges", "event_subscriptions"):
        if options.get(name):
            text = "has no effect with `estate`, which is judged without a request; remove one of the two"
            yield OptionError(name, text)
    yield from estate_errors(declared, check_mode=True, path="estate")


def _secrets(options: Options) -> Iterator[str]:
    declared = options.get("estate")
    yield from estate_secrets(declared) if isinstance(declared, Mapping) else ()
    for one in map(str, list_of(options.get("requests"))):
        yield from secrets_in_address(one)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    declared = options["estate"]
    started = live_estate.collected_at() if declared is None else {}
    estate = _live_estate(client, options) if declared is None else _as_new(declared_estate(declared))
    estate = replace(estate, requirements=common_options.requirements_of(options))
    if declared is None and (estate.requirements or options["requests"]):
        estate = _with_surroundings(client, estate)
    judgement = judgement_of(estate, options["accept"], rejection.today())
    requests = [traced(estate, one, found) for one in options["requests"] if (found := request_of(one))]
    severity = options["fail_on"]
    counting = judgement.counting(severity) if severity else []
    error = IngressError(f"{counted_findings(counting, severity)}:{lines_of(counting)}") if counting else None
    unserved = [] if estate.unread else list(without_hosts(estate.account, estate.requirements))
    warnings = [*judgement.warnings, *common_options.without_effect(unserved)]
    return Outcome(objects={**judgement.result(), "requests": requests, **started}, warnings=warnings, error=error)


def _with_surroundings(client: Client, estate: Estate) -> Estate:
    """Return an estate with whatever else serves traffic, and with the rules of IP policies."""
    around = surroundings(client, [], with_https_edges=False, is_needed=True)
    objects = [one for one in around if isinstance(one, Surrounding)]
    served = [_served(f"{one.kind}[{number}]", one) for number, one in enumerate(objects)]
    unread = [NotJudged(one.subject, "", one.why) for one in around if isinstance(one, NotExamined)]
    rules = rules_around(client)
    policies = estate.ip_policies if rules is None else Policies.of_plans((), rules)
    not_judged = [*estate.not_judged, *unread]
    return replace(estate, served=served, ip_policies=policies, not_judged=not_judged, unread=unread)


def _served(path: str, one: Surrounding) -> Subject:
    """Return a live object. If it is created again, nothing but the ID in parentheses differs in its name."""
    state, identifier = served_state(one.state), str(one.state["id"])
    hostports = joined([*filter(None, state["hostports"])])
    label = f"{one.kind} {hostports} ({identifier})" if hostports else f"{one.kind} {identifier}"
    return served_object(path, state, label, identifier)


def _as_new(estate: Estate) -> Estate:
    """Return a declared estate with what a declaration does not show."""
    missing = [name for name in ("https_edges", "tls_edges", "tunnels") if name not in estate.parts]
    return replace(
        estate,
        not_judged=[
            NotJudged("omitted options", "estate", _AS_NEW),
            *(NotJudged(name.replace("_", " "), name, _NOT_DECLARED) for name in missing),
        ],
    )


def _live_estate(client: Client, options: Options) -> Estate:
    return live_estate.live_estate(
        options,
        live_edges(client, compared_fields(())) if options["https_edges"] else [],
        live_estate.by_id(partial(read_modules, client), options["tls_edges"]),
        live_estate.live_subscriptions(client, options["event_subscriptions"]),
        online_tunnels(client) if options["tunnels"] else (),
    )


DEFINITION = PluginDefinition(
    options={
        **live_estate.LIVE_OPTIONS,
        "tunnels": {"type": "bool", "default": True},
        "estate": DocumentedElsewhere(NeverNull(type="dict", options=DECLARED)),
        "accept": ACCEPT,
        "fail_on": SEVERITY,
        "requirements": common_options.REQUIREMENTS,
        "requests": {"type": "list", "elements": "str", "default": []},
    },
    option_errors=_option_errors,
    perform=_perform,
    secrets=_secrets,
    writes=False,
)
