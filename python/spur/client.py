"""Client of the REST API for notebooks and platforms. It has no dependencies.

    client = spur.client.Client("http://127.0.0.1:8080")
    job = client.submit(name="mnist", spec={...}, command={"program": "python3", "args": ["train.py"]})
    print(client.why(job).message)
    client.wait(job)

The contract is `openapi.yaml`. Answers have typed members for common use, and `document` with all members.
"""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, Optional, Union

__all__ = ["Array", "Client", "Explanation", "Job", "Problem", "QueueEntry", "Unreachable"]

ENDED = frozenset({"DONE", "FAILED", "CANCELLED"})
"""States after which a job does not change."""

_RETRIED = frozenset({429, 503})
_PAUSES = (0.5, 1.0, 2.0, 4.0)


class Problem(Exception):
    """An error that the service reports, as problem details (RFC 9457). `type` is stable."""

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        self.status = status
        self.document = dict(document)
        self.type: str = str(document.get("type", "about:blank"))
        self.title: str = str(document.get("title", ""))
        self.detail: str = str(document.get("detail", ""))
        self.request_id: Optional[str] = document.get("requestId")
        self.errors: list[Mapping[str, Any]] = list(document.get("errors", []))
        self.reasons: list[str] = list(document.get("reasons", []))
        # The detail repeats the first of the errors.
        errors = [_place(error) for error in self.errors] or [self.detail or self.title]
        super().__init__(" ".join([f"{status} {self.type}:", *errors, *self.reasons]))


class Unreachable(ConnectionError):
    """The service does not answer, or the address leads to another program."""


@dataclass(frozen=True)
class Job:
    """A job."""

    id: str
    name: str
    state: str
    generation: int
    progress: float
    document: Mapping[str, Any] = field(repr=False)

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED


@dataclass(frozen=True)
class Array:
    """An array of jobs; `states` has the number of its jobs by state."""

    id: str
    name: str
    size: int
    states: Mapping[str, int]
    document: Mapping[str, Any] = field(repr=False)

    @property
    def has_ended(self) -> bool:
        return all(state in ENDED for state in self.states)


@dataclass(frozen=True)
class Explanation:
    """Why a job is pending, or why it runs as it does."""

    job_id: str
    state: str
    message: str
    warnings: Sequence[Any]
    document: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class QueueEntry:
    """A pending job; `position` counts from 1."""

    position: int
    job_id: str
    name: str
    reason: str
    message: str
    document: Mapping[str, Any] = field(repr=False)


class Client:
    """Calls a service. A request that is safe to repeat is repeated for 7.5 s while the service does not answer."""

    def __init__(self, url: Optional[str] = None, token: Optional[str] = None, timeout_seconds: float = 30) -> None:
        """The defaults of `url` and `token` are the variables SPUR_URL and SPUR_TOKEN."""
        self.url = (url or os.environ.get("SPUR_URL") or "http://127.0.0.1:8080").rstrip("/")
        if urllib.parse.urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"{self.url!r} is not the URL of a service: expected for example http://127.0.0.1:8080")
        self._token = token or os.environ.get("SPUR_TOKEN")
        self._timeout_seconds = timeout_seconds

    def submit(
        self,
        name: str,
        spec: Mapping[str, Any],
        command: Optional[Mapping[str, Any]] = None,
        after: Sequence[Union[Array, Job, str]] = (),
        **members: Any,
    ) -> Job:
        """Submits a job; `members` are further members of the request, such as `tenant`, `owner` and `labels`.

        The job starts after all jobs and arrays of `after` have succeeded; a text is the id of a job.
        The member `dependsOn` states other conditions.

        A repeated request has the same idempotency key, so that the job is submitted once.
        """
        body = _submission(name, spec, command, after, members)
        return _job(self._send("POST", "/jobs", body, {"Idempotency-Key": f'"{uuid.uuid4()}"'}))

    def submit_array(
        self,
        indices: str,
        name: str,
        spec: Mapping[str, Any],
        command: Optional[Mapping[str, Any]] = None,
        limit: Optional[int] = None,
        after: Sequence[Union[Array, Job, str]] = (),
        **members: Any,
    ) -> Array:
        """Submits one job for each of `indices`, such as "0-99"; at most `limit` of them run at the same time.

        The command of each job has its index in the variable SPUR_ARRAY_INDEX.
        """
        body = {"indices": indices, "limit": limit, "job": _submission(name, spec, command, after, members)}
        return _array(self._send("POST", "/arrays", body, {"Idempotency-Key": f'"{uuid.uuid4()}"'}))

    def array(self, array: Union[Array, str]) -> Array:
        """Returns the current state of an array, given by its id or by an earlier state."""
        return _array(self._send("GET", f"/arrays/{_id(array)}"))

    def cancel_array(self, array: Union[Array, str]) -> Array:
        """Cancels the jobs of an array that have not ended."""
        return _array(self._send("POST", f"/arrays/{_id(array)}/cancel", is_safe=True))

    def get(self, job: Union[Job, str]) -> Job:
        """Returns the current state of a job, given by its id or by an earlier state."""
        return _job(self._send("GET", f"/jobs/{_id(job)}"))

    def wait(self, job: Union[Job, str], seconds: float = float("inf"), poll_seconds: float = 2) -> Job:
        """Returns the job once it has ended, whatever its state. Raises TimeoutError after `seconds`."""
        end = time.monotonic() + seconds
        while True:
            state = self.get(job)
            if state.has_ended:
                return state
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"job {state.id} ({state.name}) is {state.state} after {seconds:g} s")
            time.sleep(min(poll_seconds, left))

    def why(self, job: Union[Job, str], unblock: bool = False) -> Explanation:
        """Explains the state of a job. With `unblock`, solves find a change that would start it."""
        query = "?unblock=true" if unblock else ""
        document = self._send("GET", f"/jobs/{_id(job)}/explanation{query}")
        return Explanation(document["jobId"], document["state"], document["message"], document["warnings"], document)

    def cancel(self, job: Union[Job, str]) -> Job:
        """Cancels a job."""
        return _job(self._send("POST", f"/jobs/{_id(job)}/cancel", is_safe=True))

    def what_if(self, changes: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Solves the live state with and without the changes, and returns the difference. Nothing is changed."""
        difference: Mapping[str, Any] = self._send("POST", "/what-if", {"changes": list(changes)}, is_safe=True)
        return difference

    def queue(self, **filters: str) -> Iterator[QueueEntry]:
        """Yields the pending jobs by position; filters are `tenant`, `owner` and `reason`."""
        query: dict[str, str] = dict(filters)
        while True:
            page = self._send("GET", "/queue" + ("?" + urllib.parse.urlencode(query) if query else ""))
            for item in page["items"]:
                yield QueueEntry(
                    item["queuePosition"], item["jobId"], item["name"], item["reason"], item["message"], item
                )
            if page["next"] is None:
                return
            query["cursor"] = page["next"]

    def _send(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        is_safe: bool = False,
    ) -> Any:
        """Returns the body of the response; repeats requests whose repetition has no further effect."""
        repeats = is_safe or method == "GET" or bool(headers and "Idempotency-Key" in headers)
        request = self._request(method, path, body, headers or {})
        for pause in (*_PAUSES, None) if repeats else (None,):
            try:
                with urllib.request.urlopen(request, timeout=self._timeout_seconds) as response:
                    status, answer = response.status, response.read()
            except urllib.error.HTTPError as error:
                if error.code not in _RETRIED or pause is None:
                    self._raise(error)
                pause = max(pause, _retry_after(error))
            except (OSError, http.client.HTTPException) as error:
                if pause is None:
                    cause = getattr(error, "reason", error)
                    raise Unreachable(
                        f"no answer from {self.url}: {cause}. Check the address and the service."
                    ) from error
            else:
                return self._parsed(answer, status)
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _request(
        self, method: str, path: str, body: Optional[Mapping[str, Any]], headers: Mapping[str, str]
    ) -> urllib.request.Request:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + "/api/v1" + path, data=data, method=method, headers=dict(headers))
        request.add_header("Accept", "application/json, application/problem+json")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        return request

    def _raise(self, error: urllib.error.HTTPError) -> NoReturn:
        document = self._parsed(error.read(), error.code)
        raise Problem(error.code, document) from None

    def _parsed(self, body: bytes, status: int) -> Any:
        try:
            document = json.loads(body)
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise Unreachable(
                f"{self.url} is no service of Spur: status {status} without a JSON object. Check the address."
            )
        return document


def _job(document: Mapping[str, Any]) -> Job:
    return Job(
        document["id"], document["name"], document["state"], document["generation"], document["progress"], document
    )


def _array(document: Mapping[str, Any]) -> Array:
    return Array(document["id"], document["name"], document["size"], document["states"], document)


def _submission(
    name: str,
    spec: Mapping[str, Any],
    command: Optional[Mapping[str, Any]],
    after: Sequence[Union[Array, Job, str]],
    members: Mapping[str, Any],
) -> dict[str, Any]:
    body = {"name": name, "spec": spec, **members}
    if command is not None:
        body["command"] = command
    if after:
        others = ({"array" if isinstance(one, Array) else "job": _name(one)} for one in after)
        body["dependsOn"] = [*members.get("dependsOn", ()), *others]
    return body


def _id(job: Union[Array, Job, str]) -> str:
    return urllib.parse.quote(_name(job), safe="")


def _name(job: Union[Array, Job, str]) -> str:
    return job if isinstance(job, str) else job.id


def _place(error: Mapping[str, Any]) -> str:
    place = error.get("pointer") or error.get("parameter") or error.get("header")
    return f"{place}: {error.get('message')}" if place else str(error.get("message"))


def _retry_after(error: urllib.error.HTTPError) -> float:
    try:
        return min(10.0, float(error.headers.get("Retry-After", "0")))
    except ValueError:
        return 0.0
