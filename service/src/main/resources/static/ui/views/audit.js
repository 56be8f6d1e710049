// Audit log, the newest entry first.

import { list } from "../api.js";
import { h, jobLink, nodeLink } from "../dom.js";
import { COMMAND_SETTINGS, SETTINGS } from "../facts.js";
import { quoted, time, words } from "../format.js";
import { findNames, nameOf } from "../names.js";
import { table } from "../table.js";

export const title = "Audit";
export const roles = ["VIEWER", "OPERATOR"];

const SHOWN = 1_000;
/** Changed members that are shown without unfolding. */
const MEMBERS = 4;
/** Past tense of the first word of an operation. `put` creates what did not exist. */
const VERBS = {
  submit: "submitted", update: "changed", cancel: "canceled", hold: "held", release: "released", replace: "changed", delete: "deleted", drain: "drained",
  cordon: "cordoned", activate: "activated", mark: "marked as lost", register: "registered", approve: "approved", reject: "rejected", start: "started",
  create: "created", issue: "issued", revoke: "revoked",
};
/** Members that matter first, in this order. */
const FIRST = ["/tenant", "/owner", "/held", "/command/program", "/command/args", "/spec/elasticity/minSlots", "/spec/elasticity/maxSlots",
  "/spec/elasticity/acceleratorTypes", "/spec/work/amount", "/spec/batch/initial", "/spec/priority", "/deadline", "/acceleratorType", "/pool", "/role", "/state"];
/** Members that the other columns state too. */
const REPEATED = ["/name", "/id", "/kind"];
/** Labels of settings by pointer. */
const LABELS = new Map([...SETTINGS, ...COMMAND_SETTINGS].map(([label, pointer]) => [pointer, label.toLowerCase()]));

export async function load({ signal }) {
  return { entries: await list("/audit", { signal, most: SHOWN }) };
}

export function render({ entries }) {
  return [h("h1", {}, title),
    h("p", {}, `At most the last ${SHOWN.toLocaleString("en")} changes; the API returns all retained ones.`),
    table("Changes", [
      { name: "at", value: (entry) => entry.at, cell: (entry) => time(entry.at) },
      { name: "who", value: who },
      { name: "did", value: verb, cell: (entry) => h("span", { title: entry.operation }, verb(entry)) },
      { name: "what", value: (entry) => `${kindOf(entry)} ${objectOf(entry)}`, cell: (entry) => (entry.kind === entry.object ? kindOf(entry) : [`${kindOf(entry)} `, link(entry)]) },
      { name: "change", value: (entry) => JSON.stringify(entry.change), cell: change },
      { name: "from", value: (entry) => entry.address },
    ], entries, { key: "", empty: "No changes yet.", prepare: (shown) => findNames(shown.filter((entry) => entry.kind === "job").map((entry) => entry.object)) })];
}

function who({ principal, credential }) {
  return credential === "LOCAL" ? `${principal} (this machine, without a token)` : credential === "INTERNAL" ? `${principal} (the service itself)` : principal;
}

function verb({ operation, change: members }) {
  const [first] = operation.split(/(?=[A-Z])/);
  const created = Object.values(members).every(([before]) => before === null);
  return first === "put" ? (created ? "created" : "changed") : VERBS[first] ?? words(operation.replaceAll(/(?=[A-Z])/g, " "));
}

function kindOf({ kind, operation }) {
  return operation === "replaceJobProfile" ? "profile of job" : words(kind);
}

/** The name of the object; of a job that is gone, and of other objects with ids only, the name in the change. */
function objectOf({ kind, object, change: members }) {
  const [before, after] = members["/name"] ?? [];
  const known = kind === "job" ? nameOf(object) : object;
  return known === object ? after ?? before ?? object : known;
}

function link(entry) {
  const text = objectOf(entry);
  return entry.kind === "job" ? jobLink(entry.object, text) : entry.kind === "node" ? nodeLink(entry.object) : h("bdi", { title: entry.object }, text);
}

/** Changed members, one line each, those that matter first; the rest of a long list is folded. */
function change(entry) {
  const members = Object.entries(entry.change).map(([pointer, values]) => ({ pointer, values, rank: rankOf(pointer, values) })).sort((a, b) => a.rank - b.rank);
  const lines = members.map(({ pointer, values: [before, after] }) => h("li", {}, h("b", {}, LABELS.get(pointer) ?? pointer.slice(1)), ": ",
    before === null ? null : [h("bdi", {}, quoted(before)), " → "], after === null ? "nothing" : h("bdi", {}, quoted(after))));
  const rest = lines.splice(MEMBERS);
  return [h("ul.members", {}, lines),
    rest.length ? h("details", { id: `entry-${entry.id}` }, h("summary", {}, `${rest.length} more`), h("ul.members", {}, rest)) : null];
}

/** Position of a member: known ones first, and those of a new object that are empty last. */
function rankOf(pointer, [before, after]) {
  const known = FIRST.indexOf(pointer);
  const empty = before === null && (after === false || after === 0 || after === "" || (typeof after === "object" && !Object.keys(after ?? {}).length));
  return empty || REPEATED.includes(pointer) ? FIRST.length + 1 : known < 0 ? FIRST.length : known;
}
