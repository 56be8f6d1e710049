// Shows one view at a time, and redraws it for each new plan and every few seconds.

import { path } from "./address.js";
import { list, newerPlan, token, useToken } from "./api.js";
import { restyle, sweep } from "./chart.js";
import { h, keepFocus, loading } from "./dom.js";
import { time } from "./format.js";
import { menu } from "./menu.js";
import { search } from "./search.js";
import { loadCaller } from "./session.js";
import { signIn } from "./signin.js";

/** Names of the views, which are modules, by the title of their group in the menu. */
const GROUPS = {
  "": ["overview", "outcomes"],
  Jobs: ["jobs", "queue", "timeline", "changes"],
  Cluster: ["nodes", "maintenance", "reservations", "aggregators", "preparations"],
  Scheduling: ["rounds", "whatif", "approvals", "recommendations"],
  Admin: ["tenants", "connectors", "webhooks", "tokens", "settings", "audit"],
  Help: ["glossary"],
};
/** Views of one object, and the entry of the menu that they belong to. */
const DETAILS = { job: "jobs", node: "nodes" };
/** Views of a list with views of one of its parts. */
const PARTS = ["changes", "webhooks"];
/** Addresses of one object under the name of its list. */
const LISTS = { jobs: "job", nodes: "node" };
const PERIOD = 5_000;
/** Time in which a view is drawn only when it is complete. */
const PATIENCE = 300;
/** Delay between two attempts while the service is unreachable. */
const RETRY = 3_000;
const THEMES = ["auto", "light", "dark"];

const content = document.getElementById("content");
const live = document.getElementById("live");
let shown = null; // { view, id, data, loading, abort }
let openings = 0;

/** View and id of the address. The address of an object under the name of its list is replaced by its own. */
function route() {
  const [name, id = null] = path();
  if (Object.hasOwn(LISTS, name) && id) {
    history.replaceState(null, "", `#/${LISTS[name]}/${encodeURIComponent(id)}`);
    return route();
  }
  if (Object.hasOwn(DETAILS, name) && id) {
    return { name, entry: DETAILS[name], id };
  }
  return Object.values(GROUPS).flat().includes(name) && (!id || PARTS.includes(name)) ? { name, entry: name, id } : { name: "missing", entry: null, id };
}

function module(name) {
  return import(`./views/${name}.js`);
}

/** The menu, whose entries need the modules of all views; the one that is opened first is loaded before them. */
async function menuOfAll() {
  await module(route().name);
  const loaded = (names) => Promise.all(names.map(async (name) => [name, await module(name)])).then(Object.fromEntries);
  return menu(Object.fromEntries(await Promise.all(Object.entries(GROUPS).map(async ([title, names]) => [title, await loaded(names)]))));
}

async function open() {
  const moved = shown !== null;
  const { name, entry, id } = route();
  const opening = ++openings;
  shown?.abort.abort();
  bar.then(({ mark }) => mark(entry));
  const view = await module(name);
  if (opening !== openings) {
    return;
  }
  shown?.view.leave?.();
  shown = { view, id, data: null, loading: false, abort: new AbortController() };
  document.title = `${view.title} · Spur`;
  content.replaceChildren(loading());
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
  if (!asked && (current.loading || (current.view.still && current.data !== null))) {
    return;
  }
  current.loading = true;
  const busy = () => document.activeElement?.closest("main form");
  // Fills members of a state with what may take long. A view that is opened waits for a moment only, and is drawn again for each that comes later.
  const later = (state, works) => {
    const first = current.data === null;
    const done = Promise.all(Object.entries(works).map(async ([name, work]) => {
      state[name] = await work;
      if (first && current === shown && current.data !== null && !busy()) {
        draw();
      }
    })).catch(() => {});
    return first ? Promise.race([done, new Promise((resolve) => setTimeout(resolve, PATIENCE))]) : done;
  };
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
  } finally {
    current.loading = false;
  }
}

/** The last content stays, with the error above it. */
function failed(error) {
  if (error.status === 401) {
    shown.data = null;
    document.body.classList.add("locked");
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
      say(plan ? `plan ${plan.revision}, published at ${time(plan.publishedAt)}` : "no plan yet");
      const newer = await newerPlan(plan?.revision ?? 0);
      if (newer) {
        plan = newer;
        await (shown && refresh());
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
  if (caller) {
    document.body.classList.remove("locked");
  }
  leave.hidden = !token();
  leave.textContent = caller ? `Sign out ${caller.name}` : "Sign out";
  await Promise.all([open(), bar.then(({ offer }) => offer())]);
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

search(document.getElementById("search"));
const bar = menuOfAll();
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
setInterval(() => document.visibilityState === "visible" && shown?.data && refresh(), PERIOD);
