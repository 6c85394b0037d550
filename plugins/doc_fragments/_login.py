# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options of the traffic modules that require users to sign in: `oauth`, `saml`, and `oidc`."""

from __future__ import annotations

import re
from textwrap import indent

from ansible_collections.edgeops.ingress.plugins.doc_fragments._traffic_modules import (
    EMPTY_LIST,
    MASKED,
    NOT_RETURNED,
    REQUIRED_IF_NEW,
    SECONDS,
)

_SESSION = f"""
options_passthrough:
  - Whether OPTIONS requests may pass.
  - These requests then need no authentication, as required for cross-origin requests (CORS).
cookie_prefix:
  - The prefix of the session cookie.
  - If omitted, the current value is kept. For a new traffic module, the service uses its own name, followed by a dot.
inactivity_timeout:
  - Idle seconds until a session ends.
  - After that time without requests, users must sign in again. {SECONDS}
maximum_duration:
  - Maximum seconds of a session.
  - {SECONDS}
"""

_SESSION_OF_OAUTH = re.sub(r":\n(?:  .*\n)+", ":\n  - See C(oauth).\n", _SESSION)

_GITHUB = f"""
client_id:
  - The client ID of your OAuth app.
  - Requires C(client_secret).
  - If omitted, it is empty, and the service uses its own OAuth app, which has more restrictions.
client_secret:
  - The client secret of your OAuth app.
  - Requires C(client_id). {MASKED}
  - Must not be empty. If set to the mask, the current secret is kept. {NOT_RETURNED}
  - If omitted, there is none.
scopes:
  - The scopes to request.
  - Requires C(client_id) and C(client_secret). Order is ignored.
  - {EMPTY_LIST}
email_addresses:
  - The email addresses to allow.
  - Users with these addresses may sign in. Order is ignored.
  - {EMPTY_LIST}
email_domains:
  - The email domains to allow.
  - Users with addresses in these domains may sign in. Order is ignored.
  - {EMPTY_LIST}
teams:
  - The teams to allow.
  - Members of these teams may sign in. Each is the slug of an organization and the slug of its team, such as
    V(example/operators). Order is ignored.
  - {EMPTY_LIST}
organizations:
  - The organizations to allow.
  - Members of these organizations may sign in. Each is the slug of an organization. Order is ignored.
  - {EMPTY_LIST}
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
  - The identity providers that users may sign in with, each like C(github), but without C(teams) and
    C(organizations).
  - {REQUIRED_IF_NEW}
  - github:
      - Which users may sign in with GitHub.
      - Without email addresses, email domains, teams, and organizations, everyone who has an account there may sign
        in.
      - If omitted, this provider is not used, and is removed if it is currently configured.
      - {indent(_GITHUB, " " * 8).strip()}
""" + "".join(f"    {name}:\n      - Which users may sign in with {title}.\n" for name, title in _PROVIDERS.items())

_AUTH_CHECK_INTERVAL = f"""
auth_check_interval:
  - Seconds between access checks.
  - The service checks again with the provider whether a user still has access. Use this option to limit how long
    access lasts after it is revoked. {SECONDS}
"""

OAUTH = _PROVIDER + _SESSION + _AUTH_CHECK_INTERVAL

SAML = (
    _SESSION_OF_OAUTH
    + f"""
idp_metadata:
  - The metadata of the identity provider.
  - The complete XML of its EntityDescriptor.
  - {REQUIRED_IF_NEW}
force_authn:
  - Whether to always prompt for credentials.
  - With V(true), the identity provider prompts even users who have a session there.
allow_idp_initiated:
  - Whether the IdP may start a login.
  - The identity provider (IdP) then sets RelayState to the target URL.
authorized_groups:
  - The groups to allow.
  - Members of these groups may sign in. If the list is empty, all users of the provider may sign in. Order is
    ignored.
  - {EMPTY_LIST}
nameid_format:
  - The format of the name identifiers.
  - The format that the service expects in assertions, as a URN of the SAML standard. The accepted values depend on
    the service.
  - If omitted, the current value is kept. For a new traffic module, the service uses the persistent format.
"""
)

OIDC = (
    _SESSION_OF_OAUTH
    + f"""
issuer:
  - The URL of the OpenID provider.
  - The base URL of its discovery document.
  - {REQUIRED_IF_NEW}
client_id:
  - The client ID at the provider.
  - Also the audience that its tokens must name.
  - {REQUIRED_IF_NEW}
client_secret:
  - The client secret.
  - {MASKED}
  - Must not be empty. If omitted, or set to the mask, the current secret is kept. {NOT_RETURNED}
  - To remove it, remove C(oidc), and declare it again without the secret afterwards.
scopes:
  - The scopes to request.
  - Order is ignored.
  - {EMPTY_LIST}
"""
)
