// Rounds: objective value, bound, gap, time by step and shadow prices.

import { rounds, roundSeconds } from "../data.js";
import { bar, h, section, table, tile } from "../dom.js";
import { lines } from "../chart.js";
import { duration, gap, number, percent, time, words } from "../format.js";
import { paged } from "../paged.js";

export const title = "Solver";

const SHOWN = 120;
const PRICES = 6;

/** Rounds of the domain named in the address, since those of several have nothing to do with each other. */
export async function load({ signal, id }) {
  return { all: await rounds(SHOWN, signal), asked: id };
}

export function render({ all, asked }, { redraw }) {
  const domains = [...new Set(all.map(domainOf))].sort();
  const domain = domains.includes(asked) ? asked : domains[0];
  const last = all.filter((round) => domainOf(round) === domain);
  const planned = last.filter((round) => round.quality);
  if (!planned.length) {
    return [h("h1", {}, "Solver"), choice(domains, domain), h("p.empty", {}, "No round has finished yet.")];
  }
  const [newest] = planned;
  const inOrder = [...planned].reverse();
  return [h("h1", {}, "Solver"),
    choice(domains, domain),
    h("div.tiles", {},
      tile("Status", words(newest.quality.status), `round ${newest.number}, ${time(newest.finishedAt)}`),
      tile("Gap", gap(newest.quality.gap), "proven"),
      tile("Share of the closed gap", percent(newest.quality.improvement, 1), "compared with the repaired last plan"),
      tile("Program", number(newest.stats?.candidates), `candidates of ${number(newest.stats?.jobs)} jobs, ${number(newest.stats?.couplingConstraints)} coupling constraints`),
      tile("Planned in", duration(milliseconds(newest) / 1000), `${number(newest.stats?.work)} units of work`)),
    h("div.columns", {},
      section("Objective value and bound", lines("Objective value of the plan and its bound, by round", [
        { name: "best bound", points: inOrder.map((round) => [round.number, round.quality.bestBound]) },
        { name: "plan", points: inOrder.map((round) => [round.number, round.quality.objectiveValue]) }],
      { x: "round number", y: "objective value" })),
      section("Gap", lines("Optimality gap in percent, by round",
        [{ name: "gap", points: inOrder.map((round) => [round.number, 100 * round.quality.gap]) }],
        { x: "round number", y: "percent" })),
      section("Time by step", steps(newest)),
      section("Highest shadow prices over time", prices(inOrder))),
    section("Shadow prices of the last round", shadowPrices(newest, redraw)),
    section("Rounds", paged("Rounds", [
      { name: "round", number: true }, { name: "why" }, { name: "at" }, { name: "took", number: true }, { name: "status" },
      { name: "gap", number: true }, { name: "plan", number: true }, { name: "error" }],
    last, (round) => [number(round.number), round.trigger, time(round.finishedAt), duration(roundSeconds(round)),
      words(round.status), round.quality ? gap(round.quality.gap) : "–", number(round.planRevision), round.error ?? ""], redraw))];
}

function domainOf(round) {
  return round.domain ?? "default";
}

/** Links to the rounds of each planning domain; nothing where there is one. */
function choice(domains, chosen) {
  return domains.length < 2 ? null : h("nav.pages", { "aria-label": "Planning domains" }, domains.map((name) =>
    h("a", { href: `#/solver/${encodeURIComponent(name)}`, "aria-current": name === chosen ? "page" : null }, name)));
}

function milliseconds(round) {
  return (round.stats?.steps ?? []).reduce((sum, step) => sum + step.milliseconds, 0);
}

function steps(round) {
  const all = round.stats?.steps ?? [];
  const most = Math.max(...all.map((step) => step.milliseconds), 1);
  return table(`Steps of round ${round.number}`, [{ name: "step" }, { name: "share" }, { name: "ms", number: true }],
    all.map((step) => [step.step, bar(step.milliseconds, most, `${number(step.milliseconds)} ms`), number(step.milliseconds)]));
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

function shadowPrices(round, redraw) {
  return paged("Shadow prices", [{ name: "resource" }, { name: "free", number: true }, { name: "shadow price", number: true }, { name: "message" }],
    [...(round.stats?.shadowPrices ?? [])].sort((a, b) => b.price - a.price),
    (price) => [price.resource, number(price.available), number(price.price), price.message], redraw, "No shadow prices.");
}
