// Aggregators: their nodes, load and shards.

import { list } from "../api.js";
import { gauge, h, jobLink, nodeLink, tile } from "../dom.js";
import { number, percent } from "../format.js";
import { findNames, nameOf } from "../names.js";
import { table } from "../table.js";

export const title = "Aggregators";
export const used = "/aggregators?limit=1";

export async function load({ signal }) {
  return { aggregators: await list("/aggregators", { signal }) };
}

export function render({ aggregators }) {
  const known = aggregators.filter((one) => one.load !== null);
  const shared = aggregators.filter((one) => one.shardsByJob.length > 1);
  const nodes = new Set(aggregators.map((one) => one.node)).size;
  return [h("h1", {}, title),
    h("p", {}, "Processes that sum the gradients of jobs with parameter servers. Load is the expected utilization of an aggregator; the"
      + " measured load comes with the heartbeats of its node."),
    h("div.tiles", {},
      tile("Aggregators", number(aggregators.length), { detail: `on ${number(nodes)} ${nodes === 1 ? "node" : "nodes"}` }),
      tile("Aggregation slots", number(aggregators.reduce((sum, one) => sum + one.cpus, 0)), { detail: "of all aggregators" }),
      tile("Shared", number(shared.length), { detail: "by several jobs" }),
      tile("Busiest", known.length ? percent(Math.max(...known.map((one) => one.load))) : "–",
        { detail: known.length ? `${percent(known.reduce((sum, one) => sum + one.load, 0) / known.length)} on average` : "load unknown" })),
    table("Aggregators by node", [
      { name: "node", value: (one) => one.node, cell: (one) => nodeLink(one.node) },
      { name: "no.", value: (one) => one.number, number: true },
      { name: "port", value: (one) => one.port, cell: (one) => String(one.port), number: true },
      { name: "slots", value: (one) => one.cpus, number: true },
      { name: "load", value: (one) => one.load, cell: (one) => gauge("load", one.load) },
      { name: "measured", value: (one) => one.utilization, cell: (one) => gauge("measured", one.utilization) },
      { name: "shards of", value: (one) => one.shardsByJob.map((shards) => nameOf(shards.jobId)).join(" "), cell: (one) =>
        h("span", {}, one.shardsByJob.map((shards, i) => [i ? ", " : null, jobLink(shards.jobId, nameOf(shards.jobId)), ` (${shards.shards.length})`])) },
    ], [...aggregators].sort((a, b) => a.node.localeCompare(b.node) || a.number - b.number), {
      key: "",
      empty: "The plan has no aggregators: no running job uses parameter servers.",
      prepare: (shown) => findNames(shown.flatMap((one) => one.shardsByJob.map((shards) => shards.jobId))),
    })];
}
