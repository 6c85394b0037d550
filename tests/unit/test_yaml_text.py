# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written as YAML is read as the same by every reader, and whatever could be a template is marked."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.plugin_utils._yaml_text import yaml_text
from hostile_strings import HOSTILE

pytestmark = pytest.mark.every_core


def loader_of(base: type) -> type:
    """A reader that knows the tag, and takes it for what it stands on."""
    kind = type("Loader", (base,), {})
    kind.add_constructor("!unsafe", lambda loader, node: loader.construct_scalar(node))  # type: ignore[attr-defined]
    return kind


LOADERS = [loader_of(base) for base in (yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader))]


def read(text: str) -> list[Any]:
    return [yaml.load(text, loader) for loader in LOADERS]


strings = st.text().filter(lambda text: not any(0xD800 <= ord(char) < 0xE000 for char in text))
any_string = strings | st.sampled_from(HOSTILE) | st.builds(str.__add__, st.sampled_from(HOSTILE), strings)
leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | any_string
trees = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(any_string, inner), max_leaves=6)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_strings_are_read_as_they_were(text: str) -> None:
    for value in (text, [text], {text: text}, {"a": [{text: [text]}, text]}, {"a": {text: {text: {}}}}, [[text], [[]]]):
        written = yaml_text(value)
        assert read(written) == [value] * len(LOADERS)
        assert len(written) < 1000 or "\n? " not in written


@given(trees)
def test_everything_is_read_as_it_was(value: Any) -> None:
    assert read(yaml_text(value)) == [value] * len(LOADERS)


@given(trees)
def test_no_text_without_a_mark_could_be_a_template(value: Any) -> None:
    for line in yaml_text(value).splitlines():
        quoted = re.findall(r'(!unsafe )?("(?:[^"\\]|\\.)*")', line)
        assert all(mark for mark, text in quoted if re.search(r"[{}]|#jinja2:", text))
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
        assert "{" not in bare.replace("{}", "")


INVISIBLE = "\\u3164\\u2800\\ufe0f\\u202e\\U000e0101"
WRITTEN: list[tuple[Any, str]] = [
    ("The shop", "The shop\n"),
    ("yes", '"yes"\n'),
    ("1e3", '"1e3"\n'),
    ("2026-01-01", '"2026-01-01"\n'),
    ("a: b", '"a: b"\n'),
    ("B\u00fccher", '"B\u00fccher"\n'),
    ("a\u2028b\x00\U0001f600\ufeff", '"a\\u2028b\\u0000\U0001f600\\ufeff"\n'),
    ("{{ x }}", '!unsafe "{{ x }}"\n'),
    ({"{{ x }}": "{% y"}, '!unsafe "{{ x }}": !unsafe "{% y"\n'),
    ({"a": [], "b": {}, "c": None, "d": True, "e": 1e20}, "a: []\nb: {}\nc: null\nd: true\ne: 1.0e+20\n"),
    ({"a": [{"b": ["c", {"d": 1}]}]}, "a:\n  - b:\n      - c\n      - d: 1\n"),
    ([["a"], []], "- - a\n- []\n"),
    (["a\u3164\u2800\ufe0f\u202e\U000e0101"], f'- "a{INVISIBLE}"\n'),
]


def test_values_are_written_as_plainly_as_yaml_allows() -> None:
    assert [(value, yaml_text(value)) for value, _written in WRITTEN] == WRITTEN


def test_a_key_may_be_long_and_numbers_that_are_none_are_read_as_such() -> None:
    value = {"k" * 5000: {"{{ x }}" * 500: [1, {"b" * 2000: "c"}]}, "infinite": [math.inf, -math.inf]}
    assert read(yaml_text(value)) == [value] * len(LOADERS)
    assert all(math.isnan(number) for number in read(yaml_text(float("nan"))))


def test_half_a_character_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"U\+D800"):
        yaml_text({"a": ["\ud800"]})


def test_encrypted_values_stay_encrypted() -> None:
    written = yaml_text({"a": "cipher", "b": ["cipher"]}, lambda value: "one\ntwo\n" if value == "cipher" else None)
    assert written == "a: !vault |\n  one\n  two\nb:\n  - !vault |\n      one\n      two\n"
