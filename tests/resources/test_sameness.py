# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts as the same, in whichever form a service returns it, also of what finds an object. Anything else is an
error that names the object. No run creates another one, or purges the one that cannot be recognized.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from amount import first_alone
from ansible_collections.edgeops.ingress.plugins.module_utils._objects.finding import is_spelled_alike
from ansible_collections.edgeops.ingress.plugins.module_utils._values.json_strings import meaning
from cases import cases
from convergence import converges
from module_task import Given, Tasks, received, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, in_each_module, seed_edge, seed_route, seed_tls_edge
from rich_world import FIRST
from scripted_service import Instead, changing

MEANINGS: list[tuple[str, str, bool]] = [
    ("shop\n", "shop", True),
    ('{"b": 1, "a": [true, null, 1.0]}\n', '{"a":[true,null,1],"b":1}', True),
    ("[1e2]", "[100]", True),
    ('{"a": 1}', '{"a": true}', False),
    ('{"a": 1}', '{"a": "1"}', False),
    ('{"a": 1, "a": 2}', '{"a": 2}', False),
    ("[1, 2]", "[2, 1]", False),
    ("1.0", "1", False),
    ('{"a": null}', "{}", False),
    ("[1e999]", "[2e999]", False),
    ("", "[]", False),
]


@pytest.mark.parametrize(("one", "other", "is_same"), MEANINGS)
def test_the_same_meaning(one: str, other: str, is_same: bool) -> None:
    assert (meaning(one) == meaning(other)) is is_same


@pytest.mark.parametrize("shown", ["empty", "null", "missing"])
def test_blank_metadata_are_none(tasks: Tasks, shown: str) -> None:
    tasks.service.switches(metadata="trimmed", empty_text=shown)
    one = {"collection": "ip_policies", "find_by": {"description": "office"}, "body": {"metadata": " \n"}}
    converges(tasks, "object", **one)


Rewrite = Callable[[str], Any]


def rewriting(tasks: Tasks, field: str, rewrite: Rewrite) -> Instead:
    def rewritten(one: Given) -> Given:
        return {**one, field: rewrite(one[field])} if one.get(field) else one

    return changing(tasks.service.base_url, lambda _, found: json.loads(json.dumps(found), object_hook=rewritten))


def an_object(value: str, module: str) -> dict[str, Any]:
    one = {"collection": "ip_policies", "find_by": {"description": value}}
    return {"objects": [{"name": "x", **one}]} if module == "estate" else one


LONG = "The shop of the north-east, with everything that belongs to it and to its customers"
# The field that finds an edge or an object, what is declared of it, and how the service writes that.
GUESSED: dict[str, tuple[str, Any, Rewrite]] = {
    "cut off": ("metadata", LONG, lambda text: text[:64]),
    "cut off JSON": ("metadata", {"description": LONG}, lambda text: text[:64]),
    "upper case": ("metadata", '{"a":{"b":1},"c":2}', lambda text: json.dumps(json.loads(text), indent=1).upper()),
    "a URL": ("description", "https://Shop.example:443", lambda url: url.lower().replace(":443", "") + "/"),
    "hostports without their ports": ("hostports", [HOSTPORT], lambda served: [served[0].removesuffix(":443")]),
}


@pytest.mark.parametrize("is_other", first_alone([False, True]))
@pytest.mark.parametrize("how", GUESSED)
def test_what_is_written_in_another_way_is_found(tasks: Tasks, how: str, is_other: bool) -> None:
    """An edge without hostports or with one, or an object; in an estate, or by itself."""
    field, value, rewrite = GUESSED[how]
    if field == "description":
        module = "object" if is_other else "estate"
        options = an_object(value, module)
    else:
        module = "https_edge" if is_other else "estate"
        edge = {"find_by": field, "hostports": [HOSTPORT] if is_other else [], field: value}
        options = edge if is_other else {"https_edges": [{**edge, "routes": [KEY]}], "purge": ["edges"]}
    instead = rewriting(tasks, field, rewrite)
    first = tasks.failed(module, instead=instead, **options, retries=1)
    again = [tasks.failed(module, check, instead, **options) for check in (False, True)]
    assert [[one.split()[0] for one in writes(result)] for result in (first, *again)] == [["POST"], [], []]
    state = tasks.service.state()
    [made] = [one["id"] for one in state["https_edges"] or state["objects"]["ip_policies"]]
    assert all(made in result["msg"] for result in (first, *again))
    assert f"set `id` to {made}" in first["msg"] or field == "hostports"


REPLACED: dict[str, Rewrite] = {
    "a constant": lambda _text: "managed",
    "nothing": lambda _text: None,
    "digits": lambda text: text.encode().hex(),
}


@pytest.mark.parametrize("how", REPLACED)
def test_an_edge_is_known_by_its_hostports_if_its_metadata_are_replaced(tasks: Tasks, how: str) -> None:
    edge = {"find_by": "metadata", "metadata": "shop", "hostports": [HOSTPORT]}
    instead = rewriting(tasks, "metadata", REPLACED[how])
    options = {"https_edges": [{**edge, "routes": [KEY]}], "purge": ["edges"], "retries": 1}
    tasks.failed("estate", instead=instead, **options)
    tasks.service.seed(https_edges=[{"id": "edghts_other"}])
    [made] = [one["id"] for one in tasks.service.state()["https_edges"] if one.get("hostports")]
    for _run in range(2):
        result = tasks.failed("estate", instead=instead, **options)
        assert f"{made}): PATCH /edges/https/{made}" in result["msg"]
        assert "returned other values for metadata" in result["msg"]
        assert all("DELETE" not in one and one != "POST /edges/https" for one in writes(result))
    result = tasks.failed("https_edge", instead=instead, **edge)
    assert (writes(result), f"({made}), and can belong to one edge only" in result["msg"]) == ([], True)
    left = {one["id"]: one.get("hostports", []) for one in tasks.service.state()["https_edges"]}
    assert left == {made: [HOSTPORT], "edghts_other": []}


@pytest.mark.parametrize("live", ["old", ""])
def test_an_edge_with_new_metadata_is_not_replaced(tasks: Tasks, live: str) -> None:
    """To purge it and create another one would interrupt it."""
    tasks.service.seed(https_edges=[{"id": "edghts_a", "metadata": live, "hostports": [HOSTPORT], "description": "d"}])
    edge = {"find_by": "metadata", "metadata": "shop", "hostports": [HOSTPORT]}
    assert writes(converges(tasks, "estate", https_edges=[edge], purge=["edges"])) == ["PATCH /edges/https/edghts_a"]
    [held] = tasks.service.state()["https_edges"]
    assert (held["id"], held["metadata"], held["description"]) == ("edghts_a", "shop", "d")


@pytest.mark.parametrize("how", REPLACED)
def test_what_cannot_be_recognized_is_never_purged(tasks: Tasks, how: str) -> None:
    instead = rewriting(tasks, "metadata", REPLACED[how])
    options = {"https_edges": [{"find_by": "metadata", "metadata": "shop"}], "purge": ["edges"]}
    first = tasks.failed("estate", instead=instead, **options)
    [made] = tasks.service.state()["https_edges"]
    assert f"or delete {made['id']}. Until then, each run may create another one" in first["msg"]
    assert {*writes(first), *writes(tasks.failed("estate", instead=instead, **options))} == {"POST /edges/https"}


def test_a_route_that_is_returned_with_another_match(tasks: Tasks) -> None:
    """Whatever identifies an object is compared, and the error names its ID."""
    tasks.service.seed(https_edges=[{"id": "edghts_a", "hostports": [HOSTPORT]}])
    routes = [{"match_type": "path_prefix", "match": "/a/"}]
    shorter = rewriting(tasks, "match", lambda match: match.rstrip("/"))
    result = tasks.failed("estate", instead=shorter, https_edges=[{"id": "edghts_a", "routes": routes}], retries=1)
    [held] = tasks.service.state()["https_edges"][0]["routes"]
    assert (held["id"] in result["msg"], len(received(result, "POST", "PATCH", "DELETE"))) == (True, 1)


@pytest.mark.parametrize("module", ["estate", "object"])
def test_an_object_of_which_no_run_could_find_the_identity(tasks: Tasks, module: str) -> None:
    instead = rewriting(tasks, "description", REPLACED["a constant"])
    result = tasks.failed(module, instead=instead, **an_object("shop", module))
    [made] = tasks.service.state()["objects"]["ip_policies"]
    assert f"{made['id']} with 'managed' for description" in result["msg"]
    assert f"or delete {made['id']}. Until then, each run may create another one" in result["msg"]


def test_objects_that_are_all_declared_may_be_spelled_alike(tasks: Tasks) -> None:
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_one", "description": "Shop"}]})
    names = {"upper": "Shop", "lower": "shop", "spaced": " SHOP"}
    objects = [{**an_object(text, "object"), "name": name} for name, text in names.items()]
    assert writes(tasks.done("estate", objects=objects)) == ["POST /ip_policies"] * 2
    assert not tasks.done("estate", objects=objects)["changed"]


# What is declared, the value of an object that is there, and whether that may be the same one.
SPELLINGS: list[tuple[Any, Any, bool]] = [
    (1.0, "1", True),
    (["1", "2"], [1, 2], True),
    ({"a": " Office"}, {"a": "Office"}, True),
    (["1"], [1, 2], False),
    ({"a": 1}, {"b": 1}, False),
    ("None", None, False),
    ("https://Shop.example.com:443/", "https://shop.example.com", True),
    ("http://x:80/a", "http://x/a", True),
    ("a b", "A  B ", True),
    ("caf\u00e9", "cafe\u0301", True),
    ("a%20b", "a b", True),
    ("https://x", "x", True),
    ("https://x:443", "x", True),
    ("https://Büro.example", "https://xn--bro-hoa.example", True),
    ("x", "http://x:80", True),
    ("a & b", "a &amp; b", True),
    ('{"a": 1}', '{ "a": "1" }', True),
    ("x" * 64, "x" * 63, True),
    ("shop.example.com.:443", "shop.example.com:443", True),
    ("Shop.example.com:8443", "shop.example.com.:8443", True),
    ("https://shop.example.com.:443/", "https://shop.example.com", True),
    ("[0:0:0:0:0:0:0:1]:443", "[::1]:443", True),
    ("[2001:DB8:0::1]:443", "[2001:db8::0:1]:443", True),
    ("[2001:db8::1]:443", "[2001:db8::2]:443", False),
    ("[1:2]:443", "[1:02]:443", False),
    ("shop.example.com.:443", "shop.example.com:444", False),
    ("shop.", "shop", False),
    ("shop-2", "shop", False),
    ("a:8443", "a", False),
    ("a:443", "a:80", False),
    ("https://x", "http://x", False),
    ("x" * 63, "x" * 64, False),
    ("x" * 63, "x" * 62, False),
    ("xn--", "xn--a", False),
]


@pytest.mark.parametrize(("declared", "live", "may_be_the_same"), SPELLINGS)
def test_what_may_be_the_same_in_another_spelling(declared: Any, live: Any, may_be_the_same: bool) -> None:
    assert is_spelled_alike(live, declared) is may_be_the_same


def test_an_object_is_read_by_hostports_as_tasks_compare_them(tasks: Tasks) -> None:
    edge_id = seed_tls_edge(tasks, hostports=["Shop.example.com:443", "blog.example.com:443"])
    hostports = ["blog.example.com:443", "shop.example.com:443"]
    for one in ({}, {"id": edge_id}):
        options = {"collection": "edges/tls", "find_by": {"hostports": hostports}, **one}
        assert [found["id"] for found in tasks.done("object_info", **options)["objects"]] == [edge_id]


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(
    "hostports", [["b.example.:443", "a.example.:443"], ["b.example.:443", "a.example:443"]], ids=str
)
def test_one_hostport_in_another_spelling_may_be_the_object(tasks: Tasks, state: str, hostports: list[str]) -> None:
    seed_tls_edge(tasks, hostports=["a.example:443", "b.example:443"])
    result = tasks.failed("object", collection="edges/tls", find_by={"hostports": hostports}, state=state)
    assert (".example:443" in result["msg"], writes(result)) == (True, [])


def test_an_edge_with_more_hostports_is_another_one(tasks: Tasks) -> None:
    """It may have taken over the hostport of one that an earlier run has deleted."""
    seed_tls_edge(tasks, hostports=["a.example:443", "c.example:443"])
    for host in ("a.example:443", "a.example.:443"):
        gone = {"collection": "edges/tls", "find_by": {"hostports": [host]}, "state": "absent"}
        assert not tasks.done("object", **gone)["changed"]
    wrong = {"collection": "edges/tls", "find_by": {"hostports": ["a.example:443", 5]}}
    assert tasks.done("object_info", **wrong)["objects"] == []


def test_another_field_in_another_spelling_may_be_the_object(tasks: Tasks) -> None:
    tasks.service.seed(tls_edges=[{"id": "edgtls_shop", "description": "shop", "hostports": ["a.example:443"]}])
    find_by = {"hostports": ["a.example:443"], "description": "Shop"}
    result = tasks.failed("object", collection="edges/tls", find_by=find_by, state="absent")
    assert "edgtls_shop has 'shop' for description" in result["msg"]


@pytest.mark.parametrize(("declared", "is_new"), [("SHOP", False), ("shop-2", True)])
def test_an_object_is_created_or_absent_only_if_none_may_be_the_same(tasks: Tasks, declared: str, is_new: bool) -> None:
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_one", "description": "shop"}]})
    result = tasks.run("object", **an_object(declared, "object"))
    said = "ipp_one has 'shop' for description, which may be the declared value in the spelling of the service."
    assert (said not in result.get("msg", ""), writes(result) == ["POST /ip_policies"]) == (is_new, is_new)
    if not is_new:
        absent = {**an_object(declared, "object"), "state": "absent"}
        for module, options in (("object", absent), ("estate", {"objects": [{"name": "one", **absent}]})):
            gone = tasks.failed(module, **options)
            assert (said in gone["msg"], writes(gone)) == (True, [])


NUMBERS = ("tripped_duration", "rolling_window", "num_buckets", "volume_threshold", "error_threshold_percentage")
KNOWN = {
    "zeros": dict.fromkeys(NUMBERS, 0),
    "oidc": {"issuer": "https://id.example.com", "client_id": "c", "client_secret": "s"},
    "google": {"email_addresses": ["Ann@Example.com"], "email_domains": ["Example.org"]},
    "webhook": FIRST["webhook_verification"],
}

# The habits of the service, and what is declared.
HABITS = cases(
    """
    addresses in upper case | letter_case: upper | oauth: {provider: {google: *google}}
    a breaker of zeros | empty_is_default: true | circuit_breaker: *zeros
    an empty prefix | empty_is_default: true | oidc: {<<: *oidc, cookie_prefix: ""}
    an empty format | empty_is_default: true | saml: {idp_metadata: <x/>, cookie_prefix: "", nameid_format: ""}
    providers like unused ones | {unused_providers: empty_object, provider_content: left_out}
        | oauth: {provider: {github: {}, google: *google}}
    both durations | durations: text | oidc: {<<: *oidc, inactivity_timeout: 2h, maximum_duration: 0s}
    """,
    **KNOWN,
)


@pytest.mark.parametrize("case", HABITS)
def test_values_that_the_service_writes_in_its_own_way_converge(tasks: Tasks, case: str) -> None:
    switches, declared = HABITS[case]
    place = seed_route(tasks)
    tasks.service.switches(**switches)
    assert writes(converges(tasks, "https_edge_route", **place, **declared))
    tasks.service.switches()
    assert not tasks.done("https_edge_route", **place, **declared)["changed"]


def test_a_plan_shows_every_provider_that_is_sent(tasks: Tasks) -> None:
    """This service does not show whether a provider is in use that lets in everyone, so it is sent all the same."""
    seed_route(tasks, oauth={"provider": {"google": KNOWN["google"]}, "cookie_prefix": "a."})
    tasks.service.switches(unused_providers="empty_object", provider_content="left_out")
    digests = set()
    for more in ({}, {"github": {}}):
        oauth = {"provider": {"google": KNOWN["google"], **more}, "cookie_prefix": "b."}
        result = tasks.done("https_edge_routes", True, **in_each_module({"oauth": oauth})["https_edge_routes"])
        assert result["plan"][0]["after"]["oauth"]["provider"].keys() == {"google", *more}
        digests.add(result["plan_digest"])
    assert len(digests) == 2


# What is live, and what is declared of the same traffic module.
OTHER_FORM = cases(
    """
    another address | oauth: {provider: {google: *google}} | provider: {google: {email_addresses: [bob@x.com]}}
    another number | circuit_breaker: {num_buckets: 20} | num_buckets: 0
    another provider | webhook_verification: *webhook | {provider: github, secret: s}
    another prefix | oidc: {<<: *oidc, cookie_prefix: mine} | {<<: *oidc, cookie_prefix: ""}
    """,
    **KNOWN,
)


@pytest.mark.parametrize("case", OTHER_FORM)
@pytest.mark.parametrize("is_default", [True, False])
def test_what_differs_is_sent(tasks: Tasks, case: str, is_default: bool) -> None:
    live, declared = OTHER_FORM[case]
    place = seed_route(tasks, **live)
    tasks.service.switches(empty_is_default=is_default, policy_name="value", letter_case="upper", durations="text")
    [module] = live
    assert len(writes(converges(tasks, "https_edge_route", **place, **{module: declared}))) == 1


CLEARED: dict[str, Given] = {
    "https_edge_route": {"edge_id": EDGE, **KEY, "description": ""},
    "https_edge": {"id": EDGE, "metadata": ""},
    "estate": {"https_edges": [{"id": EDGE, "description": "", "metadata": "", "routes": [{**KEY, "metadata": ""}]}]},
    "object": {"collection": "ip_policies", "id": "ipp_one", "body": {"description": ""}},
}


@pytest.mark.parametrize(("module", "options"), CLEARED.items(), ids=CLEARED)
def test_strings_that_the_service_does_not_clear_change_nothing(tasks: Tasks, module: str, options: Given) -> None:
    old = {"description": "old", "metadata": "old"}
    seed_edge(tasks, **old, routes=[{"id": ROUTE, **KEY, **old}])
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_one", **old}]})
    tasks.service.switches(cleared_text="ignored")
    for _run in range(2):
        result = tasks.done(module, **options)
        assert (result["changed"], result["operations"], bool(writes(result))) == (False, [], True)
        assert "does not clear" in result["warnings"][0]
        assert any(name in result["warnings"][0] for name in old)
    if module == "https_edge_route":
        for changes in (True, False):  # another field changes as well, and is then as declared
            result = tasks.done(module, **options, metadata="new")
            assert (result["changed"], "description" in result["warnings"][0]) == (changes, True)
    tasks.service.switches()
    converges(tasks, module, **options)
