// Shows one view at a time, and redraws it for each new plan and every few seconds.

import { path } from "./address.js";
import { list, newerPlan, token, useToken } from "./api.js";
import { restyle, sweep } from "./chart.js";
import { h, keepFocus } from "./dom.js";
import { ago } from "./format.js";
import { menu } from "./menu.js";
import { loadCaller } from "./session.js";
import { signIn } from "./signin.js";
import * as overview from "./views/overview.js";
import * as outcomes from "./views/outcomes.js";
import * as selfaudit from "./views/selfaudit.js";
import * as jobs from "./views/jobs.js";
import * as queue from "./views/queue.js";
import * as timeline from "./views/timeline.js";
import * as changes from "./views/changes.js";
import * as nodes from "./views/nodes.js";
import * as maintenance from "./views/maintenance.js";
import * as reservations from "./views/reservations.js";
import * as aggregators from "./views/aggregators.js";
import * as preparations from "./views/preparations.js";
import * as rounds from "./views/rounds.js";
import * as whatif from "./views/whatif.js";
import * as approvals from "./views/approvals.js";
import * as simulations from "./views/simulations.js";
import * as recommendations from "./views/recommendations.js";
import * as tenants from "./views/tenants.js";
import * as connectors from "./views/connectors.js";
import * as tokens from "./views/tokens.js";
import * as settings from "./views/settings.js";
import * as audit from "./views/audit.js";
import * as glossary from "./views/glossary.js";
import * as job from "./views/job.js";
import * as node from "./views/node.js";
import * as missing from "./views/missing.js";

const GROUPS = {
  "": { overview, outcomes, selfaudit },
  Jobs: { jobs, queue, timeline, changes },
  Cluster: { nodes, maintenance, reservations, aggregators, preparations },
  Scheduling: { rounds, whatif, approvals, simulations, recommendations },
  Admin: { tenants, connectors, tokens, settings, audit },
  Help: { glossary },
};
const VIEWS = Object.assign({}, ...Object.values(GROUPS));
/** Views of one object, and the entry of the menu that they belong to. */
const DETAILS = { job: { view: job, entry: "jobs" }, node: { view: node, entry: "nodes" } };
const PERIOD = 5_000;
/** Delay between two attempts while the service is unreachable. */
const RETRY = 3_000;
const THEMES = ["auto", "light", "dark"];

const content = document.getElementById("content");
const live = document.getElementById("live");
let shown = null; // { view, id, entry, data, abort }

function route() {
  const [name, id = null] = path();
  if (Object.hasOwn(DETAILS, name) && id) {
    return { ...DETAILS[name], id };
  }
  return Object.hasOwn(VIEWS, name) ? { view: VIEWS[name], entry: name, id } : { view: missing, entry: null, id };
}

async function open() {
  const moved = shown !== null;
  shown?.abort.abort();
  shown?.view.leave?.();
  shown = { ...route(), data: null, abort: new AbortController() };
  document.title = `${shown.view.title} · Spur`;
  mark(shown.entry);
  content.replaceChildren(h("p.empty", {}, "Loading …"));
  sweep();
  await refresh();
  if (moved) {
    content.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

/** Redraws the view, unless a form has input: a redraw must not discard it. */
async function refresh(asked = false) {
  const current = shown;
  const busy = () => current.view.still || document.activeElement?.closest("main form");
  // what takes longer is drawn when it is there
  const later = (work) => work.then(() => current === shown && current.data !== null && !busy() && draw()).catch(() => {});
  try {
    const data = await current.view.load({ signal: current.abort.signal, id: current.id, later });
    if (current === shown) {
      const first = current.data === null;
      current.data = data;
      if (first || asked || !busy()) {
        draw();
      }
    }
  } catch (error) {
    if (error.name !== "AbortError" && current === shown) {
      failed(error);
    }
  }
}

/** The last content stays, with the error above it. */
function failed(error) {
  if (error.status === 401) {
    shown.data = null;
    signIn(content, begin);
  } else if (shown.data === null) {
    content.replaceChildren(h("h1", {}, shown.view.title), h("p.bad", { role: "alert" }, error.message));
  } else {
    say(`Not up to date: ${error.message}`, "bad");
  }
}

function draw() {
  const scrolled = [...content.querySelectorAll(".scroll")].map((part) => [part.scrollLeft, part.scrollTop]);
  const unfolded = new Set([...content.querySelectorAll("details[open]")].map((part) => part.id));
  const parts = shown.view.render(shown.data, { redraw: draw, reload: () => refresh(true) });
  keepFocus(() => {
    content.replaceChildren(...parts.flat().filter(Boolean));
    content.querySelectorAll("details").forEach((part) => { part.open ||= unfolded.has(part.id); });
  });
  sweep();
  [...content.querySelectorAll(".scroll")].forEach((part, i) => scrolled[i] && part.scrollTo(...scrolled[i]));
}

function say(text, tone = "") {
  live.className = tone;
  live.textContent = text;
}

async function follow() {
  // the summary suffices at first: the plan itself is large, and most views do not need it
  let plan = (await list("/plans", { most: 1 }).catch(() => []))[0] ?? null;
  for (;;) {
    try {
      say(plan ? `plan ${plan.revision}, ${ago(plan.publishedAt)} old` : "no plan yet");
      const newer = await newerPlan(plan?.revision ?? 0);
      if (newer) {
        plan = newer;
        await refresh();
      }
    } catch (error) {
      say(error.status === 401 ? "" : `Not connected: ${error.message}`, "bad");
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }
}

/** Shows the caller with a sign-out button, except in local mode. Views that the caller may not read are hidden. */
async function begin() {
  const leave = document.getElementById("leave");
  const caller = await loadCaller();
  leave.hidden = !token();
  leave.textContent = caller ? `Sign out ${caller.name}` : "Sign out";
  await Promise.all([open(), offer()]);
}

function theme() {
  const button = document.getElementById("theme");
  const kept = localStorage.getItem("theme") ?? "auto";
  const apply = (name) => {
    document.documentElement.dataset.theme = name;
    button.textContent = `Theme: ${name}`;
    restyle();
  };
  apply(kept);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    localStorage.setItem("theme", next);
    apply(next);
  });
}

const { mark, offer } = menu(GROUPS);
theme();
document.getElementById("leave").addEventListener("click", () => {
  useToken(null);
  begin();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // "#content" is no address of a view
  content.focus();
});
addEventListener("hashchange", open);
begin();
follow();
setInterval(() => document.visibilityState === "visible" && shown.data !== null && refresh(), PERIOD);
