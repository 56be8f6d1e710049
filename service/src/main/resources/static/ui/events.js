// Events of a job in words.

import { count, duration, gib, number, quoted, time, words } from "./format.js";

/** A verb with the caller. */
const by = (verb) => ({ by: who }) => (who ? `${verb} by ${who}` : verb);

/** A text for each kind of event, of its detail and, where it changes an allocation, of { before: configuration, ran: seconds until it ran }. */
const TEXTS = {
  SUBMITTED: ({ owner }) => (owner ? `Submitted by ${owner}` : "Submitted"),
  CHANGED: ({ what }) => (what === "profile" ? "Its profile was changed" : what === "job" ? "Its settings were changed" : null),
  HELD: by("Held"),
  RELEASED: by("Released"),
  DEPENDENCIES_MET: () => "The jobs that it waited for are done, or have started",
  CANCELLED: (detail) => (detail.cause === "DEPENDENCY" ? `Canceled: ${detail.name}, which it depends on, is ${words(detail.state)}` : by("Canceled")(detail)),
  STARTED: (detail, { ran }) => (detail.slots ? `Started on ${slots(detail)}${took("the start", ran)}` : null),
  RUNNING: () => "Its processes run",
  RESIZED: (detail, { before, ran }) => {
    const from = before ? `from ${before.acceleratorType === detail.acceleratorType ? number(before.slots) : slots(before)} ` : "";
    return `${detail.change === "shrink" ? "Shrank" : "Grew"} ${from}to ${slots(detail)}${differences(detail)}${took(mechanism(detail), ran)}`;
  },
  MOVED: (detail, { before, ran }) => `Moved${before ? ` from ${slots(before)}` : ""} to ${slots(detail)}${differences(detail)}${took(mechanism(detail), ran)}`,
  RECONFIGURED: (detail, { ran }) => `Reconfigured on ${slots(detail)}${differences(detail)}${took(mechanism(detail), ran)}`,
  PREEMPTED: () => "Preempted: a plan took its slots",
  REQUEUED: (detail) => `${requeued(detail)}${detail.pauseSeconds ? `; it may start again after ${duration(detail.pauseSeconds)}` : ""}`,
  STOP_FAILED: ({ node }) => `A process did not end in order${node ? ` on ${node}` : ""}`,
  DRIFT: ({ message }) => message?.replace(/\.$/, "") ?? null,
  DEADLINE: ({ deadlineStatus: status }) => `The deadline is now ${words(status)}`,
  PROFILED: ({ end }) => `A profiling run ended: ${words(end)}`,
  COUNT_FELL: ({ before, samplesTotal }) => `A report had ${number(samplesTotal)} samples, after ${number(before)}`,
  PROGRESS_FELL: ({ generation, samplesTotal, checkpointSamples }) =>
    `Generation ${generation} began at ${number(samplesTotal)} samples; the newest checkpoint has ${number(checkpointSamples)}`,
  MEMORY: () => "Its memory or its loans changed",
  REVOKED: ({ lender, gib: amount }) => `${lender} revoked ${gib(amount)} at once`,
  RESTORED: () => "The database was restored from an export",
  COMPLETING: ({ doneSamples }) => `Its work is done${samples(doneSamples)}`,
  DONE: ({ doneSamples }) => `Done${samples(doneSamples)}`,
  FAILED: (detail) => detail.cause === "TIME_LIMIT" ? "Ended by its time limit" : `Failed: ${failed(detail) || "no cause was reported"}`,
};

/** Members that a text states, or that only the program needs. */
const STATED = ["slots", "acceleratorType", "change", "mechanism", "generation", "planRevision", "pauseSeconds", "cause", "failures", "maxRestarts", "exitCode", "node", "missing",
  "owner", "by", "what", "doneSamples", "dimension", "factor", "message", "deadlineStatus", "end", "profilingTarget", "before", "samplesTotal", "checkpointSamples",
  "checkpointGeneration", "lender", "gib", "batchSize", "strategy", "aggregationSlots", "host", "job", "name", "state"];

/** Kinds of events that change the allocation of a job. */
const CHANGES = ["STARTED", "RESIZED", "MOVED", "RECONFIGURED"];

/**
 * Rows of { at, since, kind, text, count, revision } of the events, oldest first. The event that the processes run is part of the row of
 * their start, and drifts that follow each other are one row.
 *
 * @param allocations past and current allocations of the job
 */
export function inWords(events, allocations) {
  const changed = new Set(events.filter((event) => CHANGES.includes(event.kind)).map((event) => event.detail.generation));
  const rows = [];
  for (const event of events.filter(({ kind, detail }) => kind !== "RUNNING" || !changed.has(detail.generation))) {
    const last = rows.at(-1);
    const row = rowOf(event, context(event, events, allocations));
    if (event.kind === "DRIFT" && last?.kind === "DRIFT") {
      rows[rows.length - 1] = { ...row, count: last.count + 1, since: last.since ?? last.at };
    } else {
      rows.push(row);
    }
  }
  return rows;
}

function rowOf({ at, kind, detail }, around) {
  const text = TEXTS[kind]?.(detail, around) ?? sentence(words(kind));
  const rest = Object.entries(detail).filter(([name]) => !STATED.includes(name)).map(([name, value]) => `${name}: ${quoted(value)}`);
  return { at, kind, text: rest.length ? `${text} (${rest.join(", ")})` : text, count: 1, revision: detail.planRevision ?? null };
}

/** The configuration before a change, and the seconds until the processes ran after it. */
function context({ id, kind, at, detail }, events, allocations) {
  const { generation } = detail;
  if (!generation || !CHANGES.includes(kind)) {
    return {};
  }
  const before = allocations.filter((one) => one.generation < generation).sort((a, b) => b.generation - a.generation)[0];
  const running = events.find((event) => event.id > id && event.kind === "RUNNING" && event.detail.generation === generation);
  return { before: before?.allocation?.configuration ?? null, ran: running ? (Date.parse(running.at) - Date.parse(at)) / 1000 : null };
}

function slots({ slots: amount, acceleratorType }) {
  return `${count(amount, "slot")} of ${acceleratorType}`;
}

/** Settings that a change of the allocation changed, such as ", batch size 512 → 116". */
function differences({ batchSize, strategy, aggregationSlots, host }) {
  return [["batch size", batchSize, number], ["strategy", strategy, words], ["aggregation slots", aggregationSlots, number], ["host", host, grant]]
    .map(([name, change, text]) => (change ? `, ${name} ${text(change.before)} → ${text(change.after)}` : "")).join("");
}

function grant(host) {
  return host ? `${number(host.cpusPerSlot)} CPUs and ${number(host.memoryGiBPerSlot)} GiB per slot` : "as stated";
}

function mechanism({ mechanism: how }) {
  return how === "RESTART" || !how ? "the restart" : how === "MIGRATE" ? "the move" : "the change";
}

function took(what, seconds) {
  return seconds === null || seconds === undefined ? "" : `; ${what} took ${duration(seconds)}`;
}

function samples(done) {
  return done ? ` after ${number(done)} effective samples` : "";
}

function requeued(detail) {
  const { cause, node, missing = [] } = detail;
  return cause === "GANG_TIMEOUT" ? `No agent on ${missing.join(", ") || "its nodes"} started it in time`
    : cause === "STOPPED_BY_EXECUTOR" ? `The executor of node ${node} stopped it`
    : cause === "HELD" ? "Stopped: it is held"
    : cause === "RESCALE_TIMEOUT" ? "Its ranks did not change in time"
    : cause === "TIME_LIMIT" ? "Stopped at its time limit, and back in the queue"
    : cause === "FAILED" ? sentence(failed(detail))
    : cause ? `Back in the queue: ${words(cause)}${node ? ` on ${node}` : ""}` : "Back in the queue";
}

function failed({ failures, maxRestarts, node, exitCode }) {
  return [failures === undefined ? null : `attempt ${failures} of ${maxRestarts + 1} failed`, node ? `on ${node}` : null,
    exitCode === undefined || exitCode === null ? null : `with exit code ${exitCode}`].filter(Boolean).join(" ");
}

function sentence(text) {
  return text && text[0].toUpperCase() + text.slice(1);
}

/** Time of a row: of several events, from the first to the last one. */
export function when({ at, since }) {
  return since ? `${time(since)} to ${time(at)}` : time(at);
}
