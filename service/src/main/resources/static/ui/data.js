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

/** Time after its start in which a job need not have been reported on. */
const SILENT_SECONDS = 60;

/** Whether a job has slots in the plan, but nothing has reported that it runs. */
export function isSilent(job) {
  return Boolean(job.allocation) && !job.observed && seconds(job.allocation.since) > SILENT_SECONDS;
}

/** The latest finished rounds, the newest first. */
export async function rounds(count, signal) {
  return (await list("/rounds", { signal, most: count })).filter((round) => round.finishedAt);
}

let recent = { minute: null, history: null };

/** Utilization and queue of the last hours, read once a minute; null for a caller who may not read it. */
export async function recentHistory(hours, signal) {
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  if (recent.minute !== minute) {
    const since = new Date(minute - hours * 3_600_000).toISOString();
    recent = { minute, history: await get(`/outcomes/history?since=${since}&until=${new Date(minute).toISOString()}`, { signal, forbidden: null }) };
  }
  return recent.history;
}

/** Slots of each accelerator type: total, schedulable, used. */
export function slotsByType(nodes, plan) {
  const types = new Map();
  for (const node of nodes) {
    if (node.acceleratorType) {
      const type = types.get(node.acceleratorType) ?? { name: node.acceleratorType, all: 0, open: 0, held: 0 };
      type.all += node.devices.length;
      type.open += node.state === "ACTIVE" ? node.devices.length : 0;
      types.set(type.name, type);
    }
  }
  for (const { allocation } of plan.running) {
    const type = types.get(allocation.configuration.acceleratorType);
    if (type) {
      type.held += allocation.configuration.slots;
    }
  }
  return [...types.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Aggregation slots: total and used. */
export function aggregation(nodes, plan) {
  return {
    all: nodes.reduce((sum, node) => sum + node.aggregationSlots, 0),
    held: plan.running.reduce((sum, entry) => sum + entry.allocation.configuration.aggregationSlots, 0),
  };
}

/** The job on each device: node id to a map of device to plan entry. */
export function holders(plan) {
  const byNode = new Map();
  for (const entry of plan.running) {
    for (const piece of entry.allocation.placement) {
      const devices = byNode.get(piece.node) ?? new Map();
      piece.devices.forEach((device) => devices.set(device, entry));
      byNode.set(piece.node, devices);
    }
  }
  return byNode;
}

/** Duration of a round in seconds. */
export function roundSeconds(round) {
  return (new Date(round.finishedAt) - new Date(round.startedAt)) / 1000;
}
