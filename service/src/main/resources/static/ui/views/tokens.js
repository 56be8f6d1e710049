// Tokens. A secret is shown once after its creation, and discarded when the view is left.

import { list, post, remove } from "../api.js";
import { h, section } from "../dom.js";
import { time, words } from "../format.js";
import { paged } from "../paged.js";

export const title = "Tokens";
export const roles = ["OPERATOR"];

const ROLES = ["VIEWER", "SUBMITTER", "EXECUTOR", "OPERATOR"];
const DAY = 86_400;
const EMPTY = { name: "", role: "VIEWER", tenants: "", node: "", days: "90" };
const state = { draft: { ...EMPTY }, issued: null, refusal: null, asked: null };

export async function load({ signal }) {
  return { tokens: await list("/tokens", { signal }) };
}

export function leave() {
  Object.assign(state, { draft: { ...EMPTY }, issued: null, refusal: null, asked: null });
}

export function render({ tokens }, { redraw, reload }) {
  const counts = tokens.filter(isAlive);
  const over = tokens.filter((token) => !isAlive(token));
  return [h("h1", {}, "Tokens"),
    h("p", {}, "Callers from other machines need a token. Spur stores only hashes, so a secret is shown once."),
    section("Create a token", form(redraw, reload), state.issued ? secret(redraw) : null,
      state.refusal ? h("p.bad", { role: "alert" }, state.refusal) : null),
    section(`Active (${counts.length})`, paged("Active tokens", [...COLUMNS, { name: "revoke" }], counts,
      (token) => [...row(token), revoke(token, redraw, reload)], redraw, "None.")),
    section(`Revoked or expired (${over.length})`, paged("Revoked or expired tokens", [...COLUMNS, { name: "ended at" }], over,
      (token) => [...row(token), time(token.revokedAt ?? token.expiresAt)], redraw, "None."))];
}

const COLUMNS = [{ name: "name" }, { name: "role" }, { name: "restricted to" }, { name: "made" }, { name: "by" }, { name: "expires" }, { name: "last used" }];

function isAlive(token) {
  return !token.revokedAt && (!token.expiresAt || new Date(token.expiresAt) > new Date());
}

function row(token) {
  return [token.name, words(token.role), (token.tenants ?? [token.node]).filter(Boolean).join(", ") || "nothing", time(token.createdAt), token.createdBy,
    token.expiresAt ? time(token.expiresAt) : "never", token.lastUsedAt ? time(token.lastUsedAt) : "never"];
}

/** The second press revokes; the first one asks. */
function revoke(token, redraw, reload) {
  const asked = state.asked === token.id;
  return h("button", {
    id: `revoke-${token.id}`,
    type: "button",
    "aria-label": asked ? `Confirm: revoke ${token.name}` : `Revoke ${token.name}`,
    click: async () => {
      state.asked = asked ? null : token.id;
      if (!asked) {
        redraw();
        return;
      }
      await attempt(() => remove(`/tokens/${token.id}`));
      reload();
    },
  }, asked ? "Confirm: revoke" : "Revoke");
}

async function attempt(change) {
  state.refusal = null;
  try {
    return await change();
  } catch (error) {
    state.refusal = error.message;
    return null;
  }
}

function form(redraw, reload) {
  const draft = state.draft;
  const bound = (name, label, attributes) => h("label", {}, `${label} `,
    h("input", { id: `token-${name}`, name, value: draft[name], autocomplete: "off", input: (event) => { draft[name] = event.target.value; }, ...attributes }));
  return h("form.stack", { submit: (event) => issue(event, reload) },
    bound("name", "Name", { required: true }),
    h("label", {}, "Role ", h("select", {
      id: "token-role",
      change: (event) => {
        draft.role = event.target.value;
        redraw();
      },
    }, ROLES.map((role) => h("option", { value: role, selected: role === draft.role }, words(role))))),
    draft.role === "VIEWER" || draft.role === "SUBMITTER" ? bound("tenants", "Only tenants", { placeholder: "all" }) : null,
    draft.role === "EXECUTOR" ? bound("node", "Only node", { placeholder: "all" }) : null,
    bound("days", "Days", { type: "number", min: 1, max: 3650, placeholder: "unlimited" }),
    h("button", { id: "make", type: "submit" }, "Create token"));
}

async function issue(event, reload) {
  event.preventDefault();
  const { name, role, tenants, node, days } = state.draft;
  const named = tenants.split(/[\s,]+/).filter(Boolean);
  const wanted = { name: name.trim(), role, expiresInSeconds: days === "" ? null : Number(days) * DAY };
  if (named.length && (role === "VIEWER" || role === "SUBMITTER")) {
    wanted.tenants = named;
  }
  if (node.trim() && role === "EXECUTOR") {
    wanted.node = node.trim();
  }
  const issued = await attempt(() => post("/tokens", wanted));
  if (issued) {
    state.issued = issued;
    state.draft = { ...EMPTY };
  }
  reload();
}

function secret(redraw) {
  const { token, secret } = state.issued;
  return h("div.tile", { role: "status" },
    h("span.label", {}, `The secret of ${token.name}, shown once`),
    h("code.secret", { id: "secret" }, secret),
    h("span.stack", {},
      h("button", { id: "copy", type: "button", click: () => navigator.clipboard?.writeText(secret) }, "Copy"),
      h("button", {
        id: "forget",
        type: "button",
        click: () => {
          state.issued = null;
          redraw();
        },
      }, "Done")));
}
