// States and warnings of jobs as colored words.

import { h } from "./dom.js";
import { words } from "./format.js";

/** Kinds of warnings that only inform. */
const NOTES = ["SIMULATED"];
/** Short names of the warnings. */
const SHORT = {
  SIMULATED: "simulated", NO_EXECUTOR: "nothing runs it", NO_STEPS: "no steps reported", SLOWER: "slower than predicted", ENDED_EARLY: "ended early",
  PROGRESS_FELL: "progress fell",
};

/** The state of a job as a word in a color. */
export function stateBadge(state) {
  return h(`span.badge.${state.toLowerCase()}`, {}, words(state));
}

/** Warnings that require an action: all but notes. */
export function alertsOf(job) {
  return (job.warnings ?? []).filter((warning) => !NOTES.includes(warning.kind));
}

export function nameOfWarning(kind) {
  return SHORT[kind] ?? words(kind);
}

/** A badge for each warning, with its sentence as a tooltip. */
export function warningBadges(job) {
  return (job.warnings ?? []).map(({ kind, message }) =>
    [" ", h(NOTES.includes(kind) ? "span.badge.note" : "span.badge.warned", { title: message }, NOTES.includes(kind) ? nameOfWarning(kind) : `⚠ ${nameOfWarning(kind)}`)]);
}

/** The state of a job with what else must be known of it. */
export function status(job) {
  return h("span.state", {}, stateBadge(job.state), job.held ? [" ", h("span.badge.waiting", {}, "held")] : null, warningBadges(job),
    job.deadlineStatus === "AT_RISK" ? [" ", h("span.badge.warned", {}, "⚠ deadline at risk")] : null);
}

/** The same as text, for filters and sort orders. */
export function statusText(job) {
  return [words(job.state), job.held ? "held" : null, ...(job.warnings ?? []).map(({ kind }) => nameOfWarning(kind)),
    job.deadlineStatus === "AT_RISK" ? "deadline at risk" : null].filter(Boolean).join(", ");
}
