// Tenants: quotas, present use and recent use.

import { get, list } from "../api.js";
import { runningJobs } from "../data.js";
import { h, bar, section } from "../dom.js";
import { number, percent } from "../format.js";
import { paged } from "../paged.js";

export const title = "Tenants";

const WITHIN = 86_400;
/** The label by which use is summed up; by user if it is empty. */
const state = { label: "" };

export async function load({ signal }) {
  const since = new Date(Date.now() - WITHIN * 1000).toISOString();
  const usage = async (by) => (await get(`/usage?since=${since}&by=${by}`, { signal, forbidden: { rows: [] } })).rows;
  const [tenants, running, queue, byTenant, byKey] = await Promise.all([
    list("/tenants", { signal }), runningJobs(signal), list("/queue", { signal }), usage("tenant"),
    usage(state.label ? `label&label=${encodeURIComponent(state.label)}` : "owner")]);
  return { tenants, running, queue, byTenant, byKey };
}

export function render({ tenants, running, queue, byTenant, byKey }, { redraw, reload }) {
  const hours = sum(byTenant, "slotHours");
  const all = [...hours.values()].reduce((total, one) => total + one, 0);
  return [h("h1", {}, "Tenants"),
    section("Use now and in the last day", paged("Use by tenant",
      [{ name: "tenant" }, { name: "under" }, { name: "weight", number: true }, { name: "running", number: true }, { name: "waiting", number: true },
        { name: "slots", number: true }, { name: "slot hours", number: true }, { name: "share", number: true }],
      tenants, (tenant) => {
        const own = running.filter((job) => job.tenant === tenant.name);
        const used = hours.get(tenant.name) ?? 0;
        return [tenant.name, tenant.parent ?? "", number(tenant.weight), number(own.length),
          number(queue.filter((entry) => entry.tenant === tenant.name).length),
          number(own.reduce((total, job) => total + job.allocation.configuration.slots, 0)), number(used), all ? percent(used / all) : "–"];
      }, redraw)),
    section("Quotas", paged("Quotas by tenant and type",
      [{ name: "tenant" }, { name: "type" }, { name: "in use" }, { name: "held", number: true }, { name: "nominal", number: true },
        { name: "borrowing limit", number: true }, { name: "lends", number: true }],
      tenants.flatMap((tenant) => Object.entries(tenant.quotas).map((quota) => [tenant, ...quota])),
      ([tenant, type, quota]) => quotaRow(tenant, type, quota, running), redraw, "No tenant has a quota.")),
    section("Use of the last day by user or label", by(reload), usageTable(byKey, redraw))];
}

function by(reload) {
  return h("form.stack", {
    submit: (event) => {
      event.preventDefault();
      state.label = new FormData(event.target).get("label").trim();
      reload();
    },
  },
  h("label", { for: "label" }, "Label"), h("input", { id: "label", name: "label", value: state.label, placeholder: "none (by user)" }),
  h("button", { id: "sum", type: "submit" }, "Show"));
}

function usageTable(rows, redraw) {
  const hours = sum(rows, "slotHours");
  const cost = sum(rows, "cost");
  const jobs = sum(rows, "jobs");
  return paged("Use by user or label",
    [{ name: state.label || "user" }, { name: "slot hours", number: true }, { name: "cost", number: true }, { name: "jobs", number: true }],
    [...hours].sort((a, b) => b[1] - a[1]),
    ([key, used]) => [key ?? "without the label", number(used), number(cost.get(key)), number(jobs.get(key))], redraw, "No use.");
}

/** A member of rows, added up by key over accelerator types. */
function sum(rows, member) {
  const totals = new Map();
  for (const row of rows) {
    totals.set(row.key, (totals.get(row.key) ?? 0) + row[member]);
  }
  return totals;
}

function quotaRow(tenant, type, quota, running) {
  const held = running.filter((job) => job.tenant === tenant.name && job.allocation.configuration.acceleratorType === type)
    .reduce((sum, job) => sum + job.allocation.configuration.slots, 0);
  return [tenant.name, type, bar(held, quota.nominal, `${held} of ${quota.nominal} ${type} in use`), number(held), number(quota.nominal),
    quota.borrowingLimit === null ? "no limit" : number(quota.borrowingLimit),
    quota.lendingLimit === null ? "all" : number(quota.lendingLimit)];
}
