# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options of an object of any collection."""

from __future__ import annotations

from ._nesting import described, fragment

_LIST = {"type": "list", "elements": "str"}
_SPEC = {
    "collection": {"type": "str", "required": True},
    "id": {"type": "str"},
    "find_by": {"type": "dict"},
    "body": {"type": "dict", "default": {}},
    "create_only": _LIST,
    "write_only": _LIST,
    "unordered": {**_LIST, "default": []},
    "always_send": {**_LIST, "default": []},
    "update_method": {"type": "str", "choices": ["PATCH", "PUT"], "default": "PATCH"},
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
    "update_secrets": {"type": "str", "choices": ["on_create", "always"], "default": "on_create"},
}

_WHICH = r"""
collection:
  - The path of the collection, such as V(ip_policies) or V(backends/http_response).
"""

_OBJECT = r"""
id:
  - The ID of the object. It must exist, because the service assigns IDs.
  - Either C(id) or C(find_by) is required.
find_by:
  - Fields and the values by which the object is found. All of them must match exactly, as C(body) is compared.
  - None of the values may be empty or secret, and at least one, at any depth, must be neither false nor 0, because
    these also match objects without the field.
  - If no object matches, one is created that has these fields in addition to C(body). If several objects match, the
    task fails and lists them with the fields in which they differ.
  - If no object matches, but the values of one differ only in spelling, such as in letter case, blanks, or the
    default port of a URL, or are cut off after 63 or more characters, the task fails. Otherwise, a service that
    changes values in this way would get another object in each run, and would keep one that should be absent. This does
    not apply to an object that the same task declares.
  - To find an object by a field that you want to change, set C(id) instead.
body:
  - The fields of the object, as the service expects them in requests. Omitted fields are left unchanged, and a field
    that is null counts as omitted. V("") and V([]) clear a field.
  - Only what is declared is compared. Of a dictionary, these are the declared keys. Lists are compared in order,
    unless C(unordered) contains them. A missing value, null, and an empty value are equal.
  - The letter case of names in C(headers) is ignored.
  - The line end after the last line of a field whose name ends in C(_pem) does not matter.
  - C(x_id) is compared with the reference C(x) of the response, and C(x_ids) with the list of references C(xs).
  - A field that differs is sent as a whole. Declare dictionaries and lists completely, because most services replace
    them.
  - A TLS or TCP edge gives up a hostport only with permission, which is V(hostports) in
    O(edgeops.ingress.estate#module:purge), or O(edgeops.ingress.object#module:purge_hostports=true).
  - If C(metadata) is a dictionary or list, it is sent as a JSON string. So are the rules of C(traffic_policy), or of
    its C(value).
  - Strings that contain a private key in PEM format are masked, and so are the fields that C(write_only) describes.
    Secrets are compared only if the service returns them.
  - Strings are equal if they differ only in line ends at their ends, because lookups of files remove them.
create_only:
  - Paths of fields that cannot change after the creation. If the service returns another value, the task fails.
    Otherwise, they are not sent again.
  - Those of the collections that services are known to have are known, such as C(region) in V(reserved_domains). This
    option adds others. If the fields of a collection can change on your service, set an empty list.
  - A path consists of names with dots in between, such as V(target.kinesis.stream_arn). The members of a list have
    the path of the list.
write_only:
  - Paths of fields that contain secrets, or that the service does not return for another reason. They are masked, and
    sent only on creation, when the top-level field that contains them is sent, and with O(update_secrets=always).
  - Fields and headers that are named like secrets are always masked, with everything inside of them. These are names
    that end in C(secret), C(password), C(token), C(credentials), C(authorization), C(cookie), C(api_key),
    C(access_key), C(private_key), C(private_key_pem), or the like. So is C(value) in the collections V(vault_secrets)
    and V(event_destinations). To see such a field because it is not secret in this collection, set an empty list.
    Private keys in PEM format are masked all the same.
  - None of these strings may be empty. To remove a secret, delete the object, and create it again without it.
  - What decides which hosts an edge or endpoint serves, or who gets in, cannot be hidden, such as C(hostports).
unordered:
  - Paths of lists that are compared as sets, which means without order and duplicates.
  - The C(hostports) of TLS and TCP edges always are, without letter case.
always_send:
  - Names of fields that every PATCH contains, with their current values if they are not declared, because the service
    empties them otherwise. C(backends) of V(backends/failover) and V(backends/weighted) always is one of them.
  - After each PATCH, what it did not contain is compared with what was there before. If something is empty now,
    another PATCH restores it. If that fails, the task fails and shows the previous value.
update_method:
  - How the service updates objects of this collection. V(PATCH) sends the top-level fields that differ. V(PUT) sends
    all declared fields, and the service resets all others.
  - The diff shows everything in the dictionaries and lists that are sent and, for V(PUT), the fields that are reset,
    except for those that are empty.
  - Hostports that two objects exchange, or that an object hands over before it is deleted, are given up with a PATCH in
    any case. If the service accepts only V(PUT), move them in several runs.
state:
  - Whether the object should exist. V(absent) deletes it if it is the only one that matches C(find_by), or has this
    C(id).
update_secrets:
  - When to send secrets that cannot be compared, because the service does not return them, and all fields in
    C(write_only).
  - With V(on_create), an existing value is assumed to match, and is sent only if the top-level field that contains it
    differs in another way. The return value RV(secrets_not_compared) says if there are any.
  - With V(always), they are sent in every run, and the task is always changed. Secrets that the service returns are
    always compared. Those in C(create_only) are never sent again.
"""


class ModuleDocFragment:
    DOCUMENTATION: str = fragment(described(_WHICH + _OBJECT, _SPEC))

    COLLECTION: str = fragment(described(_WHICH, _SPEC))
