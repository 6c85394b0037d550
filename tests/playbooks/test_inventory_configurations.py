# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory of tunnels, read in this process: configurations, and the tunnels that the service lists."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml
from ansible.errors import AnsibleParserError
from ansible.inventory.data import InventoryData
from ansible.plugins.loader import inventory_loader

from ansible_collections.edgeops.ingress.plugins.inventory.tunnels import EXAMPLES
from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from inventory_in_process import PLUGIN, Inventories, check_groups
from scripted_service import as_json, in_turn, scripted_service
from vaulted import encrypted

pytestmark = pytest.mark.every_core

GATE = {"id": "tn_gate", "public_url": "tcp://1.tcp.example.net:12345", "proto": "tcp", "region": "eu"}
CAMERA = {"id": "tn_camera", "public_url": "tcp://[2001:db8::1]:22", "proto": "tcp", "region": "us"}
SHOP = {"id": "tn_shop", "labels": {"service": "shop", "stage": "live"}, "region": "eu"}
SITE = {"id": "tn_site", "public_url": "https://site.example.app", "proto": "https", "region": "us"}
TUNNELS = [
    {**GATE, "metadata": '{"name": "gate", "role": "device", "floors": [1, 2]}'},
    {**CAMERA, "metadata": '{"name": "camera", "role": "device", "floors": [2]}'},
    SHOP,
    {**SITE, "metadata": "the site"},
]


@pytest.fixture
def inventories(inventories: Inventories) -> Inventories:
    inventories.service.seed(tunnels=TUNNELS)
    return inventories


OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"filters": [{"exclude": "ansible_host is not defined"}]}, "camera gate"),
    ({"filters": [{"include": "region == 'eu'"}, {"exclude": True}]}, "gate tn_shop"),
    ({"filters": [{"exclude": "region == 'eu'"}, {"include": "proto == 'tcp'"}, {"exclude": "true"}]}, "camera"),
    ({"filters": [{"exclude": "(metadata.floors | default([])) is contains 1"}]}, "camera the_site tn_shop"),
    ({"filters": [{"include": False}]}, "camera gate the_site tn_shop"),
    ({"filters": [{"include": "id == 'tn_gate'", "exclude": None}, {"include": None, "exclude": True}]}, "gate"),
    ({"hostname": "{{ metadata.name }}.{{ region }}"}, "camera.us gate.eu the_site tn_shop"),
    ({"hostname": "{{ labels.service | default('') }}"}, "camera gate shop the_site"),
    ({"hostname": "{{ metadata }}"}, "camera gate the_site tn_shop"),
    ({"hostname": "{{ ansible_port | default(none) }}"}, "12345 22 the_site tn_shop"),
    ({"hostname": "{{ [id] }}"}, "camera gate the_site tn_shop"),
    (
        {"hostname": "{{ t_id }}", "hostvars_prefix": "t_", "filters": [{"exclude": "t_proto != 'tcp'"}]},
        "tn_camera tn_gate",
    ),
    ({"cache": True, "cache_plugin": "memory"}, "camera gate the_site tn_shop"),
]


@pytest.mark.parametrize(("options", "hosts"), OPTIONS, ids=str)
def test_options_select_and_name_hosts(inventories: Inventories, options: dict[str, Any], hosts: str) -> None:
    assert inventories.hosts(**options) == hosts.split()


def test_a_filter_that_fails_excludes_tunnels_and_is_an_error_for_all_of_them(inventories: Inventories) -> None:
    filters = [{"include": "proto == 'http'"}, {"include": "metadata.role == 'device'"}]
    fails = "filters[1].include: \"metadata.role == 'device'\" fails for"
    assert inventories.hosts(filters=filters) == ["camera", "gate"]
    [warning] = inventories.warnings
    assert f"{fails} 2 of 4 tunnels, which are not in the inventory:" in warning
    assert inventories.failure(filters=filters, strict=True).startswith(f"{fails} tunnel tn_")
    # The expression is wrong even if only one tunnel reaches the second filter.
    said = inventories.failure(filters=[{"include": "id != 'tn_shop'"}, {"include": "metadata.nothing == 1"}])
    assert said.startswith("filters[1].include: 'metadata.nothing == 1' fails for tunnel tn_shop: ")


EVERY = "camera,gate,the_site,tn_shop"
# The options, with the entries of keyed_groups last, and the members of groups.
GROUPS: list[tuple[dict[str, Any], list[dict[str, Any]], str]] = [
    (
        {"compose": {"ansible_user": "'pi'", "floor": "metadata.floors | first", "ansible_port": "ansible_port + 1"}},
        [{"key": "ansible_user"}, {"key": "floor", "prefix": "floor"}, {"key": "ansible_port", "prefix": "port"}],
        f"_pi={EVERY} floor_1=gate port_12346=gate port_23=camera",
    ),
    (
        {"compose": {"a": "region"}, "groups": {"upstairs": "2 in metadata.floors", "composed": "a == 'eu'"}},
        [{"key": "metadata.floors", "prefix": "floor", "parent_group": "floors"}],
        "upstairs=camera,gate composed=gate,tn_shop floor_1=gate floors=camera,gate",
    ),
    ({"leading_separator": False}, [{"key": "labels"}, {"key": "proto"}], "service_shop=tn_shop https=the_site"),
    (
        {
            "hostname": "{% set a = id %}{# a comment #}{% if id %}{{ a }}{% endif %}",
            "compose": {"a": "{'b': {'c': id}}", "b": "id\n", "c": "lookup('env', 'A') | no_such_filter", "d": 5},
            "filters": [{"include": True}],
            "groups": {"f": True, "g": "region is\n  defined"},
        },
        [],
        "g=tn_camera,tn_gate,tn_shop,tn_site",
    ),
    # Null is the same as omitted, and Ansible converts no booleans here.
    (
        {},
        [{"key": "region", **dict.fromkeys(("prefix", "separator", "parent_group", "default_value"))}],
        "_us=camera,the_site _eu=gate,tn_shop",
    ),
    *(({}, [{"key": "{'a': ''}", "trailing_separator": value}], f"_a={EVERY}") for value in (False, "false", "no")),
    # A number names a group, here one with a safe name, and a boolean does not.
    ({}, [{"key": "ansible_port", "prefix": "port", "parent_group": "{{ ansible_port }}"}], "port_22=camera _2=camera"),
    ({}, [{"key": "ansible_port | default(0)", "parent_group": "{{ ansible_port }}"}], "!_0"),
    ({}, [{"key": "region == 'eu'", "prefix": "eu", "default_value": "x"}], "!eu_x !eu_True !eu_False"),
    ({}, [{"key": "none", "default_value": "x"}, {"key": "proto", "default_value": ""}], f"_x={EVERY} _=tn_shop"),
]


@pytest.mark.parametrize(("options", "keyed", "groups"), GROUPS, ids=str)
def test_variables_and_groups_are_constructed(inventories: Inventories, options: Any, keyed: Any, groups: str) -> None:
    check_groups(inventories.read(keyed_groups=keyed, **options), groups)


@pytest.mark.parametrize(
    ("options", "expression"),
    [
        ({"compose": {"floor": "metadata.floors | first"}}, "compose.floor"),
        ({"groups": {"upstairs": "2 in metadata.floors"}}, "groups.upstairs"),
        ({"keyed_groups": [{"key": "region"}, {"key": "metadata.floors"}]}, "keyed_groups[1]"),
        ({"keyed_groups": [{"key": "region", "parent_group": "{{ metadata.role }}"}]}, "keyed_groups[0]"),
        ({"keyed_groups": [{"key": "proto"}]}, "keyed_groups[0]"),
        ({"keyed_groups": [{"key": "region == 'eu'"}]}, "keyed_groups[0]"),
        ({"hostname": "{{ metadata.name }}"}, "hostname"),
    ],
    ids=str,
)
def test_strict_makes_errors_of_failing_expressions(inventories: Inventories, options: Any, expression: str) -> None:
    assert inventories.failure(strict=True, **options).startswith(f"{expression} fails for tunnel tn_")
    assert len(inventories.hosts(**options)) == 4


@pytest.mark.parametrize("template", ["{{ 1 // 0 }}", "{{ id | no_such_filter }}"])
def test_an_invalid_template_of_names_is_an_error_even_if_not_strict(inventories: Inventories, template: str) -> None:
    assert inventories.failure(hostname=template).startswith("hostname fails for tunnel tn_")


def test_a_host_whose_template_fails_is_named_after_the_id(inventories: Inventories) -> None:
    inventories.service.seed(tunnels=[{"id": "tn_odd", "metadata": '{"name": 5}'}])
    assert inventories.hosts(hostname="{{ 'a' ~ (9 // (region | length)) ~ id }}") == [
        *("a4tn_camera", "a4tn_gate", "a4tn_shop", "a4tn_site", "tn_odd")
    ]
    [warning] = inventories.warnings
    assert "hostname fails for 1 of 5 tunnels, whose hosts are named after the tunnel IDs: tn_odd" in warning


# Options that are wrong in many ways at once, and below them the beginning of each error.
WRONG = """
connection {base_url: 'ftp://example.com', api_key: two words, timeout: 0, retries: '{{ 0 - 1 }}'}
  - base_url: not a valid URL
  - api_key: contains spaces or non-ASCII characters
  - timeout: 0.0 is out of range
  - retries: -1 is out of range
  - retry_max_wait: -5.0 is out of range
required {base_url: null, retries: '{{ nothing }}'}
  - base_url: required
  - retries: cannot be evaluated
types {filter: [], filters: a, name_prefix: a/, hostvars_prefix: 1-, groups: [a], strict: ture, cache: maybe,
    use_extra_vars: x, leading_separator: maybe, cache_timeout: long}
  - filter: unknown option; did you mean `filters`?
  - filters: expected a list of dictionaries, got a string
  - name_prefix: 'a/' is not a valid prefix of host names
  - hostvars_prefix: '1-' cannot start the name of a variable
  - groups: expected a dictionary, got a list
  - strict: 'ture' is not a boolean; expected true or false
  - cache: 'maybe' is not a boolean
  - leading_separator: 'maybe' is not a boolean
  - use_extra_vars: 'x' is not a boolean
  - cache_timeout: 'long' is not an integer
filters {groups: {'': 'true'}, filters: [{}, {include: a, exclude: b}, {include: 1}, {exclude: [a]}, {include: ''},
    {include: a, comment: b}, null, {include: region ==}]}
  - groups: the name of a group is empty; expected a name before the colon
  - filters[0]: expected either `include` or `exclude`, got neither
  - filters[1]: expected either `include` or `exclude`, got both
  - filters[2].include: expected an expression such as `proto == 'tcp'`, got a number
  - filters[3].exclude: expected an expression such as `proto == 'tcp'`, got a list
  - filters[4].include: expected an expression such as `proto == 'tcp'`, got an empty string
  - filters[5].comment: unknown option; the options are include, exclude
  - filters[6]: expected a dictionary, got null
  - filters[7].include: 'region ==' is not a valid expression
expressions {hostname: '{{ region', compose: {a: metadata..b, b: '', c: region | default(}, groups: {d: "region = 'eu'",
    e: 'region }}'}}
  - hostname: '{{ region' is not a valid template (
  - compose.a: 'metadata..b' is not a valid expression (expected
  - compose.b: expected an expression, got an empty string
  - compose.c: 'region | default(' is not
  - groups.d: "region = 'eu'" is not
  - groups.e: 'region }}' is not a valid expression (unexpected text after its end)
names {name_prefix: Device_of_, timeout: 0, keyed_groups: [{key: id}, {key: id, prefix: device},
    {key: id, separator: device_}]}
  - timeout: 0.0 is out of range
  - keyed_groups[1].prefix: `name_prefix` also starts with 'device_', so a group could get the name of a host;
    choose another prefix
  - keyed_groups[2].separator: `name_prefix` also starts with 'device_', so a group could get the name of a host;
    choose another separator
keyed_groups {keyed_groups: [{key: region ~, parent_group: '{% if %}', perfix: a, seperator: ''}, {kye: region}, region,
    {key: null, parent_group: [a], default_value: {}, prefix: [], separator: true}, {key: region, default_value: '',
    trailing_separator: false}, {key: (region, trailing_separator: x}]}
  - keyed_groups[0].key: 'region ~' is not a valid expression
  - keyed_groups[0].parent_group: '{% if %}' is not a valid template
  - keyed_groups[0].perfix: unknown option; did you mean `prefix`?
  - keyed_groups[0].seperator: unknown option; did you mean `separator`?
  - keyed_groups[1].kye: unknown option; did you mean `key`?
  - keyed_groups[1].key: required
  - keyed_groups[2]: expected a dictionary, got a string; its options are key, prefix,
  - keyed_groups[3].key: required, got null
  - keyed_groups[3].parent_group: expected a string, got a list
  - keyed_groups[3].default_value: expected a string, got a dictionary
  - keyed_groups[3].prefix: expected a string, got a list
  - keyed_groups[3].separator: expected a string, got the boolean true
  - keyed_groups[4]: `default_value` and `trailing_separator` cannot be combined
  - keyed_groups[5].key: '(region' is not a valid expression
  - keyed_groups[5].trailing_separator: 'x' is not a boolean
"""


@pytest.mark.parametrize("case", re.split(r"\n(?! )", WRONG.strip()))
def test_all_option_errors_are_reported_together_before_any_request(
    inventories: Inventories, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    declared, *expected = (" ".join(part.split()) for part in case.split("\n  - "))
    name, _, options = declared.partition(" ")
    if name == "connection":
        monkeypatch.setenv("INGRESS_RETRY_MAX_WAIT", "-5")
    said = inventories.failure(**yaml.safe_load(options))
    head, *errors = said.split("\n- ")
    assert head == f"{len(expected)} option errors."
    assert [one for one in expected if not any(error.startswith(one) for error in errors)] == []
    assert "two words" not in said
    assert inventories.service.journal() == []


def test_a_key_that_cannot_be_evaluated_is_not_displayed(inventories: Inventories) -> None:
    vaulted = f"plugin: {PLUGIN}\napi_key: !vault |\n{indent(encrypted('canary'), '  ')}\n"
    with pytest.raises(AnsibleParserError, match=r"api_key: cannot be evaluated \("):
        inventories.configured(vaulted)
    for key in ("{{ canary-of-a-key", "canary-of-a-key {{ nothing }}"):
        assert "canary" not in inventories.failure(api_key=key)
    inventories.service.switches(rejection_quotes_key=True)
    rejected = inventories.failure(api_key="canary-of-a-wrong-key")
    assert ("returned 401" in rejected, "canary" in rejected) == (True, False)


def test_requests_is_missing(inventories: Inventories, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "REQUESTS_MISSING", "a traceback")
    assert "Python library (requests)" in inventories.failure()


def test_cache_entries_belong_to_a_file_url_and_key(inventories: Inventories, tmp_path: Path) -> None:
    # Someone might put the API key into a public field.
    inventories.service.seed(tunnels=[{"id": "tn_careless", "forwards_to": inventories.service.api_key}])
    folder = tmp_path / "cache"
    cached = {"cache": True, "cache_plugin": "ansible.builtin.jsonfile", "cache_connection": str(folder)}

    def count(**options: Any) -> int:
        inventories.read(**cached, **options)
        return len(inventories.service.journal())

    assert count() == 1
    assert count() == 1
    assert count(base_url=f"{inventories.service.base_url}/", hostvars_prefix="t_") == 1
    assert count(api_version="2", base_url=inventories.service.base_url.replace("127.0.0.1", "localhost")) == 2
    with pytest.raises(AnsibleParserError, match="returned 401"):
        inventories.read(**cached, api_key="another-key")
    [*files] = folder.iterdir()
    assert len(files) == 2
    for file in files:
        text = file.read_text(encoding="utf-8") + file.name
        assert inventories.service.api_key not in text
        assert "tn_gate" in text
        file.write_text(json.dumps({"__payload__": '{"tunnels": "[{}]"}', "tunnels": "[{}]"}), encoding="utf-8")
    assert count() == 4
    inventories.may_use_cache = False  # as with --flush-cache
    assert count() == 5


FIELDS_IN_CACHE = [
    *({"id": None}, {"id": "../x"}, {"public_url": 5}, {"labels": None}, {"labels": {"a": 1}}, {"metadata": {"a": 1}}),
    *({"backends": [{"id": 5}]}, {"tunnel_session": {"id": "ts_a"}}, {"ansible_host": "other.example"}),
]
"""Fields that the cache never contains in such a form."""


@pytest.mark.parametrize(
    "damaged",
    [*FIELDS_IN_CACHE, "[" * 100_000, "9" * 5000, "{}", "[null]", '["tunnel"]', '[{"id": "tn_gate"}]', 5],
    ids=lambda damaged: str(damaged)[:40],
)
def test_a_damaged_cache_entry_is_not_used(inventories: Inventories, tmp_path: Path, damaged: Any) -> None:
    cached = {"cache": True, "cache_plugin": "ansible.builtin.jsonfile", "cache_connection": str(tmp_path / "cache")}
    hosts = inventories.hosts(**cached)
    [file] = (tmp_path / "cache").iterdir()
    found = json.loads(file.read_text(encoding="utf-8"))
    first, *others = json.loads(json.loads(found.get("__payload__") or json.dumps(found))["tunnels"])
    text = json.dumps([{**first, **damaged}, *others]) if isinstance(damaged, dict) else damaged
    entry = {"tunnels": text}
    file.write_text(json.dumps({"__payload__": json.dumps(entry), **entry}), encoding="utf-8")
    inventories.before = InventoryData()
    assert inventories.hosts(**cached) == hosts
    assert len(inventories.service.journal()) == 2


ODD = [
    *({"id": identifier} for identifier in ("", " ", "tn one", "-tn", "../tn", "x" * 300, "tn\x1b[2J", None, 5)),
    *({"id": "tn_odd", **fields} for fields in ({"labels": []}, {"metadata": float("nan")}, {"proto": {}})),
    *(None, "tn_odd", ["tn_odd"], 5),
]


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_a_tunnel_that_cannot_be_a_host_is_not_in_the_inventory(inventories: Inventories, odd: Any) -> None:
    with scripted_service(in_turn(as_json({"tunnels": [SHOP, odd, SITE]}), as_json({"tunnels": [odd]}))) as service:
        assert inventories.hosts(base_url=service.base_url) == ["tn_shop", "tn_site"]
        [warning] = inventories.warnings
        assert "tunnels[1]" in warning
        assert warning.endswith("This tunnel is not in the inventory.")
        assert "tunnels[0]" in inventories.failure(base_url=service.base_url)


def test_the_number_of_warnings_is_limited_and_labels_are_the_last(inventories: Inventories) -> None:
    odd = [{"id": f"tn/{number}"} for number in range(9)]
    tunnels = [{"id": f"tn_{number}", "labels": {"__ansible_unsafe": "a"}} for number in range(28)]
    role = {"name": "gate", "role": [f"tn_{number}" for number in range(10)]}
    tunnels += [{"id": "tn_odd", "metadata": json.dumps(role)}, {"id": "tn_gate", "metadata": "gate"}]
    with scripted_service(in_turn(as_json({"tunnels": [*odd, *tunnels]}))) as service:
        keyed = [{"key": "metadata.role", "separator": ""}]
        inventories.read(base_url=service.base_url, keyed_groups=keyed, leading_separator=False)
    assert len(inventories.before.hosts) == 30
    more_tunnels, names, *groups_and_labels, rest = inventories.warnings[5:]
    assert more_tunnels.startswith("4 more tunnels")
    assert "2 tunnels have the name gate" in names
    assert all("is not created" in warning for warning in groups_and_labels[:10])
    assert ["labels are ignored" in warning for warning in groups_and_labels[10:]] == [True] * 9
    assert rest.endswith("19 more warnings of these kinds")


def test_the_documented_examples_produce_the_documented_hosts(
    inventories: Inventories, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each names its hosts in its own way, so that all of them can be read together."""
    service = inventories.service
    for name in ("INGRESS_BASE_URL", "SHOP_INGRESS_URL"):
        monkeypatch.setenv(name, service.base_url)
    for name in ("INGRESS_API_KEY", "SHOP_INGRESS_KEY"):
        monkeypatch.setenv(name, service.api_key)
    monkeypatch.setenv("HOME", str(tmp_path))
    service.switches(page_size=3)  # so that there are two pages
    for example in EXAMPLES.split("\n---\n"):
        inventories.configured(example)
    data = inventories.before
    assert sorted(data.hosts) == [
        *("backend-shop-eu", "device-camera", "device-gate", "shop-camera", "shop-gate", "shop-the_site"),
        *("shop-tn_shop", "tunnel-camera", "tunnel-gate"),
    ]
    gate = data.hosts["tunnel-gate"].vars
    assert (gate["ansible_host"], gate["ansible_port"], gate["id"]) == ("1.tcp.example.net", 12345, "tn_gate")
    assert data.hosts["shop-gate"].vars["tunnel_region"] == "eu"
    of_shop = "live=backend-shop-eu services=backend-shop-eu service_shop=backend-shop-eu"
    check_groups(data, f"region_us=device-camera {of_shop}")
    assert any((tmp_path / ".cache").rglob("*tunnels_*"))


def test_names_of_files(tmp_path: Path) -> None:
    own = ["tunnels.yml", "tunnels.yaml", "ingress_tunnels.yml", "shop.tunnels.yaml"]
    plugin = inventory_loader.get(PLUGIN)
    assert not plugin.verify_file(str(tmp_path / own[0]))
    names = [*own, "tunnels.json", "hosts.yml", "tunnels.yml.bak"]
    for name in names:
        (tmp_path / name).write_text("plugin: edgeops.ingress.tunnels\n", encoding="utf-8")
    assert [name for name in names if plugin.verify_file(str(tmp_path / name))] == own
