// Sign-in form, where the service requires a token.

import { get, token, useToken } from "./api.js";
import { h } from "./dom.js";

/** Shows the form in `place`; calls `then` with a valid token. */
export function signIn(place, then) {
  if (place.querySelector("#token")) {
    return; // it is being typed
  }
  const refusal = h("p.bad", { role: "alert" }, token() ? "The token of this tab is no longer valid." : "");
  const field = h("input", { id: "token", type: "password", autocomplete: "off", required: true, spellcheck: "false" });
  const form = h("form.stack", {
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
    h("p", {}, "This service requires a token. It is stored in this tab only, until the tab is closed."), form, refusal,
    h("p", {}, "An operator issues tokens with ", h("code", {}, "./spur token create NAME --role submitter"), " or in the view Tokens."),
    h("p", {}, "The first start of the service prints the token of the first operator in its log."));
}
