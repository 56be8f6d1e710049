// Jobs of all states, with their allocations, progress and actions.

import { address, param, setParams } from "../address.js";
import { actionsOnJobs, arrayMenu, isChangeable, jobMenu } from "../actions.js";
import { get, list, pages } from "../api.js";
import { status, statusText } from "../badge.js";
import { arrayLink, gauge, h, jobLink } from "../dom.js";
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
  const [tenants, some, arrays] = await Promise.all([list("/tenants", { signal }), together("first"), arraysOf(tab, signal),
    later(state, { read: together("all").then((all) => ({ query, all })) })]);
  return { tab, query, tenants, some, arrays };
}

/** The array whose jobs are listed; otherwise the arrays of the tab, each of which is one row of the list. */
async function arraysOf({ active, states }, signal) {
  const id = param("array");
  if (id) {
    return [await get(`/arrays/${encodeURIComponent(id)}`, { signal })];
  }
  const tenant = param("tenant");
  const query = address("", { ...(active && { active: true }), ...(tenant && { tenant }) }).slice(2);
  const arrays = await list(`/arrays${query}`, { signal, most: ENDED, forbidden: [] });
  return arrays.filter((array) => !states.length || states.some((one) => array.states[one])).map((array) => ({ ...array, isArray: true }));
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
  const query = (state) => address("", { array: param("array") ?? "NONE", ...(state && { state }), ...(tenant && { tenant }) }).slice(2);
  return states.length ? states.map(query) : [query(null)];
}

export function render({ tab, query, tenants, some, arrays }, { reload }) {
  const single = state.read?.query === query ? state.read.all : some;
  const array = param("array") ? arrays[0] : null;
  const jobs = array ? single : [...arrays, ...single];
  return [h("h1", {}, array ? nameOf(array) : title),
    array ? h("p", {}, `${statesOf(array)}. `, array.failedIndices.length ? `Failed indices: ${array.failedIndices.join(", ")}. ` : null,
      arrayMenu(array, reload)) : null,
    h("div.toolbar", {},
      h("nav.tabs", { "aria-label": "States" }, Object.entries(TABS).map(([name, one]) => h("a", {
        href: address("jobs", { ...(name && { state: name }), ...(param("tenant") && { tenant: param("tenant") }), ...(array && { array: array.id }) }),
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
      select: { chosen: state.chosen, id: (job) => job.id, label: (job) => job.name, able: (job) => !job.isArray && isChangeable(job), actions: actionsOnJobs, reload },
      empty: [`No ${tab.name === "All" ? "" : `${tab.name.toLowerCase()} `}jobs. `, "Submit one with the button above, or with ", h("code", {}, "./spur submit --gpus 1 --batch 64 -- python3 train.py"), "."] })];
}

function columns(reload) {
  return [
    { name: "job", value: (job) => job.name, cell: (job) => (job.isArray ? arrayLink(job.id, nameOf(job)) : jobLink(job.id, job.name)) },
    { name: "state", value: (job) => (job.isArray ? "array" : statusText(job)), cell: (job) => (job.isArray ? "array" : status(job)) },
    { name: "tenant", value: (job) => job.tenant, whole: true },
    { name: "owner", value: (job) => job.owner },
    { name: "allocation or reason", value: detail },
    { name: "progress", value: progress, cell: (job) => gauge(`progress of ${job.name}`, progress(job), 1) },
    { name: "age", value: (job) => seconds(job.submittedAt), cell: (job) => h("span", { title: time(job.submittedAt) }, ago(job.submittedAt)), number: true },
    { name: "end", value: (job) => Date.parse(job.endedAt ?? job.eta?.completion?.median) || null, cell: end },
    { name: "actions", cell: (job) => (job.isArray ? arrayMenu(job, reload) : jobMenu(job, reload)) },
  ];
}

/** The name of an array with its indices and its limit. */
function nameOf({ name, indices, limit }) {
  return `${name} [${indices}${limit === null ? "" : `%${limit}`}]`;
}

/** The number of the jobs of an array by state. */
function statesOf({ states }) {
  return Object.entries(states).map(([one, jobs]) => `${number(jobs)} ${words(one)}`).join(", ");
}

function progress(job) {
  return job.isArray ? (job.states.DONE ?? 0) / job.size : job.progress;
}

function detail(job) {
  if (job.isArray) {
    return statesOf(job);
  }
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
