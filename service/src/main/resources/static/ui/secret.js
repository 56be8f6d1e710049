// A secret that the service returns once.

import { h } from "./dom.js";

/**
 * The secret with a button that copies it.
 *
 * @param owner what the secret belongs to
 * @param done is called when the caller has kept it
 */
export function secret(owner, text, done) {
  return h("div.tile", { role: "status" },
    h("span.label", {}, `The secret of ${owner}, shown once`),
    h("code.secret", { id: "secret" }, text),
    h("span.stack", {},
      h("button", { id: "copy", type: "button", click: () => navigator.clipboard?.writeText(text) }, "Copy"),
      h("button", { id: "forget", type: "button", click: done }, "Done")));
}
