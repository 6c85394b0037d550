# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds base64 of printable text anywhere in a string, without knowing its start. Pure.

Most strings contain none, so whatever cannot be base64 of printable ASCII is skipped and not decoded.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

_ANY = "A-Za-z0-9+/_-"
# Four characters of base64 encode three bytes. These are the characters at each place if the two highest bits of each
# byte are those of printable ASCII. The fourth character contains none of these bits.
_FOUR = ("I-Za-f", "C-HS-Xi-ny-z0-3", "ABEFIJMNQRUVYZcdghklopstwx014589", _ANY)
_PIECE = re.compile("(?:" + "".join(f"[{characters}]" for characters in _FOUR) + ")+")
_GROUP = re.compile(f"[{_ANY}]{{4}}")
_NEXT = re.compile(f"[{_ANY}]{{0,4}}")
_STANDARD = str.maketrans("-_", "+/")
_SHORTEST = 8

_KINDS = bytes(
    sum(1 << place for place, characters in enumerate(_FOUR) if re.match(f"[{characters}]", chr(code)))
    for code in range(256)
)
"""Which of the four places a character may have, as bits."""


def decoded_pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield the decoded pieces of base64 that are printable, each with its start in the text.

    A piece includes one group of four characters on each side, which may contain its first or last printable ones.
    """
    ends = [0] * 4
    for place in _places(text):
        if place < ends[place % 4]:
            continue
        piece = _PIECE.match(text, place)
        end = ends[place % 4] = piece.end() if piece else place
        start = place - 4 if _GROUP.fullmatch(text[max(0, place - 4) : place]) else place
        rest = _NEXT.match(text, end)
        yield start, _decoded(text[start : rest.end() if rest else end])


def span_in_text(start: int, first: int, last: int) -> tuple[int, int]:
    """Return where the characters `first` to `last` of a decoded piece are in the text; the piece begins at `start`."""
    end = last - 1
    return start + first // 3 * 4 + first % 3, start + end // 3 * 4 + end % 3 + 2


def _places(text: str) -> Iterator[int]:
    """Yield the positions at which one group of four directly follows another.

    All positions are tested together, as the bytes of one large number. One by one, this takes ten times as long.
    """
    if len(text) < _SHORTEST:
        return
    kinds = int.from_bytes(text.encode("latin-1", "replace").translate(_KINDS), "little")
    # The lowest bit of a byte remains set if this byte and the next three suit the four places of a group.
    groups = kinds & kinds >> 9 & kinds >> 18 & kinds >> 27
    pairs = groups & groups >> 32
    if not pairs:
        return
    found = pairs.to_bytes(len(text), "little")
    place = found.find(1)
    while place >= 0:
        yield place
        place = found.find(1, place + 1)


def _decoded(piece: str) -> str:
    """Decode base64 as Latin-1, with one character for each byte. The last group may be incomplete."""
    missing = -len(piece) % 4
    data = binascii.a2b_base64(piece.translate(_STANDARD) + "A" * missing)
    return data[: len(piece) * 6 // 8].decode("latin-1")
