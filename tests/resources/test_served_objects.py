# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever serves traffic is judged as edges are, also TCP edges and endpoints, which have no module of their own:
for findings, for requirements, and for what a task opens, whether or not the task declares it.
"""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._access.served_objects import served_state
from ansible_collections.edgeops.ingress.plugins.module_utils._values.kinds import Mark
from cases import cases
from estates_to_judge import Given, estate
from module_task import Tasks, accepted_writes, writes
from places import EDGE, TLS_EDGE, seed_tls_edge
from scripted_service import Received, Response, rejecting

BACKEND: Given = {"backend": {"backend_id": "bkd_one"}}
KNOWN = {**BACKEND, "office": {"ip_policy_ids": ["ipp_office"]}, "clients": {"certificate_authority_ids": ["ca_one"]}}
OFFICE: Given = {"ip_restriction": KNOWN["office"]}
MODULES = ["ip_restriction", "mutual_tls", "traffic_policy"]


def declared(collection: str, find_by: Given, **body: Any) -> Given:
    return {"objects": [{"name": "served", "collection": collection, "find_by": find_by, "body": body}]}


def vpn(**body: Any) -> Given:
    """The TLS edge of the tests, as an object."""
    return {"name": "vpn", "collection": "edges/tls", "id": TLS_EDGE, "body": body}


TLS = ("edges/tls", {"hostports": ["vpn.example.com:443"]})
TCP = ("edges/tcp", {"hostports": ["1.tcp.example.com:22"]})
# What is live of a TLS edge, what is declared of it (without a live one, of a TCP edge), the rules that find something,
# and what it opens.
CASES = cases(
    """
    certificates are disabled | mutual_tls: *clients | mutual_tls: {<<: *clients, enabled: false}
        | [protection_disabled] | ["vpn.example.com:443: no longer requires a client certificate"]
    a restriction is disabled | ip_restriction: *office | ip_restriction: {<<: *office, enabled: false}
        | [protection_disabled] | ["vpn.example.com:443: no longer requires an allowed network"]
    other certificates | mutual_tls: *clients | mutual_tls: {certificate_authority_ids: [ca_two]}
        | [] | ["vpn.example.com:443: also admits certificate_authority_ids ca_two"]
    obsolete TLS | {} | tls_termination: {min_version: "1.0"} | [old_tls] | []
    a description | mutual_tls: *clients | description: VPN | [] | []
    a port of administrators | null | backend: *backend | [service_port_in_the_open]
        | ["1.tcp.example.com:22: nothing took it before, and everyone gets through now"]
    a protected port of administrators | null | {backend: *backend, ip_restriction: *office} | []
        | ["1.tcp.example.com:22: nothing took it before, and it requires an allowed network now"]
    """,
    **KNOWN,
)


@pytest.mark.parametrize(("live", "body", "rules", "opens"), CASES.values(), ids=CASES)
def test_a_declaration_is_judged(tasks: Tasks, live: Any, body: Given, rules: list[str], opens: list[str]) -> None:
    if live is not None:
        seed_tls_edge(tasks, **TLS[1], **BACKEND, **live)
    options = declared(*(TCP if live is None else TLS), **body)
    dry = tasks.run("estate", True, **options, reject_findings="low")
    assert [one["rule"] for one in dry["findings"] if one["created"]] == rules
    assert [f"{one['request']}: {one['text']}" for entry in dry["plan"] for one in entry["opens"]] == opens
    result = tasks.run("estate", **options, reject_findings="low")
    assert (bool(result.get("failed")), writes(result) == []) == (bool(rules), bool(rules))
    if live is None:
        judged = tasks.done("exposure_info", estate=options)
        assert [one["rule"] for one in judged["findings"]] == rules


@pytest.mark.parametrize(
    "odd", [[{}], [["a"]], [{"x": 1}], "", "x", {}, {"x": 1}, False, True, 0, 5, [5], [None]], ids=repr
)
@pytest.mark.parametrize("name", ["ip_policy_ids", "ip_policies"])
def test_a_list_with_an_unexpected_form_is_no_failure(name: str, odd: Any) -> None:
    """Services may return anything, and a declaration is shown in the form of a response."""
    found = served_state({"ip_restriction": {name: odd, "enabled": True}})["ip_restriction"]
    assert found is Mark.KEEP or found["ip_policy_ids"] in ([], ["x"])


@pytest.mark.parametrize(("ids", "who"), [(None, ["ipp_one"]), (["ipp_two"], ["ipp_two"]), ([], [])], ids=str)
def test_what_is_declared_comes_before_what_is_returned_beside_it(ids: Any, who: list[str]) -> None:
    """Some services return the name of requests as well, as null."""
    wire = {"ip_policy_ids": ids, "ip_policies": [{"id": "ipp_one", "uri": "x"}]}
    assert served_state({"ip_restriction": wire})["ip_restriction"]["ip_policy_ids"] == who


@pytest.mark.parametrize("policy", ["", "on_tcp_connect: []"])
def test_an_endpoint_is_judged_by_its_url(tasks: Tasks, policy: str) -> None:
    options = declared("endpoints", {"url": "tcp://1.tcp.example.com:22"}, type="cloud", traffic_policy=policy)
    judged = tasks.done("exposure_info", estate=options)
    assert [one["rule"] for one in judged["findings"]] == ["service_port_in_the_open"] * (not policy)
    assert ("objects[0].traffic_policy" in {one["path"] for one in judged["not_judged"]}) == bool(policy)


def test_an_endpoint_without_a_port_serves_that_of_its_scheme(tasks: Tasks) -> None:
    options = declared("endpoints", {"url": "http://y.example.com"}, type="cloud", traffic_policy="")
    urls = ["http://y.example.com:80/", "http://y.example.com:443/"]
    traces = tasks.done("exposure_info", estate=options, requests=urls)["requests"]
    assert [bool(one["object"]) for one in traces] == [True, False]


def test_an_unknown_collection_may_serve_traffic(tasks: Tasks) -> None:
    options = declared("edges/udp", {"hostports": ["1.udp.example.com:53"]})
    result = tasks.run("estate", True, **options, reject_findings="low")
    assert any("edges/udp" in one["object"] for one in result.get("not_judged", ())), result.get("msg")


def demanded(needs: str, **more: Any) -> list[Given]:
    return [{"needs": [needs], "reason": "Somebody has decided that.", **more}]


# What is live, and the hosts and paths for which a login is demanded. A match with a port is not defined by the API
# reference, so it may take the requests of any host.
OPEN = cases(
    """
    a TCP edge           | objects: {edges/tcp: [{hostports: ["y.example.com:22"], backend: *backend}]} | hosts: *Y
    an endpoint          | objects: {endpoints: [*ENDPOINT]} | hosts: *Y
    a TLS edge           | tls_edges: [{hostports: ["y.example.com:443"], backend: *backend}] | hosts: *Y
    a host in Unicode    | *IDN | hosts: [shöp.example.com]
    in upper case        | *IDN | hosts: [SHÖP.example.com.]
    as it is sent        | *IDN | hosts: [xn--shp-tna.example.com]
    a match with a port  | *PORT | {hosts: [shop.example.com], paths: [/admin]}
    """,
    **KNOWN,
    Y=["y.example.com"],
    ENDPOINT={"type": "cloud", "url": "tls://y.example.com", "traffic_policy": "on_tcp_connect: []"},
    IDN=estate("[host=xn--shp-tna.example.com] /"),
    PORT=estate("shop.example.com:443/admin"),
)


@pytest.mark.parametrize(("live", "about"), OPEN.values(), ids=OPEN)
def test_exposure_info_finds_what_estate_rejects(tasks: Tasks, live: Given, about: Given) -> None:
    tasks.service.seed(**live)
    requirements = demanded("login", **about)
    assert tasks.failed("estate", https_edges=[], requirements=requirements)["findings"]
    result = tasks.failed("exposure_info", requirements=requirements, fail_on="high")
    assert "requirement_not_met" in [one["rule"] for one in result["findings"]]


def test_a_live_object_is_named_so_that_it_is_recognized_if_it_is_created_again(tasks: Tasks) -> None:
    edge = {"id": "edgtcp_one", "hostports": ["1.tcp.example.net:22"], **BACKEND}
    tasks.service.seed(objects={"edges/tcp": [edge]})
    found = tasks.done("exposure_info", requirements=demanded("login"))["findings"]
    assert {one["object"] for one in found} == {"object edges/tcp 1.tcp.example.net:22 (edgtcp_one)"}


def test_a_declared_tls_edge_keeps_its_hosts(tasks: Tasks) -> None:
    edge_id = seed_tls_edge(tasks, hostports=["x.example.com:443"], **BACKEND)
    tls_edges = [{"edge_id": edge_id, "tls_termination": {"terminate_at": "edge"}}]
    result = tasks.failed("estate", tls_edges=tls_edges, requirements=demanded("network", hosts=["x.example.com"]))
    assert "x.example.com:443 lets everyone through" in result["msg"]


@pytest.mark.parametrize("path", ["/admin/*", "/admin?x=1", "/admin#x", "/%61dmin", "/x/../admin", "//admin", "/a b"])
def test_a_path_that_no_request_begins_with_is_an_error(tasks: Tasks, path: str) -> None:
    result = tasks.failed("exposure_info", requirements=demanded("login", paths=[path]))
    assert f"requirements[0].paths[0]: {path!r} is not a path" in result["msg"]


ALL, SHOP, BLOG = "[id=edghts_all host=*.example.com]", "shop.example.com:443", "blog.example.com:443"
TWO = "shop.example.com+blog.example.com"
# The edges, and what becomes of the first one.
HANDED_OVER: list[tuple[str, Given]] = [
    (f"[id={EDGE}] / staff | {ALL} /", {"state": "absent"}),
    (f"[id={EDGE} host={TWO}] / staff | {ALL} /", {"hostports": [BLOG], "purge_hostports": True}),
    (f"[id={EDGE} host=blog.example.com] / | {ALL} / staff", {"hostports": [BLOG, SHOP]}),
]


@pytest.mark.parametrize(("edges", "options"), HANDED_OVER, ids=["deleted", "given up", "taken"])
def test_an_edge_is_compared_with_those_that_take_its_requests(tasks: Tasks, edges: str, options: Given) -> None:
    tasks.service.seed(**estate(edges))
    declared = [{"id": EDGE, "hostports": options["hostports"]}] if "hostports" in options else None
    purging = {"https_edges": declared, "purge": ["hostports"] if "purge_hostports" in options else []}
    for module, given in (("https_edge", {"id": EDGE, **options}), *([("estate", purging)] if declared else [])):
        result = tasks.failed(module, **given, reject_openings=True)
        assert ("no longer requires a login" in result["msg"], writes(result)) == (True, []), module


def test_a_new_tls_edge_is_not_created_before_what_restricts_it(tasks: Tasks) -> None:
    body = {"hostports": ["till.example.com:443"], **BACKEND}
    tills = {"name": "tills", "collection": "edges/tls", "find_by": {"description": "Tills"}, "body": body}
    result = tasks.failed("estate", objects=[tills], tls_edges=[{"edge_id": "ref:tills", **OFFICE}])
    assert "Declare them in its `body`" in result["msg"]
    assert writes(result) == []
    assert tasks.done("estate", objects=[{**tills, "body": {**body, **OFFICE}}])["changed"]


@pytest.mark.parametrize("has_list", [True, False])
@pytest.mark.parametrize("is_restricted", [True, False])
def test_a_wildcard_of_a_tls_edge_takes_what_others_do_not(tasks: Tasks, is_restricted: bool, has_list: bool) -> None:
    """Before another edge gives up a host, the TLS edge is restricted; after it takes one, that may be open."""
    edge = {"hostports": ["*.example.com:443"], **BACKEND}
    hosts = ["shop.example.net", "shop.example.com"]
    module = OFFICE
    if is_restricted:
        edge, module, hosts = {**edge, **module}, {"absent_modules": ["ip_restriction"]}, hosts[::-1]
    seed_tls_edge(tasks, **edge)
    tasks.service.seed(**estate(f"[id={EDGE} host={hosts[1]}] / staff"))
    own = {"id": EDGE, "hostports": [f"{hosts[0]}:443"]}
    options = {"https_edges": [own], "tls_edges": [{"edge_id": TLS_EDGE, **module}], "purge": ["hostports"]}
    no_list = rejecting("GET", "edges/tls", Response(404))
    first = ("PATCH", EDGE) if is_restricted else ("PUT", "/ip_restriction")

    def instead(request: Received) -> Response | None:
        return rejecting(*first)(request) or (None if has_list else no_list(request))

    assert accepted_writes(tasks.failed("estate", instead=instead, **options)) == []
    result = tasks.done("estate", instead=None if has_list else no_list, **options)
    assert len(writes(result)) == 2


@pytest.mark.parametrize("module", ["object", "estate"])
def test_a_put_removes_what_it_does_not_send(tasks: Tasks, module: str) -> None:
    seed_tls_edge(tasks, **TLS[1], **BACKEND, **OFFICE)
    put = {**vpn(**TLS[1], **BACKEND, description="The VPN"), "update_method": "PUT"}
    options = {"objects": [put]} if module == "estate" else {name: put[name] for name in put if name != "name"}
    result = tasks.failed(module, **options, reject_openings=True)
    assert ("no longer requires an allowed network" in result["msg"], writes(result)) == (True, [])


# What is live of a TLS edge, what is declared of it, and what it opens that the rest of the traffic module is not sent.
DROPPED = cases(
    """
    a disabled backend     | backend: {<<: *backend, enabled: false} | backend: *backend | reopened
    a restriction          | ip_restriction: *office | ip_restriction: {enabled: true} | unlocked
    required certificates  | mutual_tls: *clients | mutual_tls: {enabled: true} | unlocked
    a policy               | traffic_policy: {enabled: true, value: "on_tcp_connect: [{actions: [{type: deny}]}]"}
        | traffic_policy: {enabled: true} | others
    """,
    **KNOWN,
)


@pytest.mark.parametrize("how", [{"update_method": "PUT"}, {"always_send": ["backend", *MODULES]}], ids=list)
@pytest.mark.parametrize(("live", "body", "kind"), DROPPED.values(), ids=DROPPED)
def test_what_is_sent_replaces_all_inside_of_it(tasks: Tasks, live: Given, body: Given, kind: str, how: Given) -> None:
    """Only the metadata differs from what is declared."""
    seed_tls_edge(tasks, **{**TLS[1], **BACKEND, **live})
    options = {"objects": [{**vpn(**{**TLS[1], **BACKEND, **body}, metadata="x"), **how}], "allow_empty": True}
    dry = tasks.done("estate", True, **options)
    assert [found["kind"] for entry in dry["plan"] for found in entry["opens"]] == [kind]
    result = tasks.failed("estate", **options, reject_openings=True)
    assert (writes(result), "vpn.example.com:443" in result["msg"]) == ([], True)


def test_a_policy_in_another_form_opens_nothing(tasks: Tasks) -> None:
    live, declared = ({"enabled": True, "value": f'{{"on_tcp_connect":{space}[]}}'} for space in (" ", ""))
    seed_tls_edge(tasks, **TLS[1], **BACKEND, traffic_policy=live)
    one = {**vpn(**TLS[1], **BACKEND, traffic_policy=declared, metadata="x"), "update_method": "PUT"}
    assert [entry["opens"] for entry in tasks.done("estate", True, objects=[one])["plan"]] == [[]]


def test_check_mode_returns_what_an_update_sends_unchanged(tasks: Tasks) -> None:
    modules = {**BACKEND, "tls_termination": {"terminate_at": "edge"}}
    seed_tls_edge(tasks, **TLS[1], **BACKEND, tls_termination={"terminate_at": "edge", "min_version": "1.2"})
    options = {"collection": "edges/tls", "id": TLS_EDGE, "body": {**modules, "metadata": "x"}}
    dry, real = (tasks.done("object", check, **options, always_send=[*modules]) for check in (True, False))
    assert dry["object"] == real["object"]


def test_what_a_put_reopens_waits_for_what_narrows_it(tasks: Tasks) -> None:
    rule = {"ip_policy_id": "ipp_office", "action": "allow"}
    rules = [{**rule, "id": f"ipr_{one[0]}", "cidr": one} for one in ("0.0.0.0/0", "192.0.2.0/24")]
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_office"}], "ip_policy_rules": rules})
    seed_tls_edge(tasks, **TLS[1], **OFFICE, backend={**BACKEND["backend"], "enabled": False})
    edge = {**vpn(**TLS[1], **OFFICE, **BACKEND, metadata="x"), "update_method": "PUT"}
    gone = {"name": "all", "collection": "ip_policy_rules", "id": "ipr_0", "state": "absent"}
    operations = tasks.done("estate", True, objects=[edge, gone])["operations"]
    assert [one["method"] for one in operations] == ["DELETE", "PUT"]


@pytest.mark.parametrize("members", ["whole", "without_parts", "id_and_uri"])
def test_what_a_list_leaves_out_is_read(tasks: Tasks, members: str) -> None:
    tasks.service.switches(list_members=members)
    seed_tls_edge(tasks, **TLS[1], **BACKEND, **OFFICE)
    rule = {"id": "ipr_office", "ip_policy_id": "ipp_office", "action": "allow", "cidr": "10.0.0.0/8"}
    policy = {"id": "ipp_office", "description": "office"}
    tasks.service.seed(objects={"ip_policies": [policy], "ip_policy_rules": [rule]})
    wide = {"name": "wide", "collection": "ip_policy_rules", "id": "ipr_office", "body": {"cidr": "0.0.0.0/0"}}
    result = tasks.failed("estate", objects=[wide], reject_openings=True)
    assert "vpn.example.com:443: also admits 0.0.0.0/0" in result["msg"]
    requirements = demanded("login", hosts=["vpn.example.com"])
    needs_login = tasks.failed("exposure_info", requirements=requirements, fail_on="high")
    assert "vpn.example.com:443 requires only an allowed network" in needs_login["msg"]


@pytest.mark.parametrize("collection", ["edges/tls", "edges/tcp"])
def test_hostports_that_a_list_leaves_out_are_read(tasks: Tasks, collection: str) -> None:
    edge = {"description": "VPN", "hostports": ["x.example.com:443"]}
    tasks.service.seed(**({"tls_edges": [edge]} if collection == "edges/tls" else {"objects": {collection: [edge]}}))
    tasks.service.switches(list_members="without_parts")
    result = tasks.failed("estate", **declared(collection, {"description": "VPN"}, **BACKEND), reject_openings=True)
    assert "x.example.com:443: nobody got through before, and everyone gets through now" in result["msg"]


def test_nothing_opens_on_a_tls_edge_without_a_backend(tasks: Tasks) -> None:
    seed_tls_edge(tasks, **TLS[1], **OFFICE)
    removed = {"edge_id": TLS_EDGE, "absent_modules": ["ip_restriction"]}
    assert tasks.done("estate", tls_edges=[removed], reject_openings=True)["plan"][0]["opens"] == []


def test_a_host_that_only_one_of_two_edges_names_stands_for_no_other(tasks: Tasks) -> None:
    """Both hosts move from one edge to another one, which does not name any."""
    hosts = estate(f"[id={EDGE} host={TWO}] /admin staff, {BLOG.partition(':')[0]}/admin")
    tasks.service.seed(**hosts)
    seed_tls_edge(tasks, hostports=[], **BACKEND)
    taking = {**vpn(hostports=[SHOP, BLOG]), "unordered": ["hostports"]}
    declared = {"https_edges": [{"id": EDGE, "hostports": []}], "objects": [taking]}
    result = tasks.done("estate", True, **declared, purge=["hostports"], allow_empty=True, reject_findings="high")
    opens = [(one["request"], one["kind"]) for entry in result["plan"] for one in entry["opens"]]
    assert (SHOP, "unlocked") in opens


@pytest.mark.parametrize("body", [{}, {"hostports": TLS[1]["hostports"]}, {"metadata": "x"}], ids=str)
@pytest.mark.parametrize(
    "module",
    [{"absent_modules": ["ip_restriction"]}, {"ip_restriction": {**KNOWN["office"], "enabled": False}}],
    ids=str,
)
def test_a_tls_edge_is_as_open_as_its_modules_also_as_an_object(tasks: Tasks, body: Given, module: Given) -> None:
    seed_tls_edge(tasks, **TLS[1], **BACKEND, **OFFICE)
    options = {"objects": [vpn(**body)], "tls_edges": [{"edge_id": TLS_EDGE, **module}]}
    opens = [one["text"] for entry in tasks.done("estate", True, **options)["plan"] for one in entry["opens"]]
    assert opens == ["no longer requires an allowed network"]
    for more in ({"reject_openings": True}, {"requirements": demanded("network", hosts=["vpn.example.com"])}):
        assert accepted_writes(tasks.failed("estate", **options, **more)) == []


def test_a_tls_edge_is_closed_before_its_restriction_goes(tasks: Tasks) -> None:
    edge = {"backend": {"backend_id": "bkdst_x"}, **OFFICE}
    seed_tls_edge(tasks, **TLS[1], **edge)
    rule = {"id": "ipr_one", "ip_policy_id": "ipp_office", "action": "allow", "cidr": "10.0.0.0/8"}
    objects: Given = {"ip_policies": [{"id": "ipp_office"}], "ip_policy_rules": [rule]}
    objects["backends/static"] = [{"id": "bkdst_x", "address": "a.internal:80"}]
    tasks.service.seed(tls_edges=[{**edge, "hostports": ["other.example.com:443"]}], objects=objects)
    closed = {"backend": {"backend_id": "bkdst_x", "enabled": False}}
    gone = {name: rule[name] for name in ("ip_policy_id", "action", "cidr")}
    result = tasks.run(
        "estate",
        objects=[
            vpn(**closed),
            {"name": "rule", "collection": "ip_policy_rules", "find_by": gone, "state": "absent"},
            {"name": "x", "collection": "backends/static", "id": "bkdst_x", "body": {"address": "b.internal:80"}},
        ],
        tls_edges=[{"edge_id": TLS_EDGE, "absent_modules": ["ip_restriction"]}],
    )
    done = accepted_writes(result)
    removal = "DELETE /edges/tls/edgtls_place/ip_restriction"
    assert removal not in done or done.index("PATCH /edges/tls/edgtls_place") < done.index(removal)


# What is live of a TLS edge beside its restriction, what its object declares, and what its modules do.
BOTH = cases(
    """
    it is opened | {backend: {backend_id: bkd_one, enabled: false}} | backend: *backend | ip_restriction: *office
    another hostport, and other networks | {backend: *backend, ip_restriction: *office}
        | hostports: ["vpn.example.com:443", "other.example.com:443"] | ip_restriction: {ip_policy_ids: [ipp_other]}
    a description, and no networks | {backend: *backend, ip_restriction: *office} | description: x
        | absent_modules: [ip_restriction]
    """,
    **KNOWN,
)


@pytest.mark.parametrize("empties", ["nothing", "everything"])
@pytest.mark.parametrize(("live", "body", "module"), BOTH.values(), ids=BOTH)
def test_an_update_of_a_tls_edge_leaves_its_modules_as_the_task_has_set_them(
    tasks: Tasks, live: Given, body: Given, module: Given, empties: str
) -> None:
    seed_tls_edge(tasks, **TLS[1], **live)
    tasks.service.switches(patch_empties=empties)
    unordered = ["hostports"] if "hostports" in body else []
    options = {"objects": [{**vpn(**body), "unordered": unordered}], "tls_edges": [{"edge_id": TLS_EDGE, **module}]}
    tasks.done("estate", **options)
    assert not tasks.done("estate", **options)["changed"]
