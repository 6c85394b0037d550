# SPDX-License-Identifier: GPL-3.0-or-later
"""A service whose PATCH empties what it does not contain: the object stays whole, stays found, and is the only one."""

from __future__ import annotations

from itertools import count

import pytest

from cases import cases
from module_task import Given, Tasks
from scripted_service import BREAK_OFF, Instead, Received, Response, forwarding, losing, rejecting

MODULES = ("object", "estate")


@pytest.fixture(autouse=True)
def _empties(tasks: Tasks) -> None:
    tasks.service.switches(patch_empties="everything")


def options_of(module: str, *objects: Given) -> Given:
    """The options of a task that declares objects; the module `object` declares the last one alone."""
    named = [{"name": f"o{number}", **one} for number, one in enumerate(objects)]
    return {"objects": named} if module == "estate" else dict(objects[-1])


def only(tasks: Tasks, collection: str) -> Given:
    [held] = tasks.service.state()["objects"][collection]
    return dict(held)


FAULTS = ("lost", "never sent", "503")


def faulty(tasks: Tasks, fault: str, patch: int) -> Instead:
    """The service with a fault of its PATCH with this number."""
    url, patches = tasks.service.base_url, count(1)
    carried_out = losing(url, "PATCH", Response(503) if fault == "503" else BREAK_OFF)
    failing = rejecting("PATCH", response=BREAK_OFF) if fault == "never sent" else carried_out
    return lambda request: failing(request) if request.method == "PATCH" and next(patches) == patch else None


def policy(metadata: str) -> Given:
    return {"collection": "ip_policies", "find_by": {"description": "one"}, "body": {"metadata": metadata}}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("module", MODULES)
def test_what_was_lost_is_restored_even_if_the_task_fails(tasks: Tasks, module: str, fault: str) -> None:
    """Reading decides whether the request that restores it took effect."""
    tasks.done(module, **options_of(module, policy("1")))
    failed = tasks.failed(module, instead=faulty(tasks, fault, 1), **options_of(module, policy("2")))
    assert "may have cleared" not in failed["msg"]
    assert only(tasks, "ip_policies")["description"] == "one"
    if fault != "never sent":
        tasks.done(module, instead=faulty(tasks, fault, 2), **options_of(module, policy("3")))
        assert only(tasks, "ip_policies").items() >= {"description": "one", "metadata": "3"}.items()
    tasks.done(module, **options_of(module, policy("2")))
    assert only(tasks, "ip_policies")["metadata"] == "2"


def advice(tasks: Tasks) -> str:
    return f"Until it is restored, set `id` to {only(tasks, 'ip_policies')['id']} instead of `find_by`."


def test_what_is_not_restored_is_in_the_message(tasks: Tasks) -> None:
    tasks.done("object", **policy("1"))
    failed = tasks.failed("object", instead=faulty(tasks, "never sent", 2), **policy("2"))
    assert 'Restore the previous values: {"description": "one"}' in failed["msg"]
    assert advice(tasks) in failed["msg"]


def test_what_may_be_emptied_is_in_the_message(tasks: Tasks) -> None:
    """Nothing can be read after the PATCH, so nobody knows what became of the object."""
    tasks.done("object", **policy("1"))
    sent: list[Received] = []

    def instead(request: Received) -> Response | None:
        sent.extend([request] * (bool(sent) or request.method == "PATCH"))
        return BREAK_OFF if sent else None

    failed = tasks.failed("object", instead=instead, **policy("2"))
    assert "did not contain `description`, which the service may have cleared." in failed["msg"]
    assert advice(tasks) in failed["msg"]


DESTINATION = {"collection": "event_destinations", "find_by": {"description": "ed"}, "body": {"format": "json"}}


def subscription(metadata: str) -> Given:
    body = {"sources": [{"type": "domain_created.v0"}], "destination_ids": ["ref:o0"], "metadata": metadata}
    found = {"collection": "event_subscriptions", "find_by": {"description": "es"}}
    return {**found, "body": body, "unordered": ["sources", "destination_ids"]}


@pytest.mark.parametrize("is_declared", [True, False])
def test_what_is_restored_has_the_format_of_requests(tasks: Tasks, is_declared: bool) -> None:
    """The `uri` of a source and the Refs of destinations are in responses only."""
    tasks.done("estate", objects=options_of("estate", DESTINATION, subscription("1"))["objects"])
    [before] = tasks.service.state()["event_subscriptions"]
    if is_declared:
        tasks.done("estate", **options_of("estate", DESTINATION, subscription("2")))
    else:
        tasks.done("object", **{**subscription("2"), "body": {"metadata": "2"}})
    assert tasks.service.state()["event_subscriptions"] == [{**before, "metadata": "2"}]
    assert not tasks.done("estate", **options_of("estate", DESTINATION, subscription("2")))["changed"]


HOSTS = ["a.example.com:443", "b.example.com:443"]
RESTRICTED: Given = {
    "id": "edgtls_one",
    "hostports": HOSTS,
    "backend": {"backend_id": "bkd_one", "enabled": True},
    "ip_restriction": {"ip_policy_ids": ["ipp_one"], "enabled": True},
}


@pytest.mark.parametrize("references", ["list", "ids", "single"])
@pytest.mark.parametrize("module", MODULES)
def test_who_gets_in_is_restored_in_the_format_of_requests(tasks: Tasks, module: str, references: str) -> None:
    """Some services return IDs in place of Refs."""
    tasks.service.seed(tls_edges=[RESTRICTED])
    tasks.service.switches(patch_empties="everything", references=references, unknown_fields="refused")
    [before] = tasks.service.state()["tls_edges"]
    tasks.done(module, **options_of(module, {"collection": "edges/tls", "id": "edgtls_one", "body": {"metadata": "2"}}))
    assert tasks.service.state()["tls_edges"] == [{**before, "metadata": "2"}]


@pytest.mark.parametrize("always", [[], ["ip_restriction", "backend"]], ids=str)
def test_what_an_edge_loses_before_it_is_deleted_is_restored(tasks: Tasks, always: list[str]) -> None:
    """It gives up a hostport for an edge that is rejected, and the response to that shows nothing."""
    tasks.service.seed(tls_edges=[RESTRICTED])
    [before] = tasks.service.state()["tls_edges"]
    forward = forwarding(tasks.service.base_url)

    def instead(request: Received) -> Response | None:
        if request.method == "PATCH":
            return Response(204) if forward(request).status == 200 else None
        return Response(402) if request.method == "POST" else None

    new = {"collection": "edges/tls", "find_by": {"description": "new"}, "body": {"hostports": HOSTS[:1]}}
    old = {"collection": "edges/tls", "id": "edgtls_one", "state": "absent", "always_send": always}
    tasks.failed("estate", instead=instead, **options_of("estate", new, old), purge=["hostports"])
    # What was not restored in a request of its own can be reverted.
    assert tasks.service.state()["tls_edges"] == [{**before, "hostports": HOSTS if always else HOSTS[1:]}]


@pytest.mark.parametrize("is_absent", [False, True])
def test_a_secret_cannot_be_sent_with_a_hostport_that_is_given_up(tasks: Tasks, is_absent: bool) -> None:
    """A later request sends what is declared, or deletes the edge."""
    ids = ["edgtls_one", "edgtls_two"]
    tasks.service.seed(tls_edges=[{"id": one, "hostports": [host]} for one, host in zip(ids, HOSTS, strict=True)])
    edge = {"collection": "edges/tls", "always_send": ["metadata"], "write_only": ["metadata"]}
    one, two = (
        {**edge, "id": each, "body": {"metadata": "mysecret", "hostports": [host]}}
        for each, host in zip(ids, reversed(HOSTS), strict=True)
    )
    if is_absent:
        two = {**edge, "id": ids[1], "state": "absent"}
    tasks.done("estate", **options_of("estate", one, two), purge=["hostports"])
    left = {one["id"]: one.get("metadata") for one in tasks.service.state()["tls_edges"]}
    assert left == dict.fromkeys(ids[: 2 - is_absent], "mysecret")


def test_a_policy_is_not_sent_without_its_secrets(tasks: Tasks) -> None:
    """An edge that is to be deleted gives up a hostport first. Without its rules, its policy lets everyone in."""
    tasks.service.switches(patch_empties="nothing")
    policy = {"enabled": True, "value": '{"on_tcp_connect":[{"actions":[{"type":"deny"}]}]}'}
    tasks.service.seed(tls_edges=[{"id": "edgtls_two", "hostports": HOSTS, "traffic_policy": policy}])
    two = {"collection": "edges/tls", "id": "edgtls_two", "state": "absent", "always_send": ["traffic_policy"]}
    two["write_only"] = ["traffic_policy.value"]
    one = {"collection": "edges/tls", "find_by": {"description": "new"}, "body": {"hostports": HOSTS[:1]}}
    result = tasks.done("estate", **options_of("estate", one, two), purge=["hostports"])
    assert [one["body"] for one in result["sent"] if one["method"] == "PATCH"] == [{"hostports": HOSTS[1:]}]


# How an object is found, its body, and where that has a secret.
SECRETS = cases("""
    vault_secrets | {name: one} | {value: topsecretvalue} | value
    event_destinations | {description: one}
        | {format: json, target: {kinesis: {auth: {creds: {aws_access_key_id: AK, aws_secret_access_key: kkkkkkkkk}}}}}
        | target.kinesis.auth.creds.aws_secret_access_key
    backends/http_response | {description: one} | {headers: {Authorization: SECRETSECRET, x: "y"}}
        | headers.Authorization
""")


def masked_at(body: Given, path: str) -> Given:
    name, _dot, rest = path.partition(".")
    return {**body, name: masked_at(body[name], rest) if rest else "********"}


@pytest.mark.parametrize("secrets", ["echoed", "redacted", "left_out"])
@pytest.mark.parametrize("collection", SECRETS)
@pytest.mark.parametrize("module", MODULES)
def test_declared_secrets_are_restored(tasks: Tasks, module: str, collection: str, secrets: str) -> None:
    tasks.service.switches(patch_empties="everything", secrets=secrets)
    find_by, body, path = SECRETS[collection]
    one = {"collection": collection, "find_by": find_by}
    tasks.done(module, **options_of(module, {**one, "body": body}))
    for metadata in ("2", "3"):
        changed = tasks.done(module, **options_of(module, {**one, "body": {**body, "metadata": metadata}}))
        assert only(tasks, collection).items() >= {**find_by, **body, "metadata": metadata}.items()
        assert "topsecretvalue" not in str(changed["operations"])
    if secrets == "left_out":
        kept = {"collection": collection, "id": only(tasks, collection)["id"]}
        kept["body"] = {**masked_at(body, path), "metadata": "4"}
        result = tasks.run(module, **options_of(module, kept))
        is_returned = collection == "backends/http_response"
        assert bool(result.get("failed")) != is_returned
        assert is_returned or f"{path}, which it did not contain" in result["msg"]
        assert not is_returned or only(tasks, collection).items() >= body.items()
