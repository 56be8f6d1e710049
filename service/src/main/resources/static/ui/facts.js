// The facts of a job: where it comes from, what it holds, its command and its settings, with those that are defaults marked.

import { address } from "./address.js";
import { arrayLink, h, nodeLink } from "./dom.js";
import { count, duration, gib, number, ofDevice, quoted, time, words } from "./format.js";

const yes = (value) => (value ? "yes" : "no");
const all = (names) => (names.length ? names.join(", ") : "all");
const seconds = (value) => (value === 0 ? "0 s" : duration(value));

/** A requirement on nodes in words. */
const requirement = ({ label, operator, values }) => [label, words(operator), values.join(" or ")].filter(Boolean).join(" ");

/** A preference for nodes in words. */
const preference = ({ requirements, factor }) => `${requirements.map(requirement).join(", ")}; utility elsewhere ${factor ?? 0.95}`;

/** A request for close nodes in words. */
const closeness = ({ level, policy, crossingFactor }) =>
  policy === "REQUIRE" ? `within one ${level}` : `preferably within one ${level}; speed across a boundary ${crossingFactor ?? 0.9}`;

/** Settings of a training job: label, pointer in the job, default of the contract, and how a value is written. Those without a default depend on the cluster or on the request. */
export const SETTINGS = [
  ["Slots, at least", "/spec/elasticity/minSlots", 1],
  ["Slots, at most", "/spec/elasticity/maxSlots"],
  ["Accelerator types", "/spec/elasticity/acceleratorTypes", [], all],
  ["Pools", "/spec/elasticity/pools", [], all],
  ["Nodes", "/spec/elasticity/nodes", [], (requirements) => requirements.map(requirement).join(", ") || "all"],
  ["Powers of two only", "/spec/elasticity/powersOfTwo", false, yes],
  ["Allowed numbers of slots", "/spec/elasticity/allowedCounts", [], all],
  ["Nodes, at most", "/spec/elasticity/maxNodes", null, (value) => value ?? "no limit"],
  ["On as few nodes as possible", "/spec/elasticity/consolidate", false, yes],
  ["Batch size, initial", "/spec/batch/initial"],
  ["Batch size, at least", "/spec/batch/min"],
  ["Batch size, at most", "/spec/batch/max"],
  ["Batch size of a device, at most", "/spec/batch/maxPerDevice"],
  ["Batch size of a device by type, at most", "/spec/batch/maxPerDeviceByType", {}, pairs],
  ["Several passes for a large batch", "/spec/batch/accumulation", false, yes],
  ["Divisor of the batch size of a device", "/spec/batch/multipleOf", 1],
  ["AllReduce", "/spec/synchronization/allReduce", true, yes],
  ["Parameter servers", "/spec/synchronization/parameterServer", false, yes],
  ["Aggregation slots, at least", "/spec/synchronization/minAggregationSlots", 0],
  ["Aggregation slots, at most", "/spec/synchronization/maxAggregationSlots", 0],
  ["Gradient noise scale", "/spec/efficiency/noiseScale", null, (value) => (value === null ? "unknown" : `${number(value)} samples`)],
  ["CPUs per slot", "/spec/host/cpusPerSlot", 0],
  ["Memory per slot", "/spec/host/memoryGiBPerSlot", 0, gib],
  ["Restart cost", "/spec/restartPenaltySeconds", 60, seconds],
  ["Minimum run time", "/spec/minRunSeconds", 0, seconds],
  ["May be stopped, moved and resized", "/spec/preemptible", true, yes],
  ["May stop jobs of lower priority", "/spec/preemptionPolicy", "PREEMPT_LOWER_PRIORITY", (value) => yes(value !== "NEVER")],
  ["Priority class", "/spec/priority", 0],
  ["Weight", "/spec/weight", 1],
];

/** Members of the specification that a fact states. */
const STATED = new Set([...SETTINGS.map(([, pointer]) => pointer), "/spec/elasticity/deviceShare", "/spec/elasticity/topology", "/spec/elasticity/preferredNodes", "/spec/timeLimit", "/spec/roles", "/spec/group", "/spec/revenue",
  "/spec/family", "/spec/work/amount", "/spec/work/unit", "/spec/work/estimated", "/spec/work/targetLoss"]);

/** Settings of a command. */
export const COMMAND_SETTINGS = [
  ["Processes", "/command/launch", "PER_DEVICE", (value) => (value === "PER_NODE" ? "one for each node" : "one for each device")],
  ["Working directory", "/command/workdir", null, (value) => value ?? "chosen by the agent"],
  ["Checkpoints", "/command/checkpointDir", null, (value) => value ?? "chosen by the agent"],
  ["Time for a checkpoint before a stop", "/command/graceSeconds", 30, seconds],
  ["Restarts after failures, at most", "/command/maxRestarts", 3],
  ["Environment", "/command/env", {}, pairs],
];

/** Facts of the job itself. */
export function origin(job) {
  const labels = Object.entries(job.labels);
  return list([
    ["Tenant", h("a", { href: address("jobs", { tenant: job.tenant }) }, job.tenant)],
    ["Owner", job.owner],
    job.array ? ["Array", [arrayLink(job.array.id, "all jobs"), `, index ${job.array.index}`]] : null,
    ["Submitted", time(job.submittedAt)],
    job.endedAt ? ["Ended", time(job.endedAt)] : null,
    ["Deadline", job.deadline ? `${time(job.deadline)}, ${words(job.deadlineStatus)}` : "none"],
    job.notBefore ? ["Not before", time(job.notBefore)] : null,
    job.kind === "TRAINING" ? ["Model family", job.spec.family ?? "none"] : null,
    job.spec.timeLimit ? ["Time limit", limit(job)] : null,
    job.deviceShare ? ["Share of its device", number(job.deviceShare)] : null,
    job.spec.elasticity?.topology ? ["Topology", closeness(job.spec.elasticity.topology)] : null,
    job.spec.elasticity?.preferredNodes ? ["Preferred nodes", preference(job.spec.elasticity.preferredNodes)] : null,
    job.spec.roles ? ["Roles", job.spec.roles.map((role) => h("div", {}, `${number(role.count)} × ${role.name} with ${number(role.cpus)} CPUs and ${gib(role.memoryGiB)}`))] : null,
    job.spec.group ? ["Job group", job.spec.group] : null,
    job.spec.revenue ? ["Revenue", number(job.spec.revenue)] : null,
    ["Priority class and weight", [job.spec.priority, job.spec.weight].filter((value) => value !== undefined).map(number).join(", weight ")],
    ["Labels", labels.length ? labels.map(([name, value]) => `${name}=${value}`).join(", ") : "none"],
    job.externalId ? ["External id", job.externalId] : null,
    job.kind === "TRAINING" ? ["Work", work(job.spec.work)] : null,
    job.kind === "TRAINING" ? ["Batch sizes", batches(job.spec.batch)] : null,
  ]);
}

/** The allocation of the job by node, and the plan that decided it. `held` is the newest entry of its allocations. */
export function holding({ allocation, generation, deviceShare }, held) {
  const { configuration: one, placement, since, aggregation } = allocation;
  return list([
    ["Slots", `${ofDevice(deviceShare)}${one.slots} × ${one.acceleratorType} in pool ${one.pool}`],
    ["Nodes and devices", placement.map((piece) => h("div", {}, nodeLink(piece.node), `: ${piece.devices.join(", ")}`))],
    ["Batch size", `${number(one.batchSize)} = ${count(one.slots, "slot")} × ${number(one.perDeviceBatch)}${one.accumulationSteps ? ` × ${one.accumulationSteps + 1} passes` : ""}`],
    ["Synchronization", one.strategy === "PARAMETER_SERVER" ? `parameter servers, ${count(one.aggregationSlots, "aggregation slot")}` : "AllReduce"],
    aggregation?.length ? ["Aggregation", aggregation.map((share) => h("div", {}, nodeLink(share.node), `: ${number(share.slots)}`))] : null,
    ["Since", time(since)],
    ["Generation", `${generation}: each start, change and stop of the job counts`],
    held ? ["Decided by", planLink(held.planRevision)] : null,
  ]);
}

export function planLink(revision) {
  return h("a", { href: `#/changes/${revision}` }, `plan ${revision}`);
}

/** The command as it is typed in a shell, and its settings. */
export function commandOf(job) {
  return [h("pre.log", { tabindex: 0, role: "region", "aria-label": "Command" }, shell([job.command.program, ...job.command.args])), settings(job, COMMAND_SETTINGS)];
}

/** Settings as a list; a value that the contract fills in is marked as a default. */
export function settings(job, all = SETTINGS) {
  const other = all === SETTINGS ? others(job.spec) : [];
  return list([...all.map(([label, pointer, standard, text = shown]) => {
    const value = at(job, pointer);
    return value === undefined ? null : [label, [String(text(value)), isDefault(value, standard) ? h("span.detail", {}, " (default)") : null]];
  }), other.length ? ["Other settings", other.join(" ")] : null]);
}

/** Members of a specification that no other fact states, as NAME=VALUE, unless they are null, false, 0 or empty. */
export function others(value, pointer = "/spec") {
  if (STATED.has(pointer) || !value || (Array.isArray(value) && !value.length)) {
    return [];
  }
  if (typeof value === "object" && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, member]) => others(member, `${pointer}/${name}`));
  }
  return [`${pointer.slice("/spec/".length).replaceAll("/", ".")}=${Array.isArray(value) ? `(${value.length})` : shown(value)}`];
}

/** Facts of a data preparation. */
export function preparation({ spec }) {
  return list([
    ["CPUs", number(spec.cpus)], ["Working set", gib(spec.workingSetGiB)], ["Run time with the whole set in local memory", duration(spec.seconds)],
    ["Local part, at least", `${number(100 * spec.minLocalFraction)} %`], ["Pools", all(spec.pools ?? [])],
  ]);
}

/** The value at a JSON pointer. */
export function at(value, pointer) {
  return pointer.slice(1).split("/").reduce((of, member) => of?.[member], value);
}

export function isDefault(value, standard) {
  return standard !== undefined && JSON.stringify(value) === JSON.stringify(standard);
}

/** Arguments as a shell takes them. */
export function shell(parts) {
  return parts.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`)).join(" ");
}

function list(rows) {
  return h("dl.facts", {}, rows.filter(Boolean).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function work({ amount, unit, estimated, targetLoss }) {
  return estimated ? "unknown: it ends when its processes end" : `${number(amount)} ${words(unit ?? "SAMPLES")}${targetLoss === undefined || targetLoss === null ? "" : ` or loss ${number(targetLoss)}`}`;
}

/** The limit, and the time left while the job holds slots. */
function limit({ spec: { timeLimit: { seconds: all, per, onLimit } }, limitAt }) {
  const left = limitAt ? (Date.parse(limitAt) - Date.now()) / 1000 : null;
  return `${duration(all)}${per === "START" ? " for each start" : ""}${onLimit === "REQUEUE" ? ", then it waits again" : ""}`
    + (left === null ? "" : left > 0 ? `; ${duration(left)} left` : "; reached");
}

function batches({ initial, min, max }) {
  return min === max ? `${number(initial)}, fixed` : `${number(min)} to ${number(max)}, at first ${number(initial)}`;
}

function pairs(members) {
  const texts = Object.entries(members).map(([name, value]) => `${name}=${value}`);
  return texts.length ? texts.join(" ") : "none";
}

function shown(value) {
  return typeof value === "number" ? number(value) : typeof value === "string" ? value : quoted(value);
}
