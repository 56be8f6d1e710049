// Tenants: quotas, present use and recent use.

import { param, setParams } from "../address.js";
import { get, list } from "../api.js";
import { runningJobs } from "../data.js";
import { bar, h, section } from "../dom.js";
import { number, percent } from "../format.js";
import { table } from "../table.js";

export const title = "Tenants";

const WITHIN = 86_400;

export async function load({ signal }) {
  const since = new Date(Date.now() - WITHIN * 1000).toISOString();
  const label = param("label");
  const usage = async (by) => (await get(`/usage?since=${since}&by=${by}`, { signal, forbidden: { rows: [] } })).rows;
  const [tenants, running, queue, byTenant, byKey] = await Promise.all([
    list("/tenants", { signal }), runningJobs(signal), list("/queue", { signal }), usage("tenant"),
    usage(label ? `label&label=${encodeURIComponent(label)}` : "owner")]);
  return { tenants, running, queue, byTenant, byKey };
}

export function render({ tenants, running, queue, byTenant, byKey }, { reload }) {
  const hours = sum(byTenant, "slotHours");
  const all = [...hours.values()].reduce((total, one) => total + one, 0);
  const own = (tenant) => running.filter((job) => job.tenant === tenant.name);
  return [h("h1", {}, title),
    section("Use now and in the last day", table("Use by tenant", [
      { name: "tenant", value: (tenant) => tenant.name, cell: (tenant) => h("a", { href: `#/jobs?tenant=${encodeURIComponent(tenant.name)}` }, tenant.name) },
      { name: "parent", value: (tenant) => tenant.parent ?? "" },
      { name: "weight", value: (tenant) => tenant.weight, number: true },
      { name: "running", value: (tenant) => own(tenant).length, number: true },
      { name: "pending", value: (tenant) => queue.filter((entry) => entry.tenant === tenant.name).length, number: true },
      { name: "slots", value: (tenant) => own(tenant).reduce((total, job) => total + job.allocation.configuration.slots, 0), number: true },
      { name: "slot hours", value: (tenant) => hours.get(tenant.name) ?? 0, number: true },
      { name: "share", value: (tenant) => (all ? (hours.get(tenant.name) ?? 0) / all : null),
        cell: (tenant) => (all ? percent((hours.get(tenant.name) ?? 0) / all) : "–"), number: true },
    ], tenants, { key: "" })),
    section("Quotas", table("Quotas by tenant and type", [
      { name: "tenant", value: (row) => row.tenant.name },
      { name: "type", value: (row) => row.type },
      { name: "in use", value: (row) => row.held / row.quota.nominal, cell: inUse },
      { name: "held", value: (row) => row.held, number: true },
      { name: "nominal", value: (row) => row.quota.nominal, number: true },
      { name: "borrowing limit", value: (row) => row.quota.borrowingLimit, number: true,
        cell: (row) => (row.quota.borrowingLimit === null ? "no limit" : number(row.quota.borrowingLimit)) },
      { name: "lends", value: (row) => row.quota.lendingLimit, number: true,
        cell: (row) => (row.quota.lendingLimit === null ? "all" : number(row.quota.lendingLimit)) },
    ], tenants.flatMap((tenant) => Object.entries(tenant.quotas).map(([type, quota]) => ({ tenant, type, quota, held: held(tenant, type, running) }))),
    { empty: "No tenant has a quota." })),
    section("Use of the last day by user or label", h("form.stack", {
      submit: (event) => {
        event.preventDefault();
        setParams({ label: new FormData(event.target).get("label").trim() });
        reload();
      },
    },
    h("label", { for: "label" }, "Label"), h("input", { id: "label", name: "label", value: param("label"), placeholder: "none (by user)" }),
    h("button", { id: "sum", type: "submit" }, "Show")), usageTable(byKey))];
}

/** A bar up to the quota; borrowed slots beyond it are a part of their own. */
function inUse({ type, quota, held: slots }) {
  const words = slots > quota.nominal ? `${slots} of ${quota.nominal} ${type} in use: ${slots - quota.nominal} borrowed` : `${slots} of ${quota.nominal} ${type} in use`;
  return [bar(Math.min(slots, quota.nominal), Math.max(slots, quota.nominal), words), slots > quota.nominal ? `${slots - quota.nominal} borrowed` : null];
}

function held(tenant, type, running) {
  return running.filter((job) => job.tenant === tenant.name && job.allocation.configuration.acceleratorType === type)
    .reduce((total, job) => total + job.allocation.configuration.slots, 0);
}

function usageTable(rows) {
  const [hours, cost, jobs] = ["slotHours", "cost", "jobs"].map((member) => sum(rows, member));
  return table("Use by user or label", [
    { name: param("label") || "user", value: ([key]) => key ?? "without the label" },
    { name: "slot hours", value: ([, used]) => used, number: true },
    { name: "cost", value: ([key]) => cost.get(key), number: true },
    { name: "jobs", value: ([key]) => jobs.get(key), number: true },
  ], [...hours].sort((a, b) => b[1] - a[1]), { key: "use", empty: "No use." });
}

/** A member of rows, added up by key over accelerator types. */
function sum(rows, member) {
  const totals = new Map();
  for (const row of rows) {
    totals.set(row.key, (totals.get(row.key) ?? 0) + row[member]);
  }
  return totals;
}
