// When which nodes are worked on, and how far they are.

import { list } from "../api.js";
import { h, tile } from "../dom.js";
import { duration, number, time, words } from "../format.js";
import { paged } from "../paged.js";

export const title = "Maintenance";

const ORDER = ["ACTIVE", "DRAINING", "COMING", "ENDED"];
const PHASES = {
  COMING: "takes only jobs that will have left in time", DRAINING: "jobs leave", ACTIVE: "nothing is there", ENDED: "the nodes are back",
};

export async function load({ signal }) {
  return { windows: await list("/maintenance-windows", { signal }) };
}

export function render({ windows }, { redraw }) {
  const inOrder = [...windows].sort((a, b) => ORDER.indexOf(a.phase) - ORDER.indexOf(b.phase) || a.start.localeCompare(b.start));
  return [h("h1", {}, "Maintenance"),
    h("div.tiles", {}, ORDER.slice(0, 3).map((phase) =>
      tile(words(phase), number(windows.filter((one) => one.phase === phase).length), PHASES[phase]))),
    paged("Maintenance windows",
      [{ name: "window" }, { name: "phase" }, { name: "from" }, { name: "until" }, { name: "drains before", number: true }, { name: "nodes" }, { name: "why" }],
      inOrder, (one) => [one.name, h("b.token", { title: PHASES[one.phase] }, words(one.phase)), time(one.start), time(one.end), duration(one.leadSeconds),
        nodes(one), one.reason ?? ""], redraw, "No node is to be worked on.")];
}

function nodes(one) {
  if (one.pool) {
    return `all of pool ${one.pool}`;
  }
  const shown = one.nodes.slice(0, 6).join(", ");
  return one.nodes.length > 6 ? `${shown} and ${number(one.nodes.length - 6)} more` : shown;
}
