// Asks for a token where the service asks for one.

import { get, token, useToken } from "./api.js";
import { h } from "./dom.js";

/** Shows the form in `place`; calls `then` once a token counts. */
export function signIn(place, then) {
  if (place.querySelector("#token")) {
    return; // it is being typed
  }
  const refusal = h("p.bad", { role: "alert" }, token() ? "The token of this tab does not count any more." : "");
  const field = h("input", { id: "token", type: "password", autocomplete: "off", required: true, spellcheck: "false" });
  const form = h("form", {
    submit: async (event) => {
      event.preventDefault();
      useToken(field.value.trim());
      try {
        await get("/whoami");
        await then();
      } catch (error) {
        useToken(null);
        refusal.textContent = error.message;
      }
    },
  }, h("label", { for: "token" }, "Token"), field, h("button", { type: "submit" }, "Sign in"));
  place.replaceChildren(h("h1", {}, "Sign in"),
    h("p", {}, "This service asks for a token. It is kept in this tab alone, until the tab is closed."), form, refusal);
}
