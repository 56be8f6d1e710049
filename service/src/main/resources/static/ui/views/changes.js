// Changes by the last plans, with gain and cost of each change.

import { get, list } from "../api.js";
import { changed, difference } from "../difference.js";
import { h, section } from "../dom.js";
import { gap, number, time } from "../format.js";
import { firstPage, onPage, paged } from "../paged.js";

export const title = "Changes";

const CHANGES = "Changes between the two plans";
const state = { revision: null };

export async function load({ signal }) {
  const plans = await list("/plans", { signal, most: 50 });
  const revision = plans.some((plan) => plan.revision === state.revision) ? state.revision : plans[0]?.revision;
  const diff = revision ? await get(`/plans/${revision}/diff`, { signal, absent: true }) : null;
  return { plans, revision, diff, jobs: diff ? await shownJobs(diff, signal) : [] };
}

/** The jobs on the visible page of changes, for their names. */
function shownJobs(diff, signal) {
  const ids = onPage(CHANGES, changed(diff.changes)).map((change) => `id=${encodeURIComponent(change.jobId)}`);
  return ids.length ? list(`/jobs?${ids.join("&")}`, { signal }) : [];
}

export function render({ plans, revision, diff, jobs }, { redraw, reload }) {
  if (!plans.length) {
    return [h("h1", {}, "Changes"), h("p.empty", {}, "There is no plan yet.")];
  }
  const names = new Map(jobs.map((job) => [job.id, job.name]));
  return [h("h1", {}, "Changes"),
    h("p", {}, h("label", { for: "revision" }, "Plan "),
      h("select", {
        id: "revision",
        change: (event) => {
          state.revision = Number(event.target.value) === plans[0].revision ? null : Number(event.target.value);
          firstPage(CHANGES);
          reload();
        },
      }, plans.map((plan) => h("option", { value: plan.revision, selected: plan.revision === revision },
        `no. ${plan.revision}, ${time(plan.publishedAt)}`)))),
    diff ? section(`From plan ${diff.base} to ${diff.revision}`, difference(CHANGES, diff.changes, names, reload)) : h("p.empty", {}, "This plan is the oldest retained one."),
    section("Plans", paged("Plans",
      [{ name: "plan", number: true }, { name: "published" }, { name: "running", number: true }, { name: "waiting", number: true }, { name: "gap", number: true }],
      plans, (plan) => [number(plan.revision), time(plan.publishedAt), number(plan.running), number(plan.waiting), gap(plan.quality.gap)], redraw))];
}
