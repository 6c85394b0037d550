# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about tunnels, which agents open without an edge. Pure."""

from __future__ import annotations

from .finding import Hit, Hits, not_judged
from .subjects import Estate

SERVICES = {
    21: "FTP",
    22: "SSH",
    23: "Telnet",
    139: "SMB",
    445: "SMB",
    1433: "SQL Server",
    1521: "Oracle Database",
    2049: "NFS",
    2375: "Docker",
    2376: "Docker",
    2379: "etcd",
    3306: "MySQL",
    3389: "RDP",
    5432: "PostgreSQL",
    5900: "VNC",
    5985: "WinRM",
    5986: "WinRM",
    6379: "Redis",
    6443: "the Kubernetes API",
    9042: "Cassandra",
    9200: "Elasticsearch",
    10250: "the kubelet",
    11211: "memcached",
    27017: "MongoDB",
}
"""Services that belong to administrators and applications, by their usual port."""

_MOST_DIGITS = 5
_OVER_HTTP = frozenset({2375, 2376, 2379, 5985, 5986, 6443, 9200, 10250})


def service_ports_in_the_open(estate: Estate) -> Hits:
    for tunnel in estate.tunnels:
        proto = (tunnel.state["proto"] or tunnel.state["public_url"].partition("://")[0]).lower()
        if tunnel.is_closed or proto not in ("tcp", "http", "https"):
            continue
        port = _port(tunnel.state["forwards_to"])
        if port is None and proto == "tcp":
            yield not_judged(tunnel, "forwards_to", "It does not show the port that the tunnel forwards to.")
        elif port in SERVICES and (proto == "tcp" or port in _OVER_HTTP):
            message = f"The public address leads to port {port}, the usual port of {SERVICES[port]}."
            yield Hit(tunnel, "forwards_to", message)


def _port(address: str) -> int | None:
    """Return the port of a URL or a network address, if it names one."""
    host, _colon, port = address.rpartition("//")[2].partition("/")[0].rpartition("@")[2].rpartition(":")
    is_clear = ":" not in host or host.endswith("]")  # An IPv6 address without brackets ends with a number, too.
    return int(port) if is_clear and port.isascii() and port.isdigit() and len(port) <= _MOST_DIGITS else None
