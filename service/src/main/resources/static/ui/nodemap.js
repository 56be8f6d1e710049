// Many nodes at a glance: a strip for each, a stripe for each device. One stop of the tabulator key; arrows go from node to node.

import { h } from "./dom.js";

const STEPS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/**
 * The map.
 *
 * @param title caption
 * @param nodes { id, words: description of a node, colors: of its devices, closed: true if it accepts no jobs }
 * @param choose is called with the id of the selected node
 */
export function nodeMap(title, nodes, choose) {
  return h("ul.map", { "aria-label": title, keydown: move, click: (event) => pick(event, choose) },
    nodes.map((node, i) => h("li", {},
      h(node.closed ? "button.strip.closed" : "button.strip", {
        id: `node-${node.id}`,
        type: "button",
        tabindex: i ? -1 : 0,
        title: node.words,
        "aria-label": node.words,
        "data-node": node.id,
        style: `background-image:${stripes(node.colors)}`,
      }))));
}

/** Background with a stripe of each color. */
export function stripes(colors) {
  if (!colors.length) {
    return "none";
  }
  const width = 100 / colors.length;
  return `linear-gradient(90deg, ${colors.map((color, i) => `${color} ${i * width}% ${(i + 1) * width}%`).join(", ")})`;
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
