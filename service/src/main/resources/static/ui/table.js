// The table: columns sort, a field filters, and long tables have pages. Sort order and filter are in the address.

import { param, setParams } from "./address.js";
import { PHONE, h, keepFocus } from "./dom.js";
import { number } from "./format.js";
import { distinguish } from "./names.js";
import { inOrder } from "./order.js";
import { selection } from "./select.js";

/** Rows on a page; fewer on a phone, where each row is a card. */
const ROWS = PHONE ? 20 : 50;
/** Rows up to which a filter is not offered. */
const FEW = 10;
/** Columns whose head is for screen readers only. */
const HIDDEN = ["select", "actions"];
/** Page of each table, by its key. */
const pages = new Map();

/**
 * A table of items.
 *
 * @param caption what the rows are; announced by screen readers
 * @param columns { name, value: what sorts and filters, cell: content if it is not the value, number: true if right-aligned, whole: true if not wrapped, help: explanation of the name }
 * @param items all items, in the order without a sort column
 * @param options key: name of the table in the address ("" for the main table of a view), empty: text without items,
 *     filter: false where the items are filtered already, prepare: async, called with the items of a page before they are shown; true if they must be drawn again,
 *     select: options of a selection of rows, cards: true where a phone shows each row in few lines without the names of the columns
 */
export function table(caption, shown, items, { key = slug(caption), empty = "None.", filter = true, prepare, select = null, cards = false } = {}) {
  if (!items.length) {
    return h("p.empty", {}, empty);
  }
  const names = { q: filter ? parameter(key, "q") : null, sort: parameter(key, "sort") };
  const selected = select && selection(caption, select, items);
  const columns = selected?.bar ? [selected.column, ...shown] : shown;
  const body = h("div", {});
  /** Text of each item that is filtered. */
  const texts = new Map();
  const draw = () => {
    const rows = page(columns, items, names, key, texts);
    selected?.show(rows.found);
    keepFocus(() => body.replaceChildren(...content(caption, columns, items.length, rows, names, key, draw, cards)));
    distinguish(body);
    prepare?.(rows.shown).then((changed) => {
      if (changed) {
        texts.clear();
        draw();
      }
    });
  };
  const change = (changes) => {
    setParams(changes);
    pages.delete(key);
    draw();
  };
  draw();
  return h("div.table", {}, filter && (items.length > FEW || param(names.q)) ? toolbar(caption, columns, names, key, change) : null, selected?.bar, body);
}

function parameter(key, name) {
  return key ? `${key}-${name}` : name;
}

/** A name as it is written in an address. */
export function slug(text) {
  return text.toLowerCase().replaceAll(/\W+/g, "-");
}

function toolbar(caption, columns, names, key, change) {
  return h("p.toolbar", {},
    h("input", { id: `${key || "main"}-filter`, type: "search", value: param(names.q) ?? "", placeholder: "Filter", "aria-label": `Filter: ${caption}`,
      input: (event) => change({ [names.q]: event.target.value }) }),
    h("select.phone", { id: `${key || "main"}-order`, "aria-label": `Sort: ${caption}`, change: (event) => change({ [names.sort]: event.target.value }) },
      h("option", { value: "" }, "Sort by"),
      columns.filter((column) => column.value).map((column) => h("option", { value: column.name, selected: param(names.sort) === column.name }, column.name))));
}

function page(columns, items, names, key, texts) {
  const found = sorted(columns, filtered(columns, items, names.q && param(names.q), texts), param(names.sort));
  const last = Math.max(0, Math.ceil(found.length / ROWS) - 1);
  const at = Math.min(pages.get(key) ?? 0, last);
  return { found, last, at, shown: found.slice(at * ROWS, (at + 1) * ROWS) };
}

function content(caption, columns, all, { found, last, at, shown }, names, key, draw, cards) {
  const sort = param(names.sort);
  const turn = (target) => {
    pages.set(key, target);
    draw();
  };
  return [
    h("div.scroll", { tabindex: 0, role: "region", "aria-label": caption },
      h(cards ? "table.cards" : "table", {},
        h("caption.hidden", {}, caption),
        h("thead", {}, h("tr", {}, columns.map((column) => head(column, sort, key, (order) => {
          setParams({ [names.sort]: order });
          pages.delete(key);
          draw();
        })))),
        h("tbody", {}, shown.map((item) => h("tr", {}, columns.map((column) =>
          h(column.number ? "td.number" : column.whole ? "td.whole" : "td", { "data-label": column.name }, cell(column, item)))))))),
    found.length ? null : h("p.empty", {}, `No match among ${number(all)}.`),
    last > 0 ? buttons(caption, key, at, last, found.length, turn) : null].filter(Boolean);
}

function cell(column, item) {
  if (column.cell) {
    return column.cell(item);
  }
  const value = column.value(item);
  return column.number ? number(value) : value;
}

function head(column, sort, key, order) {
  const name = sort?.replace(/^-/, "");
  const direction = name !== column.name ? null : sort.startsWith("-") ? "descending" : "ascending";
  return h(column.number ? "th.number" : "th", { scope: "col", "aria-sort": direction },
    column.value ? h("button.sort", {
      id: `${key || "main"}-by-${slug(column.name)}`, type: "button", title: column.help ?? `Sort by ${column.name}`,
      click: () => order(next(column, direction)),
    }, column.name, h("span", { "aria-hidden": "true" }, direction === null ? "" : direction === "ascending" ? " \u25b2" : " \u25bc")) : HIDDEN.includes(column.name) ? h("span.hidden", {}, column.name) : column.name);
}

/** The first press shows the largest numbers or the first names, the second the opposite, the third the original order. */
function next(column, direction) {
  const orders = column.number ? ["descending", "ascending"] : ["ascending", "descending"];
  const after = direction === null ? orders[0] : direction === orders[0] ? orders[1] : null;
  return after && (after === "descending" ? `-${column.name}` : column.name);
}

function filtered(columns, items, text, texts) {
  const terms = (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  if (!terms.length) {
    return items;
  }
  const searched = columns.filter((column) => column.value);
  return items.filter((item) => {
    if (!texts.has(item)) {
      texts.set(item, searched.map((column) => column.value(item)).join("\u0000").toLowerCase());
    }
    return terms.every((term) => texts.get(item).includes(term));
  });
}

function sorted(columns, items, sort) {
  const column = columns.find((one) => one.value && one.name === sort?.replace(/^-/, ""));
  return column ? inOrder(items, column.value, sort.startsWith("-")) : items;
}

function buttons(caption, key, at, last, all, turn) {
  const to = (text, target, possible) => h("button", {
    id: `${text}-${key || "main"}`.toLowerCase(),
    type: "button",
    "aria-label": `${text} page of: ${caption}`,
    "aria-disabled": possible ? null : "true",
    click: () => possible && turn(target),
  }, text);
  return h("nav.pages", { "aria-label": `Pages of: ${caption}` },
    to("Previous", at - 1, at > 0),
    h("span", { role: "status" }, `${number(at * ROWS + 1)} to ${number(Math.min(all, (at + 1) * ROWS))} of ${number(all)}`),
    to("Next", at + 1, at < last));
}
