// Nodes with their devices, colored by job. Many nodes are shown as a map, with one node in detail.

import { list } from "../api.js";
import { currentPlan, holders, runningJobs } from "../data.js";
import { h, bar, jobLink, section, table } from "../dom.js";
import { assignColors, ofJob } from "../color.js";
import { allocation, number, time, words } from "../format.js";
import { nodeMap } from "../nodemap.js";

export const title = "Cluster";

/** Number of nodes above which a map is shown. */
const MANY = 150;
const NONE = new Map();
const state = { text: "", chosen: null };

export async function load({ signal }) {
  const [plan, nodes, jobs, memory, executors] = await Promise.all([
    currentPlan(signal), list("/nodes", { signal }), runningJobs(signal), list("/memory", { signal, forbidden: [] }),
    list("/executors", { signal, forbidden: [] })]);
  assignColors(plan.running.map((entry) => entry.jobId));
  return { nodes: known(plan, nodes, jobs, memory, executors) };
}

/** Data of each node, by name. */
function known(plan, nodes, jobs, memory, executors) {
  const held = holders(plan);
  const names = new Map(jobs.map((job) => [job.id, job.name]));
  const used = aggregationUse(plan);
  const shares = new Map(memory.map((share) => [share.node, share]));
  const quarantined = new Map(executors.map((one) => [one.id, new Map(one.quarantined.map((device) => [device.uuid, device]))]));
  return nodes.map((node) => ({
    ...node, names, held: held.get(node.id) ?? NONE, quarantined: quarantined.get(node.id) ?? NONE, used: used.get(node.id) ?? 0, memory: shares.get(node.id),
  })).sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
}

export function render({ nodes }, { redraw }) {
  const shown = nodes.filter(matches);
  const many = shown.length > MANY;
  return [h("h1", {}, "Cluster"), search(redraw),
    h("p", {}, "The color of a device is that of its job. Empty devices are free, striped ones unavailable, and those with a red frame quarantined"
      + ` because they are not healthy. ${many ? "Each strip is a node: select one to see it below, or filter."
        : "The bars show used aggregation slots (A) and granted or lent host memory (M)."}`),
    h("p", {}, largestGangs(nodes)),
    shown.length ? null : h("p.empty", {}, "No node matches."),
    ...[...groups(shown)].map(([type, members]) => section(`${type} (${members.length} ${members.length === 1 ? "node" : "nodes"})`,
      many ? map(type, members, redraw) : h("ul.nodes", {}, members.map((node) => card(node))))),
    many ? detail(nodes.find((node) => node.id === state.chosen)) : null];
}

function matches(node) {
  const wanted = state.text.trim().toLowerCase();
  const holding = () => [...node.held.values()].map((entry) => node.names.get(entry.jobId));
  return !wanted || [node.id, node.rack, node.pool, words(node.state), node.quarantined.size ? "quarantined" : null, ...holding()]
    .some((text) => text && text.toLowerCase().includes(wanted));
}

function search(redraw) {
  return h("p.search", {}, h("label", { for: "filter" }, "Show only "),
    h("input", {
      id: "filter", type: "search", value: state.text, placeholder: "node, rack, pool, state, job",
      input: (event) => {
        state.text = event.target.value;
        redraw();
      },
    }));
}

function map(type, members, redraw) {
  return nodeMap(`Nodes: ${type}`, members.map((node) => ({
    id: node.id, words: label(node), closed: node.state !== "ACTIVE", colors: node.devices.map((device) => color(node, device)),
  })), state.chosen, (chosen) => {
    state.chosen = chosen;
    redraw();
  });
}

function color(node, device) {
  const entry = node.held.get(device);
  return entry ? ofJob(entry.jobId) : node.quarantined.has(device) ? "var(--bad)" : node.state === "ACTIVE" ? "var(--free)" : "var(--line)";
}

function detail(node) {
  return node ? section(`Node ${node.id}`, h("p", {}, `pool ${node.pool}${node.rack ? `, ${node.rack}` : ""}`), h("ul.nodes", {}, card(node)),
    table(`Devices of ${node.id}`, [{ name: "device" }, { name: "job" }, { name: "holds" }], node.devices.map((device) => {
      const entry = node.held.get(device);
      return entry ? [device, jobLink(entry.jobId, node.names.get(entry.jobId)), allocation(entry.allocation)] : [device, idle(node, device), ""];
    }), "No devices.")) : null;
}

function groups(nodes) {
  const byType = new Map();
  for (const node of nodes) {
    const type = node.acceleratorType ?? "without accelerators";
    byType.set(type, byType.get(type) ?? []);
    byType.get(type).push(node);
  }
  return byType;
}

/** Aggregation slots that the plan assigns on each node. */
function aggregationUse(plan) {
  const used = new Map();
  for (const share of plan.running.flatMap((entry) => entry.allocation.aggregation)) {
    used.set(share.node, (used.get(share.node) ?? 0) + share.slots);
  }
  return used;
}

function gauges(node) {
  return [aggregationOf(node, node.used), memoryOf(node.memory)].filter(Boolean);
}

function free(node) {
  return node.devices.filter((device) => !node.held.has(device) && !node.quarantined.has(device)).length;
}

function label(node) {
  const bad = node.devices.filter((device) => node.quarantined.has(device)).length;
  return [node.id, words(node.state), `${free(node)} of ${node.devices.length} devices free`, bad ? `${bad} quarantined` : null,
    ...gauges(node).map((one) => one.words)].filter(Boolean).join(", ");
}

function card(node) {
  return h(`li.node.${node.state.toLowerCase()}`, { tabindex: 0, "aria-label": label(node) },
    h("span.name", { title: `${node.id}${node.rack ? `, ${node.rack}` : ""}` }, node.id),
    node.state === "ACTIVE" ? null : h("span.state", {}, words(node.state)),
    node.devices.length ? h("span.devices", {}, node.devices.map((device) => cell(node, device))) : null,
    gauges(node).map((one) => h("span.gauge", {}, h("span", { "aria-hidden": "true" }, one.letter), bar(one.part, one.whole, one.words))));
}

function aggregationOf(node, used) {
  return node.aggregationSlots > 0 ? {
    letter: "A", part: used, whole: node.aggregationSlots, words: `${number(used)} of ${number(node.aggregationSlots)} aggregation slots used`,
  } : null;
}

/** Memory granted by plans; other use is stated as text. */
function memoryOf(share) {
  if (!share?.memoryGiB) {
    return null;
  }
  const granted = share.trainingGiB + share.preparationsGiB + share.lentGiB;
  const kinds = [["training", share.trainingGiB], ["preparations", share.preparationsGiB], ["lent", share.lentGiB], ["other use", share.usedGiB]]
    .filter(([, gib]) => gib > 0).map(([kind, gib]) => `${kind} ${number(gib)}`);
  return { letter: "M", part: granted, whole: share.memoryGiB,
    words: `${number(granted)} of ${number(share.memoryGiB)} GiB memory granted${kinds.length ? ` (${kinds.join(", ")})` : ""}` };
}

function cell(node, device) {
  const entry = node.held.get(device);
  if (!entry) {
    return h(node.quarantined.has(device) ? "span.cell.quarantined" : "span.cell", { title: `${device}: ${idle(node, device)}` });
  }
  const name = node.names.get(entry.jobId) ?? entry.jobId;
  return h("a.cell.held", {
    href: `#/job/${encodeURIComponent(entry.jobId)}`,
    style: `background:${ofJob(entry.jobId)}`,
    title: `${device}: ${name}, ${allocation(entry.allocation)}`,
    "aria-label": `${device}: ${name}`,
    tabindex: -1,
  });
}

/** Reason why a device is idle. */
function idle(node, device) {
  const quarantined = node.quarantined.get(device);
  return quarantined ? quarantined.healthy ? `quarantined until ${time(quarantined.until)}` : "quarantined, not healthy" : "free";
}

/** The largest gang that could start on one node, by type: free slots on different nodes count separately. */
function largestGangs(nodes) {
  const largest = new Map();
  const all = new Map();
  for (const node of nodes.filter((one) => one.acceleratorType && one.state === "ACTIVE")) {
    const here = free(node);
    largest.set(node.acceleratorType, Math.max(largest.get(node.acceleratorType) ?? 0, here));
    all.set(node.acceleratorType, (all.get(node.acceleratorType) ?? 0) + here);
  }
  return [...largest].map(([type, slots]) => `${type}: ${all.get(type)} free, at most ${slots} on one node`).join("; ");
}
