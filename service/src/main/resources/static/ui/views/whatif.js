// What-if analysis: plans a copy of the live state with one change, and shows the differences. The live state is unchanged.

import { get, list, post } from "../api.js";
import { activeJobs, activePreparations } from "../data.js";
import { h, jobLink, section, table, tile } from "../dom.js";
import { allocation, gap, gib, localized, number, words } from "../format.js";
import { firstPage, paged } from "../paged.js";
import { MADE_UP, QUESTIONS } from "../questions.js";

export const title = "What-if";

const OBJECTIVES = ["COMPLETION_TIME", "REMAINING_TIME", "PROGRESS", "FAIR_GOODPUT", "LEAST_ATTAINED_SERVICE"];
const RUN = "Running data preparations";
const WAIT = "Pending data preparations with the change";
/** `typed` is the content of the submitted form, so that the form still shows it next to the result. */
const state = { kind: 0, typed: new Map(), answer: null, refusal: null, busy: false };

/** A redraw must not replace input. */
export const still = true;

export async function load({ signal }) {
  const [nodes, jobs, preparations, tenants, reservations, windows, settings] = await Promise.all([
    list("/nodes", { signal }), activeJobs(signal), activePreparations(signal), list("/tenants", { signal }),
    list("/reservations", { signal }), list("/maintenance-windows?state=SCHEDULED&state=DRAINING&state=ACTIVE", { signal }), get("/settings", { signal })]);
  const current = settings.planning.objective.kind;
  return { nodes, jobs, preparations, tenants, reservations, windows, objectives: [...new Set([...OBJECTIVES, current])] };
}

export function render(data, { redraw }) {
  const fields = h("div.stack", {}, QUESTIONS[state.kind].fields(data, state.typed));
  return [h("h1", {}, "What-if"),
    h("p", {}, "Plans a copy of the live state with and without a change. The live state is unchanged."),
    h("form.stack", { submit: (event) => ask(event, QUESTIONS[state.kind], data, redraw) },
      h("label", {}, "Change: ",
        h("select", {
          id: "kind",
          change: (event) => {
            // the list itself stays: the user may be typing into it
            Object.assign(state, { kind: Number(event.target.value), typed: new Map() });
            fields.replaceChildren(...QUESTIONS[state.kind].fields(data, state.typed));
          },
        }, QUESTIONS.map((one, i) => h("option", { value: i, selected: i === state.kind }, one.name)))),
      fields,
      h("button", { type: "submit", disabled: state.busy }, state.busy ? "Planning …" : "Run")),
    state.refusal ? h("p.bad", { role: "alert" }, state.refusal) : null,
    state.answer ? [jobs(state.answer, names(data.jobs)), preparations(state.answer.preparations, names(data.preparations), redraw)] : null];
}

function names(all) {
  return new Map([...all.map((one) => [one.id, one.name]), [MADE_UP, "the new one"]]);
}

async function ask(event, question, data, redraw) {
  event.preventDefault();
  const form = new FormData(event.target);
  Object.assign(state, { busy: true, refusal: null, typed: new Map(form) });
  redraw();
  try {
    state.answer = await post("/what-if", { changes: [await question.change(form, data)] });
    [RUN, WAIT].forEach(firstPage);
  } catch (error) {
    state.refusal = error.message;
    state.answer = null;
  }
  state.busy = false;
  redraw();
}

function jobs(result, named) {
  const changes = result.changes.filter((change) => change.change !== "KEEP");
  return section("Compared with the plan without the change",
    h("div.tiles", {}, ...objective(result),
      tile("Changed jobs", number(changes.length)),
      tile("Pending jobs", number(result.waiting.length))),
    table("Changes", [{ name: "change" }, { name: "job" }, { name: "from → to" }, { name: "message" }],
      changes.map((change) => [h("b.token", {}, words(change.change)), jobLink(change.jobId, named.get(change.jobId)),
        `${allocation(change.before)} → ${allocation(change.after)}`, localized(change.message)]), "No job changes."));
}

/** Of preparations there is no plan where there are none. */
function objective({ baseline, changed }) {
  return [["Objective value without the change", baseline], ["Objective value with the change", changed]]
    .map(([label, quality]) => tile(label, number(quality?.objectiveValue), quality ? `gap ${gap(quality.gap)}` : "no data preparations"));
}

function preparations(planned, named, redraw) {
  return planned && section("Data preparations, compared with those without the change",
    h("div.tiles", {}, ...objective(planned),
      tile("Changed data preparations", number(planned.changes.length)),
      tile("Pending data preparations", number(planned.waiting.length))),
    table("Changes of data preparations", [{ name: "change" }, { name: "preparation" }, { name: "message" }],
      planned.changes.map((change) => [h("b.token", {}, words(change.change)), named.get(change.jobId) ?? change.jobId, localized(change.message)]),
      "No data preparation changes."),
    paged(RUN, [{ name: "preparation" }, { name: "would run on" }, { name: "local memory", number: true }, { name: "borrowed", number: true },
      { name: "slowdown", number: true }],
    planned.running, ({ jobId, grant, slowDown }) => [named.get(jobId) ?? jobId, grant.node, gib(grant.localGiB),
      gib(grant.loans.reduce((sum, loan) => sum + loan.gib, 0)), `${number(slowDown)} ×`], redraw, "None."),
    paged(WAIT, [{ name: "preparation" }, { name: "would wait" }],
      planned.waiting, ({ jobId, reason, message }) => [named.get(jobId) ?? jobId, h("span", {}, h("b.token", {}, words(reason)), " ", localized(message))],
      redraw, "None."));
}
