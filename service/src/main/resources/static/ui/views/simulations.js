// Simulations: replays of traces under several policies, and their results.

import { get, list, post } from "../api.js";
import { bars } from "../chart.js";
import { button, buttons } from "../dialog.js";
import { gauge, h, section, tile } from "../dom.js";
import { fileLink } from "../file.js";
import { duration, gap, number, percent, time, words } from "../format.js";
import { may } from "../session.js";
import { table } from "../table.js";

export const title = "Simulations";
export const roles = ["VIEWER", "SUBMITTER", "OPERATOR"];

const SHOWN = 200;
const POLICIES = ["spur", "greedy", "fifo", "fifo-backfill", "srtf", "sia", "pollux", "optimus", "themis", "2d-las", "gavel-max-min", "determined-priority"];
const options = (values) => values.map((value) => ({ value, label: words(value) }));

/** All simulations, or the one of the address. */
export async function load({ signal, id }) {
  return id ? { one: await get(`/simulations/${encodeURIComponent(id)}`, { signal }) } : { all: await list("/simulations", { signal, most: SHOWN }) };
}

export function render({ one, all }, { reload }) {
  return one ? detail(one, reload) : [h("h1", {}, title),
    h("p", {}, "A simulation replays a trace under several policies, without effect on the live state."),
    h("p.buttons", {}, button(CREATION, (created) => { location.hash = linkTo(created); })),
    table("Simulations", [
      { name: "simulation", value: nameOf, cell: (each) => h("a", { href: linkTo(each) }, nameOf(each)) },
      { name: "owner", value: (each) => each.owner },
      { name: "state", value: (each) => words(each.state), cell: (each) => h(`span.state.${each.state.toLowerCase()}`, {}, words(each.state)) },
      { name: "progress", value: (each) => each.progress, cell: (each) => gauge("progress", each.progress) },
      { name: "policies", value: (each) => each.request.policies.join(", ") },
      { name: "submitted", value: (each) => each.submittedAt, cell: (each) => time(each.submittedAt) },
      { name: "ended", value: (each) => each.endedAt, cell: (each) => time(each.endedAt) },
    ], all, { key: "", empty: "No simulations." })];
}

function linkTo({ id }) {
  return `#/simulations/${encodeURIComponent(id)}`;
}

function nameOf({ id, request }) {
  return request.name ?? `${words(request.trace.kind)} trace, ${id.slice(0, 8)}`;
}

const CREATION = {
  name: "New simulation", title: "Simulate policies", action: "Simulate",
  fields: [
    { name: "name", label: "Name", pointer: "/name" },
    { name: "kind", label: "Trace", type: "select", pointer: "/trace/kind",
      options: [{ value: "LIVE", label: "the live jobs" }, { value: "GENERATED", label: "a generated trace" }] },
    { name: "jobs", label: "Jobs of a generated trace", type: "number", min: 1, step: 1, value: 60 },
    { name: "load", label: "Load of a generated trace", type: "number", value: 1, help: "1: the jobs need all slots at their fastest configuration." },
    { name: "style", label: "Style of generated jobs", type: "select", options: options(["ELASTIC", "RIGID"]) },
    { name: "policies", label: "Policies", type: "list", pointer: "/policies", value: ["spur", "srtf"], required: true, options: POLICIES,
      help: "Names, separated by blanks." },
    { name: "seed", label: "Seed", type: "number", pointer: "/seed", value: 1, step: 1 },
  ],
  run: (body, { kind, jobs, load: wanted, style }) =>
    post("/simulations", kind === "LIVE" ? body : { ...body, trace: { kind, generated: { jobs, load: wanted, style } } }),
};

function detail(one, reload) {
  const results = one.results ?? [];
  const stop = { name: "Cancel simulation", title: "Cancel the simulation?", text: "Its results are lost.", danger: true,
    run: () => post(`/simulations/${encodeURIComponent(one.id)}/cancel`) };
  return [h("h1", {}, nameOf(one)),
    one.state === "QUEUED" || one.state === "RUNNING" ? (may("SUBMITTER", "OPERATOR") ? buttons([stop], reload) : null) : null,
    h("div.tiles", {},
      tile("State", words(one.state), { detail: one.error ?? `${percent(one.progress)} done`, tone: one.error ? "bad" : "" }),
      tile("Trace", words(one.request.trace.kind)),
      tile("Submitted", time(one.submittedAt), { detail: `by ${one.owner}` }),
      tile("Ended", time(one.endedAt))),
    one.state === "DONE" ? h("p.stack", {}, fileLink(`/simulations/${one.id}/report`, `simulation-${one.id}.html`, "Report with plots"),
      fileLink(`/simulations/${one.id}/table`, `simulation-${one.id}.csv`, "Results as CSV")) : null,
    results.length ? section("Mean job completion time", bars("Mean job completion time by policy",
      results.map((result) => ({ name: result.policy, value: result.meanJctSeconds })), { x: "mean JCT", text: duration })) : null,
    results.length ? section("Results", table("Results by policy", [
      { name: "policy", value: (result) => result.policy },
      ...[["jobs", "jobs"], ["unfinished", "unfinished"], ["mean JCT", "meanJctSeconds", duration], ["median JCT", "medianJctSeconds", duration],
        ["p99 JCT", "p99JctSeconds", duration], ["mean queueing", "meanQueueingSeconds", duration], ["makespan", "makespanSeconds", duration],
        ["utilization", "utilization", percent], ["efficiency", "trainingEfficiency", percent], ["restarts per job", "restartsPerJob"],
        ["GPU-hours", "gpuHours"], ["mean gap", "meanGap", gap]].map(([name, member, text = number]) => ({
        name, value: (result) => result[member], cell: (result) => (result[member] === null ? "–" : text(result[member])), number: true })),
    ], results, { key: "" })) : null];
}
