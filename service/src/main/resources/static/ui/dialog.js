// The dialog for whatever changes the state of the service: a question, or a form. The page below is not redrawn over it.

import { h } from "./dom.js";
import { form } from "./form.js";

/**
 * Asks, and carries out the answer.
 *
 * @param title the action
 * @param options text: what it does, fields: those of a form or a function that loads them, next: replaces `done`, other members as of a form
 * @param done is called with the result of `run` after it has succeeded
 */
export async function ask(title, { text = null, fields = [], run, next = null, ...options }, done) {
  const loaded = typeof fields === "function" ? await fields() : fields;
  const opener = document.activeElement?.id;
  const dialog = modal(title, [text ? h("p", {}, text) : null, form("dialog", loaded, { ...options, cancel: () => dialog.close(), run: async (body, values) => {
    const result = await run(body, values);
    dialog.close();
    await (next ?? done)(result);
  } })], () => document.getElementById(opener)?.focus({ preventScroll: true }));
}

/** Shows a result. */
export function tell(title, ...content) {
  const dialog = modal(title, [content, h("p.buttons", {}, h("button", { type: "button", click: () => dialog.close() }, "Close"))]);
}

function modal(title, content, closed = null) {
  const dialog = h("dialog", { "aria-labelledby": "dialog-title", close: () => {
    dialog.remove();
    closed?.();
  } }, h("h2", { id: "dialog-title" }, title), content);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Buttons of actions: { name, title, … as of `ask` }. */
export function buttons(actions, done) {
  return actions.length ? h("p.buttons", {}, actions.map((action) => button(action, done))) : null;
}

export function button({ name, title, ...rest }, done) {
  return h(rest.danger ? "button.danger" : "button", {
    id: `do-${name.toLowerCase().replaceAll(/\W+/g, "-")}`, type: "button", click: () => ask(title, { action: name, ...rest }, done),
  }, name);
}

/** One button for several actions on a row; nothing where there is none. */
export function menuButton(id, label, actions, done) {
  if (!actions.length) {
    return null;
  }
  return h("button.menu", {
    id: `menu-${id}`, type: "button", "aria-label": `Actions: ${label}`, "aria-haspopup": "dialog",
    click: () => {
      const menu = modal(label, h("p.column", {}, actions.map(({ name, title, ...rest }) => h(rest.danger ? "button.danger" : "button", {
        type: "button",
        click: () => {
          menu.close();
          ask(title, { action: name, ...rest }, done);
        },
      }, name)), h("button", { type: "button", click: () => menu.close() }, "Back")));
    },
  }, "⋯");
}
