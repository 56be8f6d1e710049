"""Gives requests that must be accepted what the contract cannot express: ids that exist, and conditions."""

import collections
import itertools

import schemathesis
from schemathesis import GenerationMode

_COUNTER = itertools.count()
# The last resources of each collection that a response has shown.
_KNOWN = collections.defaultdict(lambda: collections.deque(maxlen=20))


def _collection(case):
    return case.path.split("/")[3] if case.path.startswith("/api/v1/") else case.path


def _is_null(value, place):
    """True if the part of a body that a JSON pointer into its schema names is null."""
    if value is None or not place:
        return value is None
    if place[0] == "properties" and isinstance(value, dict) and place[1] in value:
        return _is_null(value[place[1]], place[2:])
    if place[0] in ("items", "additionalProperties") and isinstance(value, (dict, list)):
        parts = value.values() if isinstance(value, dict) else value
        return any(_is_null(part, place[1:]) for part in parts)
    return _is_null(value, place[1:])


@schemathesis.hook
def filter_case(context, case):
    """Drops invalid requests whose only fault is a null: null means absent."""
    place = getattr(case.meta.phase.data, "location", None) if case.meta else None
    is_negative = case.meta is not None and case.meta.generation.mode == GenerationMode.NEGATIVE
    return not (is_negative and place and _is_null(case.body, place.strip("/").split("/")))


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    number = next(_COUNTER)
    known = _KNOWN[_collection(case)]
    # A deleted token may be the one of these requests.
    if known and number % 4 and _collection(case) != "tokens":
        resource = known[number % len(known)]
        for name in case.path_parameters or {}:
            if name in resource:
                case.path_parameters[name] = resource[name]
    if case.query:
        # Only the next of a previous page is a cursor.
        case.query.pop("cursor", None)
    if not case.headers:
        return
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"key-{number}"
    # Example versions match nothing: half of the requests create, half replace.
    conditions = {name for name in ("If-Match", "If-None-Match") if name in case.headers}
    for name in conditions:
        del case.headers[name]
    if "If-Match" in conditions and (case.method != "PUT" or number % 2):
        case.headers["If-Match"] = "*"


@schemathesis.hook
def after_call(context, case, response):
    is_json = "json" in response.headers.get("content-type", [""])[0]
    if response.status_code not in (200, 201) or not is_json or case.path.count("/") > 4:
        return
    body = response.json()
    for resource in body.get("items", [body]) if isinstance(body, dict) else []:
        if isinstance(resource, dict):
            _KNOWN[_collection(case)].append(resource)
