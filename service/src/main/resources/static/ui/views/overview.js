// Start page: utilization of the cluster, quality of the plan, pending jobs.

import { list, get } from "../api.js";
import { currentPlan, slotsByType, aggregation, rounds, roundSeconds } from "../data.js";
import { h, bar, jobLink, section, table, tile } from "../dom.js";
import { lines } from "../chart.js";
import { ago, duration, gap, localized, number, percent, time, words } from "../format.js";

export const title = "Overview";

export async function load({ signal }) {
  const [plan, nodes, last, queue, settings, domains, planners] = await Promise.all([
    currentPlan(signal), list("/nodes", { signal }), rounds(120, signal), list("/queue", { signal }), get("/settings", { signal }),
    list("/planning-domains", { signal }), list("/planners", { signal, forbidden: null })]);
  return { plan, nodes, last, queue, settings, domains, planners };
}

export function render({ plan, nodes, last, queue, settings, domains, planners }) {
  const types = slotsByType(nodes, plan);
  const all = types.reduce((sum, type) => sum + type.all, 0);
  const held = types.reduce((sum, type) => sum + type.held, 0);
  return [h("h1", {}, "Overview"),
    h("div.tiles", {},
      tile("Slots in use", all ? percent(held / all) : "–", `${number(held)} of ${number(all)}`),
      tile("Running", number(plan.running.length), "jobs"),
      tile("Pending", number(queue.length), queue.length ? `longest ${duration(Math.max(...queue.map((job) => job.waitingSeconds)))}` : "no jobs"),
      ...quality(plan),
      nodeTile(nodes),
      roundTile(last, settings)),
    section("Accelerators", cluster(types, aggregation(nodes, plan))),
    plan.domains ? section("Planning domains", parts(plan, domains, planners)) : null,
    h("div.columns", {},
      section("Pending reasons", reasons(queue)),
      section("Rounds", lines("Duration of rounds in seconds, by round number",
        [{ name: "seconds", points: last.map((round) => [round.number, roundSeconds(round)]).reverse() }],
        { x: "round number", y: "seconds" })))];
}

function quality(plan) {
  if (!plan.quality) {
    return [tile("Plan", "none yet", "the first round creates one")];
  }
  return [
    tile("Optimality gap", gap(plan.quality.gap), `at most; ${words(plan.quality.status)}`),
    tile("Plan", `no. ${plan.revision}`, `published ${ago(plan.publishedAt)} ago`)];
}

function nodeTile(nodes) {
  const closed = nodes.filter((node) => node.state !== "ACTIVE");
  return tile("Nodes", number(nodes.length),
    closed.length ? `${closed.length} unavailable: ${[...new Set(closed.map((node) => words(node.state)))].join(", ")}` : "all schedulable",
    closed.some((node) => node.state === "LOST") ? "bad" : null);
}

function roundTile(last, settings) {
  if (!last.length) {
    return tile("Last round", "–", `one every ${duration(settings.roundSeconds)}`);
  }
  const [round] = last;
  return tile("Last round", duration(roundSeconds(round)), `${words(round.status)} at ${time(round.finishedAt)}`,
    round.error ? "bad" : null);
}

function cluster(types, slots) {
  const rows = types.map((type) => row(type.name, type.held, type.all, type.all - type.open));
  if (slots.all > 0) {
    rows.push(row("aggregation slots", slots.held, slots.all, 0));
  }
  return table("Slots by accelerator type",
    [{ name: "type" }, { name: "in use" }, { name: "held", number: true }, { name: "all", number: true }, { name: "closed", number: true }],
    rows, "No node is registered yet.");
}

function row(name, held, all, closed) {
  return [name, bar(held, all, `${number(held)} of ${number(all)} ${name} in use`), number(held), number(all), number(closed)];
}

/** Parts of the plan with their leaders; `planners` is null for a caller without the permission. */
function parts(plan, domains, planners) {
  const pools = new Map(domains.map((domain) => [domain.name, domain.pools.join(", ")]));
  const by = new Map((planners ?? []).map((planner) => [planner.domain, planner]));
  const vacant = { replica: planners ? "no leader" : "–", since: null };
  return table("Parts of the plan by planning domain",
    [{ name: "domain" }, { name: "pools" }, { name: "gap", number: true }, { name: "status" }, { name: "round", number: true }, { name: "published" },
      { name: "planned by" }, { name: "since" }],
    plan.domains.map((part) => {
      const planner = by.get(part.name) ?? vacant;
      return [h("a", { href: `#/solver/${encodeURIComponent(part.name)}` }, part.name), pools.get(part.name) ?? "all others",
        gap(part.quality.gap), words(part.quality.status), number(part.round), `${ago(part.publishedAt)} ago`, planner.replica, time(planner.since)];
    }));
}

function reasons(queue) {
  const byReason = new Map();
  for (const job of queue) {
    byReason.set(job.reason, [...(byReason.get(job.reason) ?? []), job]);
  }
  const rows = [...byReason.entries()].sort((a, b) => b[1].length - a[1].length)
    .map(([reason, jobs]) => [words(reason), number(jobs.length), jobLink(jobs[0].jobId, jobs[0].name), localized(jobs[0].message)]);
  return table("Pending reasons",
    [{ name: "reason" }, { name: "jobs", number: true }, { name: "first job" }, { name: "message" }], rows, "No pending jobs.");
}
