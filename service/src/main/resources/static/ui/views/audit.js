// Audit log, the newest entry first.

import { list } from "../api.js";
import { h } from "../dom.js";
import { quoted, time } from "../format.js";
import { table } from "../table.js";

export const title = "Audit";
export const roles = ["VIEWER", "OPERATOR"];

const SHOWN = 1_000;
/** Changed members that are shown without unfolding. */
const MEMBERS = 4;

export async function load({ signal }) {
  return { entries: await list("/audit", { signal, most: SHOWN }) };
}

export function render({ entries }) {
  return [h("h1", {}, title),
    h("p", {}, `At most the last ${SHOWN.toLocaleString("en")} changes; the API returns all retained ones.`),
    table("Changes", [
      { name: "at", value: (entry) => entry.at, cell: (entry) => time(entry.at) },
      { name: "who", value: (entry) => entry.principal },
      { name: "from", value: (entry) => entry.address },
      { name: "did", value: (entry) => entry.operation },
      { name: "to", value: (entry) => `${entry.kind} ${entry.object}` },
      { name: "change", value: (entry) => JSON.stringify(entry.change), cell: change },
    ], entries, { key: "", empty: "No changes yet." })];
}

/** Changed members, one line each; the rest of a long list is folded. */
function change(entry) {
  const lines = Object.entries(entry.change).map(([pointer, [before, after]]) => h("li", {}, h("b", {}, pointer.slice(1)), ": ",
    before === null ? null : [h("bdi", {}, quoted(before)), " → "], after === null ? "nothing" : h("bdi", {}, quoted(after))));
  const rest = lines.splice(MEMBERS);
  return [h("ul.members", {}, lines),
    rest.length ? h("details", { id: `entry-${entry.id}` }, h("summary", {}, `${rest.length} more`), h("ul.members", {}, rest)) : null];
}
