// Plans a copy of the live state with something changed, and shows what would be different. Changes nothing.

import { get, list, post } from "../api.js";
import { activeJobs } from "../data.js";
import { h, jobLink, section, table, tile } from "../dom.js";
import { allocation, gap, gib, localized, number, words } from "../format.js";
import { firstPage, paged } from "../paged.js";
import { MADE_UP, QUESTIONS } from "../questions.js";

export const title = "What if";

const OBJECTIVES = ["COMPLETION_TIME", "REMAINING_TIME", "PROGRESS", "FAIR_GOODPUT", "LEAST_ATTAINED_SERVICE"];
const RUN = "Preparations that would run";
const WAIT = "Preparations that would wait";
/** `typed` is what the form held when it was sent, so that it stands there still beside the answer. */
const state = { kind: 0, typed: new Map(), answer: null, refusal: null, busy: false };

/** What is typed must not be drawn over by what is new. */
export const still = true;

export async function load({ signal }) {
  const [nodes, jobs, preparations, tenants, reservations, windows, settings] = await Promise.all([
    list("/nodes", { signal }), activeJobs(signal), list("/preparations?state=RUNNING&state=WAITING", { signal }), list("/tenants", { signal }),
    list("/reservations", { signal }), list("/maintenance-windows?state=SCHEDULED&state=DRAINING&state=ACTIVE", { signal }), get("/settings", { signal })]);
  const current = settings.planning.objective.kind;
  return { nodes, jobs, preparations, tenants, reservations, windows, objectives: [...new Set([...OBJECTIVES, current])] };
}

export function render(data, { redraw }) {
  const fields = h("div.stack", {}, QUESTIONS[state.kind].fields(data, state.typed));
  return [h("h1", {}, "What if"),
    h("p", {}, "Plans a copy of the live state as it would be, beside one as it is. Nothing is changed by it."),
    h("form.stack", { submit: (event) => ask(event, QUESTIONS[state.kind], data, redraw) },
      h("label", {}, "What would be: ",
        h("select", {
          id: "kind",
          change: (event) => {
            // the list itself stays, as somebody may be typing into it what to choose
            Object.assign(state, { kind: Number(event.target.value), typed: new Map() });
            fields.replaceChildren(...QUESTIONS[state.kind].fields(data, state.typed));
          },
        }, QUESTIONS.map((one, i) => h("option", { value: i, selected: i === state.kind }, one.name)))),
      fields,
      h("button", { type: "submit", disabled: state.busy }, state.busy ? "Planning …" : "Plan it")),
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
    state.answer = await post("/what-if", { changes: [question.change(form, data)] });
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
  return section("Beside the plan as it would be without the change",
    h("div.tiles", {}, ...objective(result),
      tile("Jobs that change", number(changes.length)),
      tile("Jobs that wait", number(result.waiting.length))),
    table("What would change", [{ name: "change" }, { name: "job" }, { name: "from → to" }, { name: "in words" }],
      changes.map((change) => [h("b.token", {}, words(change.change)), jobLink(change.jobId, named.get(change.jobId)),
        `${allocation(change.before)} → ${allocation(change.after)}`, localized(change.message)]), "No job would change."));
}

/** Of preparations there is no plan where there are none. */
function objective({ baseline, changed }) {
  return [["Objective value now", baseline], ["Objective value then", changed]]
    .map(([label, quality]) => tile(label, number(quality?.objectiveValue), quality ? `gap ${gap(quality.gap)}` : "nothing to plan"));
}

function preparations(planned, named, redraw) {
  return planned && section("Preparations, beside those without the change",
    h("div.tiles", {}, ...objective(planned),
      tile("Preparations that change", number(planned.changes.length)),
      tile("Preparations that wait", number(planned.waiting.length))),
    table("What would change for preparations", [{ name: "change" }, { name: "preparation" }, { name: "in words" }],
      planned.changes.map((change) => [h("b.token", {}, words(change.change)), named.get(change.preparationId) ?? change.preparationId, localized(change.message)]),
      "No preparation would change."),
    paged(RUN, [{ name: "preparation" }, { name: "would run on" }, { name: "own memory", number: true }, { name: "borrowed", number: true },
      { name: "time taken", number: true }],
    planned.running, ({ jobId, grant, slowDown }) => [named.get(jobId) ?? jobId, grant.node, gib(grant.localGiB),
      gib(grant.loans.reduce((sum, loan) => sum + loan.gib, 0)), `${number(slowDown)} ×`], redraw, "None would run."),
    paged(WAIT, [{ name: "preparation" }, { name: "would wait" }],
      planned.waiting, ({ preparationId, reason, message }) => [named.get(preparationId) ?? preparationId, h("span", {}, h("b.token", {}, words(reason)), " ", localized(message))],
      redraw, "None would wait."));
}
