// One job: state, facts, last failure, log, explanation, throughput, allocations and events.

import { hasEnded, jobActions } from "../actions.js";
import { get, list } from "../api.js";
import { alertsOf, nameOfWarning, status } from "../badge.js";
import { lines } from "../chart.js";
import { buttons } from "../dialog.js";
import { arrayLink, h, bar, jobLink, nodeLink, section, tile } from "../dom.js";
import { inWords, when } from "../events.js";
import { commandOf, holding, origin, planLink, preparation, settings } from "../facts.js";
import { allocation, count, duration, gib, localized, mebibytes, number, percent, time, watts, words } from "../format.js";
import { log } from "../log.js";
import { may } from "../session.js";
import { copies } from "../submit.js";
import { table } from "../table.js";

export const title = "Job";

const state = { unblock: null };

export async function load({ signal, id }) {
  if (state.unblock !== id) {
    state.unblock = null;
  }
  const path = `/jobs/${encodeURIComponent(id)}`;
  const [job, explanation, prediction, allocations, events, speeds, { devices }] = await Promise.all([
    get(path, { signal }),
    get(`${path}/explanation${state.unblock ? "?unblock=true" : ""}`, { signal, absent: true }),
    get(`${path}/prediction`, { signal, absent: true }),
    list(`${path}/allocations`, { signal, most: 100 }),
    list(`${path}/events`, { signal, most: 200 }),
    list(`${path}/speeds`, { signal, most: 5_000 }),
    get(`${path}/devices`, { signal })]);
  return { job, explanation, prediction, allocations, events, speeds, devices };
}

export function render({ job, explanation, prediction, allocations, events, speeds, devices }, { reload }) {
  const trains = job.kind === "TRAINING";
  return [h("h1", {}, job.name ?? job.id),
    h("p.id", {}, job.id),
    buttons([...jobActions(job), ...copies(job, hasEnded(job))], reload),
    h("div.tiles", {},
      tile("State", status(job)),
      trains ? tile("Allocation", allocation(job.allocation))
        : tile("Node", job.grant?.node ?? "–", { detail: job.grant ? memory(job) : "data preparation" }),
      tile("Progress", percent(job.progress, 1), { detail: job.endedAt ? `ended ${time(job.endedAt)}` : remaining(job) }),
      gpuTile(devices),
      ...etaTiles(explanation?.eta),
      job.deadline ? tile("Deadline", time(job.deadline), { detail: words(job.deadlineStatus), tone: job.deadlineStatus === "AT_RISK" ? "bad" : "" }) : null),
    bar(job.progress, 1, `${percent(job.progress, 1)} done`),
    ...job.warnings.map((warning) => h(alertsOf(job).includes(warning) ? "p.bad" : "p", {}, h("b", {}, `${nameOfWarning(warning.kind)}: `), warning.message)),
    job.failure ? failure(job) : null,
    trains && may("VIEWER", "SUBMITTER", "OPERATOR") ? section("Log", log(job.id)) : null,
    explanation && !hasEnded(job) ? section("Why", ...why(explanation, job, reload)) : null,
    h("div.columns", {},
      section("Job", origin(job)),
      dependencies(explanation),
      job.allocation ? section("Holds", holding(job, allocations[0])) : null,
      job.command ? section(job.nextCommand ? "Command of this generation" : "Command", ...commandOf(job)) : null,
      job.nextCommand ? section("Command from the next start on", ...commandOf({ command: job.nextCommand })) : null),
    section("Settings", trains ? h("details", { id: "settings" }, h("summary", {}, "All settings"), settings(job)) : preparation(job)),
    trains ? section("Throughput by slots", curve(job, prediction)) : null,
    speeds.length ? section("Speed over time", course(speeds, allocations)) : null,
    h("div.columns", {},
      trains ? section("Allocations", table("Allocations", [
        { name: "from", value: (held) => held.startedAt, cell: (held) => time(held.startedAt) },
        { name: "change", value: (held) => words(held.change) },
        { name: "held", value: (held) => allocation(held.allocation) },
        { name: "for", value: lasted, cell: (held) => duration(lasted(held)), number: true },
        { name: "plan", value: (held) => held.planRevision, cell: (held) => planLink(held.planRevision), number: true },
      ], allocations, { empty: "None yet." })) : null,
      section("Events", table("Events", [
        { name: "at", value: (event) => event.at, cell: when },
        { name: "event", value: (event) => event.text, cell: ({ text, count, revision }) => [text, count > 1 ? ` (${count} times)` : null, revision ? [" · ", planLink(revision)] : null] },
      ], inWords(events, allocations).reverse())))];
}

function lasted(held) {
  return ((held.endedAt ? Date.parse(held.endedAt) : Date.now()) - Date.parse(held.startedAt)) / 1000;
}

function memory({ grant, slowDown }) {
  return `${gib(grant.localGiB)} local, ${gib(grant.loans.reduce((sum, loan) => sum + loan.gib, 0))} borrowed; slowdown ${number(slowDown)}`;
}

function remaining(job) {
  return job.kind !== "TRAINING" ? `${duration(job.remainingSeconds)} of work remaining`
    : job.spec.work.estimated ? "of an estimate: its work is unknown" : `${number(job.remainingSamples)} effective samples remaining`;
}

/** Use of the GPUs of the job; none if no agent reports it. */
function gpuTile(devices) {
  const known = (member) => devices.map((one) => one[member]).filter((value) => value !== null);
  const sum = (values) => values.reduce((all, value) => all + value, 0);
  const shares = known("utilization");
  return shares.length ? tile("GPU utilization", percent(sum(shares) / shares.length), {
    detail: `${mebibytes(sum(known("memoryUsedMiB")))} in use, ${watts(sum(known("powerWatts")))}` }) : null;
}

/** Jobs that the job depends on, with the chain of those that they wait for, and jobs that depend on it. */
function dependencies(explanation) {
  const { dependencies: needed = [], dependents = [] } = explanation ?? {};
  const rows = (all) => h("ul", {}, all.map((one) => h("li", {}, one.depth > 1 ? "… " : null, one.arrayId ? arrayLink(one.arrayId, one.name) : jobLink(one.jobId, one.name),
    ` (${one.arrayId ? `${count(one.remaining, "job")} left` : words(one.state)}) ${CONDITIONS[one.when]}${one.met ? ": met" : ""}`)));
  return needed.length + dependents.length ? section("Dependencies",
    needed.length ? [h("h3", {}, "Starts after"), rows(needed)] : null,
    dependents.length ? [h("h3", {}, "Needed by"), rows(dependents)] : null) : null;
}

const CONDITIONS = { SUCCEEDED: "after success", ENDED: "after its end", STARTED: "after its start" };

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

/** The last lines that are shown: they keep their place over redraws. */
let lastLines = { key: null, element: null };

/** A line that names an error, as Python, the CUDA runtime and shells write it. */
const ERROR = /^\s*(\w+\.)*\w*(Error|Exception|Interrupt)\b|\b(error|fatal|killed|command not found|No such file)\b/i;

/** The last failure: the line with the error, exit code, attempt, node and the last lines of the rank that failed first, scrolled to their end. */
function failure({ id, failure: last, state: now }) {
  const headline = errorLine(last.lines);
  return section(now === "FAILED" ? "Failure" : "Last failure",
    headline ? h("p.error", {}, headline) : null,
    h("p.bad", {}, localized(last.message)),
    h("div.tiles", {},
      tile("Exit code", last.exitCode === null ? "unknown" : String(last.exitCode), { detail: last.signal ?? (last.outOfMemory && `out of memory: ${words(last.outOfMemory)}`) }),
      tile("Attempt", last.attempt === null ? "–" : `${last.attempt} of ${last.maxAttempts}`),
      tile("Node", last.node ? nodeLink(last.node) : "unknown", { detail: last.rank === null ? null : `rank ${last.rank}, generation ${last.generation}` }),
      tile("Time", time(last.at))),
    last.lines.length ? endOf(`${id} ${last.at} ${last.lines.length}`, last.lines) : null);
}

/** Lines, scrolled to their end at first. */
function endOf(key, all) {
  if (lastLines.key !== key) {
    const element = h("pre.log", { id: "last-lines", tabindex: 0, role: "region", "aria-label": "Last lines" }, all.join("\n"));
    lastLines = { key, element };
    requestAnimationFrame(() => { element.scrollTop = element.scrollHeight; });
  }
  return lastLines.element;
}

/** The last line that names an error; null if none does. */
export function errorLine(lines) {
  return lines.filter((line) => ERROR.test(line)).at(-1)?.trim() ?? null;
}

/** Marks by origin of a throughput. */
const ORIGINS = {
  stated: { symbol: "diamond" }, measured: { symbol: "circle" }, predicted: { symbol: "triangle", hollow: true },
};
/** Distance of marks at the same place, pixels. */
const APART = 12;

/** Throughput against slots: a line for each type, the fastest of several batch sizes and placements, and a mark for each origin. */
function curve(job, prediction) {
  const stated = job.spec?.profile?.points ?? [];
  const predicted = prediction?.points.filter((point) => point.origin !== "ASSUMED") ?? [];
  const points = (predicted.length ? predicted : stated).map((point) => ({ ...point, from: sourceOf(point, stated) }));
  if (!points.length) {
    return h("p.empty", {}, "Nothing is known about its speed. Its first reports of steps show it; ", h("code", {}, "import spur.torch"), " in its program reports them.");
  }
  const types = [...new Set(points.map((point) => point.acceleratorType))];
  const best = types.map((type) => fastest(points.filter((point) => point.acceleratorType === type)));
  const marks = Object.entries(ORIGINS).map(([from, mark]) => ({ name: from, dots: true, color: null, ...mark,
    points: best.flatMap((all, i) => all.filter((point) => point.from === from).map((point) => [point.slots, point.samplesPerSecond, i, APART * covered(best, i, point)])) }));
  const held = job.allocation?.configuration;
  const chosen = best.flat().filter((point) => point.acceleratorType === held?.acceleratorType && point.slots === held.slots);
  return lines("Throughput by slots", [
    ...types.map((type, i) => ({ name: type, plain: true, color: i, points: best[i].map((point) => [point.slots, point.samplesPerSecond]) })), ...marks,
    { name: "current allocation", dots: true, color: null, hollow: true, symbol: "pin", points: chosen.map((point) => [point.slots, point.samplesPerSecond]) },
  ], { x: "slots", y: "samples per second" });
}

/** Measured speed over time, interrupted between generations, with a mark at the begin of each allocation. */
function course(speeds, allocations) {
  const points = speeds.flatMap(({ at, generation, samplesPerSecond }, i) => {
    const point = [Date.parse(at), samplesPerSecond];
    return i > 0 && speeds[i - 1].generation !== generation ? [[point[0] - 1, null], point] : [point];
  });
  const starts = allocations.filter((held) => held.allocation).map((held) => [Date.parse(held.startedAt), 0]);
  return lines("Speed over time", [{ name: "measured", color: 0, points }, { name: "start or change", dots: true, color: 1, symbol: "triangle", points: starts.reverse() }],
    { y: "samples per second", xText: (at) => time(at), time: true, zoom: true });
}

/** Number of earlier types that have a mark at the place of a point. */
function covered(best, index, { slots, samplesPerSecond: speed }) {
  const most = Math.max(...best.flat().map((point) => point.samplesPerSecond));
  return best.slice(0, index).flat().filter((point) => point.slots === slots && Math.abs(point.samplesPerSecond - speed) < 0.03 * most).length;
}

function sourceOf(point, stated) {
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
