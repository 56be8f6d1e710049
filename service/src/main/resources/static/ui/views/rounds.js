// Rounds: objective value, bound, gap, time by step and shadow prices.

import { address } from "../address.js";
import { post } from "../api.js";
import { lines } from "../chart.js";
import { rounds, roundSeconds } from "../data.js";
import { button } from "../dialog.js";
import { bar, h, section, tile } from "../dom.js";
import { duration, gap, localized, number, percent, time, words } from "../format.js";
import { may } from "../session.js";
import { table } from "../table.js";

export const title = "Rounds";

const SHOWN = 120;
const PRICES = 6;
const NOW = { name: "Plan now", title: "Start a round now?", text: "The scheduler plans without waiting for the next period.", run: () => post("/rounds") };

/** Rounds of the domain named in the address, since those of several have nothing to do with each other. */
export async function load({ signal, id }) {
  return { all: await rounds(SHOWN, signal), asked: id };
}

export function render({ all, asked }, { reload }) {
  const domains = [...new Set(all.map(domainOf))].sort();
  const domain = domains.includes(asked) ? asked : domains[0];
  const last = all.filter((round) => domainOf(round) === domain);
  const planned = last.filter((round) => round.quality);
  const top = [h("h1", {}, title), may("OPERATOR") ? h("p.buttons", {}, button(NOW, reload)) : null, choice(domains, domain)];
  if (!planned.length) {
    return [...top, h("p.empty", {}, "No round has finished yet.")];
  }
  const [newest] = planned;
  const inOrder = [...planned].reverse();
  return [...top,
    h("div.tiles", {},
      tile("Status", words(newest.quality.status), { detail: `round ${newest.number}, ${time(newest.finishedAt)}` }),
      tile("Gap", gap(newest.quality.gap), { detail: "proven" }),
      tile("Share of the closed gap", percent(newest.quality.improvement, 1), { detail: "compared with the repaired last plan" }),
      tile("Program", number(newest.stats?.candidates),
        { detail: `candidates of ${number(newest.stats?.jobs)} jobs, ${number(newest.stats?.couplingConstraints)} coupling constraints` }),
      tile("Planned in", duration(milliseconds(newest) / 1000), { detail: `${number(newest.stats?.work)} units of work` })),
    h("div.columns", {},
      section("Objective value and bound", lines("Objective value of the plan and its bound, by round", [
        { name: "best bound", points: inOrder.map((round) => [round.number, round.quality.bestBound]) },
        { name: "plan", points: inOrder.map((round) => [round.number, round.quality.objectiveValue]) }],
      { x: "round number", y: "objective value" })),
      section("Gap", lines("Optimality gap in percent, by round",
        [{ name: "gap", points: inOrder.map((round) => [round.number, 100 * round.quality.gap]) }],
        { x: "round number", y: "percent" })),
      section("Duration", lines("Duration of rounds in seconds, by round number",
        [{ name: "seconds", points: [...last].reverse().map((round) => [round.number, roundSeconds(round)]) }], { x: "round number", y: "seconds" })),
      section("Highest shadow prices over time", prices(inOrder)),
      section("Time by step", steps(newest))),
    section("Shadow prices of the last round", table("Shadow prices", [
      { name: "resource", value: (price) => price.resource },
      { name: "free", value: (price) => price.available, number: true },
      { name: "shadow price", value: (price) => price.price, number: true },
      { name: "message", value: (price) => localized(price.message) },
    ], [...(newest.stats?.shadowPrices ?? [])].sort((a, b) => b.price - a.price), { empty: "No shadow prices." })),
    section("Rounds", table("Rounds", [
      { name: "round", value: (round) => round.number, number: true },
      { name: "trigger", value: (round) => round.trigger },
      { name: "at", value: (round) => round.finishedAt, cell: (round) => time(round.finishedAt) },
      { name: "duration", value: roundSeconds, cell: (round) => duration(roundSeconds(round)), number: true },
      { name: "status", value: (round) => words(round.status) },
      { name: "gap", value: (round) => round.quality?.gap, cell: (round) => (round.quality ? gap(round.quality.gap) : "–"), number: true },
      { name: "plan", value: (round) => round.planRevision, number: true },
      { name: "error", value: (round) => round.error ?? "" },
    ], last, { key: "" }))];
}

function domainOf(round) {
  return round.domain ?? "default";
}

/** Links to the rounds of each planning domain; nothing where there is one. */
function choice(domains, chosen) {
  return domains.length < 2 ? null : h("nav.tabs", { "aria-label": "Planning domains" }, domains.map((name) =>
    h("a", { href: address(`rounds/${encodeURIComponent(name)}`), "aria-current": name === chosen ? "page" : null }, name)));
}

function milliseconds(round) {
  return (round.stats?.steps ?? []).reduce((sum, step) => sum + step.milliseconds, 0);
}

function steps(round) {
  const all = round.stats?.steps ?? [];
  const most = Math.max(...all.map((step) => step.milliseconds), 1);
  return table(`Steps of round ${round.number}`, [
    { name: "step", value: (step) => step.step },
    { name: "share", cell: (step) => bar(step.milliseconds, most, `${number(step.milliseconds)} ms`) },
    { name: "ms", value: (step) => step.milliseconds, number: true },
  ], all, { key: "steps" });
}

function prices(inOrder) {
  const newest = inOrder.at(-1).stats?.duals ?? {};
  const highest = Object.entries(newest).sort((a, b) => b[1] - a[1]).slice(0, PRICES).map(([resource]) => resource);
  return lines("Highest shadow prices by round",
    highest.map((resource) => ({
      name: resource,
      points: inOrder.map((round) => [round.number, round.stats?.duals?.[resource] ?? 0]),
    })), { x: "round number", y: "shadow price" });
}
