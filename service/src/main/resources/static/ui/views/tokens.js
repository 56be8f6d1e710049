// Tokens. A secret is shown once after its creation, and discarded when the view is left.

import { list, post, remove } from "../api.js";
import { button, menuButton } from "../dialog.js";
import { h, section } from "../dom.js";
import { time, words } from "../format.js";
import { secret } from "../secret.js";
import { table } from "../table.js";

export const title = "Tokens";
export const roles = ["OPERATOR"];

const ROLES = ["VIEWER", "SUBMITTER", "EXECUTOR", "OPERATOR"];
const state = { issued: null };

export async function load({ signal }) {
  return { tokens: await list("/tokens", { signal }) };
}

export function leave() {
  state.issued = null;
}

export function render({ tokens }, { redraw, reload }) {
  const active = tokens.filter(isActive);
  const over = tokens.filter((token) => !isActive(token));
  return [h("h1", {}, title),
    h("p", {}, "Callers from other machines need a token. Spur stores only hashes, so a secret is shown once."),
    h("p.buttons", {}, button(CREATION, (issued) => {
      state.issued = issued;
      return reload();
    })),
    state.issued ? secret(state.issued.token.name, state.issued.secret, () => {
      state.issued = null;
      redraw();
    }) : null,
    section(`Active (${active.length})`, table("Active tokens",
      [...COLUMNS, { name: "actions", cell: (token) => menuButton(token.id, token.name, [revocation(token)], reload) }], active, { key: "" })),
    section(`Revoked or expired (${over.length})`, table("Revoked or expired tokens",
      [...COLUMNS, { name: "ended at", value: endOf, cell: (token) => time(endOf(token)) }], over, { key: "ended" }))];
}

const COLUMNS = [
  { name: "name", value: (token) => token.name },
  { name: "role", value: (token) => words(token.role) },
  { name: "restricted to", value: (token) => (token.tenants ?? [token.node]).filter(Boolean).join(", ") || "nothing" },
  { name: "created", value: (token) => token.createdAt, cell: (token) => time(token.createdAt) },
  { name: "by", value: (token) => token.createdBy },
  { name: "expires", value: (token) => token.expiresAt, cell: (token) => (token.expiresAt ? time(token.expiresAt) : "never") },
  { name: "last used", value: (token) => token.lastUsedAt, cell: (token) => (token.lastUsedAt ? time(token.lastUsedAt) : "never") },
];

const CREATION = {
  name: "New token", title: "Create a token", action: "Create token",
  fields: [
    { name: "name", label: "Name", pointer: "/name", required: true },
    { name: "role", label: "Role", type: "select", pointer: "/role", options: ROLES.map((role) => ({ value: role, label: words(role) })) },
    { name: "tenants", label: "Only tenants", type: "list", pointer: "/tenants", help: "For viewers and submitters. Empty: all." },
    { name: "node", label: "Only node", pointer: "/node", help: "For executors. Empty: all." },
    { name: "days", label: "Days", type: "number", pointer: "/expiresInSeconds", scale: 86_400, value: 90 * 86_400, min: 1, max: 3650, help: "Empty: without an end." },
  ],
  run: (body) => post("/tokens", { expiresInSeconds: null, ...body }),
};

function isActive(token) {
  return !token.revokedAt && (!token.expiresAt || new Date(token.expiresAt) > new Date());
}

function endOf(token) {
  return token.revokedAt ?? token.expiresAt;
}

function revocation({ id, name }) {
  return { name: "Revoke", title: `Revoke ${name}?`, text: "The service rejects it from now on.", danger: true, run: () => remove(`/tokens/${id}`) };
}
