// The output of a job, which follows a running job while it is open. It survives redraws of the view.

import { get } from "./api.js";
import { h } from "./dom.js";

/** Lines that are kept on the page. */
const MOST = 5_000;
const WAIT_SECONDS = 20;
const RETRY = 3_000;
let open = { id: null };

/** The folded log of a job. */
export function log(id) {
  if (open.id !== id) {
    open = create(id);
  }
  return open.element;
}

function create(id) {
  const text = h("pre.log", { tabindex: 0, role: "log", "aria-label": "Output of the job" });
  const follow = h("input", { id: "follow", type: "checkbox", checked: true });
  const status = h("span.detail", { role: "status" });
  const element = h("details", { id: "log", toggle: () => element.open && !state.running && read(state) },
    h("summary", {}, "Output of the job"),
    h("p.toolbar", {}, h("label", { for: "follow" }, follow, "Follow"), status), text);
  const state = { id, element, text, follow, status, running: false };
  return state;
}

/** Reads the log, and then what is new, until the log is closed or complete. */
async function read(state) {
  const { id, element, status } = state;
  state.running = true;
  let after = null;
  while (element.isConnected && element.open && open.id === id) {
    try {
      const query = after === null ? "lines=1000&wait=5" : `lines=1000&after=${after}&wait=${WAIT_SECONDS}`;
      const answer = await get(`/jobs/${encodeURIComponent(id)}/logs?${query}`, { partly: true });
      if (after === null) {
        state.text.replaceChildren();
      }
      append(state, answer.ranks);
      status.textContent = answer.message ?? (answer.complete ? "complete" : "new output appears here");
      after = answer.cursor;
      if (answer.complete) {
        break;
      }
    } catch (error) {
      status.textContent = error.message;
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }
  state.running = false;
}

function append({ text, follow }, ranks) {
  const several = text.dataset.several || ranks.length > 1;
  text.dataset.several = several ? "true" : "";
  for (const rank of ranks) {
    for (const line of rank.lines) {
      text.append(`${several ? `[${rank.rank}] ` : ""}${line}\n`);
    }
  }
  while (text.childNodes.length > MOST) {
    text.firstChild.remove();
  }
  if (follow.checked) {
    text.scrollTop = text.scrollHeight;
  }
}
