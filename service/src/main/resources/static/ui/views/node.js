// One node: devices with their jobs, executor, memory, and actions.

import { nodeActions } from "../actions.js";
import { get, list } from "../api.js";
import { buttons } from "../dialog.js";
import { currentPlan, runningJobs, withMaintenance } from "../data.js";
import { h, jobLink, section, swatch, tile } from "../dom.js";
import { ago, allocation, gib, mebibytes, number, percent, time, watts, words } from "../format.js";
import { table } from "../table.js";
import { combined, usesOf, vacancy } from "./nodes.js";

export const title = "Node";

export async function load({ signal, id }) {
  const path = encodeURIComponent(id);
  const [nodes, plan, jobs, hosts, executors] = await Promise.all([
    withMaintenance(get(`/nodes/${path}`, { signal }).then((one) => [one]), signal), currentPlan(signal), runningJobs(signal), list(`/hosts?node=${path}`, { signal, forbidden: [] }),
    list(`/executors?node=${path}`, { signal, forbidden: [] })]);
  return { node: combined(plan, nodes, jobs, hosts, executors)[0] };
}

export function render({ node }, { reload }) {
  const { executor, host } = node;
  return [h("h1", {}, node.id),
    buttons(nodeActions(node), reload),
    h("div.tiles", {},
      tile("State", words(node.state), { tone: node.state === "LOST" ? "bad" : "" }),
      tile("Pool", node.pool, { detail: node.rack }),
      tile("Slots", node.acceleratorType ? `${node.devices.length} × ${node.acceleratorType}` : "none",
        { detail: `${node.slots.free} free, ${node.quarantined.size} quarantined${node.sharesDevices ? ", jobs may share each" : ""}`, tone: node.quarantined.size ? "bad" : "" }),
      tile("Executor", executor ? words(executor.state) : "none", {
        detail: executor?.startRefusal ?? (executor ? `heartbeat ${ago(executor.seenAt)} ago` : "no agent is connected"),
        tone: executor?.startRefusal ? "bad" : "" }),
      tile("Host", `${number(node.cpus)} CPUs`, { detail: `${gib(node.memoryGiB)}, at most ${number(node.aggregationSlots)} CPUs for aggregators` })),
    host ? section("Host", table("Uses of host CPUs and memory", [
      { name: "use", value: (one) => one.name, cell: (one) => h("span", {}, swatch(one.color), one.name) },
      { name: "CPUs", value: (one) => one.cpus, number: true },
      { name: "memory", value: (one) => one.memory, cell: (one) => (one.memory === undefined ? "–" : gib(one.memory)), number: true },
    ], usesOf(host), { filter: false })) : null,
    section("Labels", table("Labels", [
      { name: "label", value: ([name]) => name },
      { name: "value", value: ([, value]) => value },
    ], Object.entries(node.labels ?? {}), { empty: "No labels." })),
    section("Devices", table("Devices", [
      { name: "device", value: (one) => one.device },
      { name: "job", value: (one) => one.entry && node.names.get(one.entry.jobId),
        cell: (one) => (one.entry ? jobLink(one.entry.jobId, node.names.get(one.entry.jobId)) : vacancy(node, one.device)) },
      { name: "allocation of the job", value: (one) => (one.entry ? allocation(one.entry.allocation, node.shares.get(one.entry.jobId)) : "") },
      { name: "utilization", value: (one) => one.use?.utilization, cell: (one) => percent(one.use?.utilization), number: true },
      { name: "memory", value: (one) => one.use?.memoryUsedMiB, cell: (one) => mebibytes(one.use?.memoryUsedMiB), number: true },
      { name: "power", value: (one) => one.use?.powerWatts, cell: (one) => watts(one.use?.powerWatts), number: true },
      { name: "since", value: (one) => one.entry?.allocation.since, cell: (one) => time(one.entry?.allocation.since) },
    ], node.devices.flatMap((device) => (node.held.get(device) ?? [undefined]).map((entry) => ({ device, entry, use: node.usage.get(device) }))), { empty: "No devices." }))];
}
