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
  const inOrder = [...windows].sort((a, b) => ORDER.indexOf(a.phase) - ORDER.indexOf(b.phase) || a.start.localeCompare(b.start));
  return [h("h1", {}, title),
    may("OPERATOR") ? h("p.buttons", {}, button(creation(nodes), reload)) : null,
    h("div.tiles", {}, ORDER.slice(0, 3).map((phase) =>
      tile(words(phase), number(windows.filter((one) => one.phase === phase).length), { detail: PHASES[phase] }))),
    table("Maintenance windows", [
      { name: "window", value: (one) => one.name },
      { name: "phase", value: (one) => words(one.phase), cell: (one) => h("b.token", { title: PHASES[one.phase] }, words(one.phase)) },
      { name: "from", value: (one) => one.start, cell: (one) => time(one.start) },
      { name: "until", value: (one) => one.end, cell: (one) => time(one.end) },
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

/** The nodes of a window or reservation as text. */
export function nodeText(one) {
  if (one.pool) {
    return `all of pool ${one.pool}`;
  }
  const shown = one.nodes.slice(0, 6).join(", ");
  return one.nodes.length > 6 ? `${shown} and ${count(one.nodes.length - 6, "more node")}` : shown;
}
