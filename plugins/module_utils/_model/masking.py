# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks secrets in strings, in all the ways in which they may be written there. Pure.

Services quote what they received: unchanged, as JSON inside of a JSON string, or as part of a URL or a page. So escapes
are decoded, several kinds and several times, and a secret is masked where its encoded form is in the string.
"""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from .._values.escapes import encodable, unescaped
from .._values.kinds import MASK

WHOLE = "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
"""Replaces a value that consists of a secret only, as everywhere in Ansible."""

_SHORT = 3
"""Secrets of up to this many characters are masked only if they stand alone, and not inside of words."""

_LAYERS = 5
"""How often base64 is decoded."""

_SHORTEST_TEXT = 6
"""In characters. Shorter strings in base64 are not recognized as such."""

_LONGEST_ESCAPE = 24
"""In characters, of one character of a secret, with escapes that are escaped."""

_WINDOW = 2**14
"""Longer strings are processed in pieces, because each character takes much memory."""

# Compiled before Ansible forks its workers, each of which runs a single task.
_ESCAPE = re.compile(r"\\|%[0-9a-fA-Fu]|&[#A-Za-z]")
_FIELD = re.compile(r"[a-z_]+[0-9]{0,3}")
_USER_INFO = re.compile(r"(?<=://)\S+@")
_STANDARD = str.maketrans("-_", "+/")


class Masks:
    """The secrets of one task, which are collected when the first string is masked."""

    def __init__(self, secrets: Callable[[], Iterable[str]]) -> None:
        self._secrets = secrets

    def with_more(self, secrets: Callable[[], Iterable[str]]) -> Masks:
        """Return masks of these secrets as well. These masks stay as they are."""
        return Masks(lambda: [*self._needles, *secrets()])

    def text(self, text: str) -> str:
        parts, end = [], 0
        for first, last in sorted(set(self._spans(text))):
            if first >= end:
                parts += [text[end:first], MASK]
            end = max(end, last)
        return "".join([*parts, text[end:]])

    def beginning(self, text: str, length: int) -> str:
        """Return the beginning of the text, masked before it is cut, so that no part of a secret is left."""
        longest = _LONGEST_ESCAPE * max(map(len, self._needles), default=0)
        window = length + 2 * longest
        if len(text) <= window:
            return self.text(text)[:length]
        # Masking shortens the text, so a secret that was cut off at the end of the window may move into the result.
        masked = self.text(text[:window])
        return masked[: max(0, len(masked) - longest)][:length]

    def library_text(self, text: str) -> str:
        """Return the masked message of a library, without user names and passwords in URLs."""
        return _USER_INFO.sub(f"{MASK}@", self.text(text))

    def value(self, value: Any) -> Any:
        """Return a result with all secrets masked at any depth. Field names are kept, even with a secret in them.

        Halves of surrogate pairs, which Ansible does not accept in a result, are replaced.
        """
        if (text := self._clean_json(value)) is not None:
            return json.loads(text)
        seen: dict[str, str] = {}

        def masked(value: Any) -> Any:
            if isinstance(value, str):
                if value not in seen:
                    seen[value] = WHOLE if value in self._needles else encodable(self.text(value))
                return seen[value]
            if isinstance(value, Mapping):
                return {self._key(name): masked(member) for name, member in value.items()}
            if isinstance(value, (list, tuple)):
                return [masked(member) for member in value]
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return WHOLE if is_number and any(digits in str(value) for digits in self._numbers) else value

        return masked(value)

    def _clean_json(self, value: Any) -> str | None:
        """Return a result as JSON if it certainly contains no secret, which is quicker than masking its strings."""
        try:
            text = json.dumps(value, ensure_ascii=False)
        except (TypeError, ValueError):
            return None
        is_plain = text.isprintable() and not _ESCAPE.search(text)
        return text if is_plain and next(self._spans(text), None) is None else None

    def _key(self, name: Any) -> Any:
        return encodable(self.text(name)) if isinstance(name, str) and not _FIELD.fullmatch(name) else name

    @cached_property
    def _needles(self) -> frozenset[str]:
        given = {str(secret) for secret in self._secrets()}
        # A secret from a file often ends with a line break, which is missing if the secret is quoted.
        stripped = {secret.strip() for secret in given}
        return frozenset({secret for secret in given | stripped if secret.strip()} - {MASK})

    @cached_property
    def _numbers(self) -> list[str]:
        return [secret for secret in self._needles if len(secret) > _SHORT and re.fullmatch(r"[0-9.e+-]+", secret)]

    @cached_property
    def _short(self) -> re.Pattern[str] | None:
        short = filter(has_to_stand_alone, self._needles)
        words = {form for secret in short for form in _forms(secret) if len(form) >= len(secret)}
        anyone = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
        return re.compile(rf"(?<!\w)(?:{anyone})(?!\w)") if words else None

    @cached_property
    def _in_base64(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """Match what may be base64, and what may be text in it, and not the result of decoding something else."""
        least = max(_SHORTEST_TEXT, min(map(len, self._needles)))
        return re.compile(f"[A-Za-z0-9+/_-]{{{least * 4 // 3},}}"), re.compile(rf"[\t\n\r -~]{{{least},}}")

    @cached_property
    def _long(self) -> tuple[re.Pattern[str], dict[str, set[str]]]:
        """Find quickly where a longer secret may begin, with all forms of these secrets by their first characters."""
        forms: dict[str, set[str]] = {}
        for form in (form for secret in self._needles if not has_to_stand_alone(secret) for form in _forms(secret)):
            if not has_to_stand_alone(form):
                forms.setdefault(form[: _SHORT + 1], set()).add(form)
        classes = (re.escape("".join(sorted(set(letters)))) for letters in zip(*forms))
        return re.compile("".join(f"[{each}]" for each in classes) or "(?!)"), forms

    def _spans(self, text: str, layers: int = _LAYERS) -> Iterator[tuple[int, int]]:
        """Yield the positions of secrets in the text, with escapes and up to this many layers of base64 around them."""
        if not self._needles:
            return
        yield from self._found(text, layers)
        if _ESCAPE.search(text):
            overlap = _LONGEST_ESCAPE * max(map(len, self._needles))
            for start in range(0, len(text), _WINDOW):
                for plain, places in unescaped(text[start : start + _WINDOW + overlap]):
                    for first, last in self._found(plain, layers):
                        yield start + places[first][0], start + places[last - 1][1]

    def _found(self, text: str, layers: int) -> Iterator[tuple[int, int]]:
        """Yield the positions of secrets, unchanged or in base64 with up to this many layers."""
        if self._short is not None:
            yield from (match.span() for match in self._short.finditer(text))
        yield from self._written(text)
        if layers:
            words, texts = self._in_base64
            for start, decoded in _from_base64(text, words):
                inside = list(self._written(decoded))
                for piece in texts.finditer(decoded):
                    begin = piece.start()
                    inside += ((begin + first, begin + last) for first, last in self._spans(piece[0], layers - 1))
                yield from (_span_in_base64(start, first, last) for first, last in inside)

    def _written(self, text: str) -> Iterator[tuple[int, int]]:
        beginning, forms = self._long
        found = beginning.search(text)
        while found:
            place = found.start()
            for secret in forms.get(found[0], ()):
                if text.startswith(secret, place):
                    yield place, place + len(secret)
            found = beginning.search(text, place + 1)


class WrongSecret(str):
    """A secret of the wrong type, which is displayed as the mask, with the values inside of it that are masked."""

    inside: tuple[str, ...]

    def __new__(cls, value: Any) -> WrongSecret:
        secret = super().__new__(cls, MASK)
        # Short ones would mask words of our messages.
        secret.inside = tuple(leaf for leaf in _leaves(value) if not has_to_stand_alone(leaf))
        return secret


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, (Mapping, list, tuple)):
        for member in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(member)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def secret_values(spec: Mapping[str, Mapping[str, Any]], options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the values of the options that are secret as a whole."""
    for name, option in spec.items():
        value = options.get(name)
        if option.get("no_log") and value is not None:
            yield from value.inside if isinstance(value, WrongSecret) else (str(value),)
        elif isinstance(value, (Mapping, list)) and (suboptions := getattr(option, "whole", option).get("options")):
            for member in value if isinstance(value, list) else [value]:
                yield from secret_values(suboptions, member) if isinstance(member, Mapping) else ()


def has_to_stand_alone(secret: str) -> bool:
    return len(secret) <= _SHORT


def _forms(secret: str) -> Iterator[str]:
    """Yield a secret as decoded strings contain it: with + for blanks, as bytes, and with its own escapes decoded.

    A backslash at its end may have been decoded together with what follows.
    """
    for text in (secret, secret.replace(" ", "+"), secret.rstrip("\\")):
        for form in (text, text.encode("utf-8", "surrogatepass").decode("latin-1")):
            yield from filter(str.strip, (form, *(plain for plain, _places in unescaped(form))))


def _from_base64(text: str, words: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Yield what the words in a text mean if they are base64 from each of their first four characters on.

    The first value is the position of that character. Each byte is decoded as one character.
    """
    for word in words.finditer(text):
        standard = word[0].translate(_STANDARD)
        for start in range(4):
            data = standard[start:] + "A" * (-len(standard[start:]) % 4)
            yield word.start() + start, binascii.a2b_base64(data).decode("latin-1")


def _span_in_base64(start: int, first: int, last: int) -> tuple[int, int]:
    """Return where the decoded characters `first` to `last` are in the text that is base64 from `start` on."""
    end = last - 1
    return start + first // 3 * 4 + first % 3, start + end // 3 * 4 + end % 3 + 2
