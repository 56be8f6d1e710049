// Nodes with their devices, colored by job or tenant. Many nodes are shown as a map, and each as a row of the table.

import { nodeActions } from "../actions.js";
import { param, setParams } from "../address.js";
import { list } from "../api.js";
import { assignColors, assignTenantColors, ofJob, ofTenant } from "../color.js";
import { currentPlan, holders, idleSlots, isOpen, runningJobs, slotsByType, slotsOfNode, withMaintenance } from "../data.js";
import { menuButton } from "../dialog.js";
import { h, nodeLink, partsBar, section, swatch } from "../dom.js";
import { ago, allocation, count, number, percent, time, words } from "../format.js";
import { idleTable } from "../idle.js";
import { labels } from "../names.js";
import { nodeMap, stripes } from "../nodemap.js";
import { inOrder } from "../order.js";
import { table } from "../table.js";

export const title = "Nodes";

/** Number of nodes above which a map is shown. */
const MANY = 150;
const LEGEND = 24;
const NONE = new Map();

/** Jobs, hosts and executors, once they are read: of many nodes, that takes longer than all else. */
const state = { jobs: [], hosts: [], executors: [], idle: null, parts: [], nodes: [] };

export async function load({ signal, later }) {
  const [plan, nodes] = await Promise.all([
    currentPlan(signal), withMaintenance(list("/nodes", { signal }), signal),
    later(state, { jobs: runningJobs(signal), hosts: list("/hosts", { signal, forbidden: [] }), executors: list("/executors", { signal, forbidden: [] }), idle: idleSlots(signal) })]);
  assignColors(plan.running.map((entry) => entry.jobId));
  return { plan, nodes };
}

/** Data of each node, which remain while nothing is read again: a filter draws the view for each letter. */
function together(...parts) {
  if (parts.some((part, i) => part !== state.parts[i])) {
    Object.assign(state, { parts, nodes: combined(...parts) });
  }
  return state.nodes;
}

/** Data of each node, by name. */
export function combined(plan, nodes, jobs, hosts, executors) {
  const held = holders(plan);
  const labelOf = labels(jobs);
  const names = new Map(jobs.map((job) => [job.id, labelOf(job.id)]));
  const tenants = new Map(jobs.map((job) => [job.id, job.tenant]));
  const shares = new Map(jobs.map((job) => [job.id, job.deviceShare]));
  const uses = new Map(hosts.map((host) => [host.node, host]));
  const connected = new Map(executors.map((one) => [one.id, one]));
  return inOrder(nodes.map((node) => ({
    ...node, names, tenants, shares, held: held.get(node.id) ?? NONE, executor: connected.get(node.id),
    quarantined: new Map((connected.get(node.id)?.quarantined ?? []).map((device) => [device.uuid, device])),
    usage: new Map((connected.get(node.id)?.deviceUsage ?? []).map((use) => [use.uuid, use])),
    host: uses.get(node.id), slots: slotsOfNode(node, held.get(node.id), connected.get(node.id)),
  })), (node) => node.id);
}

export function render({ plan, nodes: all }, { redraw, reload }) {
  const { jobs, hosts, executors, idle } = state;
  const nodes = together(plan, all, jobs, hosts, executors);
  assignTenantColors(jobs.map((job) => job.tenant));
  const shown = nodes.filter(matches);
  const many = shown.length > MANY;
  return [h("h1", {}, title),
    h("p.toolbar", {},
      h("input", { id: "filter", type: "search", value: param("q") ?? "", placeholder: "node, rack, pool, state, job", "aria-label": "Show only", input: (event) => {
        setParams({ q: event.target.value });
        redraw();
      } }),
      h("select", { id: "colors", "aria-label": "Colors", change: (event) => {
        setParams({ colors: event.target.value });
        redraw();
      } }, h("option", { value: "" }, "Colors by job"), h("option", { value: "tenant", selected: byTenant() }, "Colors by tenant"))),
    h("p", {}, "Each square is a slot. Empty slots are free, those of several colors shared, gray striped ones unavailable, and those with a red frame quarantined because they are not healthy."
      + ` ${many ? "Each strip is a node: select one to open it." : "The bars show the uses of host CPUs (C) and host memory (M)."}`),
    legend(jobs),
    many ? null : hostLegend(),
    h("p", {}, largestGangs(nodes, slotsByType(all, plan, executors))),
    idle === null || !idle.length ? null : section("Idle slots", idleTable(idle)),
    shown.length ? null : h("p.empty", {}, "No node matches."),
    ...[...groups(shown)].map(([type, members]) => section(`${type} (${count(members.length, "node")})`,
      many ? map(type, members) : h("ul.nodes", {}, members.map((node) => card(node))))),
    section("All nodes", table("Nodes", columns(reload), shown, { key: "", filter: false }))];
}

function byTenant() {
  return param("colors") === "tenant";
}

function legend(jobs) {
  const labelOf = labels(jobs);
  const entries = byTenant() ? [...new Set(jobs.map((job) => job.tenant))].sort().map((tenant) => [ofTenant(tenant), tenant])
    : jobs.map((job) => [ofJob(job.id), h("a", { href: `#/job/${encodeURIComponent(job.id)}` }, labelOf(job.id))]);
  return entries.length && entries.length <= LEGEND
    ? h("ul.legend", { "aria-label": "Colors" }, entries.map(([color, name]) => h("li", {}, swatch(color), name))) : null;
}

function columns(reload) {
  return [
    { name: "node", value: (node) => node.id, cell: (node) => nodeLink(node.id) },
    { name: "state", value: (node) => words(node.state), cell: (node) => h(`span.state.${node.state.toLowerCase()}`, {}, words(node.state)) },
    { name: "pool", value: (node) => node.pool },
    { name: "rack", value: (node) => node.rack },
    { name: "type", value: (node) => node.acceleratorType },
    { name: "slots", value: (node) => node.slots.all, number: true },
    { name: "free", value: (node) => node.slots.free, number: true },
    { name: "quarantined", value: (node) => node.quarantined.size, number: true },
    { name: "GPU use", value: gpuUse, cell: (node) => percent(gpuUse(node)), number: true },
    { name: "jobs", value: (node) => new Set([...node.held.values()].flat().map((entry) => entry.jobId)).size, number: true },
    { name: "executor", value: (node) => node.executor && words(node.executor.state), cell: executor },
    { name: "actions", cell: (node) => menuButton(node.id, node.id, nodeActions(node), reload) },
  ];
}

/** Mean utilization of the devices of a node; undefined if no agent reports it. */
function gpuUse(node) {
  const known = [...node.usage.values()].map((use) => use.utilization).filter((share) => share !== null);
  return known.length ? known.reduce((sum, share) => sum + share, 0) / known.length : undefined;
}

function executor({ executor: one }) {
  return one ? `${words(one.state)}, ${ago(one.seenAt)} ago` : "–";
}

function matches(node) {
  const wanted = (param("q") ?? "").trim().toLowerCase();
  const holding = () => [...node.held.values()].flat().map((entry) => node.names.get(entry.jobId));
  return !wanted || [node.id, node.rack, node.pool, node.acceleratorType, words(node.state), node.quarantined.size ? "quarantined" : null, ...holding()]
    .some((text) => text && text.toLowerCase().includes(wanted));
}

function map(type, members) {
  return nodeMap(`Nodes: ${type}`, members.map((node) => ({
    id: node.id, words: label(node), closed: !isOpen(node, node.executor), colors: node.devices.map((device) => color(node, device)),
  })), (chosen) => { location.hash = `#/node/${encodeURIComponent(chosen)}`; });
}

function color(node, device) {
  const [entry] = node.held.get(device) ?? [];
  return entry ? holderColor(node, entry) : node.quarantined.has(device) ? "var(--bad)" : isOpen(node, node.executor) ? "var(--free)" : "var(--line)";
}

function holderColor(node, entry) {
  return byTenant() ? ofTenant(node.tenants.get(entry.jobId)) : ofJob(entry.jobId);
}

function groups(nodes) {
  const byType = new Map();
  for (const node of nodes) {
    const type = node.acceleratorType ?? "without slots";
    byType.set(type, byType.get(type) ?? []);
    byType.get(type).push(node);
  }
  return byType;
}

function label(node) {
  return [node.id, words(node.state), `${node.slots.free} of ${count(node.slots.all, "slot")} free`,
    node.quarantined.size ? `${node.quarantined.size} quarantined` : null, ...gauges(node).map((one) => one.words)].filter(Boolean).join(", ");
}

/** Uses of CPUs and memory: color, name, and the members of a host. */
const USES = [
  ["var(--loading)", "training", "trainingCpus", "trainingGiB"],
  ["var(--summing)", "aggregators", "aggregatorCpus", null],
  ["var(--preparing)", "preparations", "preparationCpus", "preparationsGiB"],
  ["var(--lent)", "lent", null, "lentGiB"],
  ["var(--quiet)", "other use", null, "usedGiB"],
];

/** Rows of the uses of a host, with what is free. */
export function usesOf(host) {
  const granted = host.trainingGiB + host.preparationsGiB + host.lentGiB + host.usedGiB;
  return [...USES.map(([color, name, cpus, memory]) => ({ color, name, cpus: host[cpus], memory: host[memory] })),
    { color: "var(--free)", name: "free", cpus: host.freeCpus, memory: Math.max(0, host.memoryGiB - granted) }];
}

function hostLegend() {
  return h("ul.legend", { "aria-label": "Uses of host CPUs and memory" }, USES.map(([color, name]) => h("li", {}, swatch(color), name)), h("li", {}, swatch("var(--free)"), "free"));
}

/** Bars of CPUs and memory of a host; none for a node without them. */
function gauges({ host }) {
  return host ? [
    host.cpus > 0 ? gaugeOf("C", "CPUs", host.cpus, USES.map(([color, name, cpus]) => [color, name, host[cpus] ?? 0])) : null,
    host.memoryGiB > 0 ? gaugeOf("M", "GiB memory", host.memoryGiB, USES.map(([color, name, , memory]) => [color, name, host[memory] ?? 0])) : null,
  ].filter(Boolean) : [];
}

function gaugeOf(letter, unit, whole, uses) {
  const held = uses.filter(([, , value]) => value > 0);
  const used = held.reduce((sum, [, , value]) => sum + value, 0);
  const names = held.map(([, name, value]) => `${name} ${number(value)}`);
  return { letter, whole, parts: held.map(([color, , value]) => [color, value]),
    words: `${number(used)} of ${number(whole)} ${unit} in use${names.length ? ` (${names.join(", ")})` : ""}` };
}

export function card(node) {
  return h(`li.node.${node.state.toLowerCase()}`, { "aria-label": label(node) },
    h("a.name", { href: `#/node/${encodeURIComponent(node.id)}`, title: `${node.id}${node.rack ? `, ${node.rack}` : ""}` }, node.id),
    node.state === "ACTIVE" ? null : h("span.state", {}, words(node.state)),
    node.devices.length ? h("span.devices", {}, node.devices.map((device) => cell(node, device))) : null,
    gauges(node).map((one) => h("span.gauge", {}, h("span", { "aria-hidden": "true" }, one.letter), partsBar(one.parts, one.whole, one.words))));
}

function cell(node, device) {
  const entries = node.held.get(device);
  if (!entries) {
    return h(node.quarantined.has(device) ? "span.cell.quarantined" : "span.cell", { title: `${device}: ${vacancy(node, device)}` });
  }
  const nameOf = ({ jobId }) => node.names.get(jobId) ?? jobId;
  const colors = entries.map((entry) => holderColor(node, entry));
  return h("a.cell.held", {
    href: entries.length > 1 ? `#/node/${encodeURIComponent(node.id)}` : `#/job/${encodeURIComponent(entries[0].jobId)}`,
    style: `background:${colors.length > 1 ? stripes(colors) : colors[0]}`,
    title: `${device}: ${entries.map((entry) => `${nameOf(entry)}, ${allocation(entry.allocation, node.shares.get(entry.jobId))}`).join("; ")}`,
    "aria-label": `${device}: ${entries.map(nameOf).join(", ")}`,
    tabindex: -1,
  });
}

/** Reason why a device has no job. */
export function vacancy(node, device) {
  const quarantined = node.quarantined.get(device);
  return quarantined ? quarantined.healthy ? `quarantined until ${time(quarantined.until)}` : "quarantined, not healthy" : node.state === "ACTIVE" ? node.executor?.startRefusal ?? "free" : words(node.state);
}

/** Free slots by type, and the most of them on one node: a gang on one node needs no more. */
function largestGangs(nodes, types) {
  const most = (type) => Math.max(0, ...nodes.filter((node) => node.acceleratorType === type).map((node) => node.slots.free));
  return types.map(({ name, free }) => `${name}: ${free} free, at most ${most(name)} on one node`).join("; ");
}
