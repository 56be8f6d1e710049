// Search in the header over jobs, nodes and tenants. "/" goes to it; the arrows choose, Enter opens.

import { address } from "./address.js";
import { list } from "./api.js";
import { stateBadge } from "./badge.js";
import { h } from "./dom.js";
import { words } from "./format.js";
import { labels } from "./names.js";

/** Delay after a key before the search, in milliseconds. */
const PAUSE = 150;
/** Results of each kind. */
const MOST = 8;

/** Adds the search to the page. */
export function search(place) {
  const results = h("ul", { id: "found", role: "listbox", "aria-label": "Results", hidden: true });
  const field = h("input", { id: "search-field", type: "search", placeholder: "Search  /", autocomplete: "off", spellcheck: "false", role: "combobox",
    "aria-label": "Search jobs, nodes and tenants", "aria-controls": "found", "aria-expanded": "false", "aria-autocomplete": "list" });
  let timer = null;
  let searches = 0;

  const show = (rows) => {
    results.replaceChildren(...rows);
    results.hidden = !rows.length;
    field.setAttribute("aria-expanded", String(rows.length > 0));
    choose(0);
  };
  const options = () => [...results.querySelectorAll("[role=option]")];
  const choose = (index) => {
    options().forEach((option, i) => option.setAttribute("aria-selected", String(i === index)));
    const chosen = options()[index];
    if (chosen) {
      field.setAttribute("aria-activedescendant", chosen.id);
    } else {
      field.removeAttribute("aria-activedescendant");
    }
    chosen?.scrollIntoView({ block: "nearest" });
  };
  const chosen = () => options().findIndex((option) => option.getAttribute("aria-selected") === "true");
  const close = () => {
    searches++;
    clearTimeout(timer);
    show([]);
  };
  const open = (option) => {
    location.hash = option.dataset.address;
    field.value = "";
    close();
    field.blur();
  };
  const find = async () => {
    const text = field.value.trim();
    const mine = ++searches;
    let failure = null;
    const found = text ? await matches(text).catch((error) => {
      failure = error.message;
      return [];
    }) : [];
    if (mine === searches) {
      show(!text ? [] : found.length ? found.map((one, i) => row(one, i, open))
        : [h("li.empty", { role: "option", "aria-disabled": "true", "data-address": "" }, failure ?? `Nothing matches ${text}.`)]);
    }
  };

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, PAUSE);
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = options();
    if (step && all.length) {
      event.preventDefault();
      choose((chosen() + step + all.length) % all.length);
    } else if (event.key === "Enter") {
      const option = all[Math.max(0, chosen())];
      if (option?.dataset.address) {
        open(option);
      }
    } else if (event.key === "Escape") {
      close();
    }
  });
  field.addEventListener("blur", () => setTimeout(() => document.activeElement === field || close(), 200)); // after a click on a result
  addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest?.("input, textarea, select, dialog")) {
      event.preventDefault();
      field.focus();
    }
  });
  place.append(field, results);
}

function row({ kind, name, detail, to }, i, open) {
  const option = h("li", { id: `found-${i}`, role: "option", "data-address": to, mousedown: (event) => event.preventDefault(), click: () => open(option) },
    h("span.kind", {}, kind), " ", h("span", {}, name), detail ? [" ", detail] : null);
  return option;
}

/** Jobs, nodes and tenants whose name or id contains a text: { kind, name, detail, to }. */
async function matches(text) {
  const contains = (name) => name.toLowerCase().includes(text.toLowerCase());
  const [jobs, nodes, tenants] = await Promise.all([
    list(`/jobs?search=${encodeURIComponent(text)}`, { most: MOST }), list("/nodes", { forbidden: [] }), list("/tenants", { forbidden: [] })]);
  const nameOf = labels(jobs);
  return [
    ...jobs.map((job) => ({ kind: "job", name: nameOf(job.id), detail: stateBadge(job.state), to: `#/job/${encodeURIComponent(job.id)}` })),
    ...nodes.filter((node) => contains(node.id)).slice(0, MOST).map((node) => ({ kind: "node", name: node.id, detail: words(node.state), to: `#/node/${encodeURIComponent(node.id)}` })),
    ...tenants.filter((tenant) => contains(tenant.name)).slice(0, MOST).map(({ name }) => ({ kind: "tenant", name, to: address("jobs", { tenant: name }) })),
  ];
}
