// Proposed plans that await approval: gain and cost of each change, and the decision.

import { get, list, post } from "../api.js";
import { activeJobs } from "../data.js";
import { difference } from "../difference.js";
import { h, section, tile } from "../dom.js";
import { duration, number, time, words } from "../format.js";
import { paged } from "../paged.js";

export const title = "Approval";
export const roles = ["OPERATOR"];

const SHOWN = 200;
const state = { note: "", refusal: null };

export async function load({ signal }) {
  const [proposals, jobs] = await Promise.all([list("/proposals", { signal, most: SHOWN }), activeJobs(signal)]);
  const open = proposals.find((one) => one.status === "OPEN");
  return { proposals, jobs, open: open ? await get(`/proposals/${open.number}`, { signal, absent: true }) : null };
}

export function leave() {
  Object.assign(state, { note: "", refusal: null });
}

export function render({ proposals, jobs, open }, { redraw, reload }) {
  const names = new Map(jobs.map((job) => [job.id, job.name]));
  return [h("h1", {}, "Approval"),
    open ? waits(open, names, redraw, reload) : h("p.empty", {}, "No plan awaits approval."),
    state.refusal ? h("p.bad", { role: "alert" }, state.refusal) : null,
    section("Decided", paged("Decided proposals",
      [{ name: "proposal", number: true }, { name: "made" }, { name: "outcome" }, { name: "by" }, { name: "note" }, { name: "plan", number: true },
        { name: "changes", number: true }, { name: "objective delta", number: true }],
      proposals.filter((one) => one.status !== "OPEN"), (one) => [number(one.number), time(one.createdAt),
        [words(one.status), ...one.reasons].join(": "), one.decidedBy ?? "", one.note ?? "", number(one.planRevision), number(one.changed),
        number(one.objectiveDelta)], redraw, "No decision yet."))];
}

function waits(open, names, redraw, reload) {
  return section(`Proposal ${open.number} awaits approval`,
    h("div.tiles", {},
      tile("Changes", number(open.changed), `${number(open.unchanged)} jobs stay unchanged`),
      tile("Objective delta", number(open.objectiveDelta), "compared with keeping all jobs"),
      tile("Cost of restarts", duration(open.restartSeconds), "sum over all jobs"),
      tile("Created", time(open.createdAt), `by round ${open.round}, based on plan ${open.basePlanRevision}`)),
    h("form.stack", { submit: (event) => decide(event, open.number, reload) },
      h("label", { for: "note" }, "Note"),
      h("input", { id: "note", value: state.note, maxlength: 1000, input: (event) => { state.note = event.target.value; } }),
      h("button", { id: "approve", type: "submit", value: "approve" }, "Approve"),
      h("button", { id: "reject", type: "submit", value: "reject" }, "Reject")),
    difference("Proposed changes", open.changes ?? [], names, redraw));
}

async function decide(event, number, reload) {
  event.preventDefault();
  state.refusal = null;
  try {
    await post(`/proposals/${number}/${event.submitter.value}`, { note: state.note.trim() || null });
    state.note = "";
  } catch (error) {
    state.refusal = error.message;
  }
  reload();
}
