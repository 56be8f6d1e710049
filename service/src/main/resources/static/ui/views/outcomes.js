// Outcomes: what jobs and tenants got in a time range, and utilization and queue over time.

import { param, setParams, address } from "../address.js";
import { get } from "../api.js";
import { gpusOverTime, jobsOverTime, slotsOverTime } from "../history.js";
import { h, section, tile } from "../dom.js";
import { duration, number, percent } from "../format.js";
import { table } from "../table.js";
import { TERMS } from "../terms.js";

export const title = "Outcomes";
export const roles = ["VIEWER", "SUBMITTER", "OPERATOR"];

const DAY = 86_400;
const RANGES = { 1: "The last day", 7: "The last 7 days", 30: "The last 30 days", 90: "The last 90 days" };

export async function load({ signal }) {
  const days = Object.hasOwn(RANGES, param("days")) ? Number(param("days")) : 1;
  const query = `since=${new Date(Math.floor(Date.now() / 60_000) * 60_000 - days * DAY * 1000).toISOString()}`;
  const [report, history] = await Promise.all([get(`/outcomes?${query}`, { signal }), get(`/outcomes/history?${query}`, { signal })]);
  return { days, report, history };
}

export function render({ days, report, history }, { reload }) {
  const { total, tenants, slots } = report;
  return [h("h1", {}, title),
    h("p.toolbar", {}, h("select", { id: "days", "aria-label": "Time range", change: (event) => {
      setParams({ days: event.target.value });
      reload();
    } }, Object.entries(RANGES).map(([value, name]) => h("option", { value, selected: Number(value) === days }, name)))),
    h("div.tiles", {}, tiles(total, slots)),
    section("Percentiles", table("Percentiles of all jobs", [
      { name: "measure", value: (row) => row.name },
      ...["mean", "p50", "p90", "p99"].map((name) => ({ name, value: (row) => row.spread[name],
        cell: (row) => (row.spread.count ? row.text(row.spread[name]) : "–"), number: true })),
      { name: "jobs", value: (row) => row.spread.count, number: true },
    ], spreads(total), { key: "percentiles" })),
    h("div.columns", {},
      section("Held slots over time", slotsOverTime(history)),
      section("Jobs over time", jobsOverTime(history)),
      history.slots.some((type) => type.gpuUtilization.some((share) => share !== null))
        ? section("GPU utilization over time", gpusOverTime(history)) : null),
    section("By tenant", table("Outcomes by tenant", tenantColumns(), tenants, { key: "", empty: "No job in this time." })),
    section("Slots by type", table("Slots by accelerator type", [
      { name: "type", value: (one) => one.acceleratorType },
      { name: "slot-hours of capacity", value: (one) => one.totalSlotHours, number: true },
      { name: "slot-hours held", value: (one) => one.heldSlotHours, number: true },
      { name: "held", value: (one) => one.heldUtilization, cell: (one) => percent(one.heldUtilization, 1), number: true },
      { name: "useful", value: (one) => one.usefulUtilization, cell: (one) => percent(one.usefulUtilization, 1), number: true },
      { name: "GPU utilization", value: (one) => one.gpuUtilization, cell: (one) => percent(one.gpuUtilization, 1), number: true },
    ], slots, { key: "slots" }))];
}

function tiles(total, slots) {
  const sum = (member) => slots.reduce((all, one) => all + one[member], 0);
  const all = sum("totalSlotHours");
  return [
    tile("Jobs done", number(total.jobs.done), { detail: `${number(total.jobs.failed)} failed, ${number(total.jobs.canceled)} canceled`, href: address("jobs", { state: "done" }) }),
    tile("Slots held", all ? percent(sum("heldSlotHours") / all, 1) : "–", { detail: all ? `${percent(sum("usefulSlotHours") / all, 1)} useful` : null }),
    tile("Training efficiency", percent(total.trainingEfficiency, 1), { detail: "all jobs together, by their slot-hours", help: TERMS["training efficiency"] }),
    tile("Restarts", number(total.restarts), { detail: total.restartStallSeconds.count ? `mean stall ${duration(total.restartStallSeconds.mean)}` : null }),
    tile("Deadlines met", number(total.deadlines.met), { detail: `${number(total.deadlines.missed)} missed`, tone: total.deadlines.missed ? "bad" : "" }),
    tile("Slot-hours held", number(total.heldSlotHours), { detail: `cost ${number(total.cost)}, profit ${number(total.profit)}; no unit is configured` })];
}

function spreads(total) {
  return [
    { name: "queueing delay", spread: total.queueingDelaySeconds, text: duration },
    { name: "job completion time", spread: total.jctSeconds, text: duration },
    { name: "slowdown", spread: total.slowdown, text: (value) => `${number(value)} ×` },
    { name: "training efficiency of a job", spread: total.jobTrainingEfficiency, text: (value) => percent(value, 1) },
    { name: "stall of a restart", spread: total.restartStallSeconds, text: duration }];
}

function tenantColumns() {
  const of = (name, value, text = number) => ({ name, value, cell: (one) => (value(one) === null ? "–" : text(value(one))), number: true });
  const mean = (spread) => (spread.count ? spread.mean : null);
  return [
    { name: "tenant", value: (one) => one.tenant, cell: (one) => h("a", { href: address("jobs", { tenant: one.tenant }) }, one.tenant) },
    of("done", (one) => one.jobs.done), of("failed", (one) => one.jobs.failed),
    of("queueing delay", (one) => mean(one.queueingDelaySeconds), duration), of("completion time", (one) => mean(one.jctSeconds), duration),
    of("slowdown", (one) => mean(one.slowdown)), of("training efficiency", (one) => one.trainingEfficiency, (value) => percent(value, 1)),
    of("restarts", (one) => one.restarts), of("slot-hours held", (one) => one.heldSlotHours), of("cost", (one) => one.cost), of("profit", (one) => one.profit),
    of("deadlines missed", (one) => one.deadlines.missed)];
}
