// The selection of rows of a table, and the actions on them. It survives redraws and filters of its table.

import { button, tell } from "./dialog.js";
import { h, keepFocus } from "./dom.js";
import { count, number } from "./format.js";

/** Requests at the same time. */
const PARALLEL = 6;
/** Delay before a request that exceeded the rate limit is repeated. */
const BUSY = 1_000;
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/** An empty selection: ids of the items, the one that was changed last, which is the other end of a range, and the result of the last action. */
export function noSelection() {
  return { ids: new Set(), last: null, result: null };
}

/**
 * A selection.
 *
 * @param caption what the rows are
 * @param options chosen: the selection, which is changed, id and label: of an item, able: whether an item can be selected,
 *     actions: on the selected items, as of `buttons`, with results as of `each`, reload: called after one of them
 * @param items all items of the table
 * @return bar: number of selected items and the actions, column: of the check boxes, show: called with the rows that the filter leaves
 */
export function selection(caption, { chosen, id, label, able, actions, reload }, items) {
  const status = h("span", { id: "selected", role: "status" });
  const tools = h("span.toolbar", {});
  const boxes = new Map();
  const possible = items.filter(able);
  let matching = possible;

  const set = (key, checked) => {
    chosen.ids[checked ? "add" : "delete"](key);
    const box = boxes.get(key);
    if (box) {
      box.checked = checked;
    }
  };
  const setAll = (keys, checked) => {
    keys.forEach((key) => set(key, checked));
    chosen.result = null;
    draw();
  };
  const draw = () => {
    const picked = possible.filter((item) => chosen.ids.has(id(item)));
    const hidden = picked.length - matching.filter((item) => chosen.ids.has(id(item))).length;
    status.textContent = [chosen.result, picked.length ? `${number(picked.length)} selected` : null, hidden ? `${number(hidden)} of them hidden by the filter` : null]
      .filter(Boolean).join(", ");
    keepFocus(() => tools.replaceChildren(...[
      h("button", { id: "select-all", type: "button", click: () => setAll(matching.map(id), true) }, `Select all ${number(matching.length)}`),
      picked.length ? h("button", { id: "select-none", type: "button", click: () => setAll(possible.map(id), false) }, "Clear") : null,
      ...(picked.length ? actions(picked) : []).map((action) => button(action, ended)),
    ].filter(Boolean)));
  };
  const ended = async (results) => {
    const done = results.filter((result) => result.done);
    done.forEach(({ item }) => set(id(item), false));
    chosen.result = `${number(done.length)} of ${number(results.length)} done`;
    await reload();
    report(chosen.result, results.filter((result) => !result.done), label);
  };
  /** With a range, all rows from the last changed one get the state of this one. */
  const toggle = (key, checked, range) => {
    const keys = [...boxes.keys()];
    const [from, to] = [keys.indexOf(chosen.last), keys.indexOf(key)].sort((a, b) => a - b);
    chosen.last = key;
    setAll(range && from >= 0 ? keys.slice(from, to + 1) : [key], checked);
  };
  /** Arrows go from row to row; with shift, they give the next row the state of this one. */
  const move = (event, key) => {
    const step = STEPS[event.key];
    const next = step && [...boxes.keys()][[...boxes.keys()].indexOf(key) + step];
    if (step) {
      event.preventDefault();
    }
    if (next) {
      boxes.get(next).focus();
      if (event.shiftKey) {
        toggle(next, event.target.checked, false);
      }
    }
  };
  const cell = (item) => {
    const key = id(item);
    const box = able(item) ? h("input.pick", { id: `select-${key}`, type: "checkbox", "aria-label": `Select ${label(item)}`, checked: chosen.ids.has(key),
      click: (event) => toggle(key, event.target.checked, event.shiftKey), keydown: (event) => move(event, key) }) : null;
    return box && boxes.set(key, box) && box;
  };
  return {
    bar: possible.length ? h("div.toolbar", { role: "group", "aria-label": `Selection: ${caption}` }, tools, status) : null,
    column: { name: "select", cell },
    show: (found) => {
      boxes.clear();
      matching = found.filter(able);
      draw();
    },
  };
}

/** Lists what failed, and what was not requested because the dialog was closed. */
function report(result, rest, label) {
  const failed = rest.filter(({ error }) => error);
  const stopped = rest.length - failed.length;
  if (document.activeElement === document.body) {
    document.getElementById("select-all")?.focus({ preventScroll: true });
  }
  if (rest.length) {
    tell(result,
      stopped ? h("p", {}, `Stopped: ${number(stopped)} were not requested.`) : null,
      failed.length ? h("p.bad", {}, `${count(failed.length, "failure")}:`) : null,
      h("ul.members", {}, failed.map(({ item, error }) => h("li", {}, h("b", {}, label(item)), `: ${error.message}`))));
  }
}

/**
 * Carries out a request for each item, some at the same time, until the dialog that shows the progress is closed.
 *
 * @param progress element of the dialog whose text states how many are done
 * @return { item, done: true, or error, or neither if it was not requested } of each item
 */
export async function each(items, request, progress) {
  const results = items.map((item) => ({ item }));
  const waiting = results[Symbol.iterator]();
  let finished = 0;
  const work = async () => {
    for (const result of waiting) {
      if (!progress.isConnected) {
        return;
      }
      await attempt(result, request);
      progress.textContent = `${number(++finished)} of ${number(items.length)} …`;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return results;
}

async function attempt(result, request) {
  try {
    await request(result.item);
    result.done = true;
  } catch (error) {
    if (error.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, BUSY));
      return attempt(result, request);
    }
    result.error = error;
  }
}
