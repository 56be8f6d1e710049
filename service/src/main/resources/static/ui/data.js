// Data that several views share, combined from several responses.

import { get, list } from "./api.js";
import { seconds } from "./format.js";

/** The current plan; an empty one as long as there is none. */
export async function currentPlan(signal) {
  return (await get("/plans/current", { signal, absent: true }))
    ?? { revision: 0, round: 0, publishedAt: null, running: [], waiting: [], quality: null };
}

/** Training jobs that have not ended; `read` is a function of the API that reads a list. */
export function activeJobs(signal, read = list) {
  return read("/jobs?kind=TRAINING&state=SUBMITTED&state=WAITING&state=RUNNING&state=COMPLETING", { signal });
}

/** Data preparations that have not ended. */
export function activePreparations(signal) {
  return list("/jobs?kind=DATA_PREPARATION&state=SUBMITTED&state=WAITING&state=RUNNING", { signal });
}

/** Jobs with an allocation. */
export async function runningJobs(signal) {
  return (await list("/jobs?state=RUNNING&state=COMPLETING", { signal })).filter((job) => job.allocation);
}

/** Ids in one request. */
const BATCH = 100;

/** The jobs with these ids. */
export async function jobsById(ids, signal) {
  const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, i) => ids.slice(i * BATCH, (i + 1) * BATCH));
  const lists = await Promise.all(batches.map((batch) => list(`/jobs?${batch.map((id) => `id=${encodeURIComponent(id)}`).join("&")}`, { signal })));
  return lists.flat();
}

/** The latest finished rounds, the newest first. */
export async function rounds(count, signal) {
  return (await list("/rounds", { signal, most: count })).filter((round) => round.finishedAt);
}

let recent = { at: 0, hours: 0, history: null };
/** Time for which a history is not read again. */
const HISTORY_SECONDS = 10;

/** Utilization and queue of the last hours up to now; null for a caller who may not read it. */
export async function recentHistory(hours, signal) {
  if (recent.hours !== hours || seconds(recent.at) > HISTORY_SECONDS) {
    const at = Date.now();
    const since = new Date(at - hours * 3_600_000).toISOString();
    recent = { at, hours, history: await get(`/outcomes/history?since=${since}`, { signal, forbidden: null }) };
  }
  return recent.history;
}

/** Slots that no job holds, with the reasons; null for a caller who may not read them. */
export function idleSlots(signal) {
  return list("/idle-slots", { signal, forbidden: null });
}

const NONE = new Map();

/** True if jobs may start on a node now. */
export function isOpen(node, executor) {
  return node.state === "ACTIVE" && !executor?.startRefusal;
}

/**
 * Slots of a node: held by jobs of the plan, free (jobs may start there now), and unavailable.
 *
 * @param held plan entries by device
 * @param executor of the node, if there is one
 */
export function slotsOfNode(node, held = NONE, executor = null) {
  const sick = new Set((executor?.quarantined ?? []).map((device) => device.uuid));
  const rest = node.devices.filter((device) => !held.has(device));
  const free = isOpen(node, executor) ? rest.filter((device) => !sick.has(device)).length : 0;
  return { all: node.devices.length, held: node.devices.length - rest.length, free, unavailable: rest.length - free };
}

/**
 * Nodes of a promise. The state of an active node in maintenance, or that drains for it, is MAINTENANCE, because it accepts no jobs.
 */
export async function withMaintenance(reading, signal) {
  const [nodes, windows] = await Promise.all([reading, list("/maintenance-windows?state=DRAINING&state=ACTIVE", { signal, forbidden: [] })]);
  return nodes.map((node) => (node.state === "ACTIVE" && windows.some((window) => window.nodes.includes(node.id) || window.pool === node.pool)
    ? { ...node, state: "MAINTENANCE" } : node));
}

/** Slots of each accelerator type, as those of a node; nodes that are lost have none. */
export function slotsByType(nodes, plan, executors) {
  const held = holders(plan);
  const connected = new Map(executors.map((one) => [one.id, one]));
  const types = new Map();
  for (const node of nodes.filter((one) => one.acceleratorType && one.state !== "LOST")) {
    const slots = slotsOfNode(node, held.get(node.id), connected.get(node.id));
    const type = types.get(node.acceleratorType) ?? { name: node.acceleratorType, all: 0, held: 0, free: 0, unavailable: 0 };
    ["all", "held", "free", "unavailable"].forEach((member) => { type[member] += slots[member]; });
    types.set(type.name, type);
  }
  return [...types.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** CPUs for aggregators: total, and used by the aggregators of the plan, which jobs may share. */
export function aggregation(nodes, plan) {
  return {
    all: nodes.reduce((sum, node) => sum + node.aggregationSlots, 0),
    held: plan.aggregators.reduce((sum, one) => sum + one.cpus, 0),
  };
}

/** The jobs on each device: node id to a map of device to plan entries. Jobs with a share have a device in common. */
export function holders(plan) {
  const byNode = new Map();
  for (const entry of plan.running) {
    for (const piece of entry.allocation.placement) {
      const devices = byNode.get(piece.node) ?? new Map();
      piece.devices.forEach((device) => devices.set(device, [...(devices.get(device) ?? []), entry]));
      byNode.set(piece.node, devices);
    }
  }
  return byNode;
}

/** Duration of a round in seconds. */
export function roundSeconds(round) {
  return (new Date(round.finishedAt) - new Date(round.startedAt)) / 1000;
}
