// Table of the gains and costs of plan changes.

import { h, jobLink } from "./dom.js";
import { allocation, duration, localized, number, words } from "./format.js";
import { paged } from "./paged.js";

const COLUMNS = [{ name: "change" }, { name: "job" }, { name: "from → to" }, { name: "effective samples/s", number: true }, { name: "restart", number: true },
  { name: "samples lost", number: true }, { name: "objective delta", number: true }, { name: "message" }];

/** The entries that change. */
export function changed(changes) {
  return changes.filter((change) => change.change !== "KEEP");
}

/** A table of the entries that change; `names` of jobs by id. */
export function difference(caption, changes, names, redraw) {
  return paged(caption, COLUMNS, changed(changes), (change) => [
    h("b.token", {}, words(change.change)), jobLink(change.jobId, names.get(change.jobId)),
    `${allocation(change.before)} → ${allocation(change.after)}`,
    `${number(change.goodputBefore)} → ${number(change.goodputAfter)}`,
    duration(change.restartSeconds), number(change.lostSamples), number(change.objectiveDelta), localized(change.message)], redraw, "Nothing changed.");
}
