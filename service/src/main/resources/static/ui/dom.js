// Builds elements. Text always becomes text nodes, so that names from users cannot become markup.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "g", "line", "rect", "circle", "text", "title", "polyline", "svg:a"]);

/**
 * An element of HTML, or of SVG for SVG's tags; a link inside of a picture is "svg:a".
 *
 * @param tag name, with classes as in "td.number"
 * @param attributes attributes; functions become listeners ("click"), null and false are left out, true is an empty attribute
 * @param children elements, text, or arrays of these; null is left out
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = SVG_TAGS.has(name) ? document.createElementNS(SVG, name.replace("svg:", "")) : document.createElement(name);
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

/** A table with a caption that screen readers announce. Cells are elements or text; numbers are right-aligned. */
export function table(caption, columns, rows, empty = "None.") {
  if (!rows.length) {
    return h("p.empty", {}, empty);
  }
  return h("div.scroll", { tabindex: 0, role: "region", "aria-label": caption },
    h("table", {},
      h("caption.hidden", {}, caption),
      h("thead", {}, h("tr", {}, columns.map((column) => h(column.number ? "th.number" : "th", { scope: "col" }, column.name)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, i) =>
        h(columns[i].number ? "td.number" : "td", { "data-label": columns[i].name }, cell)))))));
}

/** A section with a heading. */
export function section(heading, ...children) {
  return h("section", {}, h("h2", {}, heading), ...children);
}

/** A figure with its label. */
export function tile(label, value, detail = null, tone = null) {
  return h(tone ? `div.tile.${tone}` : "div.tile", {},
    h("span.label", {}, label), h("strong", {}, value), detail ? h("span.detail", {}, detail) : null);
}

/** A bar that is `part` of `whole` full. */
export function bar(part, whole, label) {
  const share = whole > 0 ? Math.min(1, part / whole) : 0;
  return h("span.bar", { role: "img", "aria-label": label, title: label }, h("span", { style: `width:${(100 * share).toFixed(1)}%` }));
}

export function jobLink(id, name) {
  return h("a", { href: `#/job/${encodeURIComponent(id)}` }, name || id);
}
