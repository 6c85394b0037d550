# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that can go wrong between the collection and the service, by name."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any

from fault_proxy import Fault, send

TIMEOUT = 0.25
"""Seconds that a request may take in these tests; what stalls and what drips takes longer."""

ELSEWHERE = "http://127.0.0.2:9/stolen"
HTML = b"<html><body>Bad gateway</body></html>"
HUGE = 50 * 2**20

Writer = asyncio.StreamWriter
Spoil = Callable[[Writer, bytes], Awaitable[None]]


def response(status: int, body: bytes, kind: str = "application/json", **headers: str) -> bytes:
    """A whole response; underscores in the names of headers stand for dashes."""
    named = {"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status} Whatever", *(f"{name}: {value}" for name, value in named.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def saying(status: int, body: bytes, kind: str = "application/json", **headers: str) -> Spoil:
    async def say(writer: Writer, _response: bytes) -> None:
        await send(writer, response(status, body, kind, **headers))

    return say


async def reset(writer: Writer, _response: bytes) -> None:
    sock: socket.socket = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def cut(writer: Writer, whole: bytes) -> None:
    head, _end, body = whole.partition(b"\r\n\r\n")
    await send(writer, head + b"\r\n\r\n" + body[: len(body) // 2])


async def stall(writer: Writer, _response: bytes) -> None:
    await asyncio.sleep(3 * TIMEOUT)


async def drip(writer: Writer, whole: bytes) -> None:
    for number in range(min(len(whole), 40)):
        await send(writer, whole[number : number + 1])
        await asyncio.sleep(TIMEOUT / 4)


async def huge(writer: Writer, _response: bytes) -> None:
    piece = b" " * 2**20
    await send(writer, response(200, b"")[:-4].replace(b"Content-Length: 0", f"Content-Length: {HUGE}".encode()))
    await send(writer, b"\r\n\r\n")
    for _piece in range(HUGE // len(piece)):
        await send(writer, piece)


def changed(change: Callable[[bytes], bytes], kind: str = "application/json") -> Spoil:
    async def say(writer: Writer, whole: bytes) -> None:
        head, _end, body = whole.partition(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        await send(writer, response(status, change(body), kind) if body else whole)

    return say


def _numbers_for_strings(body: bytes) -> bytes:
    def number(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: number(member) for name, member in value.items()}
        if isinstance(value, list):
            return [number(member) for member in value]
        return 7 if isinstance(value, str) else value

    return json.dumps(number(json.loads(body))).encode()


def _without_list(body: bytes) -> bytes:
    """The page of a list without its list; any other response as it is."""
    found = json.loads(body)
    if not isinstance(found, dict) or "id" in found:
        return body
    return json.dumps({name: value for name, value in found.items() if not isinstance(value, list)}).encode()


async def wait_until_soon(writer: Writer, _response: bytes) -> None:
    moment = datetime.now(timezone.utc) + timedelta(seconds=1)
    await send(writer, response(429, b"{}", Retry_After=format_datetime(moment, usegmt=True)))


KINDS: dict[str, Fault] = {
    "refused": Fault(None),
    "reset before": Fault(reset),
    "reset after": Fault(reset, takes_effect=True),
    "cut": Fault(cut, takes_effect=True),
    **{f"{status} before": Fault(saying(status, HTML, "text/html")) for status in (500, 502, 503, 504)},
    **{f"{status} after": Fault(saying(status, HTML, "text/html"), takes_effect=True) for status in (500, 504)},
    "408": Fault(saying(408, b"")),
    "429": Fault(saying(429, b"")),
    "429 with seconds": Fault(saying(429, b"{}", Retry_After="1")),
    "429 with a date": Fault(wait_until_soon),
    "stall before": Fault(stall),
    "stall after": Fault(stall, takes_effect=True),
    "drip": Fault(drip, takes_effect=True),
    "redirect": Fault(saying(307, b"", Location=ELSEWHERE)),
    "another content type": Fault(changed(lambda body: body, "text/plain"), takes_effect=True),
    "a page of HTML": Fault(saying(200, HTML, "text/html")),
    "an empty body before": Fault(saying(200, b"")),
    "an empty body after": Fault(changed(lambda body: b""), takes_effect=True),
    "50 MB": Fault(huge, takes_effect=True),
    "broken UTF-8": Fault(changed(lambda body: body.replace(b'"', b'"\xff', 1)), takes_effect=True),
    "a list for an object": Fault(changed(lambda body: b"[" + body + b"]"), takes_effect=True),
    "a page without its list": Fault(changed(_without_list), takes_effect=True),
    "a number for a string": Fault(changed(_numbers_for_strings), takes_effect=True),
}

SLOW = ("stall before", "stall after", "drip", "50 MB")
"""Kinds that take time to try."""
