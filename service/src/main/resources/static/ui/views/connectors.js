// How the connectors to other platforms fare, and, for operators, what they may do.

import { get, list, patch } from "../api.js";
import { caller } from "../data.js";
import { h, section, table, tile } from "../dom.js";
import { ago, number, time, words } from "../format.js";

export const title = "Connectors";
export const roles = ["viewer", "operator"];

const MODES = {
  OBSERVE: "read",
  ORDER: "put waiting jobs into the order of the plan",
  GATE: "decide who starts, where, and who stops",
  ELASTIC: "change the size and the place of running jobs",
};
/** What is chosen and not yet set, and what was refused, by connector. */
const state = { chosen: new Map(), refused: new Map() };

export async function load({ signal }) {
  const [me, names] = await Promise.all([caller(signal), list("/connectors", { signal })]);
  const connectors = await Promise.all(names.map((one) => get(`/connectors/${encodeURIComponent(one.name)}`, { signal, partly: true })));
  return { operator: me.roles.includes("operator"), connectors };
}

export function render({ operator, connectors }, { redraw, reload }) {
  return [h("h1", {}, "Connectors"),
    connectors.length ? null
      : h("p.empty", {}, "Spur is connected to no platform: nodes and jobs come by the API, and executors carry plans out."),
    connectors.map((one) => section(`${one.name} (${words(one.kind)})`, ...connector(one, operator, redraw, reload)))];
}

function connector(one, operator, redraw, reload) {
  return [
    h("div.tiles", {}, tiles(one)),
    one.tripped ? h("p.bad", {}, `The breaker has set the mode back: ${one.tripped}`) : null,
    one.trouble ? h("p.bad", {}, `The last look came to nothing: ${one.trouble}`) : null,
    operator ? chooser(one, redraw, reload) : null,
    h("h3", {}, "Actions under way"),
    table(`Actions of ${one.name} under way`, COLUMNS, (one.actions?.open ?? []).map(action), "None."),
    h("h3", {}, "Actions that failed or were refused last"),
    table(`Actions of ${one.name} that failed`, COLUMNS, (one.actions?.failed ?? []).map(action), "None."),
    aside(`Jobs that persons have taken over on ${one.name}`, ["job", "what was seen"], Object.entries(one.findings?.takenOver ?? {})),
    aside(`Jobs of ${one.name} that could not be taken in`, ["job", "why"], (one.leftOut ?? []).map((left) => [left.job, left.reason])),
    aside(`Slots of ${one.name} that jobs hold which Spur does not run`, ["node", "slots"],
      Object.entries(one.findings?.fixedLoad ?? {}).map(([node, slots]) => [node, number(slots)])),
    aside(`What could not be entered from ${one.name}`, ["note"], (one.findings?.notes ?? []).map((note) => [note]))];
}

const COLUMNS = [{ name: "job" }, { name: "action" }, { name: "where" }, { name: "step" }, { name: "failures", number: true }, { name: "plan", number: true },
  { name: "detail" }];

function action(one) {
  const where = Object.entries(one.placement).map(([place, slots]) => `${place}: ${slots}`).join(", ");
  return [one.job, `${words(one.kind)}, ${words(one.state)}`, where || "nowhere", one.step ? words(one.step) : "–", number(one.failures),
    number(one.revision), one.detail];
}

function tiles(one) {
  const seen = one.findings;
  return [
    tile("Mode", words(one.mode), MODES[one.mode], one.tripped ? "bad" : null),
    tile("Last look", one.lookedAt ? `${ago(one.lookedAt)} ago` : "never", time(one.lookedAt), one.trouble ? "bad" : null),
    tile("Platform and plan", seen ? (seen.agrees ? "agree" : `${number(seen.wanted)} changes`) : "–",
      seen && !seen.agrees ? `${number(seen.blocked)} of them wait` : null),
    tile("Breaker", one.tripped ? "open" : "closed", `${number(one.failures)} failures in a row; the third opens it`, one.tripped ? "bad" : null),
    tile("Seen there", seen ? `${number(seen.nodes)} nodes` : "–", seen ? `${number(seen.jobs)} jobs that have not ended` : null)];
}

function chooser(one, redraw, reload) {
  const id = `mode-${one.name}`;
  const chosen = state.chosen.get(one.name) ?? one.mode;
  return h("form.stack", {
    submit: async (event) => {
      event.preventDefault();
      state.refused.delete(one.name);
      try {
        await patch(`/connectors/${encodeURIComponent(one.name)}`, { mode: new FormData(event.target).get("mode") });
        state.chosen.delete(one.name);
      } catch (error) {
        state.refused.set(one.name, error.message);
      }
      reload();
    },
  },
  h("label", { for: id }, "It may"),
  h("select", { id, name: "mode", change: (event) => {
    state.chosen.set(one.name, event.target.value);
    redraw();
  } }, Object.entries(MODES).map(([mode, what]) => h("option", { value: mode, selected: mode === chosen }, `${words(mode)}: ${what}`))),
  h("button", { id: `set-${one.name}`, type: "submit" }, one.tripped ? "Set mode and close the breaker" : "Set mode"),
  state.refused.has(one.name) ? h("p.bad", { role: "alert" }, state.refused.get(one.name)) : null);
}

function aside(caption, columns, rows) {
  return rows.length ? [h("h3", {}, caption), table(caption, columns.map((name) => ({ name })), rows)] : null;
}
