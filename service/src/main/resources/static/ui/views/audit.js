// Audit log, the newest entry first.

import { list } from "../api.js";
import { h } from "../dom.js";
import { quoted, time } from "../format.js";
import { paged } from "../paged.js";

export const title = "Audit";

const SHOWN = 300;
/** Maximum number of changed members shown; the API returns all. */
const MEMBERS = 4;

export async function load({ signal }) {
  return { entries: await list("/audit", { signal, most: SHOWN }) };
}

export function render({ entries }, { redraw }) {
  return [h("h1", {}, "Audit"),
    h("p", {}, `At most the last ${SHOWN} changes; the API returns all retained ones.`),
    paged("Changes", [{ name: "at" }, { name: "who" }, { name: "from" }, { name: "did" }, { name: "to" }, { name: "change" }],
      entries, (entry) => [time(entry.at), entry.principal, entry.address, entry.operation, `${entry.kind} ${entry.object}`, change(entry.change)],
      redraw, "No changes yet.")];
}

/** Changed members, one line each. */
function change(members) {
  const entries = Object.entries(members);
  const lines = entries.slice(0, MEMBERS).map(([pointer, [before, after]]) => h("li", {}, h("b", {}, pointer.slice(1)), ": ",
    before === null ? null : [h("bdi", {}, quoted(before)), " → "], after === null ? "nothing" : h("bdi", {}, quoted(after))));
  return h("ul.members", {}, lines, entries.length > lines.length ? h("li", {}, "…") : null);
}
