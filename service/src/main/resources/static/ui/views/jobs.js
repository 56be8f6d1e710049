// Pending jobs with their reasons, and running jobs with their allocations.

import { runningJobs } from "../data.js";
import { list } from "../api.js";
import { h, jobLink, section } from "../dom.js";
import { allocation, ago, duration, localized, number, percent, time, words } from "../format.js";
import { firstPage, paged } from "../paged.js";

export const title = "Jobs";

const WAITING = "Pending jobs";
const RUNNING = "Running jobs";
const filter = { text: "" };

export async function load({ signal }) {
  const [jobs, queue] = await Promise.all([runningJobs(signal), list("/queue", { signal })]);
  return { jobs, queue };
}

export function render({ jobs, queue }, { redraw }) {
  const waiting = queue.filter((entry) => matches(entry.name, entry.tenant, entry.owner, entry.jobId, entry.reason));
  const running = jobs.filter((job) => matches(job.name, job.tenant, job.owner, job.id, job.state));
  return [h("h1", {}, "Jobs"), search(redraw),
    section(`Pending (${number(waiting.length)})`, paged(WAITING,
      [{ name: "no.", number: true }, { name: "job" }, { name: "tenant" }, { name: "why" }, { name: "waiting time", number: true }, { name: "expected start" }],
      waiting, waitingRow, redraw, "No pending jobs.")),
    section(`Running (${number(running.length)})`, paged(RUNNING,
      [{ name: "job" }, { name: "tenant" }, { name: "holds" }, { name: "progress", number: true }, { name: "running time", number: true }, { name: "expected end" }],
      running, runningRow, redraw, "No running jobs."))];
}

function matches(...texts) {
  const wanted = filter.text.trim().toLowerCase();
  return !wanted || texts.some((text) => text && String(text).toLowerCase().includes(wanted));
}

function search(redraw) {
  return h("p.search", {}, h("label", { for: "filter" }, "Filter "),
    h("input", {
      id: "filter", type: "search", value: filter.text, placeholder: "name, tenant, owner, reason",
      input: (event) => {
        filter.text = event.target.value;
        [WAITING, RUNNING].forEach(firstPage);
        redraw();
      },
    }));
}

function waitingRow(entry) {
  const expected = entry.eta;
  return [number(entry.queuePosition), jobLink(entry.jobId, entry.name), entry.tenant,
    h("span", {}, h("b.token", {}, words(entry.reason)), " ", localized(entry.message)), duration(entry.waitingSeconds),
    expected ? h("span", { title: localized(expected.message) }, expected.median ? time(expected.median) : words(expected.outcome)) : "–"];
}

function runningRow(job) {
  const end = job.eta?.completion;
  return [jobLink(job.id, job.name), job.tenant, allocation(job.allocation), percent(job.progress, 1),
    ago(new Date(job.allocation.since)),
    end ? h("span", { title: localized(end.message) }, end.median ? time(end.median) : words(end.outcome)) : "–"];
}
