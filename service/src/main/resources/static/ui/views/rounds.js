// Rounds: objective value, bound, gap, time by step and shadow prices.

import { post } from "../api.js";
import { lines } from "../chart.js";
import { rounds, roundSeconds } from "../data.js";
import { button } from "../dialog.js";
import { bar, h, section, tile } from "../dom.js";
import { duration, gap, localized, number, percent, time, words } from "../format.js";
import { may } from "../session.js";
import { table } from "../table.js";
import { TERMS, term } from "../terms.js";

export const title = "Rounds";

const SHOWN = 120;
const PRICES = 6;
const NOW = { name: "Plan now", title: "Start a round now?", text: "The scheduler plans without waiting for the next period.", run: () => post("/rounds") };

export async function load({ signal }) {
  return rounds(SHOWN, signal);
}

/** Share of the decision that was left to CP-SAT. */
function openTo({ openJobs, openCandidates, proof }) {
  return [
    proof ? `proved by ${words(proof)}` : null,
    openJobs ? `${number(openJobs)} jobs with ${number(openCandidates)} candidates open to CP-SAT` : null,
  ].filter(Boolean).join("; ");
}

export function render(last, { reload }) {
  const planned = last.filter((round) => round.quality);
  const top = [h("h1", {}, title), may("OPERATOR") ? h("p.buttons", {}, button(NOW, reload)) : null];
  if (!planned.length) {
    return [...top, h("p.empty", {}, "No round has finished yet.")];
  }
  const [newest] = planned;
  const inOrder = [...planned].reverse();
  return [...top,
    h("div.tiles", {},
      tile("Status", words(newest.quality.status), { detail: `round ${newest.number}, ${time(newest.finishedAt)}` }),
      newest.quality.search ? tile("Found by", words(newest.quality.search.foundBy), { detail: openTo(newest.quality.search), help: TERMS["found by"] }) : null,
      tile("Gap", gap(newest.quality.gap), { detail: "proven", help: TERMS["optimality gap"] }),
      tile("Share of the closed gap", percent(newest.quality.improvement, 1), { detail: "compared with the repaired last plan" }),
      tile("Program", number(newest.stats?.candidates),
        { detail: `candidates of ${number(newest.stats?.jobs)} jobs, ${number(newest.stats?.couplingConstraints)} coupling constraints` }),
      tile("Planned in", duration(milliseconds(newest) / 1000), { detail: newest.stats ? `${newest.stats.work < 0.01 ? "less than 0.01" : number(newest.stats.work)} units of work` : null })),
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
    section("Shadow prices of the last round", h("p", {}, "Terms: ", term("objective value"), ", ", term("utility"), ", ", term("shadow price"), ", ", term("optimality gap"), "."), table("Shadow prices", [
      { name: "resource", value: (price) => inWords(price.resource) },
      { name: "available to the round", value: (price) => price.available, number: true, help: "All but what protected jobs hold; of a limit or quota, the whole amount." },
      { name: "shadow price", help: TERMS["shadow price"], value: (price) => price.price, number: true },
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

/** The resources with the highest shadow prices of the newest round. */
function prices(inOrder) {
  const of = (round) => new Map((round.stats?.shadowPrices ?? []).map((price) => [price.resource, price.price]));
  const all = inOrder.map((round) => ({ number: round.number, prices: of(round) }));
  const highest = [...all.at(-1).prices].filter(([, price]) => price > 0).sort((a, b) => b[1] - a[1]).slice(0, PRICES).map(([resource]) => resource);
  return lines("Highest shadow prices by round",
    highest.map((resource) => ({ name: inWords(resource), points: all.map((round) => [round.number, round.prices.get(resource) ?? 0]) })),
    { x: "round number", y: "shadow price", named: true, wrapped: true });
}

const KINDS = { slots: "slots of", cpus: "CPUs of", "pool-cpus": "CPUs for slots and aggregators of", memory: "memory of", aggregation: "aggregation slots of", quota: "quota of", "group-slots": "slots of group", "group-jobs": "jobs of group" };

/** "slots:demo/A100" as "slots of A100 in demo". */
export function inWords(resource) {
  const [kind, place = ""] = resource.split(/:(.*)/s);
  const [first, second] = place.split(/\/(?=[^/]*$)/);
  if (!KINDS[kind]) {
    return kind === "restarts" ? "restarts in a round" : resource;
  }
  return `${KINDS[kind]} ${second === undefined ? first : kind === "quota" ? `${first}, ${second}` : `${second} in ${first}`}`;
}
