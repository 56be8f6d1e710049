// State of the connectors to other platforms, and their control levels for operators.

import { get, list, patch } from "../api.js";
import { button } from "../dialog.js";
import { h, section, tile } from "../dom.js";
import { ago, count, number, time, words } from "../format.js";
import { may } from "../session.js";
import { table } from "../table.js";

export const title = "Connectors";
export const roles = ["VIEWER", "OPERATOR"];
export const used = "/connectors?limit=1";

const LEVELS = {
  OBSERVE: "read",
  PRIORITIZE: "order pending jobs by the plan",
  ADMIT: "decide which jobs start, where, and which stop",
  RESIZE: "change size and placement of running jobs",
};
export async function load({ signal }) {
  const names = await list("/connectors", { signal });
  return { connectors: await Promise.all(names.map((one) => get(`/connectors/${encodeURIComponent(one.name)}`, { signal, partly: true }))) };
}

export function render({ connectors }, { reload }) {
  return [h("h1", {}, title),
    connectors.length ? null
      : h("p.empty", {}, "No connector is configured. Nodes and jobs are created by the API, and executors carry out plans."),
    connectors.map((one) => section(`${one.name} (${words(one.kind)})`, ...connector(one, reload)))];
}

function connector(one, reload) {
  return [
    h("div.tiles", {}, tiles(one)),
    one.circuitOpenReason ? h("p.bad", {}, `The circuit breaker has reset the control level: ${one.circuitOpenReason}`) : null,
    one.lastSyncError ? h("p.bad", {}, `The last synchronization failed: ${one.lastSyncError}`) : null,
    may("OPERATOR") ? h("p.buttons", {}, button(control(one), reload)) : null,
    h("h3", {}, "Actions in progress"),
    table(`Actions of ${one.name} in progress`, COLUMNS, (one.actions?.open ?? [])),
    h("h3", {}, "Actions that failed or were rejected last"),
    table(`Actions of ${one.name} that failed`, COLUMNS, (one.actions?.failed ?? [])),
    aside(`Manually overridden jobs on ${one.name}`, ["job", "observed state"], Object.entries(one.syncReport?.manuallyOverridden ?? {})),
    aside(`Rejected jobs of ${one.name}`, ["job", "reason"], (one.rejected ?? []).map((job) => [job.job, job.reason])),
    aside(`Slots of ${one.name} used by unmanaged jobs`, ["node", "slots"],
      Object.entries(one.syncReport?.unmanagedUsage ?? {}).map(([node, slots]) => [node, number(slots)])),
    aside(`Import errors of ${one.name}`, ["note"], (one.syncReport?.notes ?? []).map((note) => [note]))];
}

const COLUMNS = [
  { name: "job", value: (one) => one.job },
  { name: "action", value: (one) => `${words(one.kind)}, ${words(one.state)}` },
  { name: "where", value: (one) => Object.entries(one.placement).map(([place, slots]) => `${place}: ${slots}`).join(", ") || "nowhere" },
  { name: "step", value: (one) => (one.step ? words(one.step) : "–") },
  { name: "failures", value: (one) => one.failures, number: true },
  { name: "plan", value: (one) => one.revision, number: true },
  { name: "detail", value: (one) => one.detail },
];

function tiles(one) {
  const seen = one.syncReport;
  const open = one.circuitOpenReason ? "bad" : "";
  return [
    tile("Control level", words(one.controlLevel), { detail: LEVELS[one.controlLevel], tone: open }),
    tile("Last synchronization", one.lastSyncAt ? `${ago(one.lastSyncAt)} ago` : "never", { detail: time(one.lastSyncAt), tone: one.lastSyncError ? "bad" : "" }),
    tile("Platform and plan", seen ? (seen.inSync ? "agree" : count(seen.pendingChanges, "change")) : "–",
      { detail: seen && !seen.inSync ? `${number(seen.blocked)} of them blocked` : null }),
    tile("Circuit breaker", words(one.circuitBreaker), { detail: `${count(one.failures, "consecutive failure")}; the third opens it`, tone: open }),
    tile("Observed", seen ? count(seen.nodes, "node") : "–", { detail: seen ? count(seen.jobs, "active job") : null })];
}

function control(one) {
  return {
    name: "Set control level", title: `What may Spur do on ${one.name}?`, action: one.circuitOpenReason ? "Set, and close the circuit breaker" : "Set",
    fields: [{ name: "level", label: "Control level", type: "select", pointer: "/controlLevel", value: one.controlLevel,
      options: Object.entries(LEVELS).map(([level, what]) => ({ value: level, label: `${words(level)}: ${what}` })) }],
    run: (body) => patch(`/connectors/${encodeURIComponent(one.name)}`, body),
  };
}

function aside(caption, columns, rows) {
  return rows.length ? [h("h3", {}, caption), table(caption, columns.map((name, i) => ({ name, value: (row) => row[i] })), rows)] : null;
}
