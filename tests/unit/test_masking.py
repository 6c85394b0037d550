# SPDX-License-Identifier: GPL-3.0-or-later
"""What secrets look like in a string, and that nothing of them is left."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._model.masking import WHOLE, Masks, secret_values
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.machine_settings import credentials_in
from hostile_strings import SPELLINGS, json_of

pytestmark = pytest.mark.every_core

MASK = "********"
SECRETS = [
    *("plain-secret", "with \"quotes\", \\ and / and 'more'", "caf\u00e9 \u20ac \U0001f600 t\u00f6p"),
    *("two\nlines\tand tabs", "p%41ss&amp;wo+rd=", "<b>&\"'", "back\\u0041slash\\n", "00\u00c2\x80"),
]


def masks(*secrets: str) -> Masks:
    return Masks(lambda: secrets)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("secret", SECRETS)
def test_every_spelling_is_masked(secret: str, spelling: str) -> None:
    written = SPELLINGS[spelling](secret)
    around = "the value \u00e9 '{}' is 100 % wrong, \\ %zz &and; so on"
    assert masks("another", secret).text(around.format(written)) == around.format(MASK)


@given(st.text(min_size=4).filter(str.strip), st.sampled_from(sorted(SPELLINGS)), st.text(), st.text())
def test_any_secret_is_masked_in_any_text(secret: str, spelling: str, before: str, after: str) -> None:
    if any(0xD800 <= ord(char) < 0xE000 for char in secret):
        return
    shown = masks(secret).text(f"{before} {SPELLINGS[spelling](secret)} {after}")
    assert MASK in shown
    assert secret not in shown or secret in MASK


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


ENCODINGS: dict[str, Callable[[str], str]] = {
    "base64": in_base64,
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "json": json_of,
    "url": SPELLINGS["url"],
}
WAYS = [way for times in (1, 2, 3) for way in product(ENCODINGS, repeat=times)]
AROUND = ["{}", "a{} and more", "user:{}", '{{"a": "{}"}}', "caf\u00e9~{}~", "\n\x00{}\u20ac"]


@pytest.mark.parametrize("way", WAYS, ids="-".join)
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("secret", ["plain-secret-of-a-test", 'a?"long">secret~with\u00e9'])
def test_a_secret_is_masked_however_it_is_encoded(secret: str, around: str, way: tuple[str, ...]) -> None:
    known = masks("another-one", secret)
    written = secret
    for name in way:
        written = ENCODINGS[name](around.format(written))
    shown = known.text(f"bad: {written} and more")
    assert MASK in shown
    for text in all_decoded(shown):
        assert not any(secret[start : start + 6] in text for start in range(len(secret) - 5)), text


def all_decoded(text: str, depth: int = 4) -> Iterator[str]:
    """The text, and whatever its parts may be in base64."""
    yield text
    for run in re.findall(r"[A-Za-z0-9+/_-]{8,}", text) if depth else ():
        for start in range(4):
            part = run[start:].translate(str.maketrans("-_", "+/"))
            part = part[: len(part) - (len(part) % 4 == 1)]
            yield from all_decoded(base64.b64decode(part + "=" * (-len(part) % 4)).decode("latin-1"), depth - 1)


def test_base64_four_times_over_around_what_is_known() -> None:
    written = secret = "a-secret-of-some-length"
    for _each in range(5):
        written = in_base64(f"a {written}")
        assert MASK in masks(secret).text(written)


@given(st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), min_size=8), st.text(), st.text())
def test_any_text_in_base64_twice_is_masked(secret: str, before: str, after: str) -> None:
    written = in_base64(before + in_base64(secret) + after)
    assert MASK in masks(secret).text(f"({written})")


IN_BASE64 = ["edghts_2kf9Kd83hfKwlBCNsfwIEdeT3oq", in_base64("some other text of no interest" * 9), "KCAA" * 99]
NOTHING = f"a string\nwith {MASK} \\u0020"
# What is secret, and texts before and after they are masked: short ones are masked where they stand alone.
TEXTS: list[tuple[tuple[str, ...], str, str]] = [
    (("a",), "a secret of 'a' is bad, says anna", f"{MASK} secret of '{MASK}' is bad, says anna"),
    (("a",), '"\\u0061" &#97; %61', f'"{MASK}" {MASK} {MASK}'),
    (("ab",), "abc ab=ab", f"abc {MASK}={MASK}"),
    (("s3c",), "s3c", MASK),
    (("s3c",), "s3cr", "s3cr"),
    (("\u00e9",), "\u00e9 \u00e9t\u00e9 %C3%A9", f"{MASK} \u00e9t\u00e9 {MASK}"),
    *(((no_secret,), NOTHING, NOTHING) for no_secret in ("", " ", "\n", MASK)),
    *((("a-secret-of-some-length", "x"), text, text) for text in IN_BASE64),
    (("a secret\a\b\x1b\f\n\r\t\v\0",), r"a secret\a\b\e\f\n\r\t\v\0", MASK),
    (("\\",), "one \\ of a\\b", f"one {MASK} of a\\b"),
    (("%20%20%20%20%20", "%41"), "A     B %41", f"A     B {MASK}"),
    (("from-a-file\n",), "'from-a-file'", f"'{MASK}'"),
    (("one-two", "two-three"), "(one-two-three)", f"({MASK})"),
    (("secret", "cretse"), "(secretsecret)", f"({MASK})"),
]


@pytest.mark.parametrize(("secrets", "text", "shown"), TEXTS)
def test_a_text_is_masked(secrets: tuple[str, ...], text: str, shown: str) -> None:
    assert masks(*secrets).text(text) == shown


@pytest.mark.parametrize("length", range(0, 60, 7))
@pytest.mark.parametrize("spelling", ["plain", "json, every character", "url in url"])
def test_the_beginning_is_cut_after_masking(length: int, spelling: str) -> None:
    secret = "a-secret-of-\u00e9\u00e9\u00e9-letters"
    written = SPELLINGS[spelling](secret)
    for text in (f"{'x' * 20}{written}{'y' * 20}", f"{written} " * 500, f"{'x' * length}{written * 500}"):
        shown = masks(secret).beginning(text, length)
        assert len(shown) <= length
        assert set(shown) <= {*"xy* "}


def test_a_long_text_is_masked_all_over() -> None:
    secret = 'a "secret" of \u00e9'
    written = json_of(secret)
    for before in range(16384 - 60, 16384 + 5):
        text = f"{'x' * before}{written}{'y' * 5000}{written}"
        assert masks(secret).text(text) == f"{'x' * before}{MASK}{'y' * 5000}{MASK}"


def test_many_secrets_are_masked_as_few_are() -> None:
    secrets = [f"secret-number-{number}-\u00e9" for number in range(500)]
    text = " ".join(json_of(secret) + "|" + secret for secret in secrets)
    assert set(masks(*secrets).text(text)) <= {*"*| "}


def test_secrets_are_not_collected_before_there_is_a_string_to_mask() -> None:
    asked: list[str] = []
    these = Masks(lambda: asked.append("asked") or ["secret"])  # type: ignore[func-returns-value]
    assert asked == []
    these.text("one")
    these.text("two")
    assert asked == ["asked"]


INSIDE = ["secret-one", "with secret-one in it", 3, None, True]
VALUES: list[tuple[Any, Any]] = [
    ({"a": INSIDE}, {"a": [WHOLE, f"with {MASK} in it", 3, None, True]}),
    ({"a": {"secret-one": "x", "secret": 1, 2: "secret-one"}}, {"a": {MASK: "x", "secret": 1, 2: WHOLE}}),
    (12345, WHOLE),
    (9123459, WHOLE),
    (1.5, 1.5),
    ('{"echo": "\\u0073ecret-one"}', f'{{"echo": "{MASK}"}}'),
    # Since ansible-core 2.19, a module cannot return them, so one text of anybody would break the task.
    ({"a\ud800": ["b\udfff", "\N{SLIGHTLY SMILING FACE}"]}, {"a\ufffd": ["b\ufffd", "\N{SLIGHTLY SMILING FACE}"]}),
]


@pytest.mark.parametrize(("value", "shown"), VALUES)
def test_values_are_masked_at_any_depth_without_halves_of_surrogate_pairs(value: Any, shown: Any) -> None:
    assert masks("secret-one", "secret", "12345", "True").value(value) == shown
    assert value is not VALUES[-1][0] or masks().value(value) == shown


SAID = {
    "Failed to parse: http://user:pa/ss@proxy:1": f"Failed to parse: http://{MASK}@proxy:1",
    "see https://u:p@ss@host/x and http://v@h": f"see https://{MASK}@host/x and http://{MASK}@h",
    "https://host/path": "https://host/path",
}
CREDENTIALS: dict[str, set[str]] = {
    "http://user:pass@proxy:3128": {"user:pass", "pass"},
    "user:pass@proxy:3128": {"user:pass", "pass"},
    "http://user:p%40/s@s@proxy": {"user:p%40/s@s", "user:p@/s@s", "user:p%40", "p%40/s@s", "p@/s@s", "p%40"},
    "http://token@proxy": {"token"},
    "http://proxy:3128": set(),
    "": set(),
}


def test_the_credentials_of_an_address_are_found_and_not_shown_in_what_a_library_says() -> None:
    assert {address: {*credentials_in(address)} - {""} for address in CREDENTIALS} == CREDENTIALS
    assert {text: masks("x-secret").library_text(text) for text in SAID} == SAID


def test_the_secret_values_of_options_are_found_at_any_depth() -> None:
    spec = {
        "key": {"type": "str", "no_log": True},
        "name": {"type": "str"},
        "inside": {"type": "dict", "options": {"key": {"no_log": True}, "other": {}}},
        "members": {"type": "list", "elements": "dict", "options": {"key": {"no_log": True}}},
    }
    inside, members = {"key": "four", "other": "nor this"}, [{"key": "five"}, {"key": None}, "wrong", None]
    options = {"key": 1, "name": "not this", "inside": inside, "members": members}
    assert [*secret_values(spec, options)] == ["1", "four", "five"]
    assert [*secret_values(spec, {"inside": None, "members": "wrong"})] == []
