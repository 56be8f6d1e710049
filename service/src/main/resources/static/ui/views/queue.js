// Who waits and why, and who runs on what.

import { activeJobs } from "../data.js";
import { list } from "../api.js";
import { h, jobLink, section, table } from "../dom.js";
import { allocation, ago, duration, number, percent, time, words } from "../format.js";

export const title = "Jobs";

/** Rows drawn at once; the rest come when they are asked for. */
const SHOWN = 200;
const filter = { text: "", waiting: SHOWN, running: SHOWN };

export async function load({ signal }) {
  const [jobs, queue] = await Promise.all([activeJobs(signal), list("/queue", { signal })]);
  return { jobs, queue };
}

export function render({ jobs, queue }, { redraw }) {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const waiting = queue.filter((entry) => matches(entry.name, entry.tenant, entry.owner, entry.jobId, entry.reason));
  const running = jobs.filter((job) => job.allocation && matches(job.name, job.tenant, job.owner, job.id, job.state));
  return [h("h1", {}, "Jobs"), search(redraw),
    section(`Waiting (${number(waiting.length)})`, table("Jobs that wait",
      [{ name: "no.", number: true }, { name: "job" }, { name: "tenant" }, { name: "why" }, { name: "waits for", number: true }, { name: "expected start" }],
      waiting.slice(0, filter.waiting).map((entry) => waitingRow(entry, byId.get(entry.jobId))), "No job waits."),
    more("waiting", waiting.length, redraw)),
    section(`Running (${number(running.length)})`, table("Jobs that run",
      [{ name: "job" }, { name: "tenant" }, { name: "holds" }, { name: "progress", number: true }, { name: "runs for", number: true }, { name: "expected end" }],
      running.slice(0, filter.running).map(runningRow), "No job runs."),
    more("running", running.length, redraw))];
}

function matches(...texts) {
  const wanted = filter.text.trim().toLowerCase();
  return !wanted || texts.some((text) => text && String(text).toLowerCase().includes(wanted));
}

function search(redraw) {
  return h("p.search", {}, h("label", { for: "filter" }, "Show only "),
    h("input", {
      id: "filter", type: "search", value: filter.text, placeholder: "name, tenant, owner, reason",
      input: (event) => {
        filter.text = event.target.value;
        redraw();
      },
    }));
}

function more(which, all, redraw) {
  return all > filter[which]
    ? h("button", {
      type: "button",
      click: () => {
        filter[which] += 5 * SHOWN;
        redraw();
      },
    }, `Show more of ${number(all)}`)
    : null;
}

function waitingRow(entry, job) {
  const expected = job?.estimate?.start;
  return [number(entry.position), jobLink(entry.jobId, entry.name), entry.tenant,
    h("span", {}, h("b.token", {}, words(entry.reason)), " ", entry.sentence), duration(entry.waitingSeconds),
    expected ? h("span", { title: expected.sentence }, expected.median ? time(expected.median) : words(expected.outcome)) : "–"];
}

function runningRow(job) {
  const end = job.estimate?.completion;
  return [jobLink(job.id, job.name), job.tenant, allocation(job.allocation), percent(job.doneSamples / job.totalSamples, 1),
    ago(new Date(job.allocation.since * 1000)),
    end ? h("span", { title: end.sentence }, end.median ? time(end.median) : words(end.outcome)) : "–"];
}
