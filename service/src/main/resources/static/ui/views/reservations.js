// Reservations: nodes that are kept for a job or a tenant.

import { list, put, remove } from "../api.js";
import { activeJobs } from "../data.js";
import { button, menuButton } from "../dialog.js";
import { h, jobLink } from "../dom.js";
import { duration, number, time } from "../format.js";
import { findNames, nameOf } from "../names.js";
import { may } from "../session.js";
import { slug, table } from "../table.js";
import { nodeText, rangeOf, RECURRENCE_FIELDS, recurrenceText } from "./maintenance.js";

export const title = "Reservations";

export async function load({ signal }) {
  return { reservations: await list("/reservations", { signal }) };
}

export function render({ reservations }, { reload }) {
  return [h("h1", {}, title),
    may("OPERATOR") ? h("p.buttons", {}, button(CREATION, reload)) : null,
    table("Reservations", [
      { name: "reservation", value: (one) => one.name },
      { name: "for", value: (one) => (one.job ? nameOf(one.job) : one.tenant), cell: keptFor },
      { name: "from", value: (one) => rangeOf(one).start, cell: (one) => (one.start ? time(rangeOf(one).start) : "now") },
      { name: "until", value: (one) => rangeOf(one).end, cell: (one) => (one.end ? time(rangeOf(one).end) : "unlimited") },
      { name: "repeats", value: recurrenceText },
      { name: "lead time", value: (one) => one.leadSeconds, cell: (one) => (one.leadSeconds === null ? "none" : duration(one.leadSeconds)), number: true },
      { name: "slots", value: (one) => (one.slots ? `${number(one.slots.count)} × ${one.slots.acceleratorType}` : "") },
      { name: "nodes", value: nodeText },
      { name: "actions", cell: (one) => (may("OPERATOR") ? menuButton(slug(one.name), one.name, [deletion(one)], reload) : null) },
    ], reservations, { key: "", empty: "No reservations. A reservation holds slots for a job or a tenant from a time on.", prepare: (shown) => findNames(shown.map((one) => one.job).filter(Boolean)) })];
}

function keptFor(one) {
  return one.job ? jobLink(one.job, nameOf(one.job)) : one.tenant ? `tenant ${one.tenant}` : "no job";
}

const CREATION = {
  name: "New reservation", title: "Reserve nodes or slots", action: "Reserve",
  text: "Either names of nodes, or a number of slots of one type in a pool; for a job, for a tenant, or without a holder.",
  fields: async () => {
    const [nodes, tenants, jobs] = await Promise.all([list("/nodes"), list("/tenants"), activeJobs()]);
    const distinct = (member) => [...new Set(nodes.map((node) => node[member]).filter(Boolean))].sort();
    return [
      { name: "name", label: "Name", required: true },
      { name: "job", label: "Job", pointer: "/job", options: jobs.map((job) => ({ value: job.id, label: job.name })) },
      { name: "tenant", label: "Tenant", pointer: "/tenant", options: tenants.map((tenant) => tenant.name) },
      { name: "nodes", label: "Nodes", type: "list", pointer: "/nodes", options: nodes.map((node) => node.id) },
      { name: "count", label: "Slots", type: "number", pointer: "/slots/count", min: 1, step: 1 },
      { name: "type", label: "Accelerator type", pointer: "/slots/acceleratorType", options: distinct("acceleratorType") },
      { name: "pool", label: "Pool", pointer: "/slots/pool", options: distinct("pool") },
      { name: "start", label: "From", type: "datetime-local", pointer: "/start", help: "Empty: now." },
      { name: "end", label: "Until", type: "datetime-local", pointer: "/end", help: "Empty: unlimited." },
      ...RECURRENCE_FIELDS,
      { name: "lead", label: "Lead time, in seconds", type: "number", pointer: "/leadSeconds", min: 0, help: "Others may use the nodes until this long before." },
    ];
  },
  run: (body, { name }) => put(`/reservations/${encodeURIComponent(name)}`, body),
};

function deletion({ name }) {
  return { name: "Delete reservation", title: `Delete the reservation ${name}?`, text: "Other jobs may use its nodes.", danger: true,
    run: () => remove(`/reservations/${encodeURIComponent(name)}`) };
}
