// Maintenance windows and reservations.

import { list } from "../api.js";
import { h, jobLink, tile } from "../dom.js";
import { duration, number, time, words } from "../format.js";
import { paged } from "../paged.js";

export const title = "Maintenance";

const ORDER = ["ACTIVE", "DRAINING", "SCHEDULED", "ENDED"];
const PHASES = {
  SCHEDULED: "accepts only jobs that leave in time", DRAINING: "jobs are leaving", ACTIVE: "nodes unavailable", ENDED: "ended",
};

export async function load({ signal }) {
  const [windows, reservations] = await Promise.all([list("/maintenance-windows?state=SCHEDULED&state=DRAINING&state=ACTIVE", { signal }), list("/reservations", { signal })]);
  return { windows, reservations };
}

export function render({ windows, reservations }, { redraw }) {
  const inOrder = [...windows].sort((a, b) => ORDER.indexOf(a.phase) - ORDER.indexOf(b.phase) || a.start.localeCompare(b.start));
  return [h("h1", {}, "Maintenance"),
    h("div.tiles", {}, ORDER.slice(0, 3).map((phase) =>
      tile(words(phase), number(windows.filter((one) => one.phase === phase).length), PHASES[phase]))),
    paged("Maintenance windows",
      [{ name: "window" }, { name: "phase" }, { name: "from" }, { name: "until" }, { name: "drains before", number: true }, { name: "nodes" }, { name: "why" }],
      inOrder, (one) => [one.name, h("b.token", { title: PHASES[one.phase] }, words(one.phase)), time(one.start), time(one.end), duration(one.leadSeconds),
        nodes(one), one.reason ?? ""], redraw, "No maintenance windows."),
    paged("Reservations",
      [{ name: "reservation" }, { name: "for" }, { name: "from" }, { name: "until" }, { name: "lead time", number: true }, { name: "slots" }, { name: "nodes" }],
      reservations, (one) => [one.name, keptFor(one), one.start ? time(one.start) : "ever", one.end ? time(one.end) : "unlimited",
        one.leadSeconds === null ? "no" : duration(one.leadSeconds), one.slots ? `${number(one.slots.count)} × ${one.slots.acceleratorType}` : "", nodes(one)],
      redraw, "No reservations.")];
}

function keptFor(one) {
  if (one.job) {
    return jobLink(one.job, `job ${one.job}`);
  }
  return one.tenant ? `tenant ${one.tenant}` : "no job";
}

function nodes(one) {
  if (one.pool) {
    return `all of pool ${one.pool}`;
  }
  const shown = one.nodes.slice(0, 6).join(", ");
  return one.nodes.length > 6 ? `${shown} and ${number(one.nodes.length - 6)} more` : shown;
}
