// Long tables in pages: rows outside the page are not drawn.

import { h, table } from "./dom.js";
import { number } from "./format.js";

/** Of cards on a telephone fewer, so that what comes after them is not out of reach. */
const ROWS = matchMedia("(max-width: 640px)").matches ? 20 : 50;
/** The page that is shown, by the caption of the table. */
const pages = new Map();

/**
 * A table of `items`, `ROWS` at a time, with buttons for the other pages.
 *
 * @param caption caption of the table; unique among the tables of the dashboard
 * @param row the cells of an item
 * @param redraw redraws the view
 */
export function paged(caption, columns, items, row, redraw, empty) {
  const { page, last } = place(caption, items);
  return [table(caption, columns, onPage(caption, items).map(row), empty), last > 0 ? buttons(caption, page, last, items.length, redraw) : null];
}

/** The items on the page of that table that is shown. */
export function onPage(caption, items) {
  const { page } = place(caption, items);
  return items.slice(page * ROWS, (page + 1) * ROWS);
}

function place(caption, items) {
  const last = Math.max(0, Math.ceil(items.length / ROWS) - 1);
  return { page: Math.min(pages.get(caption) ?? 0, last), last };
}

/** Begins the table of that caption at its first page, because its items are others now. */
export function firstPage(caption) {
  pages.delete(caption);
}

function buttons(caption, page, last, all, redraw) {
  const to = (text, target, possible) => h("button", {
    id: `${text} ${caption}`.toLowerCase().replaceAll(/\W+/g, "-"),
    type: "button",
    "aria-label": `${text} page of: ${caption}`,
    "aria-disabled": possible ? null : "true",
    click: () => {
      if (possible) {
        pages.set(caption, target);
        redraw();
      }
    },
  }, text);
  return h("nav.pages", { "aria-label": `Pages of: ${caption}` },
    to("Previous", page - 1, page > 0),
    h("span", { role: "status" }, `${number(page * ROWS + 1)} to ${number(Math.min(all, (page + 1) * ROWS))} of ${number(all)}`),
    to("Next", page + 1, page < last));
}
