# SPDX-License-Identifier: GPL-3.0-or-later
"""The icons of the page, as paths of SVG in a square of 16 units."""

from __future__ import annotations

ICONS = {
    "public": "M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12M2 8h12M8 2c-4 4-4 8 0 12c4-4 4-8 0-12",
    "network": "M6 2h4v4H6zM2 10h4v4H2zM10 10h4v4h-4zM8 6v2M4 10V8h8v2",
    "login": "M8 2a3 3 0 1 0 0 6a3 3 0 0 0 0-6M2.500 14c0-3 2-4.500 5.500-4.500s5.500 1.500 5.500 4.500",
    "certificate": "M3 2h10v7H3zM5.500 5h5M8 9v5M6 14l2-1.500 2 1.500",
    "signature": "M2 11c2-9 5-9 4-3s1 2 3-1 1 3 5 1M2 14h12",
    "closed": "M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12M4 4l8 8",
    "unknown": "M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12M6.500 6.500c0-2 3-2 3 0c0 1.200-1.500 1.200-1.500 2.500M8 11.500h.1",
    "policy": "M2 4h6M11 4h3M9.500 2.500v3M2 8h2M7 8h7M5.500 6.500v3M2 12h7M12 12h2M10.500 10.500v3",
    "server": "M2.500 3h11v4h-11zM2.500 9h11v4h-11zM5 5h.1M5 11h.1",
    "user_agent_filter": "M2 3h12v8H2zM6 14h4M5 7h6",
    "circuit_breaker": "M9 2L4 9h4l-1 5 5-7H8z",
    "request_headers": "M2 4h7M2 8h10M10 5.500l2.500 2.500L10 10.500M2 12h7",
    "response_headers": "M14 4H7M14 8H4M6 5.500L3.500 8 6 10.500M14 12H7",
    "websocket_tcp_converter": "M2 6h10l-2.500-2.500M14 10H4l2.500 2.500",
    "compression": "M8 1.500v4M6 4l2 2 2-2M8 14.500v-4M6 12l2-2 2 2M3 8h10",
    "high": "M8 2.500l6 11H2z",
    "medium": "M8 2l6 6-6 6-6-6z",
    "low": "M8 4.500a3.500 3.500 0 1 0 0 7a3.500 3.500 0 0 0 0-7",
}
"""By the name of what they stand for."""

GENERAL = "M8 2.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 0 0 0-11M8 8h.1"
"""The icon of a traffic module without one of its own."""
