// Changes of a what-if analysis: the fields of their form, which are members of the change, and what the form leaves out.

import { get } from "./api.js";
import { labels } from "./names.js";
import { completed, specFields } from "./submit.js";

/** Number of options from which on the id is typed. */
const MANY = 500;
const HOUR = 3_600_000;
/** Name and id of a synthetic object of a what-if analysis. */
export const MADE_UP = "what-if";

/** The questions: name, change of the API, fields by what there is, and `complete`, which adds what no field fills. */
export const QUESTIONS = [
  { name: "one more training job", change: "ADD_JOB", fields: ({ tenants, nodes }) => [
    choice("tenant", "Tenant", "/tenant", tenants.map((tenant) => tenant.name)), ...specFields(kinds(nodes))], complete: (_values, _data, { spec }) => ({ job: MADE_UP, spec: completed(spec) }) },
  { name: "without a job", change: "REMOVE_JOB", fields: ({ jobs }) => [named("job", "Job", jobs)] },
  { name: "a different priority of a job", change: "SET_PRIORITY", fields: ({ jobs }) => [named("job", "Job", jobs),
    { name: "priority", label: "Priority", type: "number", pointer: "/priority", min: -10, max: 10, step: 1, value: 1 }] },
  { name: "a different weight of a job", change: "SET_WEIGHT", fields: ({ jobs }) => [named("job", "Job", jobs),
    { name: "weight", label: "Weight", type: "number", pointer: "/weight", value: 2 }] },
  { name: "more nodes like an existing one", change: "ADD_NODES", fields: ({ nodes }) => [
    { ...choice("like", "Like", null, ids(nodes)), required: true }, { name: "count", label: "Number", type: "number", min: 1, max: 100, step: 1, value: 1 }],
  complete: ({ like, count }, { nodes }) => ({ nodes: copies(nodes.find((node) => node.id === like), count) }) },
  { name: "a node in a different state", change: "SET_NODE_STATE", fields: ({ nodes }) => [choice("node", "Node", "/node", ids(nodes)),
    choice("state", "State", "/state", ["CORDONED", "DRAINING", "LOST", "ACTIVE"])] },
  { name: "maintenance of a node", change: "SET_MAINTENANCE", fields: ({ nodes }) => [choice("node", "Node", null, ids(nodes)),
    { name: "start", label: "From", type: "datetime-local", pointer: "/start", value: new Date().toISOString(), required: true },
    { name: "hours", label: "Hours", type: "number", value: 2, min: 0.1, required: true }],
  complete: ({ node, start, hours }) => ({ window: MADE_UP, nodes: [node], end: new Date(Date.parse(start) + HOUR * hours).toISOString() }) },
  { name: "without a maintenance window", change: "REMOVE_MAINTENANCE", fields: ({ windows }) => [
    choice("window", "Window", "/window", windows.map((one) => one.name))] },
  { name: "nodes reserved for a job", change: "SET_RESERVATION", fields: (data) => [...slots(data), named("job", "For", data.jobs)], complete: reserved },
  { name: "nodes reserved for a tenant", change: "SET_RESERVATION", fields: (data) => [
    ...slots(data), choice("tenant", "For", "/tenant", data.tenants.map((tenant) => tenant.name))], complete: reserved },
  { name: "without a reservation", change: "REMOVE_RESERVATION", fields: ({ reservations }) => [
    choice("reservation", "Reservation", "/reservation", reservations.map((one) => one.name))] },
  { name: "a different objective", change: "SET_OBJECTIVE", fields: ({ objectives }) => [choice("objective", "Objective", "/objective/kind", objectives)] },
  { name: "one more data preparation", change: "ADD_PREPARATION", fields: ({ preparations }) => [named("like", "Like", preparations, null)],
    complete: async ({ like }) => {
      const { tenant, spec } = await get(`/jobs/${encodeURIComponent(like)}`);
      return { preparation: MADE_UP, tenant, spec };
    } },
  { name: "without a data preparation", change: "REMOVE_JOB", fields: ({ preparations }) => [named("job", "Preparation", preparations)] },
  { name: "a held data preparation released", change: "RELEASE_HOLD", fields: ({ preparations }) => [
    named("job", "Preparation", preparations.filter((one) => one.held))] },
];

function ids(nodes) {
  return nodes.map((node) => node.id);
}

function copies({ id, ...rest }, count) {
  return Array.from({ length: count }, (_, i) => ({ ...rest, id: `${id}-what-if-${i + 1}`, state: "ACTIVE" }));
}

/** Types and pools of nodes. */
function kinds(nodes) {
  const names = (member) => [...new Set(nodes.map((node) => node[member]).filter(Boolean))].sort();
  return { types: names("acceleratorType"), pools: names("pool") };
}

/** Slots by type and pool. */
function slots({ nodes }) {
  const kinds = new Set(nodes.filter((node) => node.acceleratorType).map((node) => `${node.acceleratorType} in ${node.pool}`));
  return [{ name: "count", label: "Slots", type: "number", pointer: "/slots/count", min: 1, step: 1, value: 8 },
    choice("kind", "Of", null, [...kinds].sort())];
}

/** Names of types and pools contain no blanks. */
function reserved({ kind, count }) {
  const [acceleratorType, pool] = kind.split(" in ");
  return { reservation: MADE_UP, slots: { pool, acceleratorType, count } };
}

function choice(name, label, pointer, options) {
  return { name, label, pointer, type: "select", options, required: true };
}

/** Objects with id and name. When there are many, the id is typed, with suggestions. */
export function named(name, label, all, pointer = "/job") {
  return { name, label, pointer, type: all.length < MANY ? "select" : "text", required: true, options: optionsOf(all) };
}

export function optionsOf(all) {
  const labelOf = labels(all);
  return all.map((one) => ({ value: one.id, label: labelOf(one.id) ?? one.id }));
}
