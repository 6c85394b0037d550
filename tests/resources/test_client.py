# SPDX-License-Identifier: GPL-3.0-or-later
"""The client against a service that breaks off, stalls, redirects, and returns nonsense, and what a task waits for,
together with others and for others. Nothing really waits.
"""

from __future__ import annotations

import json
from contextlib import nullcontext, suppress
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import (
    NotFound,
    OutcomeUnknown,
    Request,
    RequestError,
    RequestRejected,
    UnexpectedResponse,
    UnsupportedRequest,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.client import Client
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from module_task import WRITES, Given, Tasks, applied, received
from places import EDGE, HOSTPORT, TLS_EDGE, seed_edge, seed_tls_edge
from scripted_service import BREAK_OFF, Received, Response, as_json, forwarding, in_turn, scripted_service

KEY = "ak_canary"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
FINE = as_json({"fine": True})
HTML = Response(500, b"<html>ak_canary</html>", {"Content-Type": "text/html"})


class Watch(Progress):
    """Does not really wait. Its clock goes on with each wait, or stands still until it is moved, so that whatever
    happens, happens at the same moment.
    """

    def __init__(self, moves: bool = False) -> None:
        self.now = 0.0
        self.moves = moves
        self.waited: list[tuple[float, str]] = []
        super().__init__(clock=lambda: self.now)

    @property
    def seconds(self) -> list[float]:
        return [seconds for seconds, _reason in self.waited]

    def wait(self, seconds: float, reason: str) -> None:
        self.waited.append((seconds, reason))
        self.now += seconds * self.moves


def client(base_url: str = "http://127.0.0.1:9", watch: Watch | None = None, **connection: Any) -> Client:
    settings = {"timeout": 5.0, "retries": 0, **connection}
    return Client(Connection(base_url=base_url, api_key=KEY, **settings), watch or Watch(moves=True))


# The error that each response is.
ERRORS: list[tuple[Response, type[RequestError]]] = [
    *((response, OutcomeUnknown) for response in (Response(502), Response(500), HTML, Response(408), BREAK_OFF)),
    *((Response(status), RequestRejected) for status in (400, 401, 403, 409, 422, 429)),
    *((Response(404), NotFound), (Response(405), UnsupportedRequest), (Response(501), UnsupportedRequest)),
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("response", "error"), ERRORS, ids=str)
def test_only_what_may_be_sent_twice_is_sent_twice(method: str, response: Response, error: type[RequestError]) -> None:
    """It may if it has the same effect, or was certainly not processed."""
    watch = Watch(moves=True)
    is_repeatable = response.status == 429 or (error is OutcomeUnknown and method in ("GET", "PUT", "DELETE"))
    with scripted_service(in_turn(response, response, FINE)) as service:
        this = client(service.base_url, watch, retries=5)
        if is_repeatable:
            assert this.call(method, "/x") == (200, {"fine": True})
        else:
            with pytest.raises(RequestError) as caught:
                this.call(method, "/x", {})
            assert (type(caught.value), caught.value.request.status) == (error, response.status)
    expected = 2 if is_repeatable else 0
    assert (len(service.received) - 1, len(watch.seconds), this.patience.retries) == (expected,) * 3
    assert this.patience.waited == sum(watch.seconds)


def test_retries_count_for_requests_per_minute_as_well() -> None:
    watch = Watch(moves=True)
    with scripted_service(in_turn(Response(429, headers={"Retry-After": "1"}), FINE)) as service:
        this = client(service.base_url, watch, retries=1, requests_per_minute=1)
        this.call("GET", "/x")
    assert (watch.seconds, this.patience.waited) == ([1, 59], 1)


def test_the_waits_of_all_requests_are_counted_together() -> None:
    watch = Watch(moves=True)
    with scripted_service(in_turn(Response(429, headers={"Retry-After": "7"}))) as service:
        this = client(service.base_url, watch, retries=100, retry_max_wait=20)
        with pytest.raises(RequestRejected, match=r"It asks for a pause of 7 s\. .* `retry_max_wait`, or `retries` if"):
            this.call("GET", "/x")
    assert (watch.seconds, this.patience.waited) == ([7, 7], 14)


@pytest.mark.parametrize("status", [429, 503])
def test_the_wait_that_the_service_asks_for(status: int) -> None:
    """Otherwise, the waits grow. None that is longer than the task may wait is begun."""
    watch = Watch(moves=True)
    asking = Response(status, headers={"Retry-After": "9"})
    date = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=120), usegmt=True)
    moment, silent = Response(status, headers={"Retry-After": date}), Response(503)
    endless = Response(429, headers={"Retry-After": "9" * 400})
    with scripted_service(in_turn(asking, moment, silent, silent, silent, silent, endless)) as service:
        with pytest.raises(RequestRejected):
            client(service.base_url, watch, retries=9, retry_max_wait=1e9).call("GET", "/x")
        assert len(service.received) == 7
    asked, until, *growing = watch.seconds
    assert (asked, 60 <= until <= 121, 0 < growing[0] < growing[3] <= 30) == (9, True, True)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 300, 304])
@pytest.mark.parametrize("method", METHODS)
def test_a_redirect_is_not_followed(method: str, status: int) -> None:
    """The error shows where it leads, but neither a user nor a query."""
    with scripted_service(in_turn(FINE)) as elsewhere:
        place = elsewhere.base_url.replace("://", "://somebody:canary_word@")
        away = Response(status, headers={"Location": f"{place}/x?token=canary_token"})
        shown = rf"redirect \({status}\) to {elsewhere.base_url}/x\. Redirects are not followed"
        with scripted_service(in_turn(away)) as service:
            with pytest.raises(UnexpectedResponse, match=shown) as caught:
                client(service.base_url, retries=3).call(method, "/x")
            assert ("canary" in str(caught.value), len(service.received)) == (False, 1)
        assert elsewhere.received == []


DEEP = b'{"a": ' + b"[" * 300 + b"]" * 300 + b"}"
NOT_JSON = [b"", b"<html>ak_canary</html>", b'"\xff\xfe\xfa"', b"{", b"[" * 200_000, DEEP]


@pytest.mark.parametrize("body", NOT_JSON, ids=lambda body: str(body[:8]))
@pytest.mark.parametrize("method", METHODS)
def test_a_response_that_is_not_json(method: str, body: bytes) -> None:
    """Of a read it says so; a write may have taken effect."""
    with scripted_service(in_turn(Response(200, body))) as service, pytest.raises(RequestError) as caught:
        client(service.base_url).call(method, "/x")
    assert isinstance(caught.value, UnexpectedResponse if method == "GET" else OutcomeUnknown)
    assert "expected JSON, got" in str(caught.value)


AS_HTML = Response(200, b"{}", {"Content-Type": "text/html; ak_canary"})


@pytest.mark.parametrize(
    ("response", "is_empty", "found"),
    [(Response(204), False, None), (as_json(None), False, None), (AS_HTML, False, {}), (Response(200), True, None)],
)
def test_a_response_may_have_any_type_and_no_content(response: Response, is_empty: bool, found: Any) -> None:
    with scripted_service(in_turn(response)) as service:
        assert client(service.base_url).call("DELETE", "/x", may_be_empty=is_empty)[1] == found


REJECTIONS: list[Any] = [
    *({}, [], None, "ak_canary", {"msg": None}, {"msg": {"said": KEY}}, {"msg": f"key {KEY} " * 500}),
    {"error_code": KEY, "msg": KEY, "details": {"operation_id": KEY}},
    *({"error_code": [KEY], "details": KEY}, {"details": [1], "msg": 5, "error_code": 7}),
]
DEPTHS = [b"[" * 100_000 + b"]" * 100_000]
DEPTHS += [b'{"msg":' + b"[" * depth + b"]" * depth + b"}" for depth in (900, 100_000)]


@pytest.mark.parametrize("body", [*map(json.dumps, REJECTIONS), *DEPTHS], ids=lambda body: f"{len(body)} {body[:30]!r}")
@pytest.mark.parametrize("status", [400, 401, 404, 429, 503])
def test_a_rejection_of_any_form_does_not_show_the_key(body: str | bytes, status: int) -> None:
    sent = Response(status, body.encode() if isinstance(body, str) else body, {"Content-Type": "application/json"})
    with scripted_service(in_turn(sent)) as service, pytest.raises(RequestError) as caught:
        client(service.base_url).call("GET", "/x")
    error = caught.value
    assert str(error).startswith(f"GET /x: the service returned {status}")
    assert (error.request.status, len(str(error)) < 3000) == (status, True)
    assert not any(KEY in str(shown) for shown in (error, error.details(), error.__context__))


@pytest.mark.parametrize(
    ("encoding", "said"),
    [*((one, "nö") for one in ("utf-8-sig", "utf-16", "utf-32-be")), ("latin-1", "n\N{REPLACEMENT CHARACTER}")],
)
def test_a_rejection_is_read_in_each_encoding_of_json_and_of_another_what_can_be_read(encoding: str, said: str) -> None:
    rejection = Response(400, '{"error_code": "ERR_1", "msg": "nö"}'.encode(encoding))
    with scripted_service(in_turn(rejection)) as service, pytest.raises(RequestRejected, match=f"ERR_1: {said}"):
        client(service.base_url).call("GET", "/x")


ELSEWHERE = [
    *("http://{other}/x", "//{other}/x", "http:\\\\{other}/x", "\\\\{other}/x", "/\\{other}/x", "///{other}/x"),
    *("http:///{other}/x", "http://{other}\\@{own}/x", "http://{own}@{other}/x", "http://{other}#@{own}/x"),
    *("http://{other}?@{own}/x", "http://{other}/@{own}/x", "http://someone:word@{own}/x", "https://{own}/x"),
    *("ftp://{own}/x", "file:///etc/passwd", "http://localhost:1/x", "http://{own}.example.com/x"),
    *(" http://{other}/x", "\thttp://{other}/x", "ht\ntp://{other}/x", "http://{other}\n@{own}/x"),
    *("http://[::1/x", "http://{own}0/x", "http://127.0.0.1:99999/x"),
]


@pytest.mark.parametrize("link", ELSEWHERE)
def test_a_next_page_elsewhere_is_never_asked_for(link: str) -> None:
    with scripted_service(in_turn(as_json({"items": []}))) as other, scripted_service() as service:
        first = as_json({"items": [], "next_page_uri": link.format(own=service.authority, other=other.authority)})
        service.script = in_turn(first, as_json({"items": []}))
        # What remains at the own origin may be followed there.
        with suppress(UnexpectedResponse):
            list(client(service.base_url).list_all("/x", "items"))
        assert other.received == []


@pytest.mark.parametrize("next_key", ["next_page_uri", "uri"])
def test_a_circle_of_pages_ends(next_key: str) -> None:
    def script(request: Received) -> Response:
        following = {"/x": "/x?page=2", "/x?page=2": "/x?page=3"}.get(request.path, "/x")
        return as_json({"items": [{"at": request.path}], next_key: following})

    with scripted_service(script) as service:
        with pytest.raises(UnexpectedResponse, match="does not end"):
            client(service.base_url).list_all("/x", "items", next_key=next_key)
        assert len(service.received) == 3


@pytest.mark.parametrize("again", [[], [{"id": "a"}], [{"id": "b"}, {"id": "a"}]], ids=["empty", "one", "all"])
@pytest.mark.parametrize(("repeated", "ends"), [(99, False), (100, True)])
def test_pages_without_a_new_object_end(repeated: int, ends: bool, again: list[Given]) -> None:
    def script(request: Received) -> Response:
        number = int(request.path.partition("=")[2] or 0)
        items = [{"id": "a"}, {"id": "b"}] if number == 0 else [{"id": "c"}] if number > repeated else again
        return as_json({"items": items, "next_page_uri": None if number > repeated else f"/x?page={number + 1}"})

    with scripted_service(script) as service:
        with pytest.raises(UnexpectedResponse, match="does not end") if ends else nullcontext():
            found = client(service.base_url).list_all("/x", "items")
            assert sorted(one["id"] for one in found) == ["a", "b", "c"]
        assert len(service.received) == 101


# The links of a page, their key, and the pages that are read then; none if that is an error.
LINKS: list[tuple[tuple[str, ...], str, int]] = [
    (("{base}/x?page=2", "/base/x?page=2", "/x?page=2", "?page=2", "{base}/x?page=2#part"), "next_page_uri", 2),
    # A page that names itself is the last, by whatever name the service has for itself: nothing is asked for there.
    (("{base}/x", "/base/x", "/x", "http://inside.example/x", "//inside.example/base/x"), "uri", 1),
    (("https://inside.example:8443/base/x",), "uri", 1),
    (("http://inside.example/x?page=2", "https://inside.example/y", "//inside.example/"), "uri", 0),
    (("/x?a b", "/t\u00fcnnels", "/x\u2028"), "next_page_uri", 0),
    (("http://127.0.0.1:1/x", "https://elsewhere.example/x"), "next_page_uri", 0),
]


@pytest.mark.parametrize(
    ("link", "next_key", "pages"), [(link, key, pages) for links, key, pages in LINKS for link in links]
)
def test_where_a_list_goes_on(link: str, next_key: str, pages: int) -> None:
    problem = "it leads to another origin or is not a valid URL; expected printable ASCII"
    with scripted_service() as service:
        base_url = f"{service.base_url}/base"
        first = as_json({"items": [{"id": 1}], next_key: link.format(base=base_url)})
        service.script = in_turn(first, as_json({"items": [{"id": 2}], next_key: None}))
        with nullcontext() if pages else pytest.raises(UnexpectedResponse, match=problem):
            items = client(base_url).list_all("/x", "items", next_key=next_key)
            assert items == [{"id": number + 1} for number in range(pages)]
        assert [request.path for request in service.received] == ["/base/x", "/base/x?page=2"][: pages or 1]


NO_LISTS: list[Any] = [
    *([], None, "x", 5, {}, {"items": "x"}, {"items": 5}, {"items": [None]}, {"items": ["x"]}),
    *({"status_code": 500, "msg": "x"}, {"id": "a", "uri": "/x"}, {"others": [], "uri": "/x"}),
    *({"items": 0}, {"items": False}, {"items": ""}, {"items": {}}),
    *({"items": [], "next_page_uri": 5}, {"items": [], "next_page_uri": ["/x"]}),
]


@pytest.mark.parametrize("page", NO_LISTS, ids=str)
def test_a_list_of_another_type_or_a_missing_one_is_an_error(page: Any) -> None:
    with scripted_service(in_turn(as_json(page))) as service, pytest.raises(UnexpectedResponse):
        client(service.base_url).list_all("/x", "items")


@pytest.mark.parametrize("key", ["items", ""])
@pytest.mark.parametrize(
    ("page", "ids"),
    [({"items": None}, []), ({"items": [], "next_page_uri": ""}, []), ({"notes": ["Old."], "items": [{"id": 1}]}, [1])],
)
def test_a_list_may_be_null_or_among_others_whether_or_not_its_key_is_known(page: Given, ids: Any, key: str) -> None:
    with scripted_service(in_turn(as_json(page))) as service:
        assert [one["id"] for one in client(service.base_url).list_all("/items", key)] == ids


def test_a_service_that_does_not_respond_in_time(tasks: Tasks) -> None:
    tasks.service.switches(response_delay_ms=2000)
    for method, timeout, text in (("GET", 1.0, r"1 second\."), ("POST", 0.2, r"0\.2 seconds\.")):
        settings = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 0}
        with pytest.raises(OutcomeUnknown, match=f"no complete response within {text}"):
            Client(Connection(**settings, timeout=timeout)).call(method, "/edges/https")


def asking_for(seconds: float | None, status: int = 503) -> RequestError:
    return RequestError(f"wait for {seconds}", Request("GET", "/x", status=status, retry_after=seconds))


def test_threads_that_wait_together_make_the_task_wait_once() -> None:
    watch = Watch()
    this = client(watch=watch, retries=5, retry_max_wait=24.0).patience
    for seconds in (10, 10, 2):
        this.wait(asking_for(seconds), 0)
    assert (this.waited, this.retries, len(watch.waited)) == (10, 3, 3)
    watch.now = 4
    this.wait(asking_for(10), 0)
    assert this.waited == 14
    watch.now = 100
    this.wait(asking_for(10), 0)
    assert this.waited == 24
    this.wait(asking_for(9), 0)
    with pytest.raises(RequestError, match="wait for 11"):
        this.wait(asking_for(11), 0)
    assert (this.waited, this.retries) == (24, 6)


@pytest.mark.parametrize(("retries", "error", "retry"), [(1, (10,), 0), (1, (1,), 1), (0, (1, 429), 0)])
def test_what_is_not_waited_for_counts_as_nothing(retries: int, error: tuple[Any, ...], retry: int) -> None:
    """Rate limits are retried beyond `retries` unless it is 0."""
    watch = Watch()
    this = client(watch=watch, retry_max_wait=9.0, retries=retries).patience
    with pytest.raises(RequestError) as caught:
        this.wait(asking_for(*error), retry)
    assert caught.value.request.retries == retry
    assert (this.waited, this.retries, this.last_failure, watch.waited) == (0, 0, "", [])
    client(watch=watch, retries=1).patience.wait(asking_for(1, 429), 7)


def test_a_request_waits_as_long_as_another_thread_was_asked_to() -> None:
    watch = Watch()
    with scripted_service(in_turn(as_json({}))) as service:
        this = client(service.base_url, watch, retries=5)
        this.call("GET", "/x")
        assert watch.waited == []
        this.patience.wait(asking_for(30), 0)
        this.patience.wait(asking_for(20), 0)
        this.patience.wait(asking_for(None), 0)
        watch.now, watch.waited = 12, []
        this.call("GET", "/x")
        assert watch.waited == [(18, "GET /x: wait for None")]
        watch.now, watch.waited = 30, []
        this.call("GET", "/x")
        assert watch.waited == []


# How many seconds the service asks for each time, and what the task then warns about.
LONG_WAITS: list[tuple[tuple[int, ...], str]] = [
    ((7,), "Retried 1 request and waited 7 seconds in total. Last error: "),
    ((2, 3), "Retried 2 requests and waited 5 seconds in total. Last error: "),
    ((2, 2), ""),
]


@pytest.mark.parametrize(("asked", "message"), LONG_WAITS)
@pytest.mark.parametrize("status", [200, 403])
def test_a_task_that_waited_long_says_so(asked: tuple[int, ...], message: str, status: int) -> None:
    asking = [as_json({"msg": "slow down"}, 429, Retry_After=str(each)) for each in asked]
    with scripted_service(in_turn(*asking, as_json({"tunnels": []}, status))) as service:
        options = {"base_url": service.base_url, "api_key": "ak_of_nobody"}
        result = applied("tunnel_info", options, progress=Watch(moves=True))
    assert result.get("failed", False) == (status == 403)
    assert (result["retries"], result["seconds_waited"]) == (len(asked), sum(asked))
    warned = [(one[: len(message)], "slow down" in one) for one in result.get("warnings", ())]
    assert warned == [(message, True)] * bool(message)


def test_progress_counts_failures_as_such(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edge that is changed, one that cannot be created, and its two routes that are not tried."""
    seed_edge(tasks)
    tasks.service.switches(rejected_creations="edges")
    routes = [{"match_type": "exact_path", "match": f"/{number}"} for number in range(2)]
    rejected = {"hostports": ["refused.example.com:443"], "routes": routes}
    connection = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 0, "concurrency": 1}
    edges = [{"hostports": [HOSTPORT], "description": "fine"}, rejected]
    progress = Progress()
    planned: list[int] = []
    failures: list[bool] = []
    monkeypatch.setattr(progress, "add_planned", planned.append)
    monkeypatch.setattr(progress, "object_done", lambda *, failed: failures.append(failed))
    applied("estate", {**connection, "https_edges": edges}, progress=progress)
    assert (planned, failures) == ([4], [False, True, True, True])


TERMINATION = {"edge_id": TLS_EDGE, "min_version": "1.3"}
# The write, and whether it takes effect though the service returns 503.
WRITES_OF_PLANS: list[tuple[str, Given, bool]] = [
    *(("https_edge", {"id": EDGE, "state": "absent"}, takes_effect) for takes_effect in (False, True)),
    ("https_edge", {"id": EDGE, "description": "new"}, False),
    ("https_edge", {"hostports": ["new.example.com:443"]}, False),
    *(("tls_edge_tls_termination", TERMINATION, takes_effect) for takes_effect in (False, True)),
]


@pytest.mark.parametrize("retries", [0, 2])
@pytest.mark.parametrize(("module", "options", "takes_effect"), WRITES_OF_PLANS)
def test_a_write_is_sent_once_and_as_often_as_it_may_be_retried(
    tasks: Tasks, module: str, options: Given, takes_effect: bool, retries: int
) -> None:
    """The client retries some methods by itself. The plan, which reads in between, does not retry these once more."""
    seed_edge(tasks)
    seed_tls_edge(tasks)
    to_the_service = forwarding(tasks.service.base_url)

    def failing(request: Received) -> Response | None:
        if request.method != "GET" and takes_effect:
            to_the_service(request)
        return Response(503) if request.method != "GET" else None

    result = tasks.run(module, instead=failing, **options, retries=retries)
    assert (len(received(result, *WRITES)), result["retries"]) == (retries + 1, retries)
    is_seen = takes_effect and retries > 0
    assert (bool(result.get("failed")), is_seen or result["error"]["retries"] == retries) == (not is_seen, True)
