// Client of the REST API. It caches responses with their entity tags, so that an unchanged resource is not sent again.

const BASE = "/api/v1";
const PAGE = 500;
const kept = new Map();
/** The token of this tab after sign-in; it is discarded with the tab. */
const TOKEN = "token";

/** An error response of the service (RFC 9457). */
export class Refusal extends Error {
  constructor(status, problem) {
    const errors = problem?.errors ?? [];
    // The detail of a problem with errors repeats the first of them.
    const whole = errors.length ? [] : [problem?.detail ?? `The service answered ${status}.`];
    const detail = [...whole, ...(problem?.reasons ?? [])];
    super([...detail, ...errors.map((error) => `${error.pointer ?? error.parameter ?? ""} ${error.message}`.trim())].join(" \u2022 "));
    this.status = status;
    /** The problem without the errors of single fields. */
    this.detail = detail.join(" \u2022 ");
    /** { pointer or parameter, message } of each broken field. */
    this.errors = errors;
  }
}

export function token() {
  return sessionStorage.getItem(TOKEN);
}

/** Cached responses belong to one caller. */
export function useToken(secret) {
  kept.clear();
  if (secret) {
    sessionStorage.setItem(TOKEN, secret);
  } else {
    sessionStorage.removeItem(TOKEN);
  }
}

function ask(path, { headers = {}, ...rest } = {}) {
  return fetch(BASE + path, { ...rest, headers: token() ? { ...headers, Authorization: `Bearer ${token()}` } : headers });
}

async function answer(response) {
  const body = response.headers.get("Content-Type")?.includes("json") ? await response.json() : null;
  if (!response.ok) {
    throw new Refusal(response.status, body);
  }
  return body;
}

/**
 * GET. Returns null for 404 if `absent` is true, and `forbidden` for 403 if it is given; other errors are thrown.
 *
 * @param partly true where the entity tag does not cover the whole response, so that it is never taken from the cache
 */
export async function get(path, { signal, absent = false, forbidden, partly = false } = {}) {
  const known = partly ? null : kept.get(path);
  const asker = token();
  const response = await ask(path, { signal, headers: known ? { "If-None-Match": known.tag } : {} });
  if (response.status === 304 && known) {
    return known.body;
  }
  if (response.status === 404 && absent) {
    return null;
  }
  if (response.status === 403 && forbidden !== undefined) {
    return forbidden;
  }
  return keep(path, response, asker);
}

/** Caches a response until its entity tag changes; a response to a caller that has signed out since is not cached. */
async function keep(path, response, asker) {
  const body = await answer(response);
  const tag = response.headers.get("ETag");
  if (tag && asker === token()) {
    kept.set(path, { tag, body });
  }
  return body;
}

/**
 * All items of a list, up to `most`; `forbidden`, if it is given, where the caller may not read the list.
 *
 * @param begun is called with the items of the first page
 */
export async function list(path, { signal, most = 20_000, forbidden, begun = null } = {}) {
  const items = [];
  let cursor = null;
  do {
    const query = `${path.includes("?") ? "&" : "?"}limit=${Math.min(PAGE, most - items.length)}`;
    const page = await get(path + query + (cursor ? `&cursor=${cursor}` : ""), { signal, forbidden: forbidden === undefined ? undefined : null });
    if (page === null) {
      return forbidden;
    }
    items.push(...page.items);
    if (!cursor) {
      begun?.(page.items);
    }
    cursor = page.next;
  } while (cursor && items.length < most);
  return items;
}

/** { first: items of the first page, all: all items } of a list, as promises: thousands of items take long. */
export function pages(path, options) {
  let all = null;
  const first = new Promise((resolve) => { all = list(path, { ...options, begun: resolve }); });
  return { first: Promise.race([first, all]), all };
}

async function send(method, path, body, headers = { "Content-Type": "application/json" }) {
  return answer(await ask(path, {
    method,
    headers: body === undefined && method !== "DELETE" ? {} : headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  }));
}

export function post(path, body) {
  return send("POST", path, body);
}

/** A merge patch (RFC 7396) of the last read version, or of that with a tag; rejected if the resource has changed since. */
export function patch(path, body, tag = kept.get(path)?.tag ?? "*") {
  return send("PATCH", path, body, { "Content-Type": "application/merge-patch+json", "If-Match": tag });
}

/** Creates a resource; rejected if it exists. */
export function put(path, body) {
  return send("PUT", path, body, { "Content-Type": "application/json", "If-None-Match": "*" });
}

/** Replaces the last read version; rejected if the resource has changed since. */
export function replace(path, body) {
  return send("PUT", path, body, { "Content-Type": "application/json", "If-Match": kept.get(path)?.tag ?? "*" });
}

/** Deletes whatever version there is. */
export function remove(path) {
  return send("DELETE", path, undefined, { "If-Match": "*" });
}

/** Waits for a plan newer than `revision`, at most some seconds; null if none came. Views that ask for it then need not fetch it again. */
export async function newerPlan(revision, signal) {
  const asker = token();
  const response = await ask(`/plans/current?after=${revision}&wait=25`, { signal });
  return response.status === 304 ? null : keep("/plans/current", response, asker);
}
