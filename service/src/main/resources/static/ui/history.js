// Charts of utilization and queue over time, by the history that the service keeps.

import { lines } from "./chart.js";
import { number, percent, time } from "./format.js";

const OPTIONS = { xText: (at) => time(at), yText: number, time: true, zoom: true };

/** Held slots by accelerator type, above each other. */
export function slotsOverTime(history) {
  return lines("Held slots by accelerator type", history.slots.map((type) => ({ name: type.acceleratorType, step: true, points: over(history, type.held) })),
    { ...OPTIONS, y: "slots", stack: true });
}

/** Mean utilization of the held GPUs by accelerator type, as agents report it. */
export function gpusOverTime(history) {
  return lines("GPU utilization by accelerator type", history.slots.map((type) => ({ name: type.acceleratorType,
    points: over(history, type.gpuUtilization).filter(([, share]) => share !== null) })),
    { ...OPTIONS, yText: percent, y: "utilization of held GPUs" });
}

/** Running and pending jobs. */
export function jobsOverTime(history) {
  return lines("Running and pending jobs", ["running", "pending"].map((name) => ({ name, step: true, points: over(history, history[name]) })),
    { ...OPTIONS, y: "jobs" });
}

/** Values of the steps as points, from the first step in which there was a job. */
export function over({ times, running, pending }, values) {
  const first = Math.max(0, times.findIndex((_, i) => running[i] > 0 || pending[i] > 0));
  return times.map((at, i) => [Date.parse(at), values[i]]).slice(first);
}

/** Held slots of all types. */
export function heldSlots(history) {
  return over(history, history.times.map((_, i) => history.slots.reduce((sum, type) => sum + type.held[i], 0)));
}
