// Shows one view at a time, and redraws it for each new plan and every few seconds.

import { get, list, newerPlan, token, useToken } from "./api.js";
import { h } from "./dom.js";
import { ago } from "./format.js";
import { signIn } from "./signin.js";
import * as overview from "./views/overview.js";
import * as jobs from "./views/jobs.js";
import * as cluster from "./views/cluster.js";
import * as timeline from "./views/timeline.js";
import * as changes from "./views/changes.js";
import * as solver from "./views/solver.js";
import * as tenants from "./views/tenants.js";
import * as whatif from "./views/whatif.js";
import * as preparations from "./views/preparations.js";
import * as aggregators from "./views/aggregators.js";
import * as maintenance from "./views/maintenance.js";
import * as approval from "./views/approval.js";
import * as connectors from "./views/connectors.js";
import * as tokens from "./views/tokens.js";
import * as audit from "./views/audit.js";
import * as job from "./views/job.js";
import * as missing from "./views/missing.js";

const VIEWS = {
  overview, jobs, cluster, timeline, changes, approval, solver, preparations, aggregators, tenants, whatif, maintenance, connectors, tokens, audit,
};
const PERIOD = 5_000;
/** Delay between two attempts while the service is unreachable. */
const RETRY = 3_000;
const THEMES = ["auto", "light", "dark"];

const content = document.getElementById("content");
const live = document.getElementById("live");
let shown = null; // { view, id, name, data, abort }

function route() {
  const [name, id = null] = address();
  if (name === "job" && id) {
    return { name, view: job, id };
  }
  return Object.hasOwn(VIEWS, name) ? { name, view: VIEWS[name], id } : { name, view: missing, id };
}

/** The parts of the address after #/; no part that is not encoded as it should be. */
function address() {
  try {
    return (location.hash.replace(/^#\/?/, "") || "overview").split("/").map(decodeURIComponent);
  } catch {
    return [null];
  }
}

async function open() {
  const moved = shown !== null;
  shown?.abort.abort();
  shown?.view.leave?.();
  shown = { ...route(), data: null, abort: new AbortController() };
  document.title = `${shown.view.title} · Spur`;
  for (const link of document.querySelectorAll("#views a")) {
    link.toggleAttribute("aria-current", link.dataset.view === shown.name);
  }
  content.replaceChildren(h("p.empty", {}, "Loading …"));
  await refresh();
  if (moved) {
    content.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

/** Redraws the view, unless a form has input: a redraw must not discard it. */
async function refresh(asked = false) {
  const current = shown;
  try {
    const data = await current.view.load({ signal: current.abort.signal, id: current.id });
    if (current === shown) {
      const first = current.data === null;
      current.data = data;
      if (first || asked || !(current.view.still || document.activeElement?.closest("main form"))) {
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
  const focused = document.activeElement?.id;
  const caret = document.activeElement?.selectionStart;
  const scrolled = [...content.querySelectorAll(".scroll")].map((part) => [part.scrollLeft, part.scrollTop]);
  const parts = shown.view.render(shown.data, { redraw: draw, reload: () => refresh(true) });
  content.replaceChildren(...parts.flat().filter(Boolean));
  [...content.querySelectorAll(".scroll")].forEach((part, i) => scrolled[i] && part.scrollTo(...scrolled[i]));
  const again = focused && document.getElementById(focused);
  if (again) {
    again.focus({ preventScroll: true });
    if (caret !== null && caret !== undefined && again.type === "search") {
      again.setSelectionRange(caret, caret);
    }
  }
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
      say(`Not connected: ${error.message}`, "bad");
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }
}

/** Shows the caller with a sign-out button, except in local mode. Views that the caller may not read are hidden. */
async function begin() {
  const leave = document.getElementById("leave");
  const caller = await get("/whoami").catch(() => null);
  leave.hidden = !token();
  leave.textContent = caller ? `Sign out ${caller.name}` : "Sign out";
  for (const link of document.querySelectorAll("#views a")) {
    const roles = VIEWS[link.dataset.view]?.roles;
    link.hidden = Boolean(roles && caller && !caller.roles.some((role) => roles.includes(role)));
  }
  await open();
}

function theme() {
  const button = document.getElementById("theme");
  const kept = localStorage.getItem("theme") ?? "auto";
  const apply = (name) => {
    document.documentElement.dataset.theme = name;
    button.textContent = `Theme: ${name}`;
  };
  apply(kept);
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    localStorage.setItem("theme", next);
    apply(next);
  });
}

document.getElementById("views").append(
  ...Object.entries(VIEWS).map(([name, view]) => h("a", { href: `#/${name}`, "data-view": name }, view.title)),
  h("a", { href: "/docs" }, "API"));
theme();
document.getElementById("leave").addEventListener("click", () => {
  useToken(null);
  begin();
});
addEventListener("hashchange", open);
begin();
follow();
setInterval(() => document.visibilityState === "visible" && shown.data !== null && refresh(), PERIOD);
