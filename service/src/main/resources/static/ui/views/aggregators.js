// Aggregators: their nodes, load and shards.

import { list } from "../api.js";
import { runningJobs } from "../data.js";
import { bar, h, jobLink, section, tile } from "../dom.js";
import { number, percent } from "../format.js";
import { paged } from "../paged.js";

export const title = "Aggregators";

export async function load({ signal }) {
  const [aggregators, jobs] = await Promise.all([list("/aggregators", { signal }), runningJobs(signal)]);
  return { aggregators, jobs };
}

export function render({ aggregators, jobs }, { redraw }) {
  const names = new Map(jobs.map((job) => [job.id, job.name]));
  const known = aggregators.filter((one) => one.load !== null);
  const shared = aggregators.filter((one) => one.shardsByJob.length > 1);
  return [h("h1", {}, "Aggregators"),
    h("p", {}, "Processes that sum the gradients of jobs with parameter servers. Load is the expected utilization of an aggregator; the"
      + " measured load comes with the heartbeats of its node."),
    h("div.tiles", {},
      tile("Aggregators", number(aggregators.length), `on ${number(new Set(aggregators.map((one) => one.node)).size)} nodes`),
      tile("Aggregation slots", number(aggregators.reduce((sum, one) => sum + one.cpus, 0)), "of all aggregators"),
      tile("Shared", number(shared.length), "by several jobs"),
      tile("Busiest", known.length ? percent(Math.max(...known.map((one) => one.load))) : "–",
        known.length ? `${percent(known.reduce((sum, one) => sum + one.load, 0) / known.length)} on average` : "load unknown")),
    section("By node", paged("Aggregators by node",
      [{ name: "node" }, { name: "no.", number: true }, { name: "port", number: true }, { name: "slots", number: true }, { name: "load" },
        { name: "measured" }, { name: "shards of" }],
      [...aggregators].sort((a, b) => a.node.localeCompare(b.node) || a.number - b.number), (one) => row(one, names), redraw,
      "The plan has no aggregators: no running job uses parameter servers."))];
}

function row(one, names) {
  return [one.node, number(one.number), String(one.port), number(one.cpus), gauge("load", one.load), gauge("measured", one.utilization),
    h("span", {}, one.shardsByJob.map((shards, i) => [i ? ", " : null, jobLink(shards.jobId, names.get(shards.jobId)), ` (${shards.shards.length})`]))];
}

function gauge(what, share) {
  const text = share === null ? "unknown" : percent(share);
  return h("span.gauge", {}, bar(share ?? 0, 1, `${what}: ${text}`), text);
}
