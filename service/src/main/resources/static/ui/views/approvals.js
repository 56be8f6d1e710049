// Proposed plans that await approval: gain and cost of each change, and the decision.

import { get, list, post } from "../api.js";
import { button } from "../dialog.js";
import { difference } from "../difference.js";
import { h, section, tile } from "../dom.js";
import { count, duration, number, time, words } from "../format.js";
import { table } from "../table.js";

export const title = "Approvals";
export const roles = ["OPERATOR"];

const SHOWN = 200;

export async function load({ signal }) {
  const proposals = await list("/proposals", { signal, most: SHOWN });
  const open = proposals.find((one) => one.status === "OPEN");
  return { proposals, open: open ? await get(`/proposals/${open.number}`, { signal, absent: true }) : null };
}

export function render({ proposals, open }, { reload }) {
  return [h("h1", {}, title),
    open ? pending(open, reload) : h("p.empty", {}, "No plan awaits approval."),
    section("Decided", table("Decided proposals", [
      { name: "proposal", value: (one) => one.number, number: true },
      { name: "created", value: (one) => one.createdAt, cell: (one) => time(one.createdAt) },
      { name: "outcome", value: (one) => [words(one.status), ...one.reasons].join(": ") },
      { name: "by", value: (one) => one.decidedBy ?? "" },
      { name: "note", value: (one) => one.note ?? "" },
      { name: "plan", value: (one) => one.planRevision, number: true },
      { name: "changes", value: (one) => one.changed, number: true },
      { name: "objective delta", value: (one) => one.objectiveDelta, number: true },
    ], proposals.filter((one) => one.status !== "OPEN"), { key: "", empty: ["No decision yet. Plans wait for operators while the setting approval is on, in ", h("a", { href: "#/settings" }, "Settings"), "."] }))];
}

function pending(open, reload) {
  return section(`Proposal ${open.number} awaits approval`,
    h("div.tiles", {},
      tile("Changes", number(open.changed), { detail: `${count(open.unchanged, "job")} unchanged` }),
      tile("Objective delta", number(open.objectiveDelta), { detail: "compared with keeping all jobs" }),
      tile("Cost of restarts", duration(open.restartSeconds), { detail: "sum over all jobs" }),
      tile("Created", time(open.createdAt), { detail: `by round ${open.round}, based on plan ${open.basePlanRevision}` })),
    h("p.buttons", {},
      button(decision("Approve", open, "The plan is published."), reload),
      button({ ...decision("Reject", open, "The current plan stays."), danger: true }, reload)),
    difference("Proposed changes", open.changes ?? [], { key: "changes" }));
}

function decision(name, { number: proposal }, text) {
  return { name, title: `${name} proposal ${proposal}?`, text, fields: [{ name: "note", label: "Note", pointer: "/note", maxlength: 1000 }],
    run: (body) => post(`/proposals/${proposal}/${name.toLowerCase()}`, body) };
}
