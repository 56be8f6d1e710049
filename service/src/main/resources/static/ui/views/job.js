// One job: request, allocation, explanation, throughput and events.

import { jobActions } from "../actions.js";
import { get, list } from "../api.js";
import { lines } from "../chart.js";
import { buttons } from "../dialog.js";
import { h, bar, nodeLink, section, tile } from "../dom.js";
import { allocation, duration, gib, localized, mebibytes, number, percent, quoted, time, watts, words } from "../format.js";
import { log } from "../log.js";
import { may } from "../session.js";
import { table } from "../table.js";

export const title = "Job";

const state = { unblock: null };

export async function load({ signal, id }) {
  if (state.unblock !== id) {
    state.unblock = null;
  }
  const path = `/jobs/${encodeURIComponent(id)}`;
  const [job, explanation, prediction, allocations, events, { devices }] = await Promise.all([
    get(path, { signal }),
    get(`${path}/explanation${state.unblock ? "?unblock=true" : ""}`, { signal, absent: true }),
    get(`${path}/prediction`, { signal, absent: true }),
    list(`${path}/allocations`, { signal, most: 100 }),
    list(`${path}/events`, { signal, most: 200 }),
    get(`${path}/devices`, { signal })]);
  return { job, explanation, prediction, allocations, events, devices };
}

export function render({ job, explanation, prediction, allocations, events, devices }, { reload }) {
  return [h("h1", {}, job.name ?? job.id),
    h("p.id", {}, job.id),
    buttons(jobActions(job), reload),
    h("div.tiles", {},
      tile("State", words(job.state), { detail: job.held ? "on hold" : null, tone: job.state === "FAILED" ? "bad" : "" }),
      tile("Tenant", job.tenant, { detail: `owner ${job.owner}`, href: `#/jobs?tenant=${encodeURIComponent(job.tenant)}` }),
      job.kind === "TRAINING"
        ? tile("Allocation", allocation(job.allocation), { detail: job.allocation ? `batch size ${number(job.allocation.configuration.batchSize)}` : null })
        : tile("Node", job.grant?.node ?? "–", { detail: job.grant ? memory(job) : "data preparation" }),
      tile("Progress", percent(job.progress, 1), { detail: job.endedAt ? `ended ${time(job.endedAt)}` : remaining(job) }),
      gpuTile(devices),
      ...etaTiles(explanation?.eta),
      job.deadline ? tile("Deadline", time(job.deadline), { detail: words(job.deadlineStatus), tone: job.deadlineStatus === "AT_RISK" ? "bad" : "" }) : null),
    bar(job.progress, 1, `${percent(job.progress, 1)} done`),
    ...job.warnings.map((warning) => h("p.bad", {}, warning.message)),
    job.failure ? failure(job) : null,
    job.kind === "TRAINING" && may("VIEWER", "SUBMITTER", "OPERATOR") ? section("Log", log(job.id)) : null,
    explanation ? section("Why", ...why(explanation, job, reload)) : null,
    job.kind === "TRAINING" ? section("Throughput", curve(job, prediction)) : null,
    h("div.columns", {},
      section("Allocations", table("Allocations", [
        { name: "from", value: (held) => held.startedAt, cell: (held) => time(held.startedAt) },
        { name: "change", value: (held) => words(held.change) },
        { name: "held", value: (held) => allocation(held.allocation) },
        { name: "for", value: lasted, cell: (held) => duration(lasted(held)), number: true },
      ], allocations, { empty: "None yet." })),
      section("Events", table("Events", [
        { name: "at", value: (event) => event.at, cell: (event) => time(event.at) },
        { name: "event", value: (event) => words(event.kind) },
        { name: "facts", value: (event) => facts(event.detail) },
      ], [...events].reverse())))];
}

function lasted(held) {
  return ((held.endedAt ? Date.parse(held.endedAt) : Date.now()) - Date.parse(held.startedAt)) / 1000;
}

function memory({ grant, slowDown }) {
  return `${gib(grant.localGiB)} local, ${gib(grant.loans.reduce((sum, loan) => sum + loan.gib, 0))} borrowed; slowdown ${number(slowDown)}`;
}

function remaining(job) {
  return job.kind === "TRAINING" ? `${number(job.remainingSamples)} effective samples remaining` : `${duration(job.remainingSeconds)} of work remaining`;
}

/** Use of the GPUs of the job; none if no agent reports it. */
function gpuTile(devices) {
  const known = (member) => devices.map((one) => one[member]).filter((value) => value !== null);
  const sum = (values) => values.reduce((all, value) => all + value, 0);
  const shares = known("utilization");
  return shares.length ? tile("GPU utilization", percent(sum(shares) / shares.length), {
    detail: `${mebibytes(sum(known("memoryUsedMiB")))} in use, ${watts(sum(known("powerWatts")))}` }) : null;
}

function etaTiles(estimate) {
  if (!estimate) {
    return [];
  }
  const shown = (label, one) => tile(label, one.median ? time(one.median) : words(one.outcome), {
    detail: one.high && estimate.coverage > 0 ? `between ${time(one.low)} and ${time(one.high)} in ${percent(estimate.coverage)} of cases` : localized(one.message),
  });
  return [estimate.start ? shown("Expected start", estimate.start) : null, shown("Expected end", estimate.completion)].filter(Boolean);
}

function why(explanation, job, reload) {
  return [
    h("p", {}, localized(explanation.message)),
    explanation.bid ? h("p", {}, localized(explanation.bid.message)) : null,
    explanation.shadowPrices.map((price) => h("p", {}, localized(price.message))),
    explanation.unblock ? h("p", {}, localized(explanation.unblock.message) ?? JSON.stringify(explanation.unblock)) : null,
    explanation.waiting && !explanation.unblock
      ? h("button", {
        id: "unblock",
        type: "button",
        click: () => {
          state.unblock = job.id;
          reload();
        },
      }, "Find a change that starts it")
      : null];
}

/** The last failure: exit code, attempt, node and last lines of the rank that failed first. */
function failure({ failure: last, state: now }) {
  return section(now === "FAILED" ? "Failure" : "Last failure",
    h("p.bad", {}, localized(last.message)),
    h("div.tiles", {},
      tile("Exit code", last.exitCode === null ? "unknown" : String(last.exitCode), { detail: last.signal ?? (last.outOfMemory && `out of memory: ${words(last.outOfMemory)}`) }),
      tile("Attempt", last.attempt === null ? "–" : `${last.attempt} of ${last.maxAttempts}`),
      tile("Node", last.node ? nodeLink(last.node) : "unknown", { detail: last.rank === null ? null : `rank ${last.rank}, generation ${last.generation}` }),
      tile("Time", time(last.at))),
    last.lines.length ? h("pre.log", { tabindex: 0, role: "region", "aria-label": "Last lines" }, last.lines.join("\n")) : null);
}

/** Marks by origin of a throughput. */
const ORIGINS = {
  stated: { symbol: "diamond" }, measured: { symbol: "circle" }, predicted: { symbol: "triangle", hollow: true },
};

/** Throughput against slots: a line for each type, the fastest of several batch sizes and placements, and a mark for each origin. */
function curve(job, prediction) {
  const stated = job.spec?.profile?.points ?? [];
  const predicted = prediction?.points.filter((point) => point.origin !== "ASSUMED") ?? [];
  const points = (predicted.length ? predicted : stated).map((point) => ({ ...point, from: origin(point, stated) }));
  const types = [...new Set(points.map((point) => point.acceleratorType))];
  const best = types.map((type) => fastest(points.filter((point) => point.acceleratorType === type)));
  const marks = Object.entries(ORIGINS).map(([from, mark]) => ({ name: from, dots: true, color: null, ...mark,
    points: best.flatMap((all, i) => all.filter((point) => point.from === from).map((point) => [point.slots, point.samplesPerSecond, i])) }));
  const held = job.allocation?.configuration;
  const chosen = best.flat().filter((point) => point.acceleratorType === held?.acceleratorType && point.slots === held.slots);
  return lines("Throughput by slots", [
    ...types.map((type, i) => ({ name: type, plain: true, color: i, points: best[i].map((point) => [point.slots, point.samplesPerSecond]) })), ...marks,
    { name: "current allocation", dots: true, color: null, hollow: true, symbol: "pin", points: chosen.map((point) => [point.slots, point.samplesPerSecond]) },
  ], { x: "slots", y: "samples per second" });
}

function origin(point, stated) {
  const known = stated.some((one) => ["acceleratorType", "slots", "batchSize", "samplesPerSecond"].every((member) => one[member] === point[member]));
  return known ? "stated" : point.origin === "MEASURED" ? "measured" : "predicted";
}

function fastest(points) {
  const bySlots = new Map();
  for (const point of points) {
    if (!(bySlots.get(point.slots)?.samplesPerSecond >= point.samplesPerSecond)) {
      bySlots.set(point.slots, point);
    }
  }
  return [...bySlots.values()].sort((a, b) => a.slots - b.slots);
}

function facts(detail) {
  return Object.entries(detail).map(([key, value]) => `${key}: ${quoted(value)}`).join(", ");
}
