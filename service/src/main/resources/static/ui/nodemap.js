// Many nodes at a glance: a strip for each, a stripe for each device. One stop of the tabulator key; arrows go from node to node.

import { h } from "./dom.js";

const STEPS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/**
 * The map.
 *
 * @param title what it shows
 * @param nodes { id, words: what a node is and does, colours: of its devices, closed: true if it takes nothing new }
 * @param chosen id of the node that is shown in detail; null for none
 * @param choose is called with the id of a node that somebody wants to see in detail
 */
export function nodeMap(title, nodes, chosen, choose) {
  const first = nodes.some((node) => node.id === chosen) ? chosen : nodes[0].id;
  return h("ul.map", { "aria-label": title, keydown: move, click: (event) => pick(event, choose) },
    nodes.map((node) => h("li", {},
      h(node.closed ? "button.strip.closed" : "button.strip", {
        id: `node-${node.id}`,
        type: "button",
        tabindex: node.id === first ? 0 : -1,
        title: node.words,
        "aria-label": node.words,
        "aria-pressed": String(node.id === chosen),
        "data-node": node.id,
        style: `background-image:${stripes(node.colours)}`,
      }))));
}

function stripes(colours) {
  if (!colours.length) {
    return "none";
  }
  const width = 100 / colours.length;
  return `linear-gradient(90deg, ${colours.map((colour, i) => `${colour} ${i * width}% ${(i + 1) * width}%`).join(", ")})`;
}

function pick(event, choose) {
  const node = event.target.closest("[data-node]");
  if (node) {
    choose(node.dataset.node);
  }
}

function move(event) {
  const all = [...event.currentTarget.querySelectorAll("[data-node]")];
  const at = all.indexOf(document.activeElement);
  const step = STEPS[event.key] ?? down(event.key, all);
  if (at < 0 || !step) {
    return;
  }
  event.preventDefault();
  const target = all[Math.max(0, Math.min(all.length - 1, at + step))];
  all[at].tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}

/** Steps to the node below or above; 0 for other keys. */
function down(key, all) {
  const inRow = all.findIndex((one) => one.offsetTop > all[0].offsetTop);
  return (key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0) * (inRow > 0 ? inRow : all.length);
}
