// Start page: what needs attention, utilization of the cluster, quality of the plan, pending jobs.

import { address } from "../address.js";
import { get, list, token } from "../api.js";
import { alertsOf, nameOfWarning } from "../badge.js";
import { spark } from "../chart.js";
import { aggregation, currentPlan, idleSlots, jobsById, recentHistory, rounds, roundSeconds, runningJobs, slotsByType, withMaintenance } from "../data.js";
import { bar, h, jobLink, loading, section, tile } from "../dom.js";
import { ago, count, duration, gap, hundredths, localized, number, percent, seconds, time, words } from "../format.js";
import { idleTable } from "../idle.js";
import { heldSlots, jobsOverTime, over, slotsOverTime } from "../history.js";
import { may } from "../session.js";
import { table } from "../table.js";
import { TERMS } from "../terms.js";
import { upcoming } from "../upcoming.js";
import { latest } from "./changes.js";

export const title = "Overview";

const HISTORY_HOURS = 6;
/** Newest rounds that are read. */
const LAST_ROUNDS = 20;
/** Running and pending jobs, the history and the idle slots, null until they are read: of thousands of jobs, that takes longer than all else. */
const state = { jobs: null, queue: null, history: null, idle: null, changes: null };
/** Jobs in the list of expected starts. */
const NEXT = 5;
/** Changes in the list of the latest ones. */
const LATEST = 8;
/** Time in which a failure is news. */
const RECENT_SECONDS = 86_400;

let recent = { key: null, changes: null };

/** The latest changes. Their query is costly, so that only a new plan or round, or another caller, repeats it. */
async function latestChanges(plan, [round], signal) {
  const key = [plan.revision, round?.number, token()].join(" ");
  if (recent.key !== key) {
    recent = { key, changes: await list("/changes", { signal, most: LATEST, forbidden: [] }) };
  }
  return recent.changes;
}

export async function load({ signal, later }) {
  const planned = currentPlan(signal);
  const finished = rounds(LAST_ROUNDS, signal);
  const [plan, nodes, last, settings, failed, done, executors, proposals, tenants, dead] = await Promise.all([
    planned, withMaintenance(list("/nodes", { signal }), signal), finished, get("/settings", { signal }),
    list("/jobs?state=FAILED", { signal, most: 200 }), list("/jobs?state=DONE", { signal, most: 200 }), list("/executors", { signal, forbidden: [] }),
    may("OPERATOR") ? list("/proposals?status=OPEN", { signal, most: 1 }) : [], list("/tenants", { signal }), deadWebhooks(signal),
    later(state, { jobs: planned.then((current) => jobsOf(current, signal)), queue: list("/queue", { signal }), history: recentHistory(HISTORY_HOURS, signal),
      changes: Promise.all([planned, finished]).then(([plan, last]) => latestChanges(plan, last, signal)), idle: idleSlots(signal) })]);
  return { plan, nodes, last, settings, executors, proposals, tenants, dead,
    failed: failed.filter(isRecent), done: done.filter(isRecent) };
}

function isRecent(job) {
  return seconds(job.endedAt) < RECENT_SECONDS;
}

/** The running jobs of the plan, of which some have just ended. */
async function jobsOf(plan, signal) {
  const running = await runningJobs(signal);
  const known = new Set(running.map((job) => job.id));
  return [...running, ...await jobsById(plan.running.map((entry) => entry.jobId).filter((id) => !known.has(id)), signal)];
}

/** Webhooks whose last ended delivery is dead. */
async function deadWebhooks(signal) {
  if (!may("VIEWER", "SUBMITTER", "OPERATOR")) {
    return [];
  }
  const all = (await list("/webhooks", { signal, forbidden: [] })).filter((webhook) => webhook.enabled);
  const last = await Promise.all(all.map(async ({ id }) => (await list(`/webhooks/${encodeURIComponent(id)}/deliveries?state=DELIVERED&state=DEAD`, { signal, most: 1 }))[0]));
  return all.filter((_, i) => last[i]?.state === "DEAD");
}

export function render({ plan, nodes, last, settings, failed, done, executors, proposals, tenants, dead }) {
  const { jobs, queue, history, idle, changes } = state;
  const types = slotsByType(nodes, plan, executors);
  const all = types.reduce((sum, type) => sum + type.all, 0);
  const held = types.reduce((sum, type) => sum + type.held, 0);
  return [h("h1", {}, title),
    alarms(alarmsOf({ nodes, jobs: jobs ?? [], failed, done, executors, proposals, last, dead })),
    h("div.tiles", {},
      tile("Slots in use", all ? percent(held / all) : "–", { detail: `${number(held)} of ${number(all)}`, href: "#/nodes", chart: history && spark("Slots in use", heldSlots(history)) }),
      tile("Running", number(plan.running.length), { detail: "jobs", href: address("jobs", { state: "running" }), chart: history && spark("Running jobs", over(history, history.running)) }),
      tile("Pending", number((queue ?? plan.waiting).length),
        { detail: !queue ? "jobs" : queue.length ? `longest ${duration(Math.max(...queue.map((job) => job.waitingSeconds)))}` : "no jobs", href: "#/queue",
          chart: history && spark("Pending jobs", over(history, history.pending)) }),
      ...quality(plan),
      nodeTile(nodes),
      roundTile(last, settings)),
    history ? h("div.columns", {}, section("Held slots", slotsOverTime(history)), section("Jobs", jobsOverTime(history))) : null,
    section("Slots", cluster(types, aggregation(nodes, plan))),
    idle === null || !idle.length ? null : section("Idle slots", idleTable(idle)),
    changes?.length ? section("Latest changes", latest(changes)) : null,
    queue?.length ? section("Next starts", upcoming(queue, NEXT)) : null,
    h("div.columns", {},
      section("Pending reasons", queue ? reasons(queue) : loading()),
      section("Tenants", jobs && queue ? byTenant(tenants, plan, jobs, queue) : loading()))];
}

/** The alarm about the newest rounds if they failed, so that the plan is outdated. */
function failing(last) {
  const end = last.findIndex((round) => round.status !== "FAILED");
  const failed = end < 0 ? last : last.slice(0, end);
  return failed.length ? { text: `No new plan: ${count(failed.length, "round")} failed, the last is ${failed[0].number}: ${failed[0].error}`, href: "#/rounds" } : null;
}

/** Alarms for operators: { text, href, jobs }. */
function alarmsOf({ nodes, jobs, failed, done, executors, proposals, last, dead }) {
  const lost = nodes.filter((node) => node.state === "LOST");
  const sick = executors.filter((one) => one.quarantined.length);
  const closed = executors.filter((one) => one.startRefusal);
  const late = jobs.filter((job) => job.deadlineStatus === "AT_RISK");
  return [
    proposals.length ? { text: `Proposal ${proposals[0].number} awaits approval`, href: "#/approvals" } : null,
    failed.length ? { text: `${count(failed.length, "job")} failed in the last day`, href: address("jobs", { state: "failed" }), jobs: failed } : null,
    ...warned(jobs, "running"), ...warned(done, "done"),
    late.length ? { text: `${count(late.length, "running job")} may miss the deadline`, href: address("jobs", { state: "running", q: "deadline" }), jobs: late } : null,
    lost.length ? { text: `${count(lost.length, "node")} lost: ${some(lost.map((node) => node.id))}`, href: address("nodes", { q: "lost" }) } : null,
    sick.length ? { text: `Quarantined devices on ${count(sick.length, "node")}: ${some(sick.map((one) => one.id))}`, href: address("nodes", { q: "quarantined" }) } : null,
    closed.length ? { text: `No process starts on ${count(closed.length, "node")}: ${some(closed.map((one) => `${one.id} (${one.startRefusal})`))}`, href: address("nodes", {}) } : null,
    dead.length ? { text: `${count(dead.length, "webhook")} with a dead delivery: ${some(dead.map((webhook) => webhook.url))}`, href: "#/webhooks" } : null,
    failing(last),
  ].filter(Boolean);
}

/** An alarm for each kind of warning, of jobs in a tab of Jobs. */
function warned(jobs, tab) {
  const kinds = new Set(jobs.flatMap((job) => alertsOf(job).map((warning) => warning.kind)));
  return [...kinds].map((kind) => {
    const of = jobs.filter((job) => alertsOf(job).some((warning) => warning.kind === kind));
    return { text: `${count(of.length, "job")} with a warning, ${nameOfWarning(kind)}`, href: address("jobs", { state: tab, q: nameOfWarning(kind) }), jobs: of };
  });
}

function some(names) {
  return names.length > 3 ? `${names.slice(0, 3).join(", ")}, …` : names.join(", ");
}

function alarms(all) {
  return all.length ? h("ul.alarms", { "aria-label": "Alarms" }, all.map(({ text, href, jobs = [] }) => h("li", {}, h("a", { href }, text),
    jobs.length ? [": ", jobs.slice(0, 3).map((job, i) => [i ? ", " : null, jobLink(job.id, job.name)]), jobs.length > 3 ? ", …" : null] : null))) : null;
}

function quality(plan) {
  if (!plan.quality) {
    return [tile("Plan", "none yet", { detail: "the first round creates one", href: "#/rounds" })];
  }
  return [
    tile("Optimality gap", gap(plan.quality.gap), { help: TERMS["optimality gap"], detail: `at most; ${words(plan.quality.status)}${plan.quality.search ? `, found by ${words(plan.quality.search.foundBy)}` : ""}`, href: "#/rounds" }),
    tile("Plan", `no. ${plan.revision}`, { detail: `published ${ago(plan.publishedAt)} ago`, href: "#/changes" })];
}

function nodeTile(nodes) {
  const closed = nodes.filter((node) => node.state !== "ACTIVE");
  return tile("Nodes", number(nodes.length), {
    detail: closed.length ? `${closed.length} unavailable: ${[...new Set(closed.map((node) => words(node.state)))].join(", ")}` : "all schedulable",
    tone: closed.some((node) => node.state === "LOST") ? "bad" : "", href: "#/nodes",
  });
}

function roundTile(last, settings) {
  if (!last.length) {
    return tile("Last round", "–", { detail: `one every ${duration(settings.roundSeconds)}`, href: "#/rounds" });
  }
  const [round] = last;
  return tile("Last round", duration(roundSeconds(round)), { detail: `${words(round.status)} at ${time(round.finishedAt)}`, tone: round.error ? "bad" : "", href: "#/rounds" });
}

function cluster(types, slots) {
  const rows = [...types];
  if (slots.all > 0) {
    rows.push({ name: "CPUs for aggregators", held: slots.held, all: slots.all, free: slots.all - slots.held, unavailable: 0 });
  }
  return table("Slots by accelerator type", [
    { name: "type", value: (row) => row.name },
    { name: "in use", value: (row) => row.held / row.all, cell: (row) => bar(row.held, row.all, `${number(row.held)} of ${number(row.all)} ${row.name} in use`) },
    ...["held", "free", "unavailable", "all"].map((name) => ({ name, value: (row) => row[name], number: true })),
  ], rows, { key: "types", empty: "No node is registered yet." });
}

function reasons(queue) {
  const byReason = Map.groupBy(queue, (job) => job.reason);
  return table("Pending reasons", [
    { name: "reason", value: ([reason]) => words(reason), cell: ([reason]) => h("a", { href: address("queue", { q: words(reason) }) }, words(reason)) },
    { name: "jobs", value: ([, jobs]) => jobs.length, number: true },
    { name: "first job", value: ([, [job]]) => job.name, cell: ([, [job]]) => jobLink(job.jobId, job.name) },
    { name: "message", value: ([, [job]]) => localized(job.message) },
  ], [...byReason].sort((a, b) => b[1].length - a[1].length), { key: "reasons", empty: "No pending jobs." });
}

/** Slots and running jobs are those of the plan, as in the tiles. */
function byTenant(tenants, plan, jobs, queue) {
  const known = new Map(jobs.map((job) => [job.id, job]));
  const running = Map.groupBy(plan.running, (entry) => known.get(entry.jobId)?.tenant);
  const pending = Map.groupBy(queue, (job) => job.tenant);
  const rows = tenants.map(({ name }) => ({ name, running: running.get(name) ?? [], pending: pending.get(name)?.length ?? 0 })).filter((row) => row.running.length || row.pending);
  return table("Tenants with jobs", [
    { name: "tenant", value: (row) => row.name, cell: (row) => h("a", { href: address("jobs", { tenant: row.name }) }, row.name) },
    { name: "slots", value: (row) => hundredths(row.running.reduce((sum, entry) => sum + entry.allocation.configuration.slots * (known.get(entry.jobId)?.deviceShare ?? 1), 0)), number: true },
    { name: "running", value: (row) => row.running.length, number: true },
    { name: "pending", value: (row) => row.pending, number: true },
  ], rows, { key: "tenants", empty: "No tenant has jobs." });
}
