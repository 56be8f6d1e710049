// Start page: what needs attention, utilization of the cluster, quality of the plan, pending jobs.

import { address } from "../address.js";
import { get, list } from "../api.js";
import { spark } from "../chart.js";
import { aggregation, currentPlan, isSilent, recentHistory, rounds, roundSeconds, runningJobs, slotsByType } from "../data.js";
import { bar, h, jobLink, loading, section, tile } from "../dom.js";
import { ago, count, duration, gap, localized, number, percent, seconds, time, words } from "../format.js";
import { heldSlots, jobsOverTime, over, slotsOverTime } from "../history.js";
import { may } from "../session.js";
import { table } from "../table.js";

export const title = "Overview";

const HISTORY_HOURS = 6;
/** Rounds of which the latest finished one is shown: each domain has at most one that runs. */
const FEW_ROUNDS = 8;
/** Running and pending jobs and the history, null until they are read: of thousands of jobs, that takes longer than all else. */
const state = { jobs: null, queue: null, history: null };
/** Time in which a failure is news. */
const RECENT_SECONDS = 86_400;

export async function load({ signal, later }) {
  const [plan, nodes, last, settings, domains, planners, failed, executors, proposals, tenants] = await Promise.all([
    currentPlan(signal), list("/nodes", { signal }), rounds(FEW_ROUNDS, signal), get("/settings", { signal }),
    list("/planning-domains", { signal }), may("VIEWER", "OPERATOR") ? list("/planners", { signal }) : null,
    list("/jobs?state=FAILED", { signal, most: 200 }), list("/executors", { signal, forbidden: [] }),
    may("OPERATOR") ? list("/proposals?status=OPEN", { signal, most: 1 }) : [], list("/tenants", { signal }),
    later(state, { jobs: runningJobs(signal), queue: list("/queue", { signal }), history: recentHistory(HISTORY_HOURS, signal) })]);
  return { plan, nodes, last, settings, domains, planners, executors, proposals, tenants,
    failed: failed.filter((job) => seconds(job.endedAt) < RECENT_SECONDS) };
}

export function render({ plan, nodes, last, settings, domains, planners, failed, executors, proposals, tenants }) {
  const { jobs, queue, history } = state;
  const types = slotsByType(nodes, plan);
  const all = types.reduce((sum, type) => sum + type.all, 0);
  const held = types.reduce((sum, type) => sum + type.held, 0);
  return [h("h1", {}, title),
    alarms(alarmsOf({ nodes, jobs: jobs ?? [], failed, executors, proposals, last })),
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
    section("Accelerators", cluster(types, aggregation(nodes, plan))),
    plan.domains ? section("Planning domains", parts(plan, domains, planners)) : null,
    h("div.columns", {},
      section("Pending reasons", queue ? reasons(queue) : loading()),
      section("Tenants", jobs && queue ? byTenant(tenants, jobs, queue) : loading()))];
}

/** Alarms for operators: { text, href, jobs }. */
function alarmsOf({ nodes, jobs, failed, executors, proposals, last }) {
  const lost = nodes.filter((node) => node.state === "LOST");
  const sick = executors.filter((one) => one.quarantined.length);
  const closed = executors.filter((one) => one.startRefusal);
  const silent = jobs.filter(isSilent);
  const late = jobs.filter((job) => job.deadlineStatus === "AT_RISK");
  return [
    proposals.length ? { text: `Proposal ${proposals[0].number} awaits approval`, href: "#/approvals" } : null,
    failed.length ? { text: `${count(failed.length, "job")} failed in the last day`, href: address("jobs", { state: "failed" }), jobs: failed } : null,
    silent.length ? { text: `${count(silent.length, "planned job")} without an executor: nothing reports that they run`,
      href: address("jobs", { state: "running", q: "not reported" }), jobs: silent } : null,
    late.length ? { text: `${count(late.length, "running job")} may miss the deadline`, href: address("jobs", { state: "running", q: "deadline" }), jobs: late } : null,
    lost.length ? { text: `${count(lost.length, "node")} lost: ${some(lost.map((node) => node.id))}`, href: address("nodes", { q: "lost" }) } : null,
    sick.length ? { text: `Quarantined devices on ${count(sick.length, "node")}: ${some(sick.map((one) => one.id))}`, href: address("nodes", { q: "quarantined" }) } : null,
    closed.length ? { text: `No process starts on ${count(closed.length, "node")}: ${some(closed.map((one) => `${one.id} (${one.startRefusal})`))}`, href: address("nodes", {}) } : null,
    last[0]?.error ? { text: `Round ${last[0].number} failed: ${last[0].error}`, href: "#/rounds" } : null,
  ].filter(Boolean);
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
    tile("Optimality gap", gap(plan.quality.gap), { detail: `at most; ${words(plan.quality.status)}`, href: "#/rounds" }),
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
  const rows = types.map((type) => ({ name: type.name, held: type.held, all: type.all, closed: type.all - type.open }));
  if (slots.all > 0) {
    rows.push({ name: "aggregation slots", held: slots.held, all: slots.all, closed: 0 });
  }
  return table("Slots by accelerator type", [
    { name: "type", value: (row) => row.name },
    { name: "in use", value: (row) => row.held / row.all, cell: (row) => bar(row.held, row.all, `${number(row.held)} of ${number(row.all)} ${row.name} in use`) },
    { name: "held", value: (row) => row.held, number: true },
    { name: "all", value: (row) => row.all, number: true },
    { name: "unavailable", value: (row) => row.closed, number: true },
  ], rows, { key: "types", empty: "No node is registered yet." });
}

/** Parts of the plan with their leaders; `planners` is null for a caller without the permission. */
function parts(plan, domains, planners) {
  const pools = new Map(domains.map((domain) => [domain.name, domain.pools.join(", ")]));
  const by = new Map((planners ?? []).map((planner) => [planner.domain, planner]));
  const leader = (part) => by.get(part.name) ?? { replica: planners ? "no leader" : "–", since: null };
  return table("Parts of the plan by planning domain", [
    { name: "domain", value: (part) => part.name, cell: (part) => h("a", { href: `#/rounds/${encodeURIComponent(part.name)}` }, part.name) },
    { name: "pools", value: (part) => pools.get(part.name) ?? "all others" },
    { name: "gap", value: (part) => part.quality.gap, cell: (part) => gap(part.quality.gap), number: true },
    { name: "status", value: (part) => words(part.quality.status) },
    { name: "round", value: (part) => part.round, number: true },
    { name: "published", value: (part) => part.publishedAt, cell: (part) => `${ago(part.publishedAt)} ago` },
    { name: "planned by", value: (part) => leader(part).replica },
    { name: "since", value: (part) => leader(part).since, cell: (part) => time(leader(part).since) },
  ], plan.domains, { key: "domains" });
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

function byTenant(tenants, jobs, queue) {
  const [running, pending] = [jobs, queue].map((all) => Map.groupBy(all, (job) => job.tenant));
  const rows = tenants.map(({ name }) => ({ name, running: running.get(name) ?? [], pending: pending.get(name)?.length ?? 0 })).filter((row) => row.running.length || row.pending);
  return table("Tenants with jobs", [
    { name: "tenant", value: (row) => row.name, cell: (row) => h("a", { href: address("jobs", { tenant: row.name }) }, row.name) },
    { name: "slots", value: (row) => row.running.reduce((sum, job) => sum + (job.allocation.configuration?.slots ?? 0), 0), number: true },
    { name: "running", value: (row) => row.running.length, number: true },
    { name: "pending", value: (row) => row.pending, number: true },
  ], rows, { key: "tenants", empty: "No tenant has jobs." });
}
