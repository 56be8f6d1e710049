// What tenants may hold, what they hold, and what their jobs have held of late.

import { list } from "../api.js";
import { activeJobs } from "../data.js";
import { h, bar, section, table } from "../dom.js";
import { duration, number, percent } from "../format.js";

export const title = "Tenants";

const WITHIN = 86_400;

export async function load({ signal }) {
  const [tenants, jobs, spans] = await Promise.all([
    list("/tenants", { signal }), activeJobs(signal), list(`/allocations?within=${WITHIN}`, { signal })]);
  return { tenants, jobs, spans };
}

export function render({ tenants, jobs, spans }) {
  const hours = slotHours(spans);
  const all = [...hours.values()].reduce((sum, one) => sum + one, 0);
  return [h("h1", {}, "Tenants"),
    section(`Use of the last ${duration(WITHIN)}`, table("Use by tenant",
      [{ name: "tenant" }, { name: "under" }, { name: "weight", number: true }, { name: "running", number: true }, { name: "waiting", number: true },
        { name: "slots", number: true }, { name: "slot hours", number: true }, { name: "share", number: true }],
      tenants.map((tenant) => {
        const own = jobs.filter((job) => job.tenant === tenant.name);
        const running = own.filter((job) => job.allocation);
        const used = hours.get(tenant.name) ?? 0;
        return [tenant.name, tenant.parent ?? "", number(tenant.weight), number(running.length), number(own.length - running.length),
          number(running.reduce((sum, job) => sum + job.allocation.configuration.slots, 0)), number(used), all ? percent(used / all) : "–"];
      }))),
    section("Quotas", table("Quotas by tenant and type",
      [{ name: "tenant" }, { name: "type" }, { name: "in use" }, { name: "held", number: true }, { name: "nominal", number: true },
        { name: "may borrow", number: true }, { name: "lends", number: true }],
      tenants.flatMap((tenant) => Object.entries(tenant.quotas).map(([type, quota]) => quotaRow(tenant, type, quota, jobs))),
      "No tenant has a quota."))];
}

function quotaRow(tenant, type, quota, jobs) {
  const held = jobs.filter((job) => job.tenant === tenant.name && job.allocation?.configuration.acceleratorType === type)
    .reduce((sum, job) => sum + job.allocation.configuration.slots, 0);
  return [tenant.name, type, bar(held, quota.nominal, `${held} of ${quota.nominal} ${type} in use`), number(held), number(quota.nominal),
    quota.borrowingLimit === null ? "no limit" : number(quota.borrowingLimit),
    quota.lendingLimit === null ? "all" : number(quota.lendingLimit)];
}

/** Slot-hours within the last day, by tenant. */
function slotHours(spans) {
  const now = Date.now() / 1000;
  const hours = new Map();
  for (const span of spans) {
    const start = Math.max(now - WITHIN, Date.parse(span.startedAt) / 1000);
    const end = span.endedAt ? Date.parse(span.endedAt) / 1000 : now;
    hours.set(span.tenant, (hours.get(span.tenant) ?? 0) + Math.max(0, end - start) * span.slots / 3600);
  }
  return hours;
}
