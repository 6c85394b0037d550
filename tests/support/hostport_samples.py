# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostports to declare, and to send: those that are valid, and the others with what is said of them."""

from __future__ import annotations

EXPECTED = "expected a host and a port, such as 'shop.example.com:443'"
INVISIBLE = f"contains a space or an invisible character; {EXPECTED}"
RANGE = "is out of range; expected a number from 1 to 65535"
NO_PORT = "is not a port; expected a number from 1 to 65535, as in 'shop.example.com:443'"
USER = f"contains a user name, and possibly a password; {EXPECTED}"

FINE = [
    *("a.example.com:443", "A.Example.com:1", "a:65535", "a_b.example.com:443", "*.example.com:443", "443:443"),
    *("a.example.com.:443", "192.0.2.1:443", "[2001:db8::1]:443", "bücher.example:443", "xn--bcher-kva.example:443"),
    "\u0646\u200c\u0647.example:443",
]

WRONG = {
    "": "is empty; check whether the variable that it comes from is set",
    "https://a.example.com": "'https://a.example.com' is a URL; write 'a.example.com:443'",
    "HTTPS://a.example.com:8443/x?y#z": "'HTTPS://a.example.com:8443/x?y#z' is a URL; write 'a.example.com:8443'",
    "http://a.example.com": "'http://a.example.com' is a URL; write 'a.example.com:443', or the port that it serves",
    "tcp://": f"'tcp://' is a URL; {EXPECTED}",
    "https://[::1]/": "'https://[::1]/' is a URL; write '[::1]:443'",
    "https://a:99999": f"'https://a:99999' is a URL; {EXPECTED}",
    "https://me:canary@a.example.com": USER,
    "a.example.com": "'a.example.com' has no port; write 'a.example.com:443', or the port that it serves",
    "a.example.com:": "'a.example.com:' has no port; write 'a.example.com:443', or the port that it serves",
    "[::1]": "'[::1]' has no port; write '[::1]:443', or the port that it serves",
    "443": f"'443' is a port without a host; {EXPECTED}",
    ":443": f"':443' has no host; {EXPECTED}",
    ":": f"':' has no port; {EXPECTED}",
    "a.example/shop": (
        "'a.example/shop' contains a path, which belongs to a route; write 'a.example:443', or the port that it serves"
    ),
    "a:443/": "'a:443/' contains a path, which belongs to a route; write 'a:443'",
    "a:b:443": "'a:b:443' has several colons; expected one, and an IPv6 address in brackets, as in '[2001:db8::1]:443'",
    "::1:443": "'::1:443' has several colons; expected one, and an IPv6 address in brackets, as in '[2001:db8::1]:443'",
    "[zz]:443": f"'[zz]:443' contains characters that are not allowed in a host; {EXPECTED}",
    "a!b:443": f"'a!b:443' contains characters that are not allowed in a host; {EXPECTED}",
    "{{ host }}:443": f"'{{{{ host }}}}:443' {INVISIBLE}",
    "{{host}}:443": f"'{{{{host}}}}:443' contains characters that are not allowed in a host; {EXPECTED}",
    "a:0": f"the port '0' {RANGE}",
    "a:65536": f"the port '65536' {RANGE}",
    f"a:{'9' * 5000}": f"the port '{'9' * 5000}' {RANGE}",
    "a:0443": "'a:0443' has a port with leading zeros; write 'a:443'",
    "a:https": f"'https' {NO_PORT}",
    "a:-1": f"'-1' {NO_PORT}",
    "a:+1": f"'+1' {NO_PORT}",
    "a:\u0664\u0664\u0663": f"'\u0664\u0664\u0663' {NO_PORT}",
    " a:1": f"' a:1' {INVISIBLE}",
    "a:1\n": rf"'a:1\n' {INVISIBLE}",
    "a:1\x07": rf"'a:1\x07' {INVISIBLE}",
    "\u200ba:1": rf"'\u200ba:1' {INVISIBLE}",
    "a\u00a0:1": rf"'a\xa0:1' {INVISIBLE}",
    "\ud800:1": rf"'\ud800:1' {INVISIBLE}",
}

FULL_WIDTH = {
    "\uff33\uff28\uff2f\uff30.example.com:443": "write 'SHOP.example.com:443'",
    "shop\u3002example\uff0ecom:443": "write 'shop.example.com:443'",
    "shop\uff61example.com\uff1a\uff14\uff14\uff13": "write 'shop.example.com:443'",
    "\ufb01sh.example.com:443": "write 'fish.example.com:443'",
    "b\u00fccher\u3002example:443": "write 'b\u00fccher.example:443'",
    "shop\u3002example": EXPECTED,
}
"""What services may accept and return in another form, and what is said of it."""

WRONG_IN_TASKS = {
    **{name: f"{name!r} contains full-width or similar characters; {text}" for name, text in FULL_WIDTH.items()},
    "me:canary\uff20a.example.com:443": USER,
    ".a.example:443": "'.a.example:443' has nothing before a dot; check whether the variable that it comes from is set",
    "a..b:443": "'a..b:443' has nothing before a dot; check whether the variable that it comes from is set",
}
