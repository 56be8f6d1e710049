// What-if analysis: plans a copy of the live state with one change, and shows the differences. The live state is unchanged.

import { get, list, post } from "../api.js";
import { activeJobs, activePreparations } from "../data.js";
import { h, jobLink, loading, section, tile } from "../dom.js";
import { form } from "../form.js";
import { allocation, duration, gap, gib, localized, number, rounded, time, words } from "../format.js";
import { idleTable } from "../idle.js";
import { MADE_UP, QUESTIONS } from "../questions.js";
import { table } from "../table.js";

export const title = "What-if";
export const roles = ["VIEWER", "SUBMITTER", "OPERATOR"];
/** A redraw must not replace input. */
export const still = true;

const OBJECTIVES = ["COMPLETION_TIME", "REMAINING_TIME", "PROGRESS", "FAIR_GOODPUT", "LEAST_ATTAINED_SERVICE", "PROFIT"];

/** Data of the first question, and `jobs`, a promise of all jobs: thousands of them take long. */
export async function load({ signal }) {
  const jobs = Promise.all([activeJobs(signal), activePreparations(signal)]);
  jobs.catch(() => {}); // is handled where it is awaited
  const [nodes, tenants, reservations, windows, settings] = await Promise.all([
    list("/nodes", { signal }), list("/tenants", { signal }),
    list("/reservations", { signal }), list("/maintenance-windows?state=SCHEDULED&state=DRAINING&state=ACTIVE", { signal }), get("/settings", { signal })]);
  const current = settings.planning.objective.kind;
  return { some: { nodes, tenants, reservations, windows, objectives: [...new Set([...OBJECTIVES, current])] }, jobs };
}

/** Form and answer are drawn once; an answer is removed when its question changes. */
export function render({ some, jobs: reading }) {
  const answer = h("div", { id: "answer" });
  const clear = () => answer.replaceChildren();
  const place = h("div", {});
  const complete = async () => {
    const [jobs, preparations] = await reading;
    return { ...some, jobs, preparations };
  };
  const choose = (question, data) => {
    clear();
    place.replaceChildren(form("question", question.fields(data), {
      action: "Run", at: "/changes/0", input: clear,
      run: async (body, values) => {
        answer.replaceChildren(h("p.empty", { role: "status" }, "Planning …"));
        try {
          const all = await complete();
          const change = { change: question.change, ...body, ...(await question.complete?.(values, all, body)) };
          answer.replaceChildren(...shown(await post("/what-if", { changes: [change] }), question, all));
        } catch (error) {
          clear();
          throw error;
        }
      },
    }));
  };
  choose(QUESTIONS[0], some);
  return [h("h1", {}, title),
    h("p", {}, "Plans a copy of the live state with and without a change. The live state is unchanged."),
    h("p", {}, h("label", { for: "kind" }, "Change "),
      h("select", { id: "kind", change: async (event) => {
        const question = QUESTIONS[event.target.value];
        place.replaceChildren(loading());
        const show = await complete().then((data) => () => choose(question, data),
          (error) => () => place.replaceChildren(h("p.bad", { role: "alert" }, error.message)));
        if (question === QUESTIONS[event.target.value]) {
          show();
        }
      } }, QUESTIONS.map((one, i) => h("option", { value: i }, one.name)))),
    place, answer];
}

function shown(result, question, data) {
  const jobs = new Map(data.jobs.map((job) => [job.id, job]));
  const changes = result.changes.filter((change) => change.change !== "KEEP").map((change) => ({ ...change, ...ends(change, jobs.get(change.jobId)) }));
  const pending = data.jobs.filter((job) => !job.allocation).length;
  const saved = changes.reduce((sum, one) => sum + (one.saved ?? 0), 0);
  const both = changes.filter((one) => one.hoursBefore !== null && one.hoursAfter !== null);
  const hours = (member) => rounded(both.reduce((sum, one) => sum + one[member], 0));
  const held = (member) => number(changes.reduce((sum, one) => sum + (one[member]?.configuration.slots ?? 0), 0));
  return [section("Compared with the plan without the change",
    h("div.tiles", {},
      tile("Changed jobs", number(changes.length)),
      tile("Pending jobs", `${number(pending)} → ${number(result.waiting.length)}`, { detail: "now → with the change" }),
      tile("Time to the ends of changed jobs", saved === 0 ? "unchanged" : `${duration(Math.abs(saved))} ${saved > 0 ? "less" : "more"}`,
        { detail: "sum, if they keep their allocations" }),
      tile("Slots of changed jobs", `${held("before")} → ${held("after")}`, { detail: "now → with the change" }),
      both.length ? tile("Slot-hours to their ends", `${hours("hoursBefore")} → ${hours("hoursAfter")}`, { detail: "of jobs that run in both plans" }) : null,
      question.change === "SET_OBJECTIVE" ? null
        : tile("Objective value", `${number(result.baseline.objectiveValue)} → ${number(result.changed.objectiveValue)}`,
          { detail: `gaps ${gap(result.baseline.gap)} and ${gap(result.changed.gap)}` })),
    changes.length ? null : h("p", { id: "unchanged" }, unchanged(result, jobs)),
    table("Changes", [
      { name: "change", value: (one) => words(one.change), cell: (one) => h("b.token", {}, words(one.change)) },
      { name: "job", value: (one) => nameIn(jobs, one.jobId), cell: (one) => (one.jobId === MADE_UP ? "the new job" : jobLink(one.jobId, nameIn(jobs, one.jobId))) },
      { name: "from → to", value: (one) => `${allocation(one.before)} → ${allocation(one.after)}` },
      { name: "end now", value: (one) => one.endBefore, cell: (one) => (one.endBefore ? time(one.endBefore) : "–") },
      { name: "end with the change", value: (one) => one.endAfter, cell: (one) => (one.endAfter ? time(one.endAfter) : "–") },
      { name: "difference", value: (one) => one.saved, number: true,
        cell: (one) => (one.saved === null ? "–" : `${duration(Math.abs(one.saved))} ${one.saved >= 0 ? "earlier" : "later"}`) },
      { name: "message", value: (one) => localized(one.message) },
    ], changes, { key: "", empty: "No job changes." }),
    table("Pending with the change", [
      { name: "pending job", value: (one) => nameIn(jobs, one.jobId), cell: (one) => (one.jobId === MADE_UP ? "the new job" : jobLink(one.jobId, nameIn(jobs, one.jobId))) },
      { name: "reason", value: (one) => words(one.reason), cell: (one) => h("span", {}, h("b.token", {}, words(one.reason)), " ", localized(one.message)) },
    ], result.waiting, { key: "pending", empty: "No job would wait." }),
    result.idleSlots.length ? idleTable(result.idleSlots, { [MADE_UP]: "the new job" }) : null),
  preparations(result.preparations, data)].filter(Boolean);
}

function nameIn(jobs, id) {
  return id === MADE_UP ? "the new one" : jobs.get(id)?.name ?? id;
}

/** Why no job changes: the reason of the first job that still waits, else those of the idle slots. */
function unchanged({ waiting, idleSlots }, jobs) {
  if (!waiting.length) {
    return idleSlots.length ? "No job changes, and no job waits. The reasons of the idle slots are below." : "No job changes, no job waits, and no slot is idle.";
  }
  const [first] = waiting;
  const more = waiting.length > 1 ? ` ${number(waiting.length - 1)} more wait, as listed below.` : "";
  return `No job changes. ${sentence(nameIn(jobs, first.jobId))} still waits: ${localized(first.message)}${more}`;
}

function sentence(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** When a job ends with its allocation before and after a change, as times, and its slot-hours until then; null for a job without one. */
function ends({ goodputBefore, goodputAfter, restartSeconds, lostSamples, before: allocatedBefore, after: allocatedAfter }, job) {
  const at = (goodput, samples, delay) => (job && goodput > 0 ? Date.now() + 1000 * (delay + samples / goodput) : null);
  const before = at(goodputBefore, job?.remainingSamples, 0);
  const after = at(goodputAfter, job?.remainingSamples + lostSamples, restartSeconds);
  const hours = (end, allocation) => (end && allocation ? (allocation.configuration.slots * (end - Date.now())) / 3_600_000 : null);
  return { endBefore: before, endAfter: after, saved: before && after ? (before - after) / 1000 : null,
    hoursBefore: hours(before, allocatedBefore), hoursAfter: hours(after, allocatedAfter) };
}

/** Of preparations there is no plan where there are none. */
function preparations(planned, data) {
  if (!planned) {
    return null;
  }
  const known = new Map(data.preparations.map((one) => [one.id, one]));
  const name = { name: "preparation", value: (one) => nameIn(known, one.jobId) };
  return section("Data preparations, compared with those without the change",
    h("div.tiles", {},
      tile("Changed data preparations", number(planned.changes.length)),
      tile("Pending data preparations", number(planned.waiting.length))),
    table("Changes of data preparations", [
      { name: "change", value: (one) => words(one.change), cell: (one) => h("b.token", {}, words(one.change)) }, name,
      { name: "message", value: (one) => localized(one.message) },
    ], planned.changes, { empty: "No data preparation changes." }),
    table("Running data preparations", [name,
      { name: "would run on", value: (one) => one.grant.node },
      { name: "local memory", value: (one) => one.grant.localGiB, cell: (one) => gib(one.grant.localGiB), number: true },
      { name: "borrowed", value: (one) => one.grant.loans.reduce((sum, loan) => sum + loan.gib, 0), number: true },
      { name: "slowdown", value: (one) => one.slowDown, cell: (one) => `${number(one.slowDown)} ×`, number: true },
    ], planned.running),
    table("Pending data preparations with the change", [name,
      { name: "reason", value: (one) => `${words(one.reason)} ${localized(one.message)}` },
    ], planned.waiting));
}
