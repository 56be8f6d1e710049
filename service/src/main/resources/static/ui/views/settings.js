// Settings of the scheduler, and the form that changes them.

import { get, patch } from "../api.js";
import { button } from "../dialog.js";
import { h } from "../dom.js";
import { duration, number, percent, words } from "../format.js";
import { may } from "../session.js";
import { table } from "../table.js";

export const title = "Settings";

const OBJECTIVES = ["COMPLETION_TIME", "REMAINING_TIME", "PROGRESS", "FAIR_GOODPUT", "LEAST_ATTAINED_SERVICE", "PROFIT"];
const yes = (value) => (value ? "yes" : "no");
const limit = (value) => (value === null ? "unlimited" : number(value));

/** The settings: member, label, how the value is written, and attributes of the field. */
const SETTINGS = [
  ["/approval", "Plans need approval", yes, { type: "checkbox" }],
  ["/roundSeconds", "Time between rounds", duration, { help: "Seconds." }],
  ["/earlyRoundSeconds", "Delay of a round after a change", duration, { help: "Seconds." }],
  ["/planning/objective/kind", "Objective", words, { type: "select", options: OBJECTIVES.map((kind) => ({ value: kind, label: words(kind) })) }],
  ["/planning/objective/runBonus", "Factor that favors running jobs", number, {}],
  ["/planning/objective/changePenalty", "Penalty of a change", number, {}],
  ["/planning/prices/pricePerCpuHour", "Price of a CPU for an hour", number, {}],
  ["/planning/prices/pricePerKilowattHour", "Price of a kilowatt-hour", number, {}],
  ["/planning/gapTarget", "Optimality gap that ends a round", (value) => percent(value, 3), { help: "A share: 0.001 is 0.1 %." }],
  ["/planning/budget/wallSeconds", "Time limit of a round", duration, { help: "Seconds." }],
  ["/planning/budget/work", "Work limit of a round", number, {}],
  ["/planning/budget/workers", "Threads of a round", number, { step: 1 }],
  ["/planning/maxRestarts", "Restarts per round", limit, { step: 1, help: "Empty: unlimited." }],
  ["/planning/starvationLimitSeconds", "Starvation limit", duration, { help: "Seconds after which a pending job has precedence." }],
  ["/planning/waitLimitFactor", "Wait limit", limit, { help: "Multiple of its time alone after which a pending job has precedence. Empty: the starvation limit only." }],
  ["/planning/agingSeconds", "Aging", duration, { help: "Seconds of pending time that double the weight of a data preparation." }],
  ["/planning/fairShare/halfLifeSeconds", "Half-life of past usage", (value) => (value === null ? "off" : duration(value)), { help: "Seconds. Empty: past usage does not count." }],
  ["/planning/fairShare/strength", "Strength of fair share", number, {}],
  ["/planning/aggregation/shared", "Jobs share aggregators", yes, { type: "checkbox" }],
  ["/planning/aggregation/utilization", "Utilization of aggregators", percent, { help: "A share, at most." }],
  ["/planning/lending/enabled", "Nodes lend memory to data preparations", yes, { type: "checkbox" }],
  ["/planning/lending/headroomGiB", "Memory that a node keeps", (value) => `${number(value)} GiB`, { help: "GiB." }],
].map(([pointer, label, text, field]) => ({ pointer, label, text, field: { type: "number", ...field } }));

export async function load({ signal }) {
  return { settings: await get("/settings", { signal }) };
}

export function render({ settings }, { reload }) {
  const valueOf = ({ pointer }) => pointer.slice(1).split("/").reduce((at, member) => at?.[member], settings) ?? null;
  const fields = SETTINGS.map((one) => ({ name: one.pointer.slice(1).replaceAll("/", "-"), label: one.label, pointer: one.pointer, value: valueOf(one), ...one.field }));
  return [h("h1", {}, title),
    may("OPERATOR") ? h("p.buttons", {}, button({ name: "Change settings", title: "Settings", action: "Save", changed: true, fields,
      text: "The next round uses them.", run: (body) => patch("/settings", body) }, reload)) : null,
    table("Settings", [
      { name: "setting", value: (one) => one.label },
      { name: "value", value: (one) => one.text(valueOf(one)) },
      { name: "member", value: (one) => one.pointer, cell: (one) => h("code", {}, one.pointer) },
    ], SETTINGS, { key: "" })];
}
