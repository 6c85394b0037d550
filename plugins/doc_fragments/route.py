# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""A route of an HTTPS edge: how it is found, its fields and its modules. By itself, and in a list of routes."""

from __future__ import annotations

from ansible_collections.edgeops.ingress.plugins.doc_fragments import description_and_metadata
from ansible_collections.edgeops.ingress.plugins.doc_fragments.nesting import nested
from ansible_collections.edgeops.ingress.plugins.doc_fragments.traffic_modules import (
    IP_POLICY_IDS,
    NOTES,
    PURGE_MODULES,
    absent_modules,
    module,
)

_EDGE_ID = """
edge_id:
  description:
    - The id of the HTTPS edge that has the route or is to get it, which starts with V(edghts_).
  type: str
  required: true
"""

_IDENTITY = """
id:
  description:
    - The id of the route, which starts with V(edghtsrt_). The service chooses it, so it can't be given for a new route.
    - Left out, the route is the one of the edge that has the declared C(match_type) and C(match). With it, these two
      can be changed.
  type: str
match_type:
  description:
    - Whether the route takes requests for exactly what C(match) says, or for everything that starts with it.
    - Needed where C(id) is left out. Otherwise, what it has now is kept.
  type: str
  choices:
    - exact_path
    - path_prefix
match:
  description:
    - Which requests the route takes. A path such as V(/api), a host, or a host with a path.
    - Needed where C(id) is left out. Otherwise, what it has now is kept.
  type: str
"""

_BACKEND = """
backend_id:
  description:
    - The id of the backend.
    - Left out, what it has now is kept. Required where the module is not set yet, or is disabled now.
  type: str
"""

_CIRCUIT_BREAKER = """
tripped_duration:
  description:
    - How many seconds the circuit stays open before the backend is tried again, 0 to 4294967295.
    - Left out, the service chooses, and what it has now is kept.
  type: int
rolling_window:
  description:
    - Over how many seconds requests and errors are counted, 0 to 4294967295.
    - Left out, the service chooses, and what it has now is kept.
  type: int
num_buckets:
  description:
    - In how many parts the counts of that time are kept, 0 to 128.
    - Left out, the service chooses, and what it has now is kept.
  type: int
volume_threshold:
  description:
    - How many requests there have to be in that time before the circuit can open, 0 to 4294967295.
    - Left out, the service chooses, and what it has now is kept.
  type: int
error_threshold_percentage:
  description:
    - The share of errors that opens the circuit. In spite of its name this is a fraction from V(0) to V(1.0), not a
      percentage.
    - Left out, the service chooses, and what it has now is kept.
  type: float
"""


def _header_changes(what: str) -> str:
    return f"""
add:
  description:
    - Headers to put into the {what}, with their values. Upper and lower case have no meaning in their names.
    - Diffs and results show the values. Put C(no_log=true) on the task where one of them is a secret.
    - Left out, it is empty.
  type: dict
remove:
  description:
    - Names of headers to take out of the {what}. Neither their order nor upper and lower case have a meaning.
    - Left out, it is empty.
  type: list
  elements: str
"""


_WEBHOOK_VERIFICATION = """
provider:
  description:
    - Who sends the webhooks. Which providers there are is up to the service.
    - Left out, what it has now is kept. Required where the module is not set yet, or is disabled now.
  type: str
secret:
  description:
    - The secret that the provider signs with. All providers but one need it. It is never shown; results have
      V(********) in its place.
    - Left out, or as V(********), the one in place is kept. Where the service does not show it and the module has to
      be sent for another reason, the task fails and asks for it.
  type: str
"""

_SESSION = """
options_passthrough:
  description:
    - Whether OPTIONS requests pass without signing in, which cross-origin requests (CORS) need.
    - Left out, the service chooses, and what it has now is kept.
  type: bool
cookie_prefix:
  description:
    - What the name of the session's cookie starts with.
    - Left out, the service chooses, which is its own name with a dot, and what it has now is kept.
  type: str
inactivity_timeout:
  description:
    - After how many seconds without a request users have to sign in again, 0 to 4294967295.
    - Left out, the service chooses, and what it has now is kept.
  type: int
maximum_duration:
  description:
    - After how many seconds users have to sign in again in any case, 0 to 4294967295.
    - Left out, the service chooses, and what it has now is kept.
  type: int
"""

_IDENTITY_PROVIDER = """
client_id:
  description:
    - The client id of your own OAuth app at the provider. C(client_secret) has to come with it.
    - Left out, it is empty, and the service uses an app of its own, which is more limited.
  type: str
client_secret:
  description:
    - The secret of that app. C(client_id) has to come with it. It is never shown; results have V(********) in its
      place.
    - As V(********), the one in place is kept. Where the service does not show it and the module has to be sent for
      another reason, the task fails and asks for it.
    - Left out, it is empty.
  type: str
scopes:
  description:
    - What to ask the provider for, in its own terms. Only together with C(client_id) and C(client_secret). Their order
      has no meaning.
    - Left out, it is empty.
  type: list
  elements: str
email_addresses:
  description:
    - Users with these email addresses may enter. Their order has no meaning.
    - Left out, it is empty.
  type: list
  elements: str
email_domains:
  description:
    - Users with email addresses in these domains may enter. Their order has no meaning.
    - Left out, it is empty.
  type: list
  elements: str
"""

_GITHUB_MEMBERS = """
teams:
  description:
    - Members of these teams may enter. A team is written as its organization and its name in their short forms, such as
      V(example/operators). Their order has no meaning.
    - Left out, it is empty.
  type: list
  elements: str
organizations:
  description:
    - Members of these organizations, in their short forms, may enter. Their order has no meaning.
    - Left out, it is empty.
  type: list
  elements: str
"""


def _identity_provider(name: str, called: str, more: str = "") -> str:
    return (
        f"{name}:\n"
        f"  description:\n"
        f"    - Who may enter by signing in at {called}. If it is empty, everyone who has an account there may.\n"
        f"    - Left out, this provider is not used. Where it is in place now, it is taken out.\n"
        f"  type: dict\n"
        f"  suboptions:\n"
    ) + nested(_IDENTITY_PROVIDER + more, 2)


_OAUTH = """
provider:
  description:
    - The identity provider, with those who may enter. There is one suboption for each that the service knows.
    - Left out, what it has now is kept. Required where the module is not set yet, or is disabled now.
  type: dict
  suboptions:
""" + nested(
    _identity_provider("github", "GitHub", _GITHUB_MEMBERS)
    + _identity_provider("facebook", "Facebook")
    + _identity_provider("microsoft", "Microsoft")
    + _identity_provider("google", "Google")
    + _identity_provider("linkedin", "LinkedIn")
    + _identity_provider("gitlab", "GitLab")
    + _identity_provider("twitch", "Twitch")
    + _identity_provider("amazon", "Amazon"),
    2,
)

_AUTH_CHECK_INTERVAL = """
auth_check_interval:
  description:
    - After how many seconds the service asks the provider again whether a user may still enter, 0 to 4294967295. This
      is the best way to limit how long somebody keeps access that was withdrawn.
    - Left out, the service chooses, and what it has now is kept.
  type: int
"""

_SAML = """
idp_metadata:
  description:
    - The identity provider's metadata, the full XML of its EntityDescriptor.
    - Left out, what it has now is kept. Required where the module is not set yet, or is disabled now.
  type: str
force_authn:
  description:
    - Whether the identity provider has to ask for credentials each time, even of users who are signed in there.
    - Left out, the service chooses, and what it has now is kept.
  type: bool
allow_idp_initiated:
  description:
    - Whether signing in may start at the identity provider, which then says by RelayState where to go.
    - Left out, the service chooses, and what it has now is kept.
  type: bool
authorized_groups:
  description:
    - Members of these groups may enter; where it is empty, everyone who signs in. Their order has no meaning.
    - Left out, it is empty.
  type: list
  elements: str
nameid_format:
  description:
    - The format that names of users have to have in the provider's assertions, as a URN of the SAML standard. Services
      take some of these.
    - Left out, the service chooses, which is the persistent format, and what it has now is kept.
  type: str
"""

_OIDC = """
issuer:
  description:
    - The address of the OpenID provider, below which its discovery document is found.
    - Left out, what it has now is kept. Required where the module is not set yet, or is disabled now.
  type: str
client_id:
  description:
    - The client id at the provider, which is also the audience that its tokens have to name.
    - Left out, what it has now is kept. Required where the module is not set yet, or is disabled now.
  type: str
client_secret:
  description:
    - The secret that belongs to the client id. It is never shown; results have V(********) in its place.
    - Left out, or as V(********), the one in place is kept. Where the service does not show it and the module has to
      be sent for another reason, the task fails and asks for it.
  type: str
scopes:
  description:
    - What to ask the provider for. Their order has no meaning.
    - Left out, it is empty.
  type: list
  elements: str
"""

_USER_AGENT_FILTER = """
allow:
  description:
    - User agents that are let in. Their order has no meaning.
    - Left out, it is empty.
  type: list
  elements: str
deny:
  description:
    - User agents that are kept out. Their order has no meaning.
    - Left out, it is empty.
  type: list
  elements: str
"""


def _rules(name: str, what: str) -> str:
    return f"""
{name}:
  description:
    - The rules for {what}, one or a list of them, in the order in which they apply.
    - A rule is a dictionary of C(name), C(expressions) (a list of CEL expressions that select the traffic) and
      C(actions) (one action or a list of them). An action is a dictionary of C(type) and C(config). Which types there
      are, and what their C(config) holds, is up to the service.
    - Left out, it is empty.
  type: raw
"""


_MODULES = {
    name: module(name, *parts)
    for name, parts in {
        "backend": ("Where the requests go.", _BACKEND),
        "ip_restriction": ("Lets in source addresses by IP policies, and keeps out the others.", IP_POLICY_IDS),
        "circuit_breaker": (
            "Keeps requests away from a backend that fails too often, for some time.",
            _CIRCUIT_BREAKER,
        ),
        "compression": ("Compresses what clients get.",),
        "request_headers": ("Changes the headers of requests on their way to the backend.", _header_changes("request")),
        "response_headers": (
            "Changes the headers of responses on their way to the client.",
            _header_changes("response"),
        ),
        "webhook_verification": (
            "Lets in webhooks of one provider, if they are signed with the right secret.",
            _WEBHOOK_VERIFICATION,
        ),
        "oauth": ("Lets in users who sign in at an OAuth provider.", _OAUTH, _SESSION, _AUTH_CHECK_INTERVAL),
        "saml": ("Lets in users who sign in at a SAML identity provider.", _SESSION, _SAML),
        "oidc": ("Lets in users who sign in at an OpenID Connect provider.", _SESSION, _OIDC),
        "websocket_tcp_converter": ("Turns websocket connections into TCP connections to the backend.",),
        "user_agent_filter": ("Lets in clients, or keeps them out, by their user agent.", _USER_AGENT_FILTER),
        "policy": (
            "Rules with conditions and actions, for what the other modules do not cover.",
            _rules("inbound", "requests"),
            _rules("outbound", "responses"),
        ),
    }.items()
}

OPTIONS = "".join(
    (_IDENTITY, description_and_metadata.OPTIONS, *_MODULES.values(), absent_modules(_MODULES), PURGE_MODULES)
)


def routes(*more: str) -> str:
    """The option `routes`; `more` are lines to put below its description."""
    return f"""
routes:
  description:
    - The routes, in any order. One that is not there is created, one that is there is changed where it differs.
    - Two of them with the same C(id) are an error, and so are two without that have the same C(match_type) and
      C(match). Two that turn out to be the same route, one by its C(id), fail, both.
{nested("".join(more), 2)}  type: list
  elements: dict
  suboptions:
{nested(OPTIONS, 2)}"""


_ROUTES_OF_SET = routes(
    "- An empty list declares that there are none, which has an effect with O(purge=true) only, and needs\n"
    "  O(allow_empty=true) then.\n"
)


class ModuleDocFragment:
    DOCUMENTATION: str = f"notes:\n{nested(NOTES)}options:\n{nested(_EDGE_ID + OPTIONS)}"
    SET: str = f"notes:\n{nested(NOTES)}options:\n{nested(_EDGE_ID + _ROUTES_OF_SET)}    required: true\n"
