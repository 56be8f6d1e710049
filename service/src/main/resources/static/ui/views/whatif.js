// Plans a copy of the live state with something changed, and shows what would be different. Changes nothing.

import { get, list, post } from "../api.js";
import { activeJobs } from "../data.js";
import { h, jobLink, section, table, tile } from "../dom.js";
import { allocation, gap, number, words } from "../format.js";

export const title = "What if";

const KINDS = [
  { name: "another objective", fields: (data) => [select("objective", "Objective", data.objectives)],
    change: (form) => ({ change: "SET_OBJECTIVE", objective: { kind: form.get("objective") } }) },
  { name: "a node in another state", fields: (data) => [
    select("node", "Node", data.nodes.map((node) => node.id)), select("state", "State", ["ACTIVE", "CORDONED", "DRAINING", "LOST"])],
    change: (form) => ({ change: "SET_NODE_STATE", node: form.get("node"), state: form.get("state") }) },
  { name: "more nodes like one", fields: (data) => [
    select("node", "Like", data.nodes.map((node) => node.id)), field("count", "How many", { type: "number", min: 1, max: 100, value: 1 })],
    change: (form, data) => ({ change: "ADD_NODES", nodes: copies(data.nodes.find((node) => node.id === form.get("node")), Number(form.get("count"))) }) },
  { name: "another weight of a job", fields: (data) => [
    jobSelect(data.jobs), field("weight", "Weight", { type: "number", min: 0.001, step: "any", value: 2 })],
    change: (form) => ({ change: "SET_WEIGHT", job: form.get("job"), weight: Number(form.get("weight")) }) },
  { name: "another priority of a job", fields: (data) => [
    jobSelect(data.jobs), field("priority", "Priority", { type: "number", step: 1, value: 1 })],
    change: (form) => ({ change: "SET_PRIORITY", job: form.get("job"), priority: Number(form.get("priority")) }) },
  { name: "without a job", fields: (data) => [jobSelect(data.jobs)],
    change: (form) => ({ change: "REMOVE_JOB", job: form.get("job") }) },
];
const MANY = 500;
const OBJECTIVES = ["COMPLETION_TIME", "REMAINING_TIME", "PROGRESS", "FAIR_GOODPUT", "LEAST_ATTAINED_SERVICE"];
const state = { kind: 0, answer: null, refusal: null, busy: false };

/** What is typed must not be drawn over by what is new. */
export const still = true;

export async function load({ signal }) {
  const [nodes, jobs, settings] = await Promise.all([list("/nodes", { signal }), activeJobs(signal), get("/settings", { signal })]);
  const current = settings.planning.objective.kind;
  return { nodes, jobs, objectives: [...new Set([...OBJECTIVES, current])] };
}

export function render(data, { redraw }) {
  const kind = KINDS[state.kind];
  const names = new Map(data.jobs.map((job) => [job.id, job.name]));
  return [h("h1", {}, "What if"),
    h("p", {}, "Plans a copy of the live state as it would be, beside one as it is. Nothing is changed by it."),
    h("form.stack", { submit: (event) => ask(event, kind, data, redraw) },
      h("label", {}, "What would be: ",
        h("select", {
          id: "kind",
          change: (event) => {
            state.kind = Number(event.target.value);
            redraw();
          },
        }, KINDS.map((one, i) => h("option", { value: i, selected: i === state.kind }, one.name)))),
      kind.fields(data),
      h("button", { type: "submit", disabled: state.busy }, state.busy ? "Planning …" : "Plan it")),
    state.refusal ? h("p.bad", { role: "alert" }, state.refusal) : null,
    state.answer ? answer(state.answer, names) : null];
}

async function ask(event, kind, data, redraw) {
  event.preventDefault();
  const form = new FormData(event.target);
  Object.assign(state, { busy: true, refusal: null });
  redraw();
  try {
    state.answer = await post("/what-if", { changes: [kind.change(form, data)] });
  } catch (error) {
    state.refusal = error.message;
    state.answer = null;
  }
  state.busy = false;
  redraw();
}

function answer(result, names) {
  const changes = result.changes.filter((change) => change.change !== "KEEP");
  return section("Beside the plan as it would be without the change",
    h("div.tiles", {},
      tile("Worth now", number(result.baseline.worth), `gap ${gap(result.baseline.gap)}`),
      tile("Worth then", number(result.changed.worth), `gap ${gap(result.changed.gap)}`),
      tile("Jobs that change", number(changes.length)),
      tile("Jobs that wait", number(result.waiting.length))),
    table("What would change", [{ name: "change" }, { name: "job" }, { name: "from → to" }, { name: "in words" }],
      changes.map((change) => [h("b.token", {}, words(change.change)), jobLink(change.jobId, names.get(change.jobId)),
        `${allocation(change.before)} → ${allocation(change.after)}`, change.sentence]), "No job would change."));
}

function copies(node, count) {
  const { id, ...rest } = node;
  return Array.from({ length: count }, (_, i) => ({ ...rest, id: `${id}-what-if-${i + 1}`, state: "ACTIVE" }));
}

function field(name, label, attributes) {
  return h("label", {}, `${label}: `, h("input", { name, required: true, ...attributes }));
}

function select(name, label, values) {
  return h("label", {}, `${label}: `, h("select", { name, required: true }, values.map((value) => h("option", { value }, value))));
}

/** Of many jobs the id is typed, with what is there to choose from. */
function jobSelect(jobs) {
  if (jobs.length > MANY) {
    return h("label", {}, "Job: ", h("input", { name: "job", required: true, list: "jobs", placeholder: "id, or a part of its name" }),
      h("datalist", { id: "jobs" }, jobs.map((job) => h("option", { value: job.id }, job.name ?? job.id))));
  }
  return h("label", {}, "Job: ", h("select", { name: "job", required: true }, jobs.map((job) => h("option", { value: job.id }, job.name ?? job.id))));
}
