// Maintenance windows, and the form that creates them.

import { list, put, remove } from "../api.js";
import { button, menuButton } from "../dialog.js";
import { h, tile } from "../dom.js";
import { count, duration, number, time, words } from "../format.js";
import { may } from "../session.js";
import { slug, table } from "../table.js";

export const title = "Maintenance";

const ORDER = ["ACTIVE", "DRAINING", "SCHEDULED", "ENDED"];
const PHASES = {
  SCHEDULED: "accepts only jobs that leave in time", DRAINING: "jobs are leaving", ACTIVE: "nodes unavailable", ENDED: "ended",
};
const HOUR = 3_600_000;

export async function load({ signal }) {
  const [windows, nodes] = await Promise.all([
    list("/maintenance-windows?state=SCHEDULED&state=DRAINING&state=ACTIVE", { signal }), list("/nodes", { signal })]);
  return { windows, nodes };
}

export function render({ windows, nodes }, { reload }) {
  const inOrder = [...windows].sort((a, b) => ORDER.indexOf(a.phase) - ORDER.indexOf(b.phase) || rangeOf(a).start.localeCompare(rangeOf(b).start));
  return [h("h1", {}, title),
    may("OPERATOR") ? h("p.buttons", {}, button(creation(nodes), reload)) : null,
    h("div.tiles", {}, ORDER.slice(0, 3).map((phase) =>
      tile(words(phase), number(windows.filter((one) => one.phase === phase).length), { detail: PHASES[phase] }))),
    table("Maintenance windows", [
      { name: "window", value: (one) => one.name },
      { name: "phase", value: (one) => words(one.phase), cell: (one) => h("b.token", { title: PHASES[one.phase] }, words(one.phase)) },
      { name: "from", value: (one) => rangeOf(one).start, cell: (one) => time(rangeOf(one).start) },
      { name: "until", value: (one) => rangeOf(one).end, cell: (one) => time(rangeOf(one).end) },
      { name: "repeats", value: recurrenceText },
      { name: "drains before", value: (one) => one.leadSeconds, cell: (one) => duration(one.leadSeconds), number: true },
      { name: "nodes", value: nodeText },
      { name: "reason", value: (one) => one.reason },
      { name: "actions", cell: (one) => (may("OPERATOR") ? menuButton(slug(one.name), one.name, [deletion(one)], reload) : null) },
    ], inOrder, { key: "", empty: "No maintenance windows. A window drains its nodes before it begins." })];
}

function creation(nodes) {
  const from = new Date(Math.ceil(Date.now() / HOUR) * HOUR);
  return {
    name: "New window", title: "Schedule maintenance", action: "Schedule",
    text: "Jobs leave the nodes before the window begins, and the scheduler starts only jobs that end in time.",
    fields: [
      { name: "name", label: "Name", required: true },
      { name: "nodes", label: "Nodes", type: "list", pointer: "/nodes", options: nodes.map((node) => node.id), help: "Names, separated by blanks; or a pool." },
      { name: "pool", label: "Pool", pointer: "/pool", options: [...new Set(nodes.map((node) => node.pool))] },
      { name: "start", label: "From", type: "datetime-local", pointer: "/start", required: true, value: from.toISOString() },
      { name: "end", label: "Until", type: "datetime-local", pointer: "/end", required: true, value: new Date(from.getTime() + 2 * HOUR).toISOString() },
      ...RECURRENCE_FIELDS,
      { name: "lead", label: "Drains before, in seconds", type: "number", pointer: "/leadSeconds", value: 300, min: 0 },
      { name: "reason", label: "Reason", pointer: "/reason" },
    ],
    run: (body, { name }) => put(`/maintenance-windows/${encodeURIComponent(name)}`, body),
  };
}

function deletion({ name }) {
  return { name: "Delete window", title: `Delete the window ${name}?`, text: "Its nodes accept jobs again.", danger: true,
    run: () => remove(`/maintenance-windows/${encodeURIComponent(name)}`) };
}

/** Fields of a form for the rule by which a window or reservation repeats. */
export const RECURRENCE_FIELDS = [
  { name: "rule", label: "Repeats by the rule", pointer: "/recurrence/rule", help: "Rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO,TU. Empty: once." },
  { name: "zone", label: "Time zone of the rule", pointer: "/recurrence/timeZone", help: "Such as Europe/Berlin. Empty: UTC." },
];

/** The active or next occurrence of a window or reservation; its only or first time otherwise. */
export function rangeOf(one) {
  return one.occurrence ?? one;
}

/** The rule by which a window or reservation repeats, as text. */
export function recurrenceText(one) {
  return one.recurrence ? `${one.recurrence.rule} (${one.recurrence.timeZone})` : "";
}

/** The nodes of a window or reservation as text. */
export function nodeText(one) {
  if (one.pool) {
    return `all of pool ${one.pool}`;
  }
  const shown = one.nodes.slice(0, 6).join(", ");
  return one.nodes.length > 6 ? `${shown} and ${count(one.nodes.length - 6, "more node")}` : shown;
}
