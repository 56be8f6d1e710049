// Charts of utilization and queue over time, by the history that the service keeps.

import { lines } from "./chart.js";
import { number, percent, time } from "./format.js";

const OPTIONS = { xText: (at) => time(at), yText: number, time: true, zoom: true, named: true };

/** Held slots by accelerator type, above each other, and the slots of all types. */
export function slotsOverTime(history) {
  const types = history.slots.map((type) => ({ name: type.acceleratorType, step: true, points: over(history, type.held) }));
  return lines("Held slots by accelerator type", [...types, { name: "capacity", color: null, apart: true, step: true, plain: true, points: over(history, capacity(history)) }],
    { ...OPTIONS, y: types.length > 1 ? "slots, stacked" : "slots", stack: true, counts: true });
}

/** Mean utilization of the GPUs that jobs hold, by accelerator type, as agents report it. */
export function gpusOverTime(history) {
  return lines("GPU utilization by accelerator type", history.slots.map((type) => ({ name: type.acceleratorType, points: over(history, type.gpuUtilization) })),
    { ...OPTIONS, yText: percent, y: "utilization of held GPUs" });
}

/** Running and pending jobs. */
export function jobsOverTime(history) {
  return lines("Running and pending jobs", ["running", "pending"].map((name) => ({ name, step: true, points: over(history, history[name]) })),
    { ...OPTIONS, y: "jobs", counts: true });
}

/** Known values of the steps as points. The last one lasts until the end of the history. */
export function over({ times, until }, values) {
  const points = times.map((at, i) => [Date.parse(at), values[i]]).filter(([, value]) => value !== null);
  return points.length ? [...points, [Date.parse(until), points.at(-1)[1]]] : [];
}

/** Held slots of all types. */
export function heldSlots(history) {
  return over(history, history.times.map((_, i) => sum(history, i, "held")));
}

/** Slots of all types; null while those of no type are known. */
function capacity(history) {
  return history.times.map((_, i) => (history.slots.some((type) => type.total[i] !== null) ? sum(history, i, "total") : null));
}

function sum(history, i, member) {
  return history.slots.reduce((all, type) => all + (type[member][i] ?? 0), 0);
}
