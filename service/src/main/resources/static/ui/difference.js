// Table of the gains and costs of plan changes.

import { h, jobLink } from "./dom.js";
import { allocation, duration, localized, number, words } from "./format.js";
import { findNames, nameOf } from "./names.js";
import { table } from "./table.js";
import { TERMS } from "./terms.js";

const COLUMNS = [
  { name: "change", value: (one) => words(one.change), cell: (one) => h("b.token", {}, words(one.change)) },
  { name: "job", value: (one) => nameOf(one.jobId), cell: (one) => jobLink(one.jobId, nameOf(one.jobId)) },
  { name: "from → to", value: (one) => `${allocation(one.before)} → ${allocation(one.after)}` },
  { name: "effective samples/s", help: TERMS["effective samples/s"], value: (one) => one.goodputAfter - one.goodputBefore, number: true,
    cell: (one) => `${number(one.goodputBefore)} → ${number(one.goodputAfter)}` },
  { name: "restart", value: (one) => one.restartSeconds, cell: (one) => duration(one.restartSeconds), number: true },
  { name: "samples lost", value: (one) => one.lostSamples, number: true },
  { name: "objective delta", help: `Change of the part of the job in the objective value. ${TERMS["objective value"]}`, value: (one) => one.objectiveDelta, number: true },
  { name: "message", value: (one) => localized(one.message) },
];

/** A table of the entries that change; `options` are those of a table. */
export function difference(caption, changes, options = {}) {
  return table(caption, COLUMNS, changes.filter((one) => one.change !== "KEEP"), {
    empty: "Nothing changed.", prepare: (shown) => findNames(shown.map((one) => one.jobId)), ...options,
  });
}
