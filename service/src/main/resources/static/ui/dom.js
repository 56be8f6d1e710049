// Builds elements. Text always becomes text nodes, so that names from users cannot become markup.

import { percent } from "./format.js";

/** Whether the page is as narrow as on a phone; tables are then lists of cards. */
export const PHONE = matchMedia("(max-width: 640px)").matches;

/**
 * An element.
 *
 * @param tag name, with classes as in "td.number"
 * @param attributes attributes; functions become listeners ("click"), null and false are left out, true is an empty attribute
 * @param children elements, text, or arrays of these; null is left out
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) {
    element.setAttribute("class", classes.join(" "));
  }
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(key, value);
    } else if (key === "style") {
      element.style.cssText = value; // an attribute of that name is what the content security policy forbids
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? "" : value);
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(element, child);
    } else if (child !== null && child !== undefined) {
      element.append(child);
    }
  }
}

/** The place of what is not read yet. */
export function loading() {
  return h("p.empty", {}, "Loading …");
}

/** A section with a heading. */
export function section(heading, ...children) {
  return h("section", {}, h("h2", {}, heading), ...children);
}

/**
 * A figure with its label.
 *
 * @param options detail: text below, chart: a sparkline, tone: "bad" where an operator must act, href: the view with more, help: explanation of the label
 */
export function tile(label, value, { detail = null, chart = null, tone = "", href = null, help = null } = {}) {
  return h(`${href ? "a" : "div"}.tile${tone ? `.${tone}` : ""}`, { href, title: help },
    h("span.label", {}, label), h("strong", {}, value), detail ? h("span.detail", {}, detail) : null, chart);
}

/** A bar that is `part` of `whole` full, with a line at `mark` if it is given. */
export function bar(part, whole, label, mark = null) {
  const share = (value) => `${(100 * (whole > 0 ? Math.min(1, value / whole) : 0)).toFixed(1)}%`;
  return h("span.bar", { role: "img", "aria-label": label, title: label }, h("span", { style: `width:${share(part)}` }),
    mark === null ? null : h("i", { style: `left:${share(mark)}` }));
}

/** A bar of `parts`, pairs of a color and a value, in `whole`; the rest is free. */
export function partsBar(parts, whole, label) {
  const total = Math.max(whole, parts.reduce((sum, [, value]) => sum + value, 0));
  return h("span.bar.parts", { role: "img", "aria-label": label, title: label },
    parts.filter(([, value]) => value > 0).map(([color, value]) => h("span", { style: `background:${color};width:${(100 * value / total).toFixed(1)}%` })));
}

/** A square in the color of a legend. */
export function swatch(color) {
  return h("span.swatch", { style: `background:${color}`, "aria-hidden": "true" });
}

/** A bar with its share in figures. */
export function gauge(what, share, digits = 0) {
  const text = share === null ? "unknown" : percent(share, digits);
  return h("span.gauge", {}, bar(share ?? 0, 1, `${what}: ${text}`), text);
}

export function jobLink(id, name) {
  return h("a", { href: `#/job/${encodeURIComponent(id)}` }, name || id);
}

/** A link to the jobs of an array. */
export function arrayLink(id, name) {
  return h("a", { href: `#/jobs?array=${encodeURIComponent(id)}` }, name);
}

export function nodeLink(id) {
  return h("a", { href: `#/node/${encodeURIComponent(id)}` }, id);
}

/** Draws a part again; the element with the focus, known by its id, keeps it and its caret. */
export function keepFocus(draw) {
  const { id, selectionStart: caret } = document.activeElement ?? {};
  draw();
  const again = id && document.getElementById(id);
  if (again && again !== document.activeElement) {
    again.focus({ preventScroll: true });
    if (again.type === "search" && caret !== null && caret !== undefined) {
      again.setSelectionRange(caret, caret);
    }
  }
}
