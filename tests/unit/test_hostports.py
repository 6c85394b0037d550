# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostports that are declared: which are accepted, and what is said of the others."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._model.hostports import hostport_errors
from hostport_samples import FINE, WRONG, WRONG_IN_TASKS

pytestmark = pytest.mark.every_core


@pytest.mark.parametrize("name", FINE)
def test_valid_hostports_can_be_declared(name: str) -> None:
    assert list(hostport_errors(name, "p")) == []


@pytest.mark.parametrize(
    ("name", "option_error"), {**WRONG, **WRONG_IN_TASKS}.items(), ids=lambda text: ascii(text)[:40]
)
def test_an_invalid_hostport_is_reported_with_a_correction(name: str, option_error: str) -> None:
    assert list(map(str, hostport_errors(name, "p"))) == [f"p: {option_error}"]


@given(st.text(max_size=20) | st.text(alphabet="a1:/@[].0\uff0e\uff1a\u3002\uff20\uff10\ufdfa", max_size=12))
def test_what_is_advised_is_accepted(name: str) -> None:
    for option_error in map(str, hostport_errors(name, "p")):
        advised = re.search(r"write ('[^']*')", option_error)
        if advised:
            assert list(hostport_errors(ast.literal_eval(advised[1]), "p")) == []
