// Actions on jobs and nodes that the role of the caller permits.

import { get, patch, post } from "./api.js";
import { menuButton } from "./dialog.js";
import { h } from "./dom.js";
import { count } from "./format.js";
import { each } from "./select.js";
import { may } from "./session.js";

const ENDED = ["DONE", "FAILED", "CANCELLED"];

export function hasEnded(job) {
  return ENDED.includes(job.state);
}

/** Whether a job has not ended, and the caller may change it. */
export function isChangeable(job) {
  return !hasEnded(job) && may("SUBMITTER", "OPERATOR");
}

function pathOf(job) {
  return `/jobs/${encodeURIComponent(job.id)}`;
}

/** Actions on a job. */
export function jobActions(job) {
  if (!isChangeable(job)) {
    return [];
  }
  const path = pathOf(job);
  return [
    job.held
      ? { name: "Release", title: `Release ${job.name}?`, text: "The scheduler may start it again.", run: () => post(`${path}/release`) }
      : { name: "Hold", title: `Hold ${job.name}?`, text: "It stops with a checkpoint, and waits until it is released.", run: () => post(`${path}/hold`) },
    { name: "Change priority", title: `Priority of ${job.name}`, text: "A job precedes all jobs of lower priority.", changed: true,
      run: (body) => patch(path, body), fields: async () => priority(await get(path)) },
    { name: "Cancel job", title: `Cancel ${job.name}?`, text: "It ends now, and cannot be resumed.", danger: true, run: () => post(`${path}/cancel`) },
  ];
}

function priority({ spec, kind }) {
  return [{ name: "priority", label: "Priority", type: "number", pointer: "/spec/priority", value: spec.priority ?? 0, min: -10, max: 10, step: 1 },
    kind === "TRAINING" ? { name: "weight", label: "Weight", type: "number", pointer: "/spec/weight", value: spec.weight ?? 1 } : null].filter(Boolean);
}

/** Actions on several jobs, each on those that it applies to. */
export function actionsOnJobs(jobs) {
  const on = (some, name, verb, text, request, rest = {}) => {
    const progress = h("span", { role: "status" }, text);
    return some.length ? { name, title: `${verb} ${count(some.length, "job")}?`, text: progress, run: (body) => each(some, (job) => request(pathOf(job), body), progress), ...rest } : null;
  };
  const held = jobs.filter((job) => job.held);
  return [
    on(jobs.filter((job) => !job.held), "Hold", "Hold", "They stop with a checkpoint, and wait until they are released.", (path) => post(`${path}/hold`)),
    on(held, "Release", "Release", "The scheduler may start them again.", (path) => post(`${path}/release`)),
    on(jobs, "Change priority", "Change the priority of", "A job precedes all jobs of lower priority.", (path, body) => patch(path, body, "*"),
      { fields: priority({ spec: {} }).map((field) => ({ ...field, required: true })) }),
    on(jobs, "Cancel jobs", "Cancel", "They end now, and cannot be resumed.", (path) => post(`${path}/cancel`), { danger: true }),
  ].filter(Boolean);
}

/** Actions on the jobs of an array that have not ended. */
export function arrayMenu({ id, name, endedAt, held }, reload) {
  const to = (action) => () => post(`/arrays/${encodeURIComponent(id)}/${action}`);
  return menuButton(id, name, endedAt || !may("SUBMITTER", "OPERATOR") ? [] : [
    { name: "Hold", title: `Hold the jobs of ${name}?`, text: "They stop with a checkpoint, and wait until they are released.", run: to("hold") },
    held ? { name: "Release", title: `Release the jobs of ${name}?`, text: "The scheduler may start them again.", run: to("release") } : null,
    { name: "Cancel array", title: `Cancel the jobs of ${name}?`, text: "They end now, and cannot be resumed.", danger: true, run: to("cancel") },
  ].filter(Boolean), reload);
}

export function jobMenu(job, reload) {
  return menuButton(job.id, job.name, jobActions(job), reload);
}

/** Actions of operators on a node. Maintenance does not change the state that they set. */
export function nodeActions({ id, state: shown }) {
  const state = shown === "MAINTENANCE" ? "ACTIVE" : shown;
  if (!may("OPERATOR")) {
    return [];
  }
  const to = (action) => () => post(`/nodes/${encodeURIComponent(id)}/${action}`);
  return [
    state === "ACTIVE" ? null : { name: "Activate", title: `Activate ${id}?`, text: "The node accepts jobs again.", run: to("activate") },
    state === "ACTIVE" ? { name: "Cordon", title: `Cordon ${id}?`, text: "Its jobs stay; it accepts no others.", run: to("cordon") } : null,
    state === "ACTIVE" || state === "CORDONED"
      ? { name: "Drain", title: `Drain ${id}?`, text: "Its jobs are moved or stop with a checkpoint.", danger: true, run: to("drain") } : null,
    state === "LOST" ? null : { name: "Mark as lost", title: `Mark ${id} as lost?`,
      text: "Its jobs are assumed dead and start again from their last checkpoints.", danger: true, run: to("mark-lost") },
  ].filter(Boolean);
}
