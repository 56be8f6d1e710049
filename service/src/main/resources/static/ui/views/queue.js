// The queue: pending jobs in their order, with the reason and the expected start.

import { jobMenu } from "../actions.js";
import { list } from "../api.js";
import { h, jobLink } from "../dom.js";
import { duration, localized, time, words } from "../format.js";
import { table } from "../table.js";

export const title = "Queue";

export async function load({ signal }) {
  return { queue: await list("/queue", { signal }) };
}

export function render({ queue }, { reload }) {
  return [h("h1", {}, title),
    table("Pending jobs", [
      { name: "no.", value: (entry) => entry.queuePosition, number: true },
      { name: "job", value: (entry) => entry.name, cell: (entry) => jobLink(entry.jobId, entry.name) },
      { name: "tenant", value: (entry) => entry.tenant, whole: true },
      { name: "owner", value: (entry) => entry.owner },
      { name: "reason", value: (entry) => `${words(entry.reason)} ${localized(entry.message)}`, cell: reason },
      { name: "pending for", value: (entry) => entry.waitingSeconds, cell: (entry) => duration(entry.waitingSeconds), number: true },
      { name: "expected start", value: (entry) => entry.eta?.median, cell: start },
      { name: "actions", cell: (entry) => jobMenu({ ...entry, id: entry.jobId, state: "WAITING", held: entry.reason === "HELD" }, reload) },
    ], queue, { key: "", empty: "No pending jobs." })];
}

function reason(entry) {
  return h("span", {}, h("b.token", {}, words(entry.reason)), " ", localized(entry.message));
}

function start({ eta }) {
  return eta ? h("span.whole", { title: localized(eta.message) }, eta.median ? time(eta.median) : words(eta.outcome)) : "–";
}
