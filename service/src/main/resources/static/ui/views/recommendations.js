// Recommendations: the configurations of a job that are not dominated in time and cost, and the best for a target.

import { get, pages, post } from "../api.js";
import { lines } from "../chart.js";
import { activeJobs } from "../data.js";
import { h, section, tile } from "../dom.js";
import { choices, form } from "../form.js";
import { count, duration, number, percent, rounded, time, words } from "../format.js";
import { named, optionsOf } from "../questions.js";
import { table } from "../table.js";

export const title = "Recommendations";
export const roles = ["VIEWER", "SUBMITTER", "OPERATOR"];
/** A redraw must not replace input. */
export const still = true;

/** Some jobs, and a promise of all of them if there are more. */
export async function load({ signal }) {
  const { first, all } = activeJobs(signal, pages);
  return { jobs: await first, all };
}

export function render({ jobs, all }) {
  all.then((every) => document.getElementById("recommendation-like-options")?.replaceChildren(...choices(optionsOf(every))), () => {});
  const answer = h("div", {});
  const clear = () => answer.replaceChildren();
  return [h("h1", {}, title),
    h("p", {}, "How many slots of which type complete a job in time, and at what cost. The live state is unchanged."),
    jobs.length ? form("recommendation", [
      named("like", "Job", jobs, null),
      { name: "minimize", label: "Minimize", type: "select", pointer: "/target/minimize", options: [{ value: "COST", label: "cost" }, { value: "TIME", label: "time" }] },
      { name: "deadline", label: "Within hours", type: "number", pointer: "/target/deadlineSeconds", scale: 3600, help: "Empty: without a deadline." },
      { name: "budget", label: "For at most", type: "number", pointer: "/target/budget", help: "Cost. Empty: without a limit." },
      { name: "confidence", label: "With a probability of", type: "number", pointer: "/target/confidence", value: 0.9, min: 0, max: 1 },
    ], {
      action: "Recommend", input: clear,
      run: async (body, { like }) => {
        const { spec } = await get(`/jobs/${encodeURIComponent(like)}`);
        answer.replaceChildren(...shown(await post("/recommendations", { ...body, spec })));
      },
    }) : h("p.empty", {}, "There is no job to recommend for. Submit one in ", h("a", { href: "#/jobs" }, "Jobs"), ", or run ", h("code", {}, "./spur recommend"), " with a specification."),
    answer];
}

function shown({ chosen, targetMet, message, front, considered }) {
  const hours = (range) => range.median / 3600;
  return [section("Recommendation",
    h(targetMet ? "p" : "p.bad", {}, message),
    chosen ? h("div.tiles", {},
      tile("Configuration", count(chosen.configuration.slots, "slot"), { detail: `${chosen.configuration.acceleratorType}, batch size ${number(chosen.configuration.batchSize)}` }),
      predicted("Time", chosen.seconds, duration),
      chosen.seconds ? tile("End", time(Date.now() + 1000 * chosen.seconds.median), { detail: "if it starts now" }) : null,
      predicted("Slot-hours", slotHours(chosen), rounded),
      priced(front) ? predicted("Cost", chosen.cost, rounded, "in the unit of the configured prices") : tile("Cost", "unknown", { detail: "no price of a slot is configured" }),
      tile("Considered", number(considered), { detail: "configurations" })) : null,
    lines("Time and cost", [
      { name: "not dominated", dots: true, points: front.filter((option) => option.seconds).map((option) => [option.cost.median, hours(option.seconds)]) },
      ...(chosen?.seconds ? [{ name: "recommended", dots: true, hollow: true, symbol: "diamond", points: [[chosen.cost.median, hours(chosen.seconds)]] }] : []),
    ], { x: "cost", y: "hours", whole: false, xText: rounded, yText: rounded }),
    table("Configurations that are not dominated", [
      { name: "nodes", value: (option) => option.nodeType },
      { name: "slots", value: (option) => option.configuration.slots, number: true },
      { name: "type", value: (option) => option.configuration.acceleratorType },
      { name: "batch size", value: (option) => option.configuration.batchSize, number: true },
      { name: "effective samples/s", value: (option) => option.goodput, cell: (option) => option.goodput === null ? "unknown" : number(option.goodput), number: true },
      { name: "time", value: (option) => option.seconds?.median, cell: (option) => option.seconds ? duration(option.seconds.median) : "unknown", number: true },
      { name: "slot-hours", value: (option) => slotHours(option)?.median, cell: (option) => (option.seconds ? rounded(slotHours(option).median) : "unknown"), number: true },
      { name: "cost", value: (option) => option.cost?.median, cell: (option) => option.cost ? rounded(option.cost.median) : "unknown", number: true },
      { name: "risk", value: (option) => option.risk, cell: (option) => option.risk === null ? "unknown" : percent(option.risk, 1), number: true },
      { name: "speed is", value: (option) => words(option.origin) },
    ], front, { key: "front" }))];
}

/** Whether the nodes have prices; without them, every cost is 0. */
function priced(front) {
  return front.some((option) => option.pricePerHour > 0);
}

/** Slot-hours of an option; null while nothing is known about the speed of the job. */
function slotHours({ seconds, configuration }) {
  const hours = (value) => (configuration.slots * value) / 3600;
  return seconds && { low: hours(seconds.low), median: hours(seconds.median), high: hours(seconds.high) };
}

/** Tile of a prediction, which is null while nothing is known about the speed of the job. */
function predicted(label, range, text, unit = "") {
  return range ? tile(label, text(range.median), { detail: `${text(range.low)} to ${text(range.high)}${unit && `, ${unit}`}` }) : tile(label, "unknown", { detail: "until the job has run" });
}
