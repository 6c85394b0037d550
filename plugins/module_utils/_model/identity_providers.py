# SPDX-License-Identifier: GPL-3.0-or-later
"""The identity providers of the oauth module (section 2.4): which of them a response shows as in use.

A provider that is in use and restricts nobody lets in everyone who has an account there. Services that omit empty
values show it as an empty object, and others show just that for a provider that is not in use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .._errors import Contradiction
from .._values.kinds import Body, Normal, Wire
from .._values.option_wording import DocumentedElsewhere
from .objects import Object


class UnclearProviders(dict[str, Any]):
    """The state of all providers, of which some might be in use without any restriction.

    These are `unclear`. Their state is that of a provider that is not in use, so that it is never sent back: that could
    let in everyone.
    """

    def __init__(self, state: Mapping[str, Any], unclear: set[str]) -> None:
        super().__init__(state)
        self.unclear = unclear


class IdentityProviders(Object):
    """One member for each provider. The normal form of one that is not in use is None.

    Null or a missing key means that a provider is not in use, an object that it is. If all of them are objects, the
    service also returns objects for those that are not in use, because nobody uses all. Then the emptiest are unclear.
    """

    def options(self) -> dict[str, Any]:
        """Return the options. Those of the first provider are documented, and those of the others mean the same."""
        first, *others = super().options().items()
        return dict([first, *((name, DocumentedElsewhere(option)) for name, option in others)])

    def read(self, wire: Wire, path: str) -> Normal:
        state = super().read(wire, path)
        if state is None or None in state.values():
            return state
        known = {name: [value for key, value in wire[name].items() if key in one] for name, one in state.items()}
        without_value = {name for name, values in known.items() if not any(values)}
        without_key = {name for name in without_value if not known[name]}
        shows_empty_values = not all(value for values in known.values() for value in values)
        unused = without_key or without_value
        # If the service returns empty values, a provider that is in use would have them.
        unclear = set() if without_key and shows_empty_values else unused
        return UnclearProviders({name: None if name in unused else value for name, value in state.items()}, unclear)

    def resend(self, current: Normal, path: str) -> Body:
        if isinstance(current, UnclearProviders) and current.unclear and not any(current.values()):
            raise Contradiction(
                f"{path}: required, because the service replaces the traffic module as a whole and does not return "
                "which identity providers are in use."
            )
        return super().resend(current, path)

    def differs(self, current: Normal, desired: Normal, path: str, resend_secrets: bool) -> list[str]:
        return super().differs(current, _as_shown(desired, current), path, resend_secrets)

    def predict(self, current: Normal, desired: Normal) -> Normal:
        return super().predict(current, _as_shown(desired, current))

    def completed(self, predicted: Normal, desired: Normal) -> Normal:
        complete = super().completed(predicted, desired)
        if complete is None or not isinstance(desired, dict):
            return complete
        unclear = {name: one for name, one in desired.items() if isinstance(one, dict) and complete[name] is None}
        return {**complete, **{name: self.named[name].kind.predict(None, one) for name, one in unclear.items()}}

    def reconcile(self, response: Normal, predicted: Normal) -> Normal:
        state = super().reconcile(response, predicted)
        if predicted is None or not isinstance(response, UnclearProviders):
            return state
        sent = {name: predicted[name] for name in response.unclear if _lets_in_everyone(predicted[name])}
        return UnclearProviders({**state, **sent}, response.unclear - set(sent))


def _lets_in_everyone(provider: Any) -> bool:
    return provider is not None and not any(provider.values())


def unrestricted(kind: Object, providers: Mapping[str, Any]) -> Iterator[str]:
    for f in kind.fields:
        state = providers[f.name]
        if isinstance(f.kind, Object) and state is not None:
            admitted = [member for one in f.kind.fields if one.restricts for member in state[one.name]]
            yield from () if any(admitted) else (f.name,)


def _as_shown(desired: Normal, current: Normal) -> Any:
    """Return the desired state as a service that returns `current` would return it."""
    if not isinstance(current, UnclearProviders) or not isinstance(desired, dict):
        return desired
    unclear = current.unclear
    return {name: None if name in unclear and _lets_in_everyone(one) else one for name, one in desired.items()}
