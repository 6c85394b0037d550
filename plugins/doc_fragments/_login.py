# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options of the traffic modules that require users to sign in: `oauth`, `saml`, and `oidc`."""

from __future__ import annotations

import re

from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import nested
from ansible_collections.edgeops.ingress.plugins.doc_fragments._traffic_modules import (
    EMPTY_LIST,
    MASKED,
    NOT_RETURNED,
    REQUIRED_IF_NEW,
    SECONDS,
)

_SESSION = f"""
options_passthrough:
  description:
    - Whether OPTIONS requests may pass.
    - These requests then need no authentication, as required for cross-origin requests (CORS).
  type: bool
cookie_prefix:
  description:
    - The prefix of the session cookie.
    - If omitted, the current value is kept. For a new traffic module, the service uses its own name, followed by a dot.
  type: str
inactivity_timeout:
  description:
    - Idle seconds until a session ends.
    - After that time without requests, users must sign in again. {SECONDS}
  type: int
maximum_duration:
  description:
    - Maximum seconds of a session.
    - {SECONDS}
  type: int
"""

_SESSION_OF_OAUTH = re.sub(r"description:\n(?:    .*\n)+", "description: See C(oauth).\n", _SESSION)

_GITHUB = f"""
client_id:
  description:
    - The client ID of your OAuth app.
    - Requires C(client_secret).
    - If omitted, it is empty, and the service uses its own OAuth app, which has more restrictions.
  type: str
client_secret:
  description:
    - The client secret of your OAuth app.
    - Requires C(client_id). {MASKED}
    - Must not be empty. If set to the mask, the current secret is kept. {NOT_RETURNED}
    - If omitted, there is none.
  type: str
scopes:
  description:
    - The scopes to request.
    - Requires C(client_id) and C(client_secret). Order is ignored.
    - {EMPTY_LIST}
  type: list
  elements: str
email_addresses:
  description:
    - The email addresses to allow.
    - Users with these addresses may sign in. Order is ignored.
    - {EMPTY_LIST}
  type: list
  elements: str
email_domains:
  description:
    - The email domains to allow.
    - Users with addresses in these domains may sign in. Order is ignored.
    - {EMPTY_LIST}
  type: list
  elements: str
teams:
  description:
    - The teams to allow.
    - Members of these teams may sign in. Each is the slug of an organization and the slug of its team, such as
      V(example/operators). Order is ignored.
    - {EMPTY_LIST}
  type: list
  elements: str
organizations:
  description:
    - The organizations to allow.
    - Members of these organizations may sign in. Each is the slug of an organization. Order is ignored.
    - {EMPTY_LIST}
  type: list
  elements: str
"""

_PROVIDERS = {
    "facebook": "Facebook",
    "microsoft": "Microsoft",
    "google": "Google",
    "linkedin": "LinkedIn",
    "gitlab": "GitLab",
    "twitch": "Twitch",
    "amazon": "Amazon",
}

_PROVIDER = f"""
provider:
  description:
    - The identity providers that users may sign in with, each like C(github), but without C(teams) and
      C(organizations).
    - {REQUIRED_IF_NEW}
  type: dict
  suboptions:
    github:
      description:
        - Which users may sign in with GitHub.
        - Without email addresses, email domains, teams, and organizations, everyone who has an account there may sign
          in.
        - If omitted, this provider is not used, and is removed if it is currently configured.
      type: dict
      suboptions:
{nested(_GITHUB, 4)}""" + "".join(
    f"    {name}:\n      description: Which users may sign in with {title}.\n      type: dict\n"
    for name, title in _PROVIDERS.items()
)

_AUTH_CHECK_INTERVAL = f"""
auth_check_interval:
  description:
    - Seconds between access checks.
    - The service checks again with the provider whether a user still has access. Use this option to limit how long
      access lasts after it is revoked. {SECONDS}
  type: int
"""

OAUTH = _PROVIDER + _SESSION + _AUTH_CHECK_INTERVAL

SAML = (
    _SESSION_OF_OAUTH
    + f"""
idp_metadata:
  description:
    - The metadata of the identity provider.
    - The complete XML of its EntityDescriptor.
    - {REQUIRED_IF_NEW}
  type: str
force_authn:
  description:
    - Whether to always prompt for credentials.
    - With V(true), the identity provider prompts even users who have a session there.
  type: bool
allow_idp_initiated:
  description:
    - Whether the IdP may start a login.
    - The identity provider (IdP) then sets RelayState to the target URL.
  type: bool
authorized_groups:
  description:
    - The groups to allow.
    - Members of these groups may sign in. If the list is empty, all users of the provider may sign in. Order is
      ignored.
    - {EMPTY_LIST}
  type: list
  elements: str
nameid_format:
  description:
    - The format of the name identifiers.
    - The format that the service expects in assertions, as a URN of the SAML standard. The accepted values depend on
      the service.
    - If omitted, the current value is kept. For a new traffic module, the service uses the persistent format.
  type: str
"""
)

OIDC = (
    _SESSION_OF_OAUTH
    + f"""
issuer:
  description:
    - The URL of the OpenID provider.
    - The base URL of its discovery document.
    - {REQUIRED_IF_NEW}
  type: str
client_id:
  description:
    - The client ID at the provider.
    - Also the audience that its tokens must name.
    - {REQUIRED_IF_NEW}
  type: str
client_secret:
  description:
    - The client secret.
    - {MASKED}
    - Must not be empty. If omitted, or set to the mask, the current secret is kept. {NOT_RETURNED}
    - To remove it, remove C(oidc), and declare it again without the secret afterwards.
  type: str
scopes:
  description:
    - The scopes to request.
    - Order is ignored.
    - {EMPTY_LIST}
  type: list
  elements: str
"""
)
