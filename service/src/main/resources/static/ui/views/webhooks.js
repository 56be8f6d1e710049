// Webhooks and their deliveries. A secret is shown once after the creation, and discarded when the view is left.

import { get, list, post, remove, replace } from "../api.js";
import { button, buttons, menuButton } from "../dialog.js";
import { h, section, tile } from "../dom.js";
import { number, time, words } from "../format.js";
import { secret } from "../secret.js";
import { may } from "../session.js";
import { table } from "../table.js";

export const title = "Webhooks";
export const roles = ["VIEWER", "SUBMITTER", "OPERATOR"];

/** Newest deliveries that are shown: more than the pending ones. */
const SHOWN = 1_000;
const state = { created: null };

/** All webhooks with their last ended deliveries, or the one of the address with its deliveries. */
export async function load({ signal, id }) {
  const deliveries = (webhook, most, query = "") => list(`${pathOf(webhook)}/deliveries${query}`, { signal, most });
  if (id) {
    const [one, sent] = await Promise.all([get(pathOf({ id }), { signal }), deliveries({ id }, SHOWN)]);
    return { one, sent };
  }
  const all = await list("/webhooks", { signal });
  return { all: await Promise.all(all.map(async (webhook) => ({ ...webhook, last: (await deliveries(webhook, 1, "?state=DELIVERED&state=DEAD"))[0] }))) };
}

export function leave() {
  state.created = null;
}

function pathOf({ id }) {
  return `/webhooks/${encodeURIComponent(id)}`;
}

export function render({ one, all, sent }, { redraw, reload }) {
  return one ? detail(one, sent, reload) : [h("h1", {}, title),
    h("p", {}, "Spur sends events of jobs and published plans to the URL of a webhook, signed with its secret."),
    may("SUBMITTER", "OPERATOR") ? h("p.buttons", {}, button(CREATION, (created) => {
      state.created = created;
      return reload();
    })) : null,
    state.created ? secret(state.created.webhook.url, state.created.secret, () => {
      state.created = null;
      redraw();
    }) : null,
    table("Webhooks", [
      { name: "webhook", value: (each) => each.url, cell: (each) => h("a.address", { href: `#${pathOf(each)}` }, each.url) },
      { name: "state", value: stateOf },
      { name: "events", value: eventsOf },
      { name: "tenants", value: tenantsOf },
      { name: "last delivery", value: ({ last }) => last?.endedAt, cell: ({ last }) => (last ? delivery(last) : "none") },
      { name: "created", value: (each) => each.createdAt, cell: (each) => time(each.createdAt) },
      { name: "by", value: (each) => each.createdBy },
      { name: "actions", cell: (each) => menuButton(each.id, each.url, actions(each), reload) },
    ], all, { key: "", empty: "No webhooks. A webhook sends events of jobs to a URL." })];
}

function stateOf({ enabled }) {
  return enabled ? "active" : "paused";
}

function eventsOf({ kinds }) {
  return kinds.map(words).join(", ") || "all";
}

function tenantsOf({ tenants }) {
  return tenants?.join(", ") ?? "all";
}

function delivery({ state: reached, endedAt }) {
  return h(reached === "DEAD" ? "span.bad" : "span", {}, `${words(reached)}, ${time(endedAt)}`);
}

/** Fields of a webhook; `one` has their values. */
function fields(one = {}) {
  return [
    { name: "url", label: "URL", type: "url", pointer: "/url", value: one.url, required: true, maxlength: 2000 },
    { name: "kinds", label: "Kinds of events", type: "list", pointer: "/kinds", value: one.kinds, help: "For example STARTED DONE FAILED. Empty: all." },
    { name: "tenants", label: "Only tenants", type: "list", pointer: "/tenants", value: one.tenants, help: "With the tenants below them. Empty: all." },
  ];
}

const CREATION = {
  name: "New webhook", title: "Create a webhook", action: "Create webhook", fields: fields(),
  text: "The URL must have a public address, unless a setting of the service allows its network.", run: (body) => post("/webhooks", body),
};

function actions(one) {
  if (!may("SUBMITTER", "OPERATOR")) {
    return [];
  }
  const path = pathOf(one);
  const enable = (enabled) => async () => {
    const { url, kinds, tenants } = await get(path);
    return replace(path, { url, kinds, tenants, enabled });
  };
  return [
    one.enabled ? { name: "Ping", title: "Send a test delivery?", text: `Spur sends an event of kind PING to ${one.url}.`, run: () => post(`${path}/ping`) } : null,
    { name: "Edit", title: "Edit the webhook", action: "Save", text: "Queued deliveries go to the new URL. The secret remains.",
      fields: async () => fields(await get(path)), run: (body) => replace(path, { ...body, enabled: one.enabled }) },
    one.enabled ? { name: "Pause", title: "Pause the webhook?", text: "Spur sends nothing. Events until it is resumed are not delivered.", run: enable(false) }
      : { name: "Resume", title: "Resume the webhook?", text: "Spur sends events from now on.", run: enable(true) },
    { name: "Delete webhook", title: `Delete the webhook ${one.url}?`, text: "Its queued deliveries are not sent, and its secret is lost.", danger: true,
      run: () => remove(path) },
  ].filter(Boolean);
}

function detail(one, sent, reload) {
  const pending = sent.filter((each) => each.state === "PENDING");
  const dead = sent.filter((each) => each.state === "DEAD").length;
  const next = pending.at(-1);
  return [h("h1", {}, one.url),
    buttons(actions(one), (result) => (result === null ? location.assign("#/webhooks") : reload())),
    h("div.tiles", {},
      tile("State", stateOf(one), { detail: `created ${time(one.createdAt)} by ${one.createdBy}` }),
      tile("Events", eventsOf(one)),
      tile("Tenants", tenantsOf(one)),
      next ? tile("Next attempt", time(next.nextAttemptAt), { detail: next.lastError, tone: next.lastError ? "bad" : "" }) : null,
      tile("Pending deliveries", number(pending.length), { detail: `${dead} dead`, tone: dead ? "bad" : "" })),
    section("Deliveries", table("Deliveries", [
      { name: "event", value: (each) => words(each.kind) },
      { name: "state", value: (each) => words(each.state), cell: (each) => h(each.state === "DEAD" ? "span.state.failed" : "span.state", {}, words(each.state)) },
      { name: "queued", value: (each) => each.createdAt, cell: (each) => time(each.createdAt) },
      { name: "attempts", value: (each) => each.attempts, number: true },
      { name: "status", value: (each) => each.lastStatus, number: true },
      { name: "error", value: (each) => each.lastError },
      { name: "next attempt", value: (each) => each.nextAttemptAt, cell: (each) => time(each.nextAttemptAt) },
      { name: "ended", value: (each) => each.endedAt, cell: (each) => time(each.endedAt) },
      { name: "actions", cell: (each) => (one.enabled && each.state !== "PENDING" && may("SUBMITTER", "OPERATOR")
        ? menuButton(each.id, `${words(each.kind)}, ${time(each.createdAt)}`, [repetition(one, each)], reload) : null) },
    ], sent, { key: "", empty: "No deliveries in the last week." }))];
}

function repetition(one, { id, kind }) {
  return { name: "Redeliver", title: `Redeliver the event ${words(kind)}?`, text: "It is sent before other deliveries, with the same webhook-id.",
    run: () => post(`${pathOf(one)}/deliveries/${encodeURIComponent(id)}/redeliver`) };
}
