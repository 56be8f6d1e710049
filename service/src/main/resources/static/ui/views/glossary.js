// The glossary of the documentation, which the service also serves as a file.

import { h, section } from "../dom.js";
import { table } from "../table.js";

export const title = "Glossary";

export async function load({ signal }) {
  const response = await fetch("/ui/glossary.md", { signal });
  return { text: await response.text() };
}

export function render({ text }) {
  const [intro, ...parts] = text.split(/^## /m);
  return [h("h1", {}, title), h("p", {}, intro.split("\n\n")[1]), ...parts.map((part) => {
    const lines = part.split("\n");
    const [names, , ...rows] = lines.filter((line) => line.startsWith("|")).map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map(plain));
    return section(lines[0], rows.length ? table(lines[0], names.map((name, i) => ({ name, value: (row) => row[i] })), rows) : null);
  })];
}

/** A cell without the marks of Markdown. */
function plain(cell) {
  return cell.trim().replaceAll("`", "").replaceAll("\\|", "|").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("**", "");
}
