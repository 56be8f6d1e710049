// Changes by the last plans, with gain and cost of each change.

import { param, setParams } from "../address.js";
import { get, list } from "../api.js";
import { difference } from "../difference.js";
import { h, loading, section } from "../dom.js";
import { gap, time } from "../format.js";
import { table } from "../table.js";

export const title = "Changes";

/** Changes of a plan, once they are read. */
const state = { read: null };

export async function load({ signal, later }) {
  const plans = await list("/plans", { signal, most: 50 });
  const asked = Number(param("plan"));
  const revision = plans.some((plan) => plan.revision === asked) ? asked : plans[0]?.revision;
  if (revision && state.read?.revision !== revision) {
    await later(state, { read: get(`/plans/${revision}/diff`, { signal, absent: true }).then((diff) => ({ revision, diff })) });
  }
  return { plans, revision };
}

export function render({ plans, revision }, { reload }) {
  const { diff } = state.read?.revision === revision ? state.read : {};
  if (!plans.length) {
    return [h("h1", {}, title), h("p.empty", {}, "There is no plan yet.")];
  }
  return [h("h1", {}, title),
    h("p", {}, h("label", { for: "revision" }, "Plan "),
      h("select", {
        id: "revision",
        change: (event) => {
          setParams({ plan: Number(event.target.value) === plans[0].revision ? null : event.target.value });
          reload();
        },
      }, plans.map((plan) => h("option", { value: plan.revision, selected: plan.revision === revision },
        `no. ${plan.revision}, ${time(plan.publishedAt)}`)))),
    diff === undefined ? loading() : diff ? section(`From plan ${diff.base} to ${diff.revision}`, difference("Changes between the two plans", diff.changes, { key: "" }))
      : h("p.empty", {}, "This plan is the oldest retained one."),
    section("Plans", table("Plans", [
      { name: "plan", value: (plan) => plan.revision, number: true },
      { name: "published", value: (plan) => plan.publishedAt, cell: (plan) => time(plan.publishedAt) },
      { name: "running", value: (plan) => plan.running, number: true },
      { name: "pending", value: (plan) => plan.waiting, number: true },
      { name: "gap", value: (plan) => plan.quality.gap, cell: (plan) => gap(plan.quality.gap), number: true },
    ], plans))];
}
