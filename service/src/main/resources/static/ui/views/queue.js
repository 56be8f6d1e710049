// The queue: pending jobs in their order, with the reason and the expected start.

import { jobMenu } from "../actions.js";
import { list } from "../api.js";
import { h, jobLink, section } from "../dom.js";
import { duration, localized, time, words } from "../format.js";
import { table } from "../table.js";
import { expectedStart, upcoming } from "../upcoming.js";

export const title = "Queue";

/** Jobs in the list of expected starts. */
const NEXT = 5;

export async function load({ signal }) {
  return { queue: await list("/queue", { signal }) };
}

export function render({ queue }, { reload }) {
  return [h("h1", {}, title),
    queue.length ? section("Next starts", upcoming(queue, NEXT)) : null,
    section("Pending jobs", table("Pending jobs", [
      { name: "no.", value: (entry) => entry.queuePosition, number: true },
      { name: "job", value: (entry) => entry.name, cell: (entry) => jobLink(entry.jobId, entry.name) },
      { name: "tenant", value: (entry) => entry.tenant, whole: true },
      { name: "owner", value: (entry) => entry.owner },
      { name: "reason", value: (entry) => `${words(entry.reason)} ${localized(entry.message)}`, cell: reason },
      { name: "pending for", value: (entry) => entry.waitingSeconds, cell: (entry) => duration(entry.waitingSeconds), number: true },
      { name: "expected start", value: expectedStart, cell: start },
      { name: "actions", cell: (entry) => jobMenu({ ...entry, id: entry.jobId, state: "WAITING", held: entry.reason === "HELD" }, reload) },
    ], queue, { key: "", empty: "No pending jobs." }))];
}

function reason(entry) {
  return h("span", {}, h("b.token", {}, words(entry.reason)), " ", localized(entry.message));
}

function start(entry) {
  const at = expectedStart(entry);
  const pauses = at !== null && !entry.eta?.median;
  const text = pauses ? `not before ${time(at)}` : at !== null ? time(at) : entry.eta ? words(entry.eta.outcome) : "–";
  return h("span.whole", { title: localized(entry.eta?.message) }, text);
}
