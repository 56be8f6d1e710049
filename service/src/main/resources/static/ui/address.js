// The address after "#/": a view, an id, and parameters with filters and sort orders, so that a view can be shared.

function parts() {
  return location.hash.replace(/^#\/?/, "").split("?");
}

/** View and id; no view where the address is not encoded correctly. */
export function path() {
  try {
    return (parts()[0] || "overview").split("/").map(decodeURIComponent);
  } catch {
    return [null];
  }
}

export function param(name) {
  return new URLSearchParams(parts()[1] ?? "").get(name);
}

/** Sets parameters without opening the view again; an empty one is removed. */
export function setParams(changes) {
  const [view, query] = parts();
  const all = new URLSearchParams(query ?? "");
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "" || value === undefined) {
      all.delete(name);
    } else {
      all.set(name, value);
    }
  }
  history.replaceState(null, "", address(view, all));
}

/** The address of a view with parameters. */
export function address(view, query = {}) {
  const text = new URLSearchParams(query).toString();
  return `#/${view}${text ? `?${text}` : ""}`;
}
