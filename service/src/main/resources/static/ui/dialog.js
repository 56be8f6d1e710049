// The dialog for whatever changes the state of the service: a question, or a form. The page below is not redrawn over it.

import { h } from "./dom.js";
import { form } from "./form.js";

/**
 * Asks, and carries out the answer.
 *
 * @param title the action
 * @param options text: what it does, fields: those of a form or a function that loads them, other members as of a form
 * @param done is called with the result of `run` after it has succeeded
 */
export async function ask(title, { text = null, fields = [], run, ...options }, done) {
  const loaded = typeof fields === "function" ? await fields() : fields;
  const opener = document.activeElement?.id;
  const close = () => dialog.close();
  const dialog = h("dialog", { "aria-labelledby": "dialog-title", close: () => {
    dialog.remove();
    document.getElementById(opener)?.focus({ preventScroll: true });
  } },
  h("h2", { id: "dialog-title" }, title),
  text ? h("p", {}, text) : null,
  form("dialog", loaded, { ...options, cancel: close, run: async (body, values) => {
    const result = await run(body, values);
    close();
    await done(result);
  } }));
  document.body.append(dialog);
  dialog.showModal();
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
      const menu = h("dialog", { "aria-label": label, close: () => menu.remove() },
        h("h2", {}, label),
        h("p.column", {}, actions.map(({ name, title, ...rest }) => h(rest.danger ? "button.danger" : "button", {
          type: "button",
          click: () => {
            menu.close();
            ask(title, { action: name, ...rest }, done);
          },
        }, name)), h("button", { type: "button", click: () => menu.close() }, "Back")));
      document.body.append(menu);
      menu.showModal();
    },
  }, "⋯");
}
