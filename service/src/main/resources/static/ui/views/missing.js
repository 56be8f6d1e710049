// Page for an unknown address.

import { h } from "../dom.js";

export const title = "No such page";

export async function load() {
  return { address: location.hash };
}

export function render({ address }) {
  return [h("h1", {}, title),
    h("p", {}, "There is no page ", h("code", {}, address), "."),
    h("p", {}, h("a", { href: "#/overview" }, "Overview"), ", ", h("a", { href: "#/jobs" }, "Jobs"), " or the search in the header.")];
}
