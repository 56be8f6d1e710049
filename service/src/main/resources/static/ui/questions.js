// Changes of a what-if analysis: the fields of their form, and the change of the API that they produce.

import { get } from "./api.js";
import { h } from "./dom.js";

/** Maximum number of options in a list; above it the name is typed. */
const MANY = 500;
/** Name and id of a synthetic object of a what-if analysis. */
export const MADE_UP = "what-if";

/**
 * The questions. `fields` are those of the form by what there is and what was typed before, `change` is the change by what was typed.
 */
export const QUESTIONS = [
  { name: "a different objective", fields: ({ objectives }, typed) => [select(typed, "objective", "Objective", objectives)],
    change: (form) => ({ change: "SET_OBJECTIVE", objective: { kind: form.get("objective") } }) },
  { name: "a node in a different state", fields: ({ nodes }, typed) => [
    select(typed, "node", "Node", ids(nodes)), select(typed, "state", "State", ["ACTIVE", "CORDONED", "DRAINING", "LOST"])],
    change: (form) => ({ change: "SET_NODE_STATE", node: form.get("node"), state: form.get("state") }) },
  { name: "more nodes like an existing one", fields: ({ nodes }, typed) => [
    select(typed, "node", "Like", ids(nodes)), field(typed, "count", "Number", { type: "number", min: 1, max: 100, value: 1 })],
    change: (form, { nodes }) => ({ change: "ADD_NODES", nodes: copies(nodes.find((node) => node.id === form.get("node")), Number(form.get("count"))) }) },
  { name: "a different weight of a job", fields: ({ jobs }, typed) => [
    named(typed, "job", "Job", jobs), field(typed, "weight", "Weight", { type: "number", min: 0.001, step: "any", value: 2 })],
    change: (form) => ({ change: "SET_WEIGHT", job: form.get("job"), weight: Number(form.get("weight")) }) },
  { name: "a different priority of a job", fields: ({ jobs }, typed) => [
    named(typed, "job", "Job", jobs), field(typed, "priority", "Priority", { type: "number", step: 1, value: 1 })],
    change: (form) => ({ change: "SET_PRIORITY", job: form.get("job"), priority: Number(form.get("priority")) }) },
  { name: "without a job", fields: ({ jobs }, typed) => [named(typed, "job", "Job", jobs)],
    change: (form) => ({ change: "REMOVE_JOB", job: form.get("job") }) },
  { name: "one more data preparation", fields: ({ preparations }, typed) => [named(typed, "preparation", "Like", preparations)],
    change: async (form) => {
      const { tenant, spec } = await get(`/jobs/${encodeURIComponent(form.get("preparation"))}`);
      return { change: "ADD_PREPARATION", preparation: MADE_UP, tenant, spec };
    } },
  { name: "without a data preparation", fields: ({ preparations }, typed) => [named(typed, "preparation", "Preparation", preparations)],
    change: (form) => ({ change: "REMOVE_JOB", job: form.get("preparation") }) },
  { name: "a held data preparation released", fields: ({ preparations }, typed) => [
    named(typed, "preparation", "Preparation", preparations.filter((one) => one.held))],
    change: (form) => ({ change: "RELEASE_HOLD", job: form.get("preparation") }) },
  { name: "nodes reserved for a job", fields: (data, typed) => [...slots(data, typed), named(typed, "job", "For", data.jobs)],
    change: (form) => ({ change: "SET_RESERVATION", reservation: MADE_UP, job: form.get("job"), slots: wanted(form) }) },
  { name: "nodes reserved for a tenant", fields: (data, typed) => [
    ...slots(data, typed), select(typed, "tenant", "For", data.tenants.map((tenant) => tenant.name))],
    change: (form) => ({ change: "SET_RESERVATION", reservation: MADE_UP, tenant: form.get("tenant"), slots: wanted(form) }) },
  { name: "without a reservation", fields: ({ reservations }, typed) => [
    select(typed, "reservation", "Reservation", reservations.map((one) => one.name))],
    change: (form) => ({ change: "REMOVE_RESERVATION", reservation: form.get("reservation") }) },
  { name: "without a maintenance window", fields: ({ windows }, typed) => [
    select(typed, "window", "Window", windows.map((one) => one.name))],
    change: (form) => ({ change: "REMOVE_MAINTENANCE", window: form.get("window") }) },
  { name: "maintenance of a node", fields: ({ nodes }, typed) => [
    select(typed, "node", "Node", ids(nodes)), field(typed, "from", "From", { type: "datetime-local", value: localTime(Date.now()) }),
    field(typed, "hours", "Hours", { type: "number", min: 0.1, step: "any", value: 2 })],
    change: (form) => {
      const start = new Date(form.get("from"));
      const end = new Date(start.getTime() + 3_600_000 * Number(form.get("hours")));
      return { change: "SET_MAINTENANCE", window: MADE_UP, nodes: [form.get("node")], start: start.toISOString(), end: end.toISOString() };
    } },
];

function ids(nodes) {
  return nodes.map((node) => node.id);
}

function copies(node, count) {
  const { id, ...rest } = node;
  return Array.from({ length: count }, (_, i) => ({ ...rest, id: `${id}-what-if-${i + 1}`, state: "ACTIVE" }));
}

/** Slots by type and pool. */
function slots({ nodes }, typed) {
  const kinds = new Set(nodes.filter((node) => node.acceleratorType).map((node) => `${node.acceleratorType} in ${node.pool}`));
  return [field(typed, "count", "Slots", { type: "number", min: 1, step: 1, value: 8 }), select(typed, "kind", "Of", [...kinds].sort())];
}

/** Names of types and pools contain no blanks. */
function wanted(form) {
  const [acceleratorType, pool] = form.get("kind").split(" in ");
  return { pool, acceleratorType, count: Number(form.get("count")) };
}

/** A time as a field takes it: where the browser is, to the minute. */
function localTime(millis) {
  return new Date(millis - new Date(millis).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function field(typed, name, label, attributes) {
  return h("label", {}, `${label}: `, h("input", { name, required: true, ...attributes, value: typed.get(name) ?? attributes.value }));
}

function select(typed, name, label, values) {
  return h("label", {}, `${label}: `, h("select", { name, required: true },
    values.map((value) => h("option", { value, selected: value === typed.get(name) }, value))));
}

/** Objects with id and name. When there are many, the id is typed, with suggestions. */
function named(typed, name, label, all) {
  if (all.length > MANY) {
    return h("label", {}, `${label}: `,
      h("input", { name, required: true, list: `${name}-ids`, placeholder: "id, or a part of its name", value: typed.get(name) }),
      h("datalist", { id: `${name}-ids` }, all.map((one) => h("option", { value: one.id }, one.name ?? one.id))));
  }
  return h("label", {}, `${label}: `, h("select", { name, required: true },
    all.map((one) => h("option", { value: one.id, selected: one.id === typed.get(name) }, one.name ?? one.id))));
}
