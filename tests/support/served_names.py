# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges and the hostports that they serve, in a line of text: `one:ab ?two:c tls:d`.

A letter is a hostport such as `a.example.com:443`, `8` another port of b, and `-` none. `one:ab` is an edge with its
ID, `?one:ab` is found by another field, `:ab` by its hostports, and `one` declares none. A name that begins with `tls`
or `tcp` is that of an edge that is declared as an object.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from module_task import Tasks

Given = dict[str, Any]
ODD = {"*": "*.example.com:443", "8": "b.example.com:8443"}


def hostports(letters: str) -> list[str]:
    return [ODD.get(letter, f"{letter}.example.com:443") for letter in letters if letter != "-"]


def edge_id(name: str) -> str:
    return f"edg{name[:3]}_{name}" if name[:3] in ("tls", "tcp") else f"edghts_{name}"


def estate(words: str | Iterable[str], **more: Any) -> Given:
    """The options of a task that declares these edges, and more."""
    found: Given = {}
    for word in words.split() if isinstance(words, str) else words:
        text, has_list, letters = word.partition(":")
        name, is_found = text.lstrip("?"), text.startswith("?")
        listed: Given = {"hostports": hostports(letters)} if has_list else {}
        by_id = {"id": edge_id(name)} if name and not is_found else {}
        if name[:3] in ("tls", "tcp"):
            how = {"find_by": {"description": name}} if is_found else by_id
            one = {"name": name, "collection": f"edges/{name[:3]}", **how, "body": listed}
            found.setdefault("objects", []).append(one)
        else:
            how = {"find_by": "metadata", "metadata": name} if is_found else by_id
            found.setdefault("https_edges", []).append({**how, **listed})
    return {**found, **more}


def seed(tasks: Tasks, text: str) -> Tasks:
    """Let the service hold these edges."""
    for word in text.split():
        name, _colon, letters = word.partition(":")
        one = {"id": edge_id(name), "hostports": hostports(letters), "description": name}
        if name[:3] == "tcp":
            tasks.service.seed(objects={"edges/tcp": [one]})
        else:
            tasks.service.seed(**{"tls_edges" if name[:3] == "tls" else "https_edges": [{**one, "metadata": name}]})
    return tasks


def served(tasks: Tasks) -> dict[str, str]:
    """The letters of what each edge serves, by its name, or by its ID if it has none."""
    state = tasks.service.state()
    edges = [*state["https_edges"], *state["tls_edges"], *state["objects"].get("edges/tcp", ())]
    letters = {name: letter for letter, name in ODD.items()}
    return {
        edge.get("metadata") or edge.get("description") or edge["id"]: "".join(
            sorted(letters.get(name, name[0].lower()) for name in edge.get("hostports", ()))
        )
        for edge in edges
    }
