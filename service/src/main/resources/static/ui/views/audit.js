// Who changed what, the newest first.

import { list } from "../api.js";
import { h } from "../dom.js";
import { time } from "../format.js";
import { paged } from "../paged.js";

export const title = "Audit";

const SHOWN = 300;

export async function load({ signal }) {
  return { entries: await list("/audit", { signal, most: SHOWN }) };
}

export function render({ entries }, { redraw }) {
  return [h("h1", {}, "Audit"),
    h("p", {}, `The last ${SHOWN} changes at most; the API has all that are kept.`),
    paged("Changes that were made", [{ name: "at" }, { name: "who" }, { name: "from" }, { name: "did" }, { name: "to" }, { name: "change" }],
      entries, (entry) => [time(entry.at), entry.principal, entry.address, entry.operation, `${entry.kind} ${entry.object}`, change(entry.change)],
      redraw, "Nobody has changed anything yet.")];
}

function change(members) {
  const short = (value) => (value === null ? "nothing" : typeof value === "string" ? value : JSON.stringify(value));
  const told = Object.entries(members).slice(0, 4).map(([pointer, [before, after]]) =>
    `${pointer.slice(1)}: ${before === null ? "" : `${short(before)} → `}${short(after)}`);
  return told.join(", ") + (Object.keys(members).length > told.length ? ", …" : "");
}
