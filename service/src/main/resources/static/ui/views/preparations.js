// Data preparations with their nodes and memory loans.

import { jobMenu } from "../actions.js";
import { get, list } from "../api.js";
import { statusText, status } from "../badge.js";
import { activePreparations, currentPlan } from "../data.js";
import { bar, gauge, h, jobLink, nodeLink, section, tile } from "../dom.js";
import { ago, count, duration, gib, localized, number, percent, seconds, time, words } from "../format.js";
import { table } from "../table.js";

export const title = "Data preparation";
export const used = "/jobs?kind=DATA_PREPARATION&limit=1";

/** Newest of those that have ended that are shown. */
const ENDED = 50;
const NAME = { name: "preparation", value: (one) => one.name, cell: (one) => jobLink(one.id, one.name) };
const TENANT = { name: "tenant", value: (one) => one.tenant };

export async function load({ signal }) {
  const [active, ended, plan, hosts] = await Promise.all([
    activePreparations(signal),
    get(`/jobs?kind=DATA_PREPARATION&state=DONE&state=FAILED&state=CANCELLED&limit=${ENDED}`, { signal }),
    currentPlan(signal), list("/hosts", { signal, forbidden: [] })]);
  const entries = new Map((plan.preparations?.running ?? []).map((entry) => [entry.jobId, entry]));
  return { active: active.map((one) => ({ ...one, entry: entries.get(one.id) })), ended: ended.items, quality: plan.preparations?.quality ?? null, hosts };
}

export function render({ active, ended, quality, hosts }, { reload }) {
  const running = active.filter((one) => one.grant);
  const pending = active.filter((one) => !one.grant).sort((a, b) => (a.waiting?.queuePosition ?? 0) - (b.waiting?.queuePosition ?? 0));
  const loans = running.flatMap((one) => one.grant.loans.map((loan) => ({ ...loan, to: one })));
  return [h("h1", {}, title),
    h("p", {}, "Data preparations use host CPUs and memory that training leaves, and borrow memory of other nodes."),
    h("div.tiles", {}, tiles(running, pending, loans, quality)),
    section(`Running (${number(running.length)})`, table("Running data preparations", [
      NAME, TENANT,
      { name: "on", value: (one) => one.grant.node, cell: (one) => nodeLink(one.grant.node) },
      { name: "CPUs", value: (one) => one.grant.cpus, number: true },
      { name: "local memory", value: (one) => one.grant.localGiB, cell: (one) => gib(one.grant.localGiB), number: true },
      { name: "borrowed", value: borrowed, cell: (one) => gib(borrowed(one)), number: true },
      { name: "slowdown", value: slowDown, cell: (one) => `${number(slowDown(one))} ×`, number: true },
      { name: "remaining", value: (one) => one.remainingSeconds, cell: (one) => duration(one.remainingSeconds), number: true },
      { name: "progress", value: (one) => one.progress, cell: (one) => gauge(`progress of ${one.name}`, one.progress) },
      { name: "message", value: (one) => localized(one.entry?.message) ?? "" },
      { name: "actions", cell: (one) => jobMenu(one, reload) },
    ], running, { empty: ["No running data preparations. Submit one with ", h("code", {}, "kind: DATA_PREPARATION"), " in a file for ", h("code", {}, "./spur submit FILE"), "."] })),
    section(`Pending (${number(pending.length)})`, table("Pending data preparations", [
      { name: "no.", value: (one) => one.waiting?.queuePosition, number: true }, NAME, TENANT,
      { name: "reason", value: (one) => words(one.waiting?.reason ?? "not planned yet"), cell: reason },
      { name: "age", value: (one) => seconds(one.submittedAt), cell: (one) => ago(one.submittedAt), number: true },
      { name: "actions", cell: (one) => jobMenu(one, reload) },
    ], pending, { empty: "No pending data preparations." })),
    section("Memory loans", table("Memory loans by node", [
      { name: "lender", value: (loan) => loan.lender },
      { name: "lends", value: (loan) => loan.gib, cell: (loan) => gib(loan.gib), number: true },
      { name: "to", value: (loan) => loan.to.name },
      { name: "on", value: (loan) => loan.to.grant.node },
    ], [...loans].sort((a, b) => a.lender.localeCompare(b.lender)), { empty: "No node lends memory." })),
    lenders(hosts),
    section("Ended", table(`The last ${ENDED} preparations that ended`, [
      { name: "at", value: (one) => one.endedAt, cell: (one) => time(one.endedAt) }, NAME, TENANT,
      { name: "state", value: statusText, cell: status },
      { name: "detail", value: (one) => one.observed?.detail ?? "" },
    ], ended, { empty: "None ended yet." }))];
}

function tiles(running, pending, loans, quality) {
  const own = running.reduce((sum, one) => sum + one.grant.localGiB, 0);
  const mean = running.reduce((sum, one) => sum + slowDown(one), 0) / running.length;
  return [
    tile("Running", number(running.length), { detail: running.length ? `mean slowdown ${number(mean)}` : null }),
    tile("Pending", number(pending.length)),
    tile("Local memory", gib(own), { detail: "on their own nodes" }),
    tile("Borrowed", gib(loans.reduce((sum, loan) => sum + loan.gib, 0)), { detail: `from ${count(new Set(loans.map((loan) => loan.lender)).size, "node")}` }),
    quality ? tile("Optimality gap", percent(quality.gap, 1), { detail: `at most; ${words(quality.status)}` }) : null];
}

function borrowed(one) {
  return one.grant.loans.reduce((sum, loan) => sum + loan.gib, 0);
}

/** Run time relative to that with all memory local, by the current plan. */
function slowDown(one) {
  return one.entry?.slowDown ?? 1;
}

function reason(one) {
  return h("span", {}, h("b.token", {}, words(one.waiting?.reason ?? "not planned yet")), " ", localized(one.waiting?.message) ?? "");
}

/** Nodes that lend or borrow, or hold preparations. */
function lenders(hosts) {
  const touched = hosts.filter((node) => node.preparationsGiB + node.lentGiB + node.borrowedGiB > 0);
  const part = (name, member) => ({ name, value: (node) => node[member], cell: (node) => gib(node[member]), number: true });
  return touched.length ? section("Memory of the nodes", table("Memory by node", [
    { name: "node", value: (node) => node.node, cell: (node) => nodeLink(node.node) },
    { name: "granted", value: (node) => granted(node) / node.memoryGiB,
      cell: (node) => bar(granted(node), node.memoryGiB, `${percent(granted(node) / node.memoryGiB)} granted`) },
    part("all", "memoryGiB"), part("training", "trainingGiB"), part("preparations", "preparationsGiB"), part("lent", "lentGiB"),
    part("borrowed", "borrowedGiB"), part("other use", "usedGiB"),
  ], touched)) : null;
}

function granted(node) {
  return node.trainingGiB + node.preparationsGiB + node.lentGiB;
}
