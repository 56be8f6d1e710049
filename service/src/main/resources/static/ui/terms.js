// Explanations of terms at the place where a view uses them. The glossary has all terms.

import { h } from "./dom.js";

export const TERMS = {
  "objective value": "Sum of the utilities of the jobs in a plan.",
  "found by": "Last step that improved the plan: repair, rounding, annealing, neighborhoods or core. CP-SAT decides the last two.",
  "optimality gap": "Distance of the objective value to the best bound, relative to the bound: at most this much is lost.",
  "shadow price": "Upper estimate of the objective value of one more unit of a resource.",
  "effective samples/s": "Goodput: samples per second times statistical efficiency. A larger batch needs more samples for the same progress.",
  utility: "Value of a configuration of a job to the objective.",
  "training efficiency": "Slot time that the work needs where it is cheapest, divided by the slot time that it took.",
  slowdown: "Completion time divided by the time in the fastest configuration on an idle cluster.",
  stall: "Time from a restart to the first progress.",
};

/** A term as a link to the glossary, with its explanation as a title. */
export function term(name, text = name) {
  return h("a.term", { href: "#/glossary", title: TERMS[name] }, text);
}
