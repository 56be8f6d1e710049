// Self-audits: the regret of the own schedule in a past range by cause, and replays of other policies.

import { list, post } from "../api.js";
import { bars } from "../chart.js";
import { button, menuButton } from "../dialog.js";
import { gauge, h, section, tile } from "../dom.js";
import { duration, number, percent, time, words } from "../format.js";
import { may } from "../session.js";
import { table } from "../table.js";

export const title = "Self-audit";
export const roles = ["VIEWER", "OPERATOR"];

const SHOWN = 50;

/** The newest self-audits; the result of the one in the address, else of the newest with results. */
export async function load({ signal, id }) {
  const all = await list("/self-audits", { signal, most: SHOWN });
  return { all, one: all.find((each) => each.id === id) ?? all.find((each) => each.results) };
}

export function render({ all, one }, { reload }) {
  return [h("h1", {}, title),
    h("p", {}, "A self-audit replays the jobs of a past range as the scheduler ran them, then without each cause of regret, and under other policies."),
    h("p.buttons", {}, button(CREATION, reload)),
    one ? result(one) : null,
    section("Self-audits", table("Self-audits", [
      { name: "range", value: ({ request }) => request.since, cell: (each) => h("a", { href: `#/selfaudit/${each.id}` }, range(each)) },
      { name: "state", value: (each) => words(each.state), cell: (each) => h(`span.state.${each.state.toLowerCase()}`, {}, words(each.state)) },
      { name: "progress", value: (each) => each.progress, cell: (each) => gauge("progress", each.progress) },
      { name: "by", value: (each) => each.owner },
      { name: "mean JCT", value: (each) => each.results?.baseline.meanJctSeconds, cell: (each) => duration(each.results?.baseline.meanJctSeconds), number: true },
      { name: "regret", value: (each) => each.results?.total.fraction, cell: (each) => percent(each.results?.total.fraction, 1), number: true },
      { name: "error", value: (each) => each.error },
      { name: "actions", cell: (each) => (may("OPERATOR") && !each.endedAt ? menuButton(each.id, "Self-audit", [cancellation(each)], reload) : null) },
    ], all, { key: "", empty: "No self-audit yet." }))];
}

function range({ request }) {
  return `${request.since ? time(request.since) : "the day before"} to ${request.until ? time(request.until) : "today"}`;
}

function result(one) {
  const { results } = one;
  if (!results) {
    return h("p.empty", {}, one.error ?? `The self-audit of ${range(one)} has no result yet.`);
  }
  const { baseline, regret, references, total, observed } = results;
  return section(`Result: ${range(one)}`,
    h("p", {}, results.summary),
    h("div.tiles", {},
      tile("Mean JCT", duration(baseline.meanJctSeconds), { detail: observed.jobs ? `${duration(observed.meanJctSeconds)} in the history` : null }),
      tile("Regret", percent(total.fraction, 1), { detail: `${duration(total.seconds)} of the mean JCT` }),
      tile("Jobs", number(results.jobs), { detail: `${number(results.excluded)} excluded` }),
      tile("Best objective", words(results.bestObjective))),
    bars("Regret by cause", regret.map((each) => ({ name: words(each.cause), value: 100 * each.fraction })),
      { x: "percent of the mean JCT", text: (value) => `${value.toFixed(1)} %` }),
    table("Replays", [
      { name: "replay", value: (replay) => replay.name },
      { name: "mean JCT", value: (replay) => replay.meanJctSeconds, cell: (replay) => duration(replay.meanJctSeconds), number: true },
      { name: "weighted mean", value: (replay) => replay.weightedMeanJctSeconds, cell: (replay) => duration(replay.weightedMeanJctSeconds), number: true },
      { name: "p99 JCT", value: (replay) => replay.p99JctSeconds, cell: (replay) => duration(replay.p99JctSeconds), number: true },
      { name: "mean queueing", value: (replay) => replay.meanQueueingSeconds, cell: (replay) => duration(replay.meanQueueingSeconds), number: true },
      { name: "restarts per job", value: (replay) => replay.restartsPerJob, number: true },
    ], [{ name: "as it ran", ...baseline }, ...regret.map((each) => ({ name: `and without ${words(each.cause)}`, ...each.without })),
      ...references.map((replay) => ({ name: replay.policy, ...replay }))], { key: "replays" }));
}

const CREATION = {
  name: "New self-audit", title: "Audit a past range", action: "Start",
  fields: [
    { name: "since", label: "From", type: "datetime-local", pointer: "/since", help: "Empty: one day before the end." },
    { name: "until", label: "Until", type: "datetime-local", pointer: "/until", help: "Empty: the start of today in UTC." },
  ],
  run: (body) => post("/self-audits", body),
};

function cancellation({ id }) {
  return { name: "Cancel", title: "Cancel the self-audit?", text: "Its results are lost.", danger: true, run: () => post(`/self-audits/${id}/cancel`) };
}
