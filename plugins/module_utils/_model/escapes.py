# SPDX-License-Identifier: GPL-3.0-or-later
"""How strings are written: escapes and base64, which are undone, and escapes for what cannot be displayed. Pure.

Also halves of surrogate pairs, which an escape of JSON can represent, but no encoding can. A terminal obeys the control
characters of a name: these could erase a line about a deletion, or add another line.
"""

from __future__ import annotations

import binascii
import html
import re
import unicodedata
from collections.abc import Callable, Iterator

_SURROGATE = re.compile("[\ud800-\udfff]")

# A string with escapes decoded, and for each character its start and end in the original.
Reading = tuple[str, list[tuple[int, int]]]


def unescaped(read: Reading) -> Iterator[Reading]:
    """Yield the text with one kind of escape decoded: of JSON and programming languages, of URLs, of HTML."""
    text = read[0]
    if "\\" in text:
        yield _replaced(read, _BACKSLASHED, _from_backslashed)
    if "\\x" in text:
        yield _replaced(read, _BYTE_BY_BYTE, _from_backslashed)
    if "%" in text:
        yield _replaced(read, _PERCENT, _from_percent)
    if "+" in text:
        yield _replaced(read, _PERCENT_OR_PLUS, _from_percent)
    if "&" in text:
        yield _replaced(read, _ENTITY, _from_entity)


_BACKSLASHED = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]{1,6}\}"
    r"|\\U[0-9a-fA-F]{8}|(?:\\x[0-9a-fA-F]{2})+|\\[0-3][0-7]{2}|\\.",
    re.DOTALL,
)
# In Python strings, \xe9 is one character. In its representation of bytes, two of them can be one character.
_BYTE_BY_BYTE = re.compile(_BACKSLASHED.pattern.replace(r"(?:\\x[0-9a-fA-F]{2})+", r"\\x[0-9a-fA-F]{2}"), re.DOTALL)
_PERCENT = re.compile(r"%u[0-9a-fA-F]{4}|(?:%[0-9a-fA-F]{2})+")
_PERCENT_OR_PLUS = re.compile(rf"\+|{_PERCENT.pattern}")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "0": "\0", "e": "\x1b"}

# The characters of an escape, each with the number of characters that it takes in the text.
_Pieces = list[tuple[str, int]]


def _replaced(read: Reading, escapes: re.Pattern[str], meaning: Callable[[str], _Pieces]) -> Reading:
    text, places = read
    plain: list[str] = []
    kept: list[tuple[int, int]] = []
    end = 0
    for match in escapes.finditer(text):
        plain.append(text[end : match.start()])
        kept += places[end : match.start()]
        end = match.start()
        for meant, length in meaning(match[0]):
            plain.append(meant)
            kept += [(places[end][0], places[end + length - 1][1])] * len(meant)
            end += length
    return "".join([*plain, text[end:]]), kept + places[end:]


def _from_backslashed(found: str) -> _Pieces:
    kind, digits = found[1], found[2:].strip("{}")
    if kind == "x" and digits:
        return _from_bytes(found, 4)
    if kind in "uU" and digits:
        return [(_character(digits) if "\\" not in digits else _pair(digits), len(found))]
    if len(found) == 4:  # noqa: PLR2004 - a backslash and three octal digits
        return [(chr(int(found[1:], 8)), len(found))]
    return [(_LETTERS.get(kind, kind), len(found))]


def _from_percent(found: str) -> _Pieces:
    if found == "+":
        return [(" ", 1)]
    return [(_character(found[2:]), len(found))] if found[1] == "u" else _from_bytes(found, 3)


def _from_entity(found: str) -> _Pieces:
    if found[1] != "#":
        return [(html.unescape(found), len(found))]
    return [(_character(found[3:-1]) if found[2] in "xX" else _character(f"{int(found[2:-1]):x}"), len(found))]


def _from_bytes(found: str, length: int) -> _Pieces:
    """Decode bytes that are written with this many characters each: as UTF-8 if possible, otherwise as Latin-1."""
    data = bytes(int(found[place + length - 2 : place + length], 16) for place in range(0, len(found), length))
    try:
        return [(char, length * len(char.encode())) for char in data.decode()]
    except UnicodeDecodeError:
        return [(char, length) for char in data.decode("latin-1")]


def _character(digits: str) -> str:
    number = int(digits, 16)
    return chr(number) if number < 0x110000 else "\ufffd"  # noqa: PLR2004 - as many as Unicode has


def _pair(digits: str) -> str:
    high, _between, low = digits.partition("\\u")
    return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)


def is_encodable(text: str) -> bool:
    """Return whether the text contains no half of a surrogate pair."""
    return _SURROGATE.search(text) is None


def encodable(text: str) -> str:
    """Return the text with each half of a surrogate pair replaced."""
    return text if text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


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


_BIG = 0x10000


def visible(text: str) -> str:
    r"""Return the text with an escape sequence such as `\\u001b` for each character that cannot be printed."""
    return text if text.isprintable() else "".join(char if char.isprintable() else escape(char) for char in text)


def escape(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < _BIG else f"\\U{ord(char):08x}"


def is_invisible(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) in ("Cc", "Cf", "Cs")


def visible_part(text: str) -> str:
    return "".join(char for char in text if not is_invisible(char))
