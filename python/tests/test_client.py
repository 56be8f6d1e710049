"""The REST client against real sockets. `ClientTest` of the service runs it against a real service."""

import http.server
import json
import threading

import pytest
from launch import free_port

from spur import client as module
from spur.client import Client, Problem, Unreachable

JOB = {"id": "a b", "name": "mnist", "state": "WAITING", "generation": 0, "progress": 0.0}
DENIED = {
    "type": "/problems/invalid-request",
    "title": "Invalid request",
    "status": 400,
    "detail": "/spec/work is required.",
    "requestId": "3f1c2b",
    "errors": [{"pointer": "/spec/work", "message": "is required"}],
}


@pytest.fixture
def service(monkeypatch):
    """A server that sends prepared answers, (status, body), and keeps the requests."""
    monkeypatch.setattr(module, "_PAUSES", (0.01, 0.01))
    answers, requests = [], []

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self):
            length = int(self.headers.get("Content-Length", "0"))
            requests.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
            status, body = answers.pop(0)
            if status is None:
                return
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

        do_GET = do_POST = answer

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Client(f"http://127.0.0.1:{server.server_port}/", token="secret"), answers, requests
    server.shutdown()
    server.server_close()


def test_a_submission_has_the_token_and_one_key_over_repetitions(service):
    client, answers, requests = service
    answers += [(503, {}), (None, b""), (201, JOB)]
    job = client.submit("mnist", {"work": {}}, {"program": "true"}, tenant="vision")

    assert (job.name, job.state, job.has_ended) == ("mnist", "WAITING", False)
    assert {headers["Authorization"] for _, _, headers, _ in requests} == {"Bearer secret"}
    assert len({headers["Idempotency-Key"] for _, _, headers, _ in requests}) == 1
    assert json.loads(requests[2][3]) == {
        "name": "mnist",
        "spec": {"work": {}},
        "tenant": "vision",
        "command": {"program": "true"},
    }


def test_a_job_states_what_it_starts_after(service):
    client, answers, requests = service
    answers += [(201, JOB), (201, JOB)]
    first = client.submit("mnist", {})
    client.submit("eval", {}, after=[first, "c"], dependsOn=[{"job": "d", "when": "ENDED"}])

    assert json.loads(requests[1][3])["dependsOn"] == [{"job": "d", "when": "ENDED"}, {"job": "a b"}, {"job": "c"}]
    answers += [(201, {"id": "7", "name": "sweep", "size": 3, "states": {}}), (201, JOB)]
    client.submit("collect", {}, after=[client.submit_array("0-2", "sweep", {})])
    assert json.loads(requests[3][3])["dependsOn"] == [{"array": "7"}]


def test_an_array_is_one_request(service):
    client, answers, requests = service
    array = {"id": "7", "name": "sweep", "size": 3, "states": {"WAITING": 3}}
    answers += [(201, array), (200, {**array, "states": {"DONE": 3}}), (200, array)]
    submitted = client.submit_array("0-2", "sweep", {}, {"program": "true"}, limit=2)

    assert (submitted.size, submitted.has_ended) == (3, False)
    assert requests[0][1] == "/api/v1/arrays"
    assert json.loads(requests[0][3]) == {
        "indices": "0-2",
        "limit": 2,
        "job": {"name": "sweep", "spec": {}, "command": {"program": "true"}},
    }
    assert client.array(submitted).has_ended
    client.cancel_array(submitted)
    assert requests[2][1] == "/api/v1/arrays/7/cancel"


def test_problem_details_become_an_exception(service):
    client, answers, _ = service
    answers.append((400, DENIED))
    with pytest.raises(Problem, match=r"^400 /problems/invalid-request: /spec/work: is required$") as raised:
        client.submit("mnist", {})

    assert (raised.value.type, raised.value.status, raised.value.request_id) == (DENIED["type"], 400, "3f1c2b")


def test_the_last_answer_of_a_service_that_is_unavailable_is_raised(service):
    client, answers, requests = service
    answers += [(503, {**DENIED, "type": "/problems/unavailable"})] * 3
    with pytest.raises(Problem) as raised:
        client.get("a b")

    assert raised.value.type == "/problems/unavailable"
    assert [path for _, path, _, _ in requests] == ["/api/v1/jobs/a%20b"] * 3


@pytest.mark.parametrize(("status", "body"), [(200, b"<html>"), (404, b"not found"), (200, b"[]")])
def test_another_program_at_the_address_is_named(service, status, body):
    client, answers, _ = service
    answers.append((status, body))
    with pytest.raises(Unreachable, match=f"is no service of Spur: status {status} without a JSON object"):
        client.get("1")


def test_an_address_without_a_server_is_named(monkeypatch):
    monkeypatch.setattr(module, "_PAUSES", ())
    port = free_port()
    with pytest.raises(Unreachable, match=f"no answer from http://127.0.0.1:{port}: .*Check the address"):
        Client(f"http://127.0.0.1:{port}").get("1")
    with pytest.raises(ValueError, match="'localhost:8080' is not the URL of a service"):
        Client("localhost:8080")


def test_waiting_ends_with_the_job_or_with_the_time(service):
    client, answers, _ = service
    answers += [(200, JOB), (200, {**JOB, "state": "FAILED"})]
    assert client.wait("a b", poll_seconds=0.01).state == "FAILED"

    answers += [(200, JOB)]
    with pytest.raises(TimeoutError, match=r"job a b \(mnist\) is WAITING after 0 s"):
        client.wait("a b", seconds=0)


def test_the_queue_is_read_page_by_page(service):
    client, answers, requests = service
    entry = {"queuePosition": 1, "jobId": "1", "name": "a", "reason": "QUOTA_EXCEEDED", "message": "text"}
    answers += [
        (200, {"items": [entry], "next": "c+1"}),
        (200, {"items": [{**entry, "queuePosition": 2}], "next": None}),
    ]

    assert [each.position for each in client.queue(tenant="vision")] == [1, 2]
    assert [path for _, path, _, _ in requests] == [
        "/api/v1/queue?tenant=vision",
        "/api/v1/queue?tenant=vision&cursor=c%2B1",
    ]


def test_explanations_cancellation_and_what_if(service):
    client, answers, requests = service
    explanation = {"jobId": "1", "state": "WAITING", "message": "No slots are free.", "warnings": []}
    answers += [(200, explanation), (200, {**JOB, "state": "CANCELLED"}), (200, {"changes": []})]

    assert client.why("1", unblock=True).message == "No slots are free."
    assert client.cancel("1").has_ended
    assert client.what_if([{"change": "SET_OBJECTIVE"}]) == {"changes": []}
    assert [path for _, path, _, _ in requests] == [
        "/api/v1/jobs/1/explanation?unblock=true",
        "/api/v1/jobs/1/cancel",
        "/api/v1/what-if",
    ]
    assert requests[1][3] == b"", "the operation has no body"
