// Changes of the allocations of all jobs over time; with an id, the changes of one plan.

import { param, setParams } from "../address.js";
import { get, list } from "../api.js";
import { difference } from "../difference.js";
import { h, jobLink, loading, section, tile } from "../dom.js";
import { allocation, count, duration, gap, localized, number, time, words } from "../format.js";
import { learnNames, labelOf } from "../names.js";
import { table } from "../table.js";
import { TERMS } from "../terms.js";

export const title = "Changes";

const RANGES = { 900: "The last 15 min", 3600: "The last hour", 21600: "The last 6 h", 86400: "The last day", 604800: "The last 7 days" };
const USUAL = "3600";
/** Changes that are read at most. */
const MOST = 5_000;

const state = { read: null };

export async function load({ signal, id, later }) {
  if (id) {
    const path = `/plans/${encodeURIComponent(id)}`;
    const [plan, diff] = await Promise.all([get(path, { signal, absent: true }), get(`${path}/diff`, { signal, absent: true })]);
    return { plan, diff };
  }
  const within = Object.hasOwn(RANGES, param("seconds")) ? param("seconds") : USUAL;
  const key = `${within} ${param("job") ?? ""}`;
  const since = new Date(Date.now() - Number(within) * 1000).toISOString();
  const read = list(`/changes?since=${since}${param("job") ? `&job=${encodeURIComponent(param("job"))}` : ""}`, { signal, most: MOST })
    .then((changes) => ({ key, changes }));
  await later(state, { read });
  return { within, key };
}

export function render({ plan, diff, within, key }, { reload }) {
  if (!within) {
    return onePlan(plan, diff);
  }
  const changes = state.read?.key === key ? state.read.changes : null;
  learnNames((changes ?? []).map((change) => ({ id: change.jobId, name: change.jobName })));
  return [h("h1", {}, title),
    h("p.toolbar", {}, rangeSelect(within, reload), jobSelect(changes ?? [], reload)),
    changes === null ? loading() : [totals(changes), changes.length === MOST ? h("p", {}, `The newest ${number(MOST)} changes.`) : null,
      section("Changes", table("Changes of allocations", COLUMNS, changes, { key: "", empty: "Nothing changed in this time." }))]].flat();
}

function rangeSelect(within, reload) {
  return h("select", { id: "within", "aria-label": "Time range", change: (event) => {
    setParams({ seconds: event.target.value === USUAL ? null : event.target.value });
    reload();
  } }, Object.entries(RANGES).map(([value, name]) => h("option", { value, selected: value === within }, name)));
}

function jobSelect(changes, reload) {
  const chosen = param("job");
  const ids = [...new Set([...changes.map((change) => change.jobId), ...(chosen ? [chosen] : [])])].sort((a, b) => labelOf(a).localeCompare(labelOf(b)));
  return h("select", { id: "job", "aria-label": "Job", change: (event) => {
    setParams({ job: event.target.value || null });
    reload();
  } }, h("option", { value: "" }, "All jobs"), ids.map((id) => h("option", { value: id, selected: id === chosen }, labelOf(id))));
}

function totals(changes) {
  const restarts = changes.filter((change) => change.restart);
  const known = restarts.filter((change) => change.stallSeconds !== null);
  const slotMinutes = known.reduce((sum, change) => sum + change.stallSeconds * change.after.configuration.slots / 60, 0);
  return h("div.tiles", {},
    tile("Changes", number(changes.length), { detail: `of ${count(new Set(changes.map((change) => change.jobId)).size, "job")}` }),
    tile("Plans", number(new Set(changes.map((change) => change.planRevision).filter((revision) => revision !== null)).size), { detail: "with a change" }),
    tile("Restarts", number(restarts.length), { detail: `${number(restarts.length - known.length)} without a known stall` }),
    tile("Stalled slot-minutes", number(slotMinutes), { detail: "slots times stall of each restart", help: TERMS.stall }));
}

const COLUMNS = [
  { name: "time", value: (one) => one.at, cell: (one) => time(one.at), whole: true },
  { name: "change", value: (one) => words(one.change), cell: (one) => h("b.token", {}, words(one.change)) },
  { name: "job", value: (one) => labelOf(one.jobId), cell: (one) => jobLink(one.jobId, labelOf(one.jobId)) },
  { name: "from", value: (one) => allocation(one.before) },
  { name: "to", value: (one) => allocation(one.after) },
  { name: "why", value: why },
  { name: "stall", value: (one) => one.stallSeconds, help: TERMS.stall, number: true,
    cell: (one) => (one.stallSeconds === null ? one.restart ? "not known yet" : "–" : duration(one.stallSeconds)) },
  { name: "plan", value: (one) => one.planRevision, number: true, cell: (one) => (one.planRevision === null ? "–" : h("a", { href: `#/changes/${one.planRevision}` }, `no. ${one.planRevision}`)) },
];

/** The newest changes, for the overview. */
export function latest(changes) {
  learnNames(changes.map((change) => ({ id: change.jobId, name: change.jobName })));
  return table("Latest changes", COLUMNS.filter(({ name }) => SHORT.includes(name)), changes, { key: "latest" });
}

const SHORT = ["time", "change", "job", "from", "to", "why"];

/** The trigger of the round and the reason of the plan. */
function why({ trigger, message, change }) {
  const cause = change === "END" ? "The job has ended." : change === "REQUEUE" ? "The job lost its slots outside of a plan; its events name the cause." : null;
  return [trigger && `Trigger: ${trigger.replace(/^change: /, "")}.`, localized(message) ?? cause].filter(Boolean).join(" ");
}

function onePlan(plan, diff) {
  return [h("h1", {}, plan ? `Plan no. ${plan.revision}` : "Plan"),
    h("p", {}, h("a", { href: "#/changes" }, "All changes")),
    plan ? h("div.tiles", {},
      tile("Published", time(plan.publishedAt), { detail: `by round ${plan.round}`, href: "#/rounds" }),
      tile("Running", number(plan.running.length), { detail: "jobs" }),
      tile("Waiting", number(plan.waiting.length), { detail: "jobs that the round considered" }),
      tile("Optimality gap", gap(plan.quality.gap), { detail: words(plan.quality.status), help: TERMS["optimality gap"] })) : h("p.empty", {}, "There is no such plan any more."),
    diff ? section(`From plan ${diff.base} to ${diff.revision}`, difference("Changes between the two plans", diff.changes, { key: "" }))
      : plan ? h("p.empty", {}, "This plan is the oldest retained one.") : null];
}
