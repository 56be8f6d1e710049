// State of the connectors to other platforms, and their control levels for operators.

import { get, list, patch } from "../api.js";
import { caller } from "../data.js";
import { h, section, table, tile } from "../dom.js";
import { ago, number, time, words } from "../format.js";

export const title = "Connectors";
export const roles = ["VIEWER", "OPERATOR"];

const LEVELS = {
  OBSERVE: "read",
  PRIORITIZE: "order pending jobs by the plan",
  ADMIT: "decide which jobs start, where, and which stop",
  RESIZE: "change size and placement of running jobs",
};
/** By connector, the selected control level that is not yet set, and the last rejection. */
const state = { chosen: new Map(), rejected: new Map() };

export async function load({ signal }) {
  const [me, names] = await Promise.all([caller(signal), list("/connectors", { signal })]);
  const connectors = await Promise.all(names.map((one) => get(`/connectors/${encodeURIComponent(one.name)}`, { signal, partly: true })));
  return { operator: me.roles.includes("OPERATOR"), connectors };
}

export function render({ operator, connectors }, { redraw, reload }) {
  return [h("h1", {}, "Connectors"),
    connectors.length ? null
      : h("p.empty", {}, "No connector is configured. Nodes and jobs are created by the API, and executors carry out plans."),
    connectors.map((one) => section(`${one.name} (${words(one.kind)})`, ...connector(one, operator, redraw, reload)))];
}

function connector(one, operator, redraw, reload) {
  return [
    h("div.tiles", {}, tiles(one)),
    one.circuitOpenReason ? h("p.bad", {}, `The circuit breaker has reset the control level: ${one.circuitOpenReason}`) : null,
    one.lastSyncError ? h("p.bad", {}, `The last synchronization failed: ${one.lastSyncError}`) : null,
    operator ? chooser(one, redraw, reload) : null,
    h("h3", {}, "Actions in progress"),
    table(`Actions of ${one.name} in progress`, COLUMNS, (one.actions?.open ?? []).map(action), "None."),
    h("h3", {}, "Actions that failed or were rejected last"),
    table(`Actions of ${one.name} that failed`, COLUMNS, (one.actions?.failed ?? []).map(action), "None."),
    aside(`Manually overridden jobs on ${one.name}`, ["job", "observed state"], Object.entries(one.syncReport?.manuallyOverridden ?? {})),
    aside(`Rejected jobs of ${one.name}`, ["job", "reason"], (one.rejected ?? []).map((job) => [job.job, job.reason])),
    aside(`Slots of ${one.name} used by unmanaged jobs`, ["node", "slots"],
      Object.entries(one.syncReport?.unmanagedUsage ?? {}).map(([node, slots]) => [node, number(slots)])),
    aside(`Import errors of ${one.name}`, ["note"], (one.syncReport?.notes ?? []).map((note) => [note]))];
}

const COLUMNS = [{ name: "job" }, { name: "action" }, { name: "where" }, { name: "step" }, { name: "failures", number: true }, { name: "plan", number: true },
  { name: "detail" }];

function action(one) {
  const where = Object.entries(one.placement).map(([place, slots]) => `${place}: ${slots}`).join(", ");
  return [one.job, `${words(one.kind)}, ${words(one.state)}`, where || "nowhere", one.step ? words(one.step) : "–", number(one.failures),
    number(one.revision), one.detail];
}

function tiles(one) {
  const seen = one.syncReport;
  return [
    tile("Control level", words(one.controlLevel), LEVELS[one.controlLevel], one.circuitOpenReason ? "bad" : null),
    tile("Last synchronization", one.lastSyncAt ? `${ago(one.lastSyncAt)} ago` : "never", time(one.lastSyncAt), one.lastSyncError ? "bad" : null),
    tile("Platform and plan", seen ? (seen.inSync ? "agree" : `${number(seen.pendingChanges)} changes`) : "–",
      seen && !seen.inSync ? `${number(seen.blocked)} of them blocked` : null),
    tile("Circuit breaker", words(one.circuitBreaker), `${number(one.failures)} consecutive failures; the third opens it`, one.circuitOpenReason ? "bad" : null),
    tile("Observed", seen ? `${number(seen.nodes)} nodes` : "–", seen ? `${number(seen.jobs)} active jobs` : null)];
}

function chooser(one, redraw, reload) {
  const id = `level-${one.name}`;
  const chosen = state.chosen.get(one.name) ?? one.controlLevel;
  return h("form.stack", {
    submit: async (event) => {
      event.preventDefault();
      state.rejected.delete(one.name);
      try {
        await patch(`/connectors/${encodeURIComponent(one.name)}`, { controlLevel: new FormData(event.target).get("controlLevel") });
        state.chosen.delete(one.name);
      } catch (error) {
        state.rejected.set(one.name, error.message);
      }
      reload();
    },
  },
  h("label", { for: id }, "Permissions"),
  h("select", { id, name: "controlLevel", change: (event) => {
    state.chosen.set(one.name, event.target.value);
    redraw();
  } }, Object.entries(LEVELS).map(([level, what]) => h("option", { value: level, selected: level === chosen }, `${words(level)}: ${what}`))),
  h("button", { id: `set-${one.name}`, type: "submit" }, one.circuitOpenReason ? "Set control level and close the circuit breaker" : "Set control level"),
  state.rejected.has(one.name) ? h("p.bad", { role: "alert" }, state.rejected.get(one.name)) : null);
}

function aside(caption, columns, rows) {
  return rows.length ? [h("h3", {}, caption), table(caption, columns.map((name) => ({ name })), rows)] : null;
}
