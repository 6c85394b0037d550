# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of which the collection knows no fields: what differs, what is sent, and how they are distinguished."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import SecretNeeded
from ansible_collections.edgeops.ingress.plugins.module_utils._model import named_secrets
from ansible_collections.edgeops.ingress.plugins.module_utils._model.free_form import declared_fields, free_form
from ansible_collections.edgeops.ingress.plugins.module_utils._model.free_form_values import Terms, is_lost
from ansible_collections.edgeops.ingress.plugins.module_utils._model.named_strings import Headers
from ansible_collections.edgeops.ingress.plugins.module_utils._planning import named_references
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.object_export import exported_objects
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.object_names import with_distinguishing_fields
from ansible_collections.edgeops.ingress.plugins.module_utils._values.identifiers import is_name
from ansible_collections.edgeops.ingress.plugins.module_utils._values.kinds import MASK

Given = dict[str, Any]
REF = {"id": "x_1", "uri": "https://api.example.com/x/x_1"}
OTHER = {"id": "x_2", "uri": "https://api.example.com/x/x_2"}

POLICY = '{"inbound": [{"name": "r", "actions": [{"type": "deny"}]}], "outbound": []}\n'
WRITTEN = '{"outbound":[],"inbound":[{"actions":[{"type":"deny"}],"name":"r"}]}'
# What is declared, what the service returns, and the paths that differ.
CASES: dict[str, tuple[Given, Given, list[str]]] = {
    "a whole number": ({"a": 1.0}, {"a": 1}, []),
    "a boolean is not a number": ({"a": True}, {"a": 1}, ["a"]),
    "a missing string": ({"a": ""}, {}, []),
    "a line end at the end": ({"a": "x\r\n"}, {"a": "x\n"}, []),
    "another line end inside": ({"a": "x\ny"}, {"a": "x\n\ny"}, ["a"]),
    "a blank at the end": ({"a": "x"}, {"a": "x "}, ["a"]),
    "a line end at the end of a set's member": ({"set": ["x", "y"]}, {"set": ["y\n", "x\n"]}, []),
    "a line end at the end of a redacted secret": ({"token": "xyz\n"}, {"token": "x***z"}, []),
    "another secret": ({"token": "x"}, {"token": "y\n"}, ["token"]),
    "a missing value": ({"a": "x"}, {}, ["a"]),
    "a missing false": ({"a": False}, {"a": None}, []),
    "an empty list in place of null": ({"a": []}, {"a": None}, []),
    "an emptied list": ({"a": []}, {"a": [1]}, ["a"]),
    "a deep key": ({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 2, "d": 3}}}, ["a.b.c"]),
    "a missing dictionary": ({"a": {"b": {"c": 1}, "d": 2}}, {"a": None}, ["a"]),
    "a dictionary of nothing": ({"a": {"b": "", "c": {"d": []}}}, {}, []),
    "another type": ({"a": {"b": 1}}, {"a": "b"}, ["a"]),
    "a null inside": ({"a": {"b": None, "c": 1}}, {"a": {"b": 5, "c": 1}}, []),
    "a null in a list": ({"a": [{"b": None, "c": 1}]}, {"a": [{"b": 5, "c": 1}]}, []),
    "another order": ({"a": [1, 2]}, {"a": [2, 1]}, ["a"]),
    "another order of a set": ({"set": [1, 2]}, {"set": [2, 1, 1]}, []),
    "a smaller set": ({"set": [1]}, {"set": [2, 1]}, ["set"]),
    "a set of dictionaries": ({"set": [{"k": 1}, {"k": 2}]}, {"set": [{"k": 2, "l": 3}, {"k": 1}]}, []),
    "a list of dictionaries": ({"a": [{"k": 1}, {"k": 2}]}, {"a": [{"k": 1}, {"k": 3}]}, ["a[1].k"]),
    "a reference": ({"x_id": "x_1"}, {"x": REF}, []),
    "another reference": ({"x_id": "x_2"}, {"x": REF}, ["x_id"]),
    "an ID for a reference": ({"x_id": "x_1"}, {"x": "x_1"}, []),
    "a reference below": ({"m": {"x_id": "x_1"}}, {"m": {"enabled": True, "x": REF}}, []),
    "a field of its own": ({"x_id": "x_1", "x": 5}, {"x_id": "x_1", "x": 5}, []),
    "references": ({"x_ids": ["x_1", "x_2"]}, {"xs": [REF, OTHER]}, []),
    "references in y": ({"policy_ids": ["x_1"]}, {"policies": [REF]}, []),
    "references in s": ({"access_ids": ["x_1"]}, {"accesses": [REF]}, []),
    "one of several": ({"x_ids": ["x_1", "x_2"]}, {"xs": OTHER}, []),
    "one of others": ({"x_ids": ["x_1"]}, {"xs": OTHER}, ["x_ids"]),
    "a reference in a list": ({"x_id": "x_1"}, {"x": [REF]}, []),
    "an empty reference": ({"x_id": ""}, {"x": {"id": None, "uri": None}}, []),
    "an empty reference in a list": ({"x_ids": []}, {"xs": [{"id": "", "uri": ""}]}, []),
    "an empty reference for several": ({"x_ids": []}, {"xs": {"id": None}}, []),
    "no references": ({"x_ids": []}, {"xs": REF}, ["x_ids"]),
    "a written policy inside": ({"traffic_policy": {"value": POLICY}}, {"traffic_policy": {"value": WRITTEN}}, []),
    "another policy": ({"traffic_policy": POLICY.upper()}, {"traffic_policy": WRITTEN}, ["traffic_policy"]),
    "written metadata": ({"metadata": POLICY}, {"metadata": WRITTEN}, []),
    "another written text": ({"text": POLICY}, {"text": WRITTEN}, ["text"]),
    "a missing secret": ({"a": {"token": "t"}}, {}, []),
    "a missing list of secrets": ({"credentials": ["a", "b"]}, {}, []),
    "what is not returned": ({"key": "k"}, {"key": "l"}, []),
    "what never changes": ({"fixed": "k"}, {"fixed": "l"}, ["fixed"]),
    "what never changes and is unknown": ({"fixed": "k"}, {"fixed": None}, []),
    "what never changes in what is unknown": ({"m": {"fixed": "k"}}, {}, []),
    "names of headers": ({"headers": {"X-ENV": "a", "COOKIE": "b"}}, {"headers": {"x-env": "a", "cookie": "b"}}, []),
    "another header": ({"headers": {"X-ENV": "b"}}, {"headers": {"x-env": "a"}}, ["headers.X-ENV"]),
    "another secret header": ({"headers": {"COOKIE": "b"}}, {"headers": {"cookie": "a"}}, ["headers.COOKIE"]),
    "a new header": ({"headers": {"X-New": "c"}}, {"headers": {"x-env": "a"}}, ["headers.X-New"]),
    "a new secret header": ({"headers": {"X": "a", "Cookie": "b"}}, {"headers": {"X": "a"}}, ["headers.Cookie"]),
    "a secret that is a number": ({"token": 1234}, {"token": "12***"}, []),
}
TERMS = Terms(frozenset({"set"}), named_secrets.SecretFields(frozenset({"key"})), frozenset({"fixed", "m.fixed"}))


@pytest.mark.parametrize("name", CASES)
def test_only_declared_fields_that_differ_are_differences(name: str) -> None:
    declared, wire, expected = CASES[name]
    kind = free_form(declared, TERMS)
    current = kind.read({"id": "o_1", **wire}, "")
    assert kind.differs(current, kind.normal(declared), "", False) == expected
    if not expected:
        assert kind.predict(current, kind.normal(declared)) == current


# What is declared, what the service returns, and the secret that an update would remove.
LOST: list[tuple[Given, Given, str | None]] = [
    ({"a": {"b": 1}}, {"a": {"token": "t", "b": 2}}, "a.token"),
    ({"a": {"b": 1}}, {"a": {"token": "", "b": 2}}, None),
    ({"a": {"b": 1}}, {"c": {"token": "t"}, "a": {"b": 2}}, None),
    ({"a": {"b": 1, "token": "u"}}, {"a": {"token": "t", "b": 2}}, None),
    ({"a": [{"b": 1}]}, {"a": [{"token": "t", "b": 2}]}, "a.token"),
    ({"set": [{"b": 2}, {"b": 1}]}, {"set": [{"b": 1, "token": "t"}]}, "set.token"),
    ({"set": [{"b": 2}]}, {"set": [{"b": 1, "token": "t"}]}, None),
    ({"headers": {"X-ENV": "b"}}, {"headers": {"x-env": "a", "cookie": "k"}}, "headers.cookie"),
]


@pytest.mark.parametrize(("declared", "wire", "lost"), LOST)
def test_secrets_that_an_update_would_remove(declared: Given, wire: Given, lost: str | None) -> None:
    kind = free_form(declared, Terms(frozenset({"set"})))
    assert kind.lost_secret(kind.read({"id": "o_1", **wire}, ""), declared, is_whole=False) == lost


def test_the_mask_is_replaced_by_a_secret_that_is_known() -> None:
    declared = {"a": {"token": MASK, "b": 1}}
    kind = free_form(declared, Terms()).named["a"].kind
    assert kind.body(declared["a"], {"token": "t"}, "a") == {"token": "t", "b": 1}
    with pytest.raises(SecretNeeded, match=r"a\.token: required for this change"):
        kind.body(declared["a"], {}, "a")


def test_fields_that_are_declared() -> None:
    body = {"a": None, 1: "x", "metadata": {"b": 1, "a": [2]}}
    assert declared_fields(body) == {"1": "x", "metadata": '{"a":[2],"b":1}'}


def test_secrets_by_name_and_by_path() -> None:
    value = {"a": [{"key": {"x": "one", "y": 2}}], "secret": ["three"], "key": "public"}
    fields = named_secrets.secret_fields("things", ["a.key"])
    assert set(named_secrets.secrets_in(value, fields)) == {"one", "2", "three"}
    assert named_secrets.masked(value, fields) == {"a": [{"key": MASK}], "secret": [MASK], "key": "public"}
    assert list(named_secrets.secrets_in(value, named_secrets.secret_fields("things", []))) == []
    assert named_secrets.masked(value, named_secrets.secret_fields("things", [])) == value


def test_the_id_of_a_backend_may_end_like_the_name_of_a_secret() -> None:
    assert named_secrets.masked({"backends": {"bkdst_Wfpwd": 1}, "token": {"backends": {"bkdst_Wfpwd": 1}}}) == {
        "backends": {"bkdst_Wfpwd": 1},
        "token": {"backends": {"bkdst_Wfpwd": MASK}},
    }


SECRET_NAMES = [
    *("private_key_pem", "api_key", "token", "password", "secret", "client_secret", "authToken", "api-key", "pwd"),
    *("private_key", "credentials", "secretKey", "secret_key", "signing_key", "signingKey", "bearer", "bearerJWT"),
    *("jwt", "hmac", "hmacKey", "Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "Proxy-Authorization"),
    *("x-upstream-token", "X-Password", "X-Auth-Key", "X-Functions-Key", "Ocp-Apim-Subscription-Key", "X-Shared-Key"),
]
OTHER_NAMES = ["header", "jwt-settings", "key", "X-Request-Id", "token_url", "keys"]


@pytest.mark.parametrize("name", [*SECRET_NAMES, *OTHER_NAMES])
def test_what_is_named_like_a_secret_is_one_in_objects_headers_and_policies(name: str) -> None:
    is_secret = name in SECRET_NAMES
    assert list(named_secrets.secrets_in({"a": {name: "x"}})) == ["x"] * is_secret
    assert named_secrets.masked([{"config": {name: "x"}}]) == [{"config": {name: MASK if is_secret else "x"}}]
    assert Headers().shown(Headers().read({name: "x"}, "")) == {name.lower(): MASK if is_secret else "x"}


@pytest.mark.parametrize("write_only", [None, "value", {"value": 1}, ["other"]])
def test_a_name_that_is_secret_in_some_collections(write_only: Any) -> None:
    value = {"target": [{"value": "x"}], "value": "y"}
    for collection in ("vault_secrets", "event_destinations"):
        assert set(named_secrets.secrets_in(value, named_secrets.secret_fields(collection, write_only))) == {"x", "y"}
        assert list(named_secrets.secrets_in(value, named_secrets.secret_fields(collection, []))) == []
    assert list(named_secrets.secrets_in(value, named_secrets.secret_fields(["odd"], write_only))) == []


@pytest.mark.parametrize(("pin", "sent"), [("1", "1"), (None, None), ("other", None)])
def test_a_mask_in_text_stands_for_the_current_secret_of_the_same_member(pin: str | None, sent: str | None) -> None:
    secret = named_secrets.secret_fields("backends/static", ["text.pin"])
    given = json.dumps([{"name": "a", "pin": MASK}])
    current = json.dumps([{"name": "b" if pin == "other" else "a", **({"pin": pin} if pin else {})}])
    if sent is None:
        with pytest.raises(SecretNeeded, match="text"):
            named_secrets.to_send(given, current, "text", secret)
    else:
        assert json.loads(named_secrets.to_send(given, current, "text", secret)) == [{"name": "a", "pin": sent}]


KEY = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQ\n-----END EC PRIVATE KEY-----"


def test_a_private_key_is_secret_whatever_its_name_is() -> None:
    value = {"pem": KEY, "all": [f"comment\n{KEY}\n", "plain"], "cert": "-----BEGIN CERTIFICATE-----"}
    assert set(named_secrets.secrets_in(value)) == {KEY, f"comment\n{KEY}\n"}
    hidden = {"pem": MASK, "all": [MASK, "plain"], "cert": "-----BEGIN CERTIFICATE-----"}
    assert named_secrets.masked(value) == hidden
    assert named_secrets.masked({"token": KEY, "pem": KEY}, reveal=["token"]) == {"token": KEY, "pem": MASK}
    kind = free_form(value, Terms())
    assert kind.shown(kind.read({"id": "o_1", **value}, "")) == {"id": "o_1", **hidden}
    desired = {"id": "o_1", "": {}, **{name: kind.named[name].kind.normal(each) for name, each in value.items()}}
    assert kind.shown(desired) == {"id": "o_1", **hidden}
    assert KEY not in repr(with_distinguishing_fields([{"id": "a", "pem": KEY}, {"id": "b", "pem": "x"}]))
    wires = {
        "vaults": [
            {"id": "a", "description": "one", "pem": KEY, "deep": {"pem": [KEY], "password": "p-1"}},
            {"id": "b", "description": KEY, "rules": [{"pem": KEY, "size": 3}]},
        ],
        "vault_secrets": [{"id": "c", "description": "two", "value": "p-2"}],
    }
    exported = repr(exported_objects(wires, {}))
    assert not any(secret in exported.lower() for secret in ("pem", "private", "mhcc", "p-1", "p-2"))
    assert "'size': 3" in exported


def test_names_that_references_can_contain_are_recognized() -> None:
    names = {"a": True, "a-b.c_d": True, "": False, "-a": False, "a b": True, "a ": False, "a:b": False}
    assert {text: is_name(text) for text in names} == names
    found = {text: [name for _path, name in named_references.references_in({"x_id": f"ref:{text}"})] for text in names}
    assert {text: referred == [text] for text, referred in found.items()} == names


def test_references_in_id_fields_alone() -> None:
    value = {
        "description": "ref:a",
        "x_id": "ref:a",
        "x_ids": ["ref:b", "ref:c"],
        "deep": [{"id": "ref:a", "y": "ref:a"}],
        "metadata": {"x_id": "ref:a"},
        "headers": {"add": {"id": "ref:a"}},
        "labels": {"x_id": "ref:b"},
        8080: "ref:a",
    }
    paths = [path for path, _name in named_references.references_in(value)]
    assert paths == ["x_id", "x_ids[0]", "x_ids[1]", "deep[0].id"]
    found = named_references.resolved(value, {"a": "1", "b": "2"})
    ids = {"x_id": "1", "x_ids": ["2", "ref:c"], "deep": [{"id": "1", "y": "ref:a"}]}
    assert found == {**value, **ids}


def test_as_few_fields_as_necessary_distinguish_objects() -> None:
    wires = [
        {"id": f"o_{n}", "description": "x", "size": n % 2, "created_at": str(n), "token": str(n)} for n in range(3)
    ]
    assert with_distinguishing_fields(wires[:2]) == "o_0 (size 0), o_1 (size 1)"
    sizes = ", ".join(f"o_{n} (size {n % 2}, created_at '{n}')" for n in range(3))
    assert with_distinguishing_fields(wires) == sizes
    assert with_distinguishing_fields([{"id": f"o_{n}"} for n in range(30)]).endswith("o_19, and 10 more")


def test_names_of_exported_objects() -> None:
    wires = [{"id": f"o_{n}", "description": text} for n, text in enumerate(["Büro 1!", "", "buro 1", "b ro 1"])]
    members, names = exported_objects({"some/things": wires}, {})
    assert list(names.values()) == ["b_ro_1", "some_things", "buro_1", "b_ro_1_2"]
    assert all(is_name(one["name"]) for one in members)


def exported(*wires: Given) -> list[Given]:
    return exported_objects({"things": [{"id": f"o_{n}", **wire} for n, wire in enumerate(wires)]}, {})[0]


def test_exported_objects_are_found_by_what_no_other_one_has() -> None:
    more, fewer = exported({"description": "A", "metadata": "m"}, {"description": "A"})
    assert (more["find_by"], fewer["id"]) == ({"description": "A", "metadata": "m"}, "o_1")
    spelled = exported({"metadata": '{"a": 1, "b": 2}'}, {"metadata": '{"b":2,"a":1}'})
    assert [one["id"] for one in spelled] == ["o_0", "o_1"]


def test_exported_objects_keep_what_only_looks_like_a_reference_or_is_inside() -> None:
    inside = {"target": {"uri": "https://example.com"}, "labels": {"id": "o_0", "created_at": "o_0"}}
    reference = {"parent": {"id": "o_0", "uri": None}, "next": {"id": "o_0"}}
    text_fields = {"description": "o_0", "metadata": "o_0"}
    _first, second = exported({"description": "x"}, {**text_fields, **inside, **reference})
    assert second["find_by"] == {"description": "o_0"}
    assert second["body"] == {"metadata": "o_0", **inside, "parent_id": "ref:x", "next_id": "ref:x"}


# A field of a response that contains the ID of the object alone, and that of a request.
BARE = [
    ("x_policies", {"policy": "o_0"}, {"policy_id": "ref:x"}),
    ("x_policies", {"x_policies": ["o_0"]}, {"x_policy_ids": ["ref:x"]}),
    ("targets/kinds", {"target": "o_0"}, {"target_id": "ref:x"}),
    ("targets/kinds", {"default_target": "o_0"}, {"default_target_id": "ref:x"}),
    ("tls_certificates", {"client_certificates": ["o_0"]}, {"client_certificate_ids": ["ref:x"]}),
    ("bot_users", {"owner": "o_0"}, {"owner_id": "ref:x"}),
    ("vaults", {"name": "o_0"}, {"name": "o_0"}),
    ("vaults", {"names": ["o_0"]}, {"names": ["o_0"]}),
    ("vaults", {"deep": {"body": "o_0", "vault": "o_0"}}, {"deep": {"body": "o_0", "vault_id": "ref:x"}}),
]


@pytest.mark.parametrize(("collection", "wire", "body"), BARE, ids=str)
def test_an_id_in_an_exported_object_is_a_reference_where_one_can_be(collection: str, wire: Given, body: Given) -> None:
    lists = {collection: [{"id": "o_0", "description": "x"}], "things": [{"id": "o_1", "description": "y", **wire}]}
    assert exported_objects(lists, {})[0][1]["body"] == body


@pytest.mark.parametrize("blank", ["  ", "\n", "\u2028", "\x85"], ids=ascii)
def test_a_blank_string_finds_no_object(blank: str) -> None:
    alone, named = exported({"description": blank}, {"description": blank, "name": "n"})
    assert (alone["id"], alone["body"], named["find_by"]) == ("o_0", {"description": blank}, {"name": "n"})


def test_what_an_update_has_emptied() -> None:
    assert [is_lost(*both) for both in ((True, False), ("a", ""))] == [True, True]
    assert not any(is_lost(*both) for both in ((True, True), (False, False), ("a", "b"), (5, 0)))
