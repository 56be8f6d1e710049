// One job: request, allocation, explanation, throughput and events.

import { jobActions } from "../actions.js";
import { get, list } from "../api.js";
import { lines } from "../chart.js";
import { buttons } from "../dialog.js";
import { h, bar, section, tile } from "../dom.js";
import { allocation, duration, gib, localized, number, percent, quoted, time, words } from "../format.js";
import { table } from "../table.js";

export const title = "Job";

const state = { unblock: null };

export async function load({ signal, id }) {
  if (state.unblock !== id) {
    state.unblock = null;
  }
  const path = `/jobs/${encodeURIComponent(id)}`;
  const [job, explanation, allocations, events] = await Promise.all([
    get(path, { signal }),
    get(`${path}/explanation${state.unblock ? "?unblock=true" : ""}`, { signal, absent: true }),
    list(`${path}/allocations`, { signal, most: 100 }),
    list(`${path}/events`, { signal, most: 200 })]);
  return { job, explanation, allocations, events };
}

export function render({ job, explanation, allocations, events }, { reload }) {
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
      ...etaTiles(explanation?.eta),
      job.deadline ? tile("Deadline", time(job.deadline), { detail: words(job.deadlineStatus), tone: job.deadlineStatus === "AT_RISK" ? "bad" : "" }) : null),
    bar(job.progress, 1, `${percent(job.progress, 1)} done`),
    ...job.warnings.map((warning) => h("p.bad", {}, warning.message)),
    explanation ? section("Why", ...why(explanation, job, reload)) : null,
    job.kind === "TRAINING" ? section("Throughput", curve(job)) : null,
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

/** Throughput against slots, one line per type; the fastest of several batch sizes and placements. */
function curve(job) {
  const byType = new Map();
  for (const point of job.spec?.profile?.points ?? []) {
    const speeds = byType.get(point.acceleratorType) ?? new Map();
    speeds.set(point.slots, Math.max(speeds.get(point.slots) ?? 0, point.samplesPerSecond));
    byType.set(point.acceleratorType, speeds);
  }
  const held = job.allocation?.configuration;
  return lines("Throughput by slots", [...byType].map(([type, speeds]) => {
    const points = [...speeds].sort((a, b) => a[0] - b[0]);
    const chosen = held?.acceleratorType === type ? points.find(([slots]) => slots === held.slots) : null;
    return { name: type, points, mark: chosen };
  }), { x: "slots", y: "samples per second" });
}

function facts(detail) {
  return Object.entries(detail).map(([key, value]) => `${key}: ${quoted(value)}`).join(", ");
}
