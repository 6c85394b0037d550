# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about what no edge has: public addresses of tunnels, and the events that report changes. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from .._values.event_catalog import EVENT_CATALOG
from .finding import Hit, Hits, rule
from .judged import Estate

_PORTS = """
21 FTP, 22 SSH, 23 Telnet, 139 SMB, 445 SMB, 1433 SQL Server, 1521 Oracle Database, 2049 NFS, 2375 Docker, 2376 Docker,
2379 etcd, 3306 MySQL, 3389 RDP, 5432 PostgreSQL, 5900 VNC, 5985 WinRM, 5986 WinRM, 6379 Redis, 6443 the Kubernetes API,
9042 Cassandra, 9200 Elasticsearch, 10250 the kubelet, 11211 memcached, 27017 MongoDB
"""
SERVICES = {int(port): name for port, name in (one.strip().split(maxsplit=1) for one in _PORTS.split(","))}
"""Services that belong to administrators and applications, by their usual port."""

_MOST_DIGITS = 5
_OVER_HTTP = frozenset({2375, 2376, 2379, 5985, 5986, 6443, 9200, 10250})


@rule(
    "medium",
    part="tunnels",
    why="Scanners find such ports within minutes, and no traffic modules of an edge protect them.",
    fix=(
        "Restrict the addresses in the configuration of the agent, or reach the service through a TLS edge with an IP "
        "restriction."
    ),
)
def service_port_in_the_open(estate: Estate) -> Hits:
    """A tunnel with a public address forwards to the usual port of a service for administrators or applications, such
    as SSH, RDP, a database, or Docker. Or a TCP edge or an endpoint has this port, and lets everyone through.
    """
    for served in (one for one in estate.served if one.is_open):
        for number in sorted(SERVICES.keys() & {_port(hostport) for hostport in served.state["hostports"]}):
            message = f"Everyone can reach port {number}, the usual port of {SERVICES[number]}."
            yield Hit(served, "hostports", message)
    for tunnel in estate.tunnels:
        proto = (tunnel.state["proto"] or tunnel.state["public_url"].partition("://")[0]).lower()
        if tunnel.is_closed or proto not in ("tcp", "http", "https"):
            continue
        port = _port(tunnel.state["forwards_to"])
        if port is None and proto == "tcp":
            yield tunnel.not_judged("forwards_to", "It does not show the port that the tunnel forwards to.")
        elif port in SERVICES and (proto == "tcp" or port in _OVER_HTTP):
            message = f"The public address leads to port {port}, the usual port of {SERVICES[port]}."
            yield Hit(tunnel, "forwards_to", message)


def _port(address: str) -> int | None:
    """Return the port of a URL or a network address, if it names one."""
    host, _colon, port = address.rpartition("//")[2].partition("/")[0].rpartition("@")[2].rpartition(":")
    is_clear = ":" not in host or host.endswith("]")  # An IPv6 address without brackets ends with a number, too.
    return int(port) if is_clear and port.isascii() and port.isdigit() and len(port) <= _MOST_DIGITS else None


_RESOURCES = (
    "api_key certificate_authority event_destination event_subscription ip_policy ip_policy_rule ip_restriction "
    "ssh_certificate_authority ssh_public_key tunnel_credential"
)
SECURITY_EVENTS = frozenset(event.name for event in EVENT_CATALOG if event.resource in _RESOURCES.split())
"""The events about who may do what: keys, credentials, policies, and the subscriptions themselves."""

_FIRST_EVENTS = ("api_key_created.v0", "ip_policy_updated.v0")


@rule(
    "low",
    part="event_subscriptions",
    why="If somebody takes over the account and changes who gets in, nobody is notified.",
    fix=f"Add event sources such as `{_FIRST_EVENTS[0]}` and `{_FIRST_EVENTS[1]}` to a subscription that people read.",
)
def changes_without_subscription(estate: Estate) -> Iterator[Hit]:
    """No event subscription that was read has an event source about API keys, credentials, certificate authorities, IP
    policies, or event subscriptions and their destinations.
    """
    heard = {event for events in estate.subscriptions.values() for event in events}
    if estate.subscriptions and SECURITY_EVENTS.isdisjoint(heard):
        message = "No event subscription that was read receives events about API keys, credentials, or IP policies."
        added = {"sources": list(_FIRST_EVENTS)}
        # Of several subscriptions, nobody knows which one people read.
        only = [{"subscription_id": one, **added} for one in estate.subscriptions if len(estate.subscriptions) == 1]
        yield Hit(None, "event_subscriptions", message, {"event_subscriptions": only} if only else {})
