// Asks the REST API. Answers are kept with their entity tags, so that what has not changed is not sent again.

const BASE = "/api/v1";
const PAGE = 500;
const kept = new Map();
/** The token of this tab, if somebody has signed in; gone with the tab. */
const TOKEN = "token";

/** What the service refuses, in its own words (RFC 9457). */
export class Refusal extends Error {
  constructor(status, problem) {
    const errors = (problem?.errors ?? []).map((error) => `${error.pointer ?? error.parameter ?? ""} ${error.message}`.trim());
    super([problem?.detail ?? `The service answered ${status}.`, ...errors].join(" \u2022 "));
    this.status = status;
  }
}

export function token() {
  return sessionStorage.getItem(TOKEN);
}

/** What was kept for one caller is not for another. */
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
 * GET; null instead of a refusal if `absent` is allowed and the answer is 404, `refused` if it is given and the answer is 403.
 *
 * @param partly true where the entity tag does not name all of the answer, so that it must be sent anew each time
 */
export async function get(path, { signal, absent = false, refused, partly = false } = {}) {
  const known = partly ? null : kept.get(path);
  const asker = token();
  const response = await ask(path, { signal, headers: known ? { "If-None-Match": known.tag } : {} });
  if (response.status === 304 && known) {
    return known.body;
  }
  if (response.status === 404 && absent) {
    return null;
  }
  if (response.status === 403 && refused !== undefined) {
    return refused;
  }
  return keep(path, response, asker);
}

/** What was answered, which counts until the service says that it has changed, or somebody else has signed in than asked for it. */
async function keep(path, response, asker) {
  const body = await answer(response);
  const tag = response.headers.get("ETag");
  if (tag && asker === token()) {
    kept.set(path, { tag, body });
  }
  return body;
}

/** All items of a list, up to `most`; `refused` instead, if it is given, where the caller may not see the list. */
export async function list(path, { signal, most = 20_000, refused } = {}) {
  const items = [];
  let cursor = null;
  do {
    const query = `${path.includes("?") ? "&" : "?"}limit=${Math.min(PAGE, most - items.length)}`;
    const page = await get(path + query + (cursor ? `&cursor=${cursor}` : ""), { signal, refused: refused === undefined ? undefined : null });
    if (page === null) {
      return refused;
    }
    items.push(...page.items);
    cursor = page.next;
  } while (cursor && items.length < most);
  return items;
}

async function send(method, path, body, headers = { "Content-Type": "application/json" }) {
  return answer(await ask(path, {
    method,
    headers: body === undefined ? {} : headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  }));
}

export function post(path, body) {
  return send("POST", path, body);
}

/** A merge patch (RFC 7396) of what was read last; refused if it has changed since. */
export function patch(path, body) {
  return send("PATCH", path, body, { "Content-Type": "application/merge-patch+json", "If-Match": kept.get(path)?.tag ?? "*" });
}

export function remove(path) {
  return send("DELETE", path);
}

/** Waits for a plan newer than `revision`, at most some seconds; null if none came. Views that ask for it then need not fetch it again. */
export async function newerPlan(revision, signal) {
  const asker = token();
  const response = await ask(`/plans/current?after=${revision}&wait=25`, { signal });
  return response.status === 304 ? null : keep("/plans/current", response, asker);
}
