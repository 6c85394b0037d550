# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets that are known by their names, in headers, policies, and text that contains JSON, as in the fields of traffic
modules: never shown, but compared. The mask stands for the current one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.concealment import concealed
from cases import cases
from module_process import visible, visible_of_process
from module_task import Given, Tasks, applied, work_of, writes
from places import EDGE, HOSTPORT, KEY, held_route, in_each_module, seed_edge, seed_route
from scripted_service import as_json, rejecting

OLD, NEW = "canary of before", "Bearer canary_of_now"
MASK, CHANGED = "********", "******** (a new value)"
TEXTS = ("metadata", "traffic_policy")
"""Fields that services store as text, and that may be declared as text or as what it means."""


def as_it_is(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Place:
    """A secret in the fields of an HTTPS edge, a route, or an object of a collection, next to other text."""

    kind: str
    where: str
    made: Given
    other: str = "description"

    @property
    def is_text(self) -> bool:
        return self.where.startswith(TEXTS)

    @property
    def is_object(self) -> bool:
        return not self.kind.startswith("https_")

    def fields(self, secret: Any, other: str = "shown", form: Callable[[Any], Any] = as_it_is) -> Given:
        made = filled(self.made, secret, other)
        return {name: form(value) if name in TEXTS else value for name, value in made.items()}

    def seed(self, tasks: Tasks, secret: Any) -> None:
        fields = self.fields(secret, form=json.dumps)
        tasks.service.reset()
        if self.is_object:
            tasks.service.seed(objects={self.kind: [{"description": "One", **fields}]})
        else:
            (seed_edge if self.kind == "https_edge" else seed_route)(tasks, **fields)

    def tasks(self, *secret_and_other: Any, form: Callable[[Any], Any] = as_it_is) -> dict[str, Given]:
        """The tasks that declare it, by their modules."""
        fields = self.fields(*secret_and_other, form=form)
        if self.is_object:
            one = {"collection": self.kind, "find_by": {"description": "One"}, "body": fields}
            return {"object": one, "estate": {"objects": [{"name": "one", **one}]}}
        edge = {"hostports": [HOSTPORT], **fields}
        of_edge = {"https_edge": edge, "estate": {"https_edges": [edge]}}
        return of_edge if self.kind == "https_edge" else in_each_module(fields)


def filled(value: Any, secret: Any, other: str = "shown") -> Any:
    """The value with these in place of `SECRET` and `OTHER`."""
    text = json.dumps(value).replace('"SECRET"', json.dumps(secret)).replace('"OTHER"', json.dumps(other))
    return json.loads(text)


METADATA = {"keys": [{"api_key": "SECRET"}], "owner": "OTHER"}
LOGIN = {"type": "oidc", "config": {"client_id": "OTHER", "client_secret": "SECRET"}}
# The kind of the object, where the secret is, its fields, and where the other text is.
TABLE = cases(
    """
    an edge      | https_edge | metadata.keys[0].api_key | {metadata: *METADATA } | metadata
    a route      | https_edge_route | metadata.keys[0].api_key | {metadata: *METADATA } | metadata
    a policy     | ip_policies | metadata.keys[0].api_key | {metadata: *METADATA } | metadata
    an endpoint  | endpoints | traffic_policy.on_http_request[0].actions[0].config.client_secret
        | {type: cloud, url: "https://one.example.com", traffic_policy: {on_http_request: [{actions: [*LOGIN ]}]}}
        | traffic_policy
    a header     | https_edge_route | request_headers.add.authorization
        | {request_headers: {add: {Authorization: SECRET}}, description: OTHER}
    a response   | https_edge_route | response_headers.add.authorization
        | {response_headers: {add: {Authorization: SECRET}}, description: OTHER}
    a webhook    | https_edge_route | webhook_verification.secret
        | {webhook_verification: {provider: slack, secret: SECRET}, description: OTHER}
    a login      | https_edge_route | oidc.client_secret
        | {oidc: {issuer: "https://id.example.com", client_id: c, client_secret: SECRET}, description: OTHER}
    a provider   | https_edge_route | oauth.provider.github.client_secret
        | {oauth: {provider: {github: {client_id: c, client_secret: SECRET}}}, description: OTHER}
    a stream     | event_destinations | target.kinesis.auth.creds.aws_secret_access_key
        | {target: {kinesis: {auth: {creds: {aws_access_key_id: A, aws_secret_access_key: SECRET}}, stream_arn: OTHER}}}
        | target.kinesis.stream_arn
    a page  | backends/http_response | headers.Authorization | {headers: {Authorization: SECRET}, body: OTHER} | body
    """,
    METADATA=METADATA,
    LOGIN=LOGIN,
)
PLACES = [Place(*cells) for cells in TABLE.values()]


@pytest.fixture(params=PLACES, ids=TABLE)
def place(request: pytest.FixtureRequest) -> Any:
    return request.param


def leaving(result: Given) -> str:
    """What leaves a task, also by a report."""
    return visible(result) + json.dumps(concealed({"plan": {**result, "sent": []}}))


def reasons(result: Given) -> list[str]:
    return [one["reason"] for one in result["operations"]]


@pytest.mark.parametrize("form", [as_it_is, json.dumps])
def test_a_secret_is_in_nothing_that_leaves_a_task_or_a_report(tasks: Tasks, place: Place, form: Any) -> None:
    for module, options in place.tasks(NEW, form=form).items() if place.is_text or form is as_it_is else ():
        reported = json.dumps(concealed({"estate": options}))
        assert ("canary" in reported, "shown" in reported) == (False, True)
        place.seed(tasks, OLD)
        assert not tasks.done(module, **place.tasks(OLD, form=form)[module])["changed"]
        another = tasks.done(module, True, **place.tasks(OLD, "other", form=form)[module])
        assert [word in leaving(another) for word in ("canary", CHANGED)] == [False, False]
        assert reasons(another) == [f"differs: {place.other}"]
        for check in (True, False):
            result = tasks.done(module, check, **options)
            assert [word in leaving(result) for word in ("canary", CHANGED, "shown")] == [False, True, True]
            assert reasons(result) == [f"differs: {place.where}"]
        assert [secret in json.dumps(tasks.service.state()) for secret in (NEW, OLD)] == [True, False]
        assert "canary" not in visible_of_process(tasks, module, **options)


def test_a_secret_is_not_shown_by_what_reads_or_deletes(tasks: Tasks, place: Place) -> None:
    place.seed(tasks, OLD)
    estate = {"https_edges": [{"hostports": ["other.example.com:443"], "routes": []}]}
    readings: list[tuple[str, Given]] = [
        ("api", {"path": f"/edges/https/{EDGE}"}),
        ("https_edge_info", {}),
        ("estate_info", {}),
        ("https_edge", {"id": EDGE}),
        ("estate", {**estate, "undeclared": "declarations"}),
        ("estate", {**estate, "purge": ["edges"]}),
        ("https_edge", {"id": EDGE, "state": "absent"}),
    ]
    if place.is_object:
        readings = [
            ("api", {"path": f"/{place.kind}"}),
            ("object_info", {"collection": place.kind}),
            ("estate_info", {"objects": [place.kind], "https_edges": False}),
            ("object", {**place.tasks(OLD)["object"], "body": {}, "state": "absent"}),
        ]
    for module, options in readings:
        result = tasks.done(module, **options, check=work_of(module).writes)
        assert "canary" not in leaving(result)
        assert "shown" in leaving(result) or not place.is_text


def test_the_mask_stands_for_the_current_secret_and_creates_nothing(tasks: Tasks, place: Place) -> None:
    for module, options in place.tasks(MASK).items():
        tasks.service.reset()
        if place.kind == "https_edge_route":
            seed_edge(tasks)
        needs_the_secret(tasks, module, options, place.where)
        place.seed(tasks, OLD)
        assert not tasks.done(module, **options)["changed"]
        other = place.tasks(MASK, "other")[module]
        if place.kind == "endpoints":
            # In a list, nobody knows which secret belongs to a member that is not as before.
            needs_the_secret(tasks, module, other, place.where)
        else:
            assert CHANGED not in leaving(tasks.done(module, **other))
            assert [text in json.dumps(tasks.service.state()) for text in (OLD, '"other')] == [True, True]


def needs_the_secret(tasks: Tasks, module: str, options: Given, where: str) -> None:
    for check in (True, False):
        failed = tasks.failed(module, check, **options)
        assert f"{where}: required for this change".lower() in failed["msg"].lower()
        assert writes(failed) == []


def test_what_is_exported_changes_nothing(tasks: Tasks, place: Place) -> None:
    place.seed(tasks, OLD)
    exported = tasks.done("estate_info", objects=[place.kind] if place.is_object else [])["estate"]
    assert (MASK in json.dumps(exported)) == (place.is_text or "_headers" in place.where or "oauth" in place.where)
    if place.is_object:
        assert exported["objects"][0]["find_by"] == {"description": "One"}
    assert not tasks.done("estate", **exported)["changed"]


def test_text_with_a_secret_finds_no_object_and_is_in_no_error(tasks: Tasks) -> None:
    seeds = [{"description": "One", "metadata": json.dumps(filled(METADATA, OLD, owner))} for owner in ("shown", "b")]
    tasks.service.seed(objects={"ip_policies": seeds})
    failed = tasks.failed("object", collection="ip_policies", find_by={"description": "One"})
    assert "2 objects in ip_policies match" in failed["msg"]
    for result in (failed, tasks.failed("https_edge_route", edge={"metadata": seeds[0]["metadata"]}, **KEY)):
        assert ("canary" in leaving(result), "shown" in leaving(result)) == (False, True)
    tasks.service.reset()
    tasks.service.seed(objects={"ip_policies": [{"metadata": seeds[0]["metadata"]}]})
    exported = tasks.done("estate_info", objects=["ip_policies"], https_edges=False)["estate"]
    assert "find_by" not in exported["objects"][0]
    assert not tasks.done("estate", **exported)["changed"]


def test_a_new_secret_in_a_list_of_texts_is_visible(tasks: Tasks) -> None:
    one = {"collection": "credentials", "find_by": {"description": "One"}}
    old, new = ([json.dumps(filled(METADATA, secret)), "plain"] for secret in (OLD, NEW))
    tasks.done("object", **one, body={"acl": old})
    result = tasks.done("object", check=True, **one, body={"acl": new})
    assert ("canary" in leaving(result), reasons(result)) == (False, ["differs: acl[0].keys[0].api_key"])
    assert CHANGED in json.dumps(result["diff"]["after"])


@pytest.mark.parametrize("text", ["{", "[1", '{"api_key": }', "api_key=x", "[" * 2000 + "]" * 2000], ids=len)
def test_other_text_is_shown_as_it_is(tasks: Tasks, text: str) -> None:
    seed_edge(tasks, metadata=text)
    assert tasks.done("https_edge_info")["https_edges"][0]["metadata"] == text
    assert not tasks.done("https_edge", hostports=[HOSTPORT], metadata=text)["changed"]


def in_policy(value: Any, **more: Any) -> Given:
    """Actions that nobody knows, with something secret in several places."""
    config = {
        "client_secret": value,
        "inside": [{"token": {"value": value}}],
        "text": json.dumps({"token": value}),
        "header": "x-some-header",
        "jwt-settings": {"issuer": "an-issuer-of-words"},
        **more,
    }
    return {"policy": {"inbound": {"actions": {"type": "of-the-service", "config": config}}}}


@pytest.mark.parametrize("module", ["https_edge_route", "https_edge_routes", "estate"])
def test_what_has_the_name_of_a_secret_in_a_policy_is_in_no_result(tasks: Tasks, module: str) -> None:
    connection = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key}
    seed_route(tasks, **in_policy(OLD, other="as it was"))
    options = in_each_module(in_policy(NEW))[module]
    for check, declared in ((True, in_each_module(in_policy(NEW, other="as it was"))[module]), (False, options)):
        result = applied(module, {**connection, **declared}, check)
        words = ("canary", "x-some-header", "an-issuer-of-words", CHANGED)
        assert (result["changed"], *(word in visible(result) for word in words)) == (True, False, True, True, True)
    assert NEW in json.dumps(held_route(tasks))
    assert "canary" not in visible_of_process(tasks, module, **options)


def test_what_a_service_quotes_of_a_policy_is_masked(tasks: Tasks) -> None:
    said = as_json({"msg": "canary_of_now is not a token, nor is Bearer canary_of_now"}, 400)
    options = {**seed_route(tasks), **in_policy(NEW)}
    msg = tasks.failed("https_edge_route", instead=rejecting("PATCH", response=said), **options)["msg"]
    assert ("canary" in msg, "is not a token" in msg) == (False, True)


def test_an_exported_policy_with_a_secret_changes_nothing(tasks: Tasks) -> None:
    seed_route(tasks, **in_policy("kept in the service"))
    exported = tasks.done("estate_info")["estate"]
    assert "kept in the service" in str(exported)
    assert not tasks.done("estate", **exported)["changed"]


def test_a_short_secret_header_is_not_in_the_arguments(tasks: Tasks) -> None:
    """It is too short to be masked wherever it turns up, as a word of seven letters would be."""
    options = {"edge_id": seed_edge(tasks), **KEY, "request_headers": {"add": {"Authorization": "s3cr3t!"}}}
    assert "s3cr3t!" not in visible_of_process(tasks, "https_edge_route", **options)


def test_headers_that_are_not_declared_keep_their_secrets_and_are_judged(tasks: Tasks) -> None:
    place = seed_route(tasks, request_headers={"add": {"authorization": OLD}}, backend={"backend_id": "bkdhr_one"})
    exported = tasks.done("estate_info")["estate"]
    judged = tasks.done("exposure_info", estate=exported)
    assert not [one for one in judged["findings"] if one["rule"] == "credential_in_header"]
    assert [one["why"] for one in judged["not_judged"] if "authorization" in json.dumps(one)]
    tasks.done("https_edge_route", **place, request_headers={"enabled": False})
    assert held_route(tasks)["request_headers"]["add"]["authorization"] == OLD
