// Tenants and job groups: quotas, limits, present use and recent use.

import { param, setParams } from "../address.js";
import { get, list, put, remove, replace } from "../api.js";
import { runningJobs } from "../data.js";
import { button, menuButton } from "../dialog.js";
import { bar, h, loading, section } from "../dom.js";
import { duration, hundredths, number, percent } from "../format.js";
import { may } from "../session.js";
import { table } from "../table.js";

export const title = "Tenants";

const WITHIN = 86_400;

/** Jobs and usage, null until they are read: of thousands of jobs, that takes longer than all else. */
const state = { running: null, queue: null, byTenant: null, byKey: null };

export async function load({ signal, later }) {
  const since = new Date(Date.now() - WITHIN * 1000).toISOString();
  const label = param("label");
  const usage = async (by) => (await get(`/usage?since=${since}&by=${by}`, { signal, forbidden: { rows: [] } })).rows;
  const [tenants, groups] = await Promise.all([list("/tenants", { signal }), list("/groups", { signal }), later(state, {
    running: runningJobs(signal), queue: list("/queue", { signal }), byTenant: usage("tenant"), byKey: usage(label ? `label&label=${encodeURIComponent(label)}` : "owner") })]);
  return { tenants, groups };
}

export function render({ tenants, groups }, { reload }) {
  const { running, queue, byTenant, byKey } = state;
  const hours = sum(byTenant ?? [], "slotHours");
  const all = [...hours.values()].reduce((total, one) => total + one, 0);
  const hoursOf = ({ name }) => (byTenant ? hours.get(name) ?? 0 : null);
  const [runningBy, pendingBy] = [running, queue].map((jobs) => jobs && Map.groupBy(jobs, (job) => job.tenant));
  const own = ({ name }) => runningBy && (runningBy.get(name) ?? []);
  const actions = (id, label, all) => (may("OPERATOR") ? menuButton(id, label, all, reload) : null);
  const quotas = tenants.flatMap((tenant) => Object.entries(tenant.quotas).map(([type, quota]) => ({ tenant, type, quota, held: held(own(tenant) ?? [], type) })));
  const scale = Math.max(...quotas.flatMap((row) => [row.held, row.quota.nominal]));
  return [h("h1", {}, title),
    may("OPERATOR") ? h("p.buttons", {}, [tenantForm(), quotaForm(), groupForm()].map((one) => button(one, reload))) : null,
    section("Use now and in the last day", table("Use by tenant", [
      { name: "tenant", value: (tenant) => tenant.name, cell: (tenant) => h("a", { href: `#/jobs?tenant=${encodeURIComponent(tenant.name)}` }, tenant.name) },
      { name: "parent", value: (tenant) => tenant.parent ?? "" },
      { name: "weight", value: (tenant) => tenant.weight, number: true },
      { name: "maximum run time", value: (tenant) => tenant.maxRunSeconds ?? null, cell: (tenant) => (tenant.maxRunSeconds ? duration(tenant.maxRunSeconds) : "none"), number: true },
      { name: "running", value: (tenant) => own(tenant)?.length, number: true },
      { name: "pending", value: ({ name }) => pendingBy && (pendingBy.get(name)?.length ?? 0), number: true },
      { name: "slots", value: (tenant) => hundredths(own(tenant)?.reduce((total, job) => total + job.allocation.configuration.slots * (job.deviceShare ?? 1), 0)), number: true },
      { name: "slot-hours held", value: hoursOf, number: true },
      { name: "share", value: (tenant) => (all ? hoursOf(tenant) / all : null),
        cell: (tenant) => percent(all ? hoursOf(tenant) / all : null), number: true },
      { name: "actions", cell: (tenant) => actions(`tenant-${tenant.name}`, tenant.name, [tenantForm(tenant), deletion("tenant", pathOf(tenant.name), tenant.name)]) },
    ], tenants, { key: "" })),
    section("Quotas", table("Quotas by tenant and type", [
      { name: "tenant", value: (row) => row.tenant.name },
      { name: "type", value: (row) => row.type },
      { name: "in use", value: (row) => row.held, cell: (row) => inUse(row, scale) },
      { name: "held", value: (row) => row.held, number: true },
      { name: "nominal", value: (row) => row.quota.nominal, number: true },
      { name: "borrowing limit", value: (row) => row.quota.borrowingLimit, number: true,
        cell: (row) => (row.quota.borrowingLimit === null ? "no limit" : number(row.quota.borrowingLimit)) },
      { name: "lends", value: (row) => row.quota.lendingLimit, number: true,
        cell: (row) => (row.quota.lendingLimit === null ? "all" : number(row.quota.lendingLimit)) },
      { name: "actions", cell: (row) => actions(`quota-${row.tenant.name}-${row.type}`, `${row.tenant.name}, ${row.type}`, [quotaForm(row), quotaDeletion(row)]) },
    ], quotas,
    { empty: "No tenant has a quota." })),
    section("Job groups", table("Job groups", [
      { name: "group", value: (group) => group.name },
      { name: "tenant", value: (group) => group.tenant },
      ...[["slots, at most", "maxSlots"], ["running jobs, at most", "maxJobs"]].map(([name, member]) => ({ name, value: (group) => group[member], number: true,
        cell: (group) => (group[member] === null ? "no limit" : number(group[member])) })),
      { name: "actions", cell: (group) => actions(`group-${group.name}`, group.name, [groupForm(group), deletion("group", pathOf(group.name, "groups"), group.name)]) },
    ], groups, { empty: "No job groups." })),
    section("Use of the last day by user or label", h("form.stack", {
      submit: (event) => {
        event.preventDefault();
        setParams({ label: new FormData(event.target).get("label").trim() });
        reload();
      },
    },
    h("label", { for: "label" }, "Label"), h("input", { id: "label", name: "label", value: param("label"), placeholder: "none (by user)" }),
    h("button", { id: "sum", type: "submit" }, "Show")), byKey ? usageTable(byKey) : loading())];
}

function pathOf(name, kind = "tenants") {
  return `/${kind}/${encodeURIComponent(name)}`;
}

/** Creates a tenant, or changes one, whose quotas remain. */
function tenantForm(tenant = null) {
  return {
    name: tenant ? "Edit" : "New tenant", title: tenant ? `Edit the tenant ${tenant.name}` : "Create a tenant", action: tenant ? "Save" : "Create tenant",
    text: "The next round uses the values.",
    fields: async () => {
      const [others, now] = await Promise.all([list("/tenants"), tenant && get(pathOf(tenant.name))]);
      return [
        tenant ? null : { name: "name", label: "Name", required: true },
        { name: "parent", label: "Parent", type: "select", pointer: "/parent", value: now ? now.parent ?? "" : "root",
          options: [{ value: "", label: "none" }, ...others.map((one) => one.name).filter((name) => name !== tenant?.name)] },
        { name: "weight", label: "Weight", type: "number", pointer: "/weight", value: now?.weight ?? 1, help: "A factor on the weight of each job of the tenant and those below it." },
        { name: "maxRunSeconds", label: "Maximum run time", type: "number", pointer: "/maxRunSeconds", value: now?.maxRunSeconds ?? null, scale: 3600,
          help: "Hours; the default and maximum of jobs submitted from now on. Empty: none." },
      ].filter(Boolean);
    },
    run: (body, { name }) => (tenant ? changed(tenant.name, ({ quotas }) => ({ quotas, ...body })) : put(pathOf(name), body)),
  };
}

/** Replaces a tenant by what `change` returns for its present version: the tag of an older one has changed with past usage. */
async function changed(name, change) {
  const path = pathOf(name);
  return replace(path, change(await get(path)));
}

/** Sets a new quota, or changes one. */
function quotaForm(row = null) {
  const limits = (quota) => [
    { name: "nominal", label: "Nominal", type: "number", pointer: "/nominal", value: quota?.nominal, required: true, min: 0, step: 1, help: "Slots." },
    { name: "borrowing", label: "Borrowing limit", type: "number", pointer: "/borrowingLimit", value: quota?.borrowingLimit, min: 0, step: 1,
      help: "Slots beyond the nominal quota. Empty: no limit." },
    { name: "lending", label: "Lending limit", type: "number", pointer: "/lendingLimit", value: quota?.lendingLimit, min: 0, step: 1,
      help: "Slots of the nominal quota that other tenants may borrow. Empty: all." },
  ];
  return {
    name: row ? "Edit" : "New quota", title: row ? `Edit the quota of ${row.tenant.name} for ${row.type}` : "Set a quota", action: row ? "Save" : "Set quota",
    text: "The next round uses the values.",
    fields: async () => {
      if (row) {
        return limits((await get(pathOf(row.tenant.name))).quotas[row.type]);
      }
      const [tenants, types] = await Promise.all([list("/tenants"), list("/accelerator-types")]);
      return [{ name: "tenant", label: "Tenant", type: "select", required: true, options: tenants.map((one) => one.name) },
        { name: "type", label: "Accelerator type", type: "select", required: true, options: types.map((one) => one.name) }, ...limits()];
    },
    at: ({ type }) => `/quotas/${row?.type ?? type}`,
    run: (quota, { tenant, type }) => changed(row?.tenant.name ?? tenant,
      ({ parent, weight, maxRunSeconds, quotas }) => ({ parent, weight, maxRunSeconds, quotas: { ...quotas, [row?.type ?? type]: quota } })),
  };
}

function quotaDeletion({ tenant, type }) {
  return { name: "Delete quota", title: `Delete the quota of ${tenant.name} for ${type}?`, text: "The tenant is then not limited for this type.", danger: true,
    run: () => changed(tenant.name, ({ parent, weight, maxRunSeconds, quotas: { [type]: deleted, ...quotas } }) => ({ parent, weight, maxRunSeconds, quotas })) };
}

/** Creates a group of jobs with common limits, or changes one. */
function groupForm(group = null) {
  return {
    name: group ? "Edit" : "New group", title: group ? `Edit the group ${group.name}` : "Create a job group", action: group ? "Save" : "Create group",
    text: "Jobs of a group share its limits, for example the trials of a hyperparameter search.",
    fields: async () => {
      const [tenants, now] = await Promise.all([list("/tenants"), group && get(pathOf(group.name, "groups"))]);
      return [
        group ? null : { name: "name", label: "Name", required: true },
        { name: "tenant", label: "Tenant", type: "select", pointer: "/tenant", value: now?.tenant ?? "root", options: tenants.map((one) => one.name) },
        { name: "slots", label: "Slots, at most", type: "number", pointer: "/maxSlots", value: now?.maxSlots, min: 0, step: 1, help: "Over all types. Empty: no limit." },
        { name: "jobs", label: "Running jobs, at most", type: "number", pointer: "/maxJobs", value: now?.maxJobs, min: 0, step: 1, help: "Empty: no limit." },
      ].filter(Boolean);
    },
    run: (body, { name }) => (group ? replace : put)(pathOf(group?.name ?? name, "groups"), body),
  };
}

function deletion(kind, path, name) {
  return { name: `Delete ${kind}`, title: `Delete the ${kind} ${name}?`, text: `The service rejects it while a job or another resource refers to the ${kind}.`, danger: true,
    run: () => remove(path) };
}

/** A bar of the slots in use; all bars have one scale, so that a tenant that borrows has a longer one. The mark is the nominal quota. */
function inUse({ type, quota, held: slots }, scale) {
  const borrowed = hundredths(Math.max(0, slots - quota.nominal));
  const words = `${slots} of ${quota.nominal} slots of ${type} in use${borrowed ? `: ${borrowed} borrowed` : ""}`;
  return [bar(slots, scale, words, quota.nominal), borrowed ? `${borrowed} borrowed` : null];
}

function held(jobs, type) {
  return hundredths(jobs.filter((job) => job.allocation.configuration.acceleratorType === type)
    .reduce((total, job) => total + job.allocation.configuration.slots * (job.deviceShare ?? 1), 0));
}


function usageTable(rows) {
  const [hours, cost, jobs] = ["slotHours", "cost", "jobs"].map((member) => sum(rows, member));
  return table("Use by user or label", [
    { name: param("label") || "user", value: ([key]) => key ?? "without the label" },
    { name: "slot-hours held", value: ([, used]) => used, number: true },
    { name: "cost", value: ([key]) => cost.get(key), number: true, help: "By the prices of the nodes; no unit is configured." },
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
