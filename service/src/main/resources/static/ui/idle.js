// Slots that no job holds, with their reasons.

import { h, jobLink, nodeLink } from "./dom.js";
import { count, number, words } from "./format.js";
import { findNames, labelOf } from "./names.js";
import { table } from "./table.js";

const SHOWN_NODES = 4;

/**
 * A table of idle slots; `jobs` of each reason are counted, with a link to the first.
 *
 * @param absent id of a job that does not exist, and its text
 */
export function idleTable(idle, absent = {}) {
  const label = (id) => absent[id] ?? labelOf(id);
  const jobs = ({ jobs: causes }) => (causes.length ? h("ul.members", {}, causes.map((cause) => h("li", {},
    absent[cause.jobId] ?? jobLink(cause.jobId, labelOf(cause.jobId)), ` (${cause.count > 1 ? `first of ${number(cause.count)}, ` : ""}${words(cause.reason)})`))) : "–");
  return table("Idle slots and their reasons", [
    { name: "type", value: (one) => one.acceleratorType },
    { name: "pool", value: (one) => one.pool },
    { name: "idle slots", value: (one) => one.slots, number: true },
    { name: "reason", value: (one) => `${words(one.reason)} ${one.message}`, cell: (one) => h("span", {}, h("b.token", {}, words(one.reason)), " ", one.message) },
    { name: "jobs", value: (one) => one.jobs.map((cause) => label(cause.jobId)).join(" "), cell: jobs },
    { name: "nodes", value: (one) => one.nodes.join(" "), cell: nodes },
  ], idle, { key: "idle", empty: "No slot is idle.", prepare: (shown) => findNames(shown.flatMap((one) => one.jobs.map((cause) => cause.jobId)).filter((id) => !absent[id])) });
}

function nodes({ nodes: ids }) {
  return [ids.slice(0, SHOWN_NODES).flatMap((id, i) => [i ? ", " : null, nodeLink(id)]), ids.length > SHOWN_NODES ? ` and ${count(ids.length - SHOWN_NODES, "more node")}` : null];
}
