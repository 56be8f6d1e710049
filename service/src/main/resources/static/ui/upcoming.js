// Pending jobs in the order of their expected starts.

import { jobLink } from "./dom.js";
import { duration, localized, time, words } from "./format.js";
import { table } from "./table.js";

/** The expected start of a pending job in milliseconds; null if none is known. A job does not start before the end of its pause. */
export function expectedStart({ eta, retryAt }) {
  const known = [eta?.median, retryAt].filter(Boolean).map((at) => Date.parse(at));
  return known.length ? Math.max(...known) : null;
}

/** A table of the next `most` jobs that are expected to start. */
export function upcoming(queue, most) {
  const next = queue.filter((entry) => expectedStart(entry) !== null).sort((a, b) => expectedStart(a) - expectedStart(b)).slice(0, most);
  return table("Expected starts of pending jobs", [
    { name: "expected start", value: expectedStart, cell: (entry) => time(expectedStart(entry)) },
    { name: "in", value: expectedStart, cell: (entry) => duration(Math.max(0, (expectedStart(entry) - Date.now()) / 1000)), number: true },
    { name: "job", value: (entry) => entry.name, cell: (entry) => jobLink(entry.jobId, entry.name) },
    { name: "tenant", value: (entry) => entry.tenant },
    { name: "waits because of", value: (entry) => words(entry.reason) },
    { name: "estimate", value: (entry) => localized(entry.eta?.median ? entry.eta.message : entry.message) },
  ], next, { key: "upcoming", empty: queue.length ? "No pending job has an expected start yet." : "No pending jobs." });
}
