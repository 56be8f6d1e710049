// Every node with its devices, coloured by the job that holds them.

import { list } from "../api.js";
import { activeJobs, currentPlan, holders } from "../data.js";
import { h, bar } from "../dom.js";
import { ofJob } from "../colour.js";
import { allocation, number, words } from "../format.js";

export const title = "Cluster";

export async function load({ signal }) {
  const [plan, nodes, jobs] = await Promise.all([currentPlan(signal), list("/nodes", { signal }), activeJobs(signal)]);
  return { plan, nodes, jobs };
}

export function render({ plan, nodes, jobs }) {
  const held = holders(plan);
  const names = new Map(jobs.map((job) => [job.id, job.name]));
  const used = aggregationUse(plan);
  return [h("h1", {}, "Cluster"),
    h("p", {}, "Each square is a device, in the colour of the job that holds it. Empty squares are free, crossed ones closed."),
    h("p", {}, largestGangs(nodes, held)),
    ...[...groups(nodes)].map(([type, members]) => h("section", {},
      h("h2", {}, `${type} (${members.length} ${members.length === 1 ? "node" : "nodes"})`),
      h("ul.nodes", {}, members.map((node) => card(node, held.get(node.id) ?? new Map(), names, used.get(node.id) ?? 0)))))];
}

function groups(nodes) {
  const byType = new Map();
  for (const node of nodes) {
    const type = node.acceleratorType ?? "without accelerators";
    byType.set(type, [...(byType.get(type) ?? []), node]);
  }
  return byType;
}

/** Aggregation slots that the plan gives away on each node. */
function aggregationUse(plan) {
  const used = new Map();
  for (const share of plan.running.flatMap((entry) => entry.allocation.aggregation)) {
    used.set(share.node, (used.get(share.node) ?? 0) + share.slots);
  }
  return used;
}

function card(node, devices, names, used) {
  const free = node.devices.length - devices.size;
  const label = `${node.id}, ${words(node.state)}, ${free} of ${node.devices.length} devices free`;
  return h(`li.node.${node.state.toLowerCase()}`, { tabindex: 0, "aria-label": label },
    h("span.name", { title: `${node.id}${node.rack ? `, ${node.rack}` : ""}` }, node.id),
    node.state === "ACTIVE" ? null : h("span.state", {}, words(node.state)),
    node.devices.length ? h("span.devices", {}, node.devices.map((device) => cell(device, devices.get(device), names))) : null,
    node.aggregationSlots > 0
      ? bar(used, node.aggregationSlots, `${number(used)} of ${number(node.aggregationSlots)} aggregation slots held`)
      : null);
}

function cell(device, entry, names) {
  if (!entry) {
    return h("span.cell", { title: `${device}: free` });
  }
  const name = names.get(entry.jobId) ?? entry.jobId;
  return h("a.cell.held", {
    href: `#/job/${encodeURIComponent(entry.jobId)}`,
    style: `background:${ofJob(entry.jobId)}`,
    title: `${device}: ${name}, ${allocation(entry.allocation)}`,
    "aria-label": `${device}: ${name}`,
    tabindex: -1,
  });
}

/** The largest gang that could start on one node, by type: free slots that lie apart are worth less. */
function largestGangs(nodes, held) {
  const largest = new Map();
  const free = new Map();
  for (const node of nodes.filter((one) => one.acceleratorType && one.state === "ACTIVE")) {
    const here = node.devices.length - (held.get(node.id)?.size ?? 0);
    largest.set(node.acceleratorType, Math.max(largest.get(node.acceleratorType) ?? 0, here));
    free.set(node.acceleratorType, (free.get(node.acceleratorType) ?? 0) + here);
  }
  return [...largest].map(([type, slots]) => `${type}: ${free.get(type)} free, at most ${slots} on one node`).join("; ");
}
