// Jobs of all states, with their allocations, progress and actions.

import { address, param, setParams } from "../address.js";
import { actionsOnJobs, isChangeable, jobMenu } from "../actions.js";
import { list, pages } from "../api.js";
import { status, statusText } from "../badge.js";
import { gauge, h, jobLink } from "../dom.js";
import { ago, allocation, localized, number, seconds, time, words } from "../format.js";
import { noSelection } from "../select.js";
import { submission } from "../submit.js";
import { table } from "../table.js";

export const title = "Jobs";

const TABS = {
  "": { name: "Active", active: true, states: ["SUBMITTED", "WAITING", "RUNNING", "COMPLETING"] },
  running: { name: "Running", active: true, states: ["RUNNING", "COMPLETING"] },
  pending: { name: "Pending", active: true, states: ["SUBMITTED", "WAITING"] },
  failed: { name: "Failed", states: ["FAILED"] },
  done: { name: "Done", states: ["DONE"] },
  canceled: { name: "Canceled", states: ["CANCELLED"] },
  all: { name: "All", states: [] },
};
/** Newest jobs that are shown of a tab that includes ended jobs. */
const ENDED = 1_000;
/** All jobs of a query once they are read, and the selected ones: of thousands of jobs, the first ones are shown at once. */
const state = { read: null, chosen: noSelection() };

export async function load({ signal, later }) {
  const tab = TABS[param("state") ?? ""] ?? TABS[""];
  const query = queries(tab).join();
  const lists = queries(tab).map((one) => pages(`/jobs${one}`, { signal, most: tab.active ? undefined : ENDED }));
  const together = (part) => Promise.all(lists.map((one) => one[part])).then(newestFirst);
  const [tenants, some] = await Promise.all([list("/tenants", { signal }), together("first"),
    later(state, { read: together("all").then((all) => ({ query, all })) })]);
  return { tab, query, tenants, some };
}

export function leave() {
  Object.assign(state, { read: null, chosen: noSelection() });
}

function newestFirst(lists) {
  return lists.length === 1 ? lists[0] : lists.flat().sort((a, b) => b.submittedAt.localeCompare(a.submittedAt));
}

/** One query for each state, so that they are answered at the same time. */
function queries({ states }) {
  const tenant = param("tenant");
  const query = (state) => address("", { ...(state && { state }), ...(tenant && { tenant }) }).slice(2);
  return states.length ? states.map(query) : [query(null)];
}

export function render({ tab, query, tenants, some }, { reload }) {
  const jobs = state.read?.query === query ? state.read.all : some;
  return [h("h1", {}, title),
    h("div.toolbar", {},
      h("nav.tabs", { "aria-label": "States" }, Object.entries(TABS).map(([name, one]) => h("a", {
        href: address("jobs", { ...(name && { state: name }), ...(param("tenant") && { tenant: param("tenant") }) }),
        "aria-current": one === tab ? "page" : null,
      }, one.name))),
      h("select", { id: "tenant", "aria-label": "Tenant", change: (event) => {
        setParams({ tenant: event.target.value });
        reload();
      } }, h("option", { value: "" }, "All tenants"),
      tenants.map((tenant) => h("option", { value: tenant.name, selected: tenant.name === param("tenant") }, tenant.name))),
      submission()),
    !tab.active && jobs.length === ENDED ? h("p", {}, `The newest ${number(ENDED)} jobs; the API lists all.`) : null,
    table(`${tab.name} jobs`, columns(reload), jobs, { key: "", cards: true,
      select: { chosen: state.chosen, id: (job) => job.id, label: (job) => job.name, able: isChangeable, actions: actionsOnJobs, reload },
      empty: [`No ${tab.name === "All" ? "" : `${tab.name.toLowerCase()} `}jobs. `, "Submit one with the button above, or with ", h("code", {}, "./spur submit --gpus 1 --batch 64 -- python3 train.py"), "."] })];
}

function columns(reload) {
  return [
    { name: "job", value: (job) => job.name, cell: (job) => jobLink(job.id, job.name) },
    { name: "state", value: statusText, cell: status },
    { name: "tenant", value: (job) => job.tenant, whole: true },
    { name: "owner", value: (job) => job.owner },
    { name: "allocation or reason", value: detail },
    { name: "progress", value: (job) => job.progress, cell: (job) => gauge(`progress of ${job.name}`, job.progress, 1) },
    { name: "age", value: (job) => seconds(job.submittedAt), cell: (job) => h("span", { title: time(job.submittedAt) }, ago(job.submittedAt)), number: true },
    { name: "end", value: (job) => Date.parse(job.endedAt ?? job.eta?.completion?.median) || null, cell: end },
    { name: "actions", cell: (job) => jobMenu(job, reload) },
  ];
}

function detail(job) {
  if (job.state === "FAILED") {
    return job.observed?.detail ?? "";
  }
  if (job.waiting) {
    return `${words(job.waiting.reason)}: ${localized(job.waiting.message)}`;
  }
  return job.allocation ? allocation(job.allocation) : job.grant ? `on ${job.grant.node}` : "";
}

function end(job) {
  const expected = job.eta?.completion;
  return job.endedAt ? h("span.whole", {}, time(job.endedAt))
    : expected ? h("span.whole", { title: localized(expected.message) }, expected.median ? `~ ${time(expected.median)}` : words(expected.outcome)) : "–";
}
