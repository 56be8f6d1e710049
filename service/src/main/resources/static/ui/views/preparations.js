// Data preparations with their nodes and memory loans.

import { get, list } from "../api.js";
import { activePreparations, currentPlan } from "../data.js";
import { bar, h, jobLink, section, table, tile } from "../dom.js";
import { duration, gib, localized, number, percent, time, words } from "../format.js";
import { paged } from "../paged.js";

export const title = "Data preparations";

/** Newest of those that have ended that are shown. */
const ENDED = 50;

export async function load({ signal }) {
  const [active, ended, plan, memory] = await Promise.all([
    activePreparations(signal),
    get(`/jobs?kind=DATA_PREPARATION&state=DONE&state=FAILED&state=CANCELLED&limit=${ENDED}`, { signal }),
    currentPlan(signal), list("/memory", { signal, forbidden: [] })]);
  const entries = new Map((plan.preparations?.running ?? []).map((entry) => [entry.jobId, entry]));
  return { active: active.map((one) => ({ ...one, entry: entries.get(one.id) })), ended: ended.items, quality: plan.preparations?.quality ?? null, memory };
}

export function render({ active, ended, quality, memory }, { redraw }) {
  const running = active.filter((one) => one.grant);
  const waiting = active.filter((one) => !one.grant).sort((a, b) => (a.waiting?.queuePosition ?? 0) - (b.waiting?.queuePosition ?? 0));
  const loans = running.flatMap((one) => one.grant.loans.map((loan) => ({ ...loan, to: one })));
  return [h("h1", {}, "Data preparations"),
    h("p", {}, "Data preparations use host CPUs and memory that training leaves, and borrow memory of other nodes."),
    h("div.tiles", {}, tiles(running, waiting, loans, quality)),
    section(`Running (${number(running.length)})`, paged("Running data preparations",
      [{ name: "preparation" }, { name: "tenant" }, { name: "on" }, { name: "CPUs", number: true }, { name: "local memory", number: true },
        { name: "borrowed", number: true }, { name: "takes" }, { name: "progress" }, { name: "why" }],
      running, runningRow, redraw, "No running data preparations.")),
    section(`Pending (${number(waiting.length)})`, paged("Pending data preparations",
      [{ name: "no.", number: true }, { name: "preparation" }, { name: "tenant" }, { name: "why" }, { name: "since" }],
      waiting, waitingRow, redraw, "No pending data preparations.")),
    section("Memory loans", paged("Memory loans by node",
      [{ name: "lender" }, { name: "lends", number: true }, { name: "to" }, { name: "on" }],
      [...loans].sort((a, b) => a.lender.localeCompare(b.lender)),
      (loan) => [loan.lender, gib(loan.gib), loan.to.name, loan.to.grant.node], redraw, "No node lends memory.")),
    lenders(memory, redraw),
    section("Ended", table(`The last ${ENDED} preparations that ended`,
      [{ name: "at" }, { name: "preparation" }, { name: "tenant" }, { name: "how" }, { name: "detail" }],
      ended.map((one) => [time(one.endedAt), jobLink(one.id, one.name), one.tenant, words(one.state), one.observed?.detail ?? ""]), "None ended yet."))];
}

function tiles(running, waiting, loans, quality) {
  const lent = loans.reduce((sum, loan) => sum + loan.gib, 0);
  const own = running.reduce((sum, one) => sum + one.grant.localGiB, 0);
  const mean = running.reduce((sum, one) => sum + slowDown(one), 0) / running.length;
  return [
    tile("Running", number(running.length), running.length ? `mean slowdown ${number(mean)}` : null),
    tile("Pending", number(waiting.length)),
    tile("Local memory", gib(own), "on their own nodes"),
    tile("Borrowed", gib(lent), `from ${number(new Set(loans.map((loan) => loan.lender)).size)} nodes`),
    quality ? tile("Optimality gap", percent(quality.gap, 1), `at most; ${words(quality.status)}`) : null];
}

function runningRow(one) {
  const { node, cpus, localGiB, loans } = one.grant;
  return [jobLink(one.id, one.name), one.tenant, node, number(cpus), gib(localGiB), gib(loans.reduce((sum, loan) => sum + loan.gib, 0)),
    `${number(slowDown(one))} × ${duration(one.remainingSeconds)}`, bar(one.progress, 1, `${percent(one.progress)} done`), localized(one.entry?.message) ?? ""];
}

/** Run time relative to that with all memory local, by the current plan. */
function slowDown(one) {
  return one.entry?.slowDown ?? 1;
}

function waitingRow(one) {
  return [number(one.waiting?.queuePosition), jobLink(one.id, one.name), one.tenant,
    h("span", {}, h("b.token", {}, words(one.waiting?.reason ?? "not planned yet")), " ", localized(one.waiting?.message) ?? ""), time(one.submittedAt)];
}

/** Nodes that lend or borrow, or hold preparations. */
function lenders(memory, redraw) {
  const touched = memory.filter((node) => node.preparationsGiB + node.lentGiB + node.borrowedGiB > 0);
  return touched.length ? section("Memory of the nodes", paged("Memory by node",
    [{ name: "node" }, { name: "granted" }, { name: "all", number: true }, { name: "training", number: true }, { name: "preparations", number: true },
      { name: "lent", number: true }, { name: "borrowed", number: true }, { name: "other use", number: true }],
    touched, (node) => [node.node, bar(granted(node), node.memoryGiB, `${percent(granted(node) / node.memoryGiB)} granted`),
      ...[node.memoryGiB, node.trainingGiB, node.preparationsGiB, node.lentGiB, node.borrowedGiB, node.usedGiB].map(gib)], redraw)) : null;
}

function granted(node) {
  return node.trainingGiB + node.preparationsGiB + node.lentGiB;
}
