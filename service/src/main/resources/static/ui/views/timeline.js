// Allocations of each job over time, with the expected ends of running jobs.

import { list } from "../api.js";
import { runningJobs } from "../data.js";
import { h } from "../dom.js";
import { assignColors, ofJob } from "../color.js";
import { duration, number, time, words } from "../format.js";

export const title = "Timeline";

const SPANS = [600, 3600, 21_600, 86_400, 604_800];
const ROW = 22;
/** Height of an axis; there is one above and one below. */
const AXIS = 24;
const MOST_ROWS = 150;
const LEFT = 180;
const WIDTH = 1000;
/** Room to the right for half of the last time. */
const RIGHT = 34;
/** Share of the width that shows the future. */
const AHEAD = 0.25;
const state = { within: 3600 };

export async function load({ signal }) {
  const [spans, jobs] = await Promise.all([list(`/allocations?since=${new Date(Date.now() - state.within * 1000).toISOString()}`, { signal }), runningJobs(signal)]);
  assignColors(jobs.map((job) => job.id));
  return { spans, jobs };
}

export function render({ spans, jobs }, { reload }) {
  const rows = byJob(spans);
  const shown = rows.slice(0, MOST_ROWS).sort((a, b) => a.spans[0].startedAt.localeCompare(b.spans[0].startedAt));
  return [h("h1", {}, "Timeline"),
    h("p", {}, h("label", { for: "within" }, "The last "),
      h("select", {
        id: "within",
        change: (event) => {
          state.within = Number(event.target.value);
          reload();
        },
      }, SPANS.map((seconds) => h("option", { value: seconds, selected: seconds === state.within }, duration(seconds)))),
      " The height of a bar is the number of slots, on a logarithmic scale. Pale bars end at the expected end."),
    rows.length > shown.length ? h("p", {}, `The ${MOST_ROWS} jobs with the most slots of ${number(rows.length)}.`) : null,
    rows.length ? h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Timeline of allocations" }, chart(shown, jobs))
      : h("p.empty", {}, "No allocations in this time.")];
}

function byJob(spans) {
  const rows = new Map();
  for (const span of spans) {
    const row = rows.get(span.jobId) ?? { id: span.jobId, name: span.jobName, tenant: span.tenant, spans: [], most: 0 };
    row.spans.push(span);
    row.most = Math.max(row.most, span.slots);
    rows.set(span.jobId, row);
  }
  return [...rows.values()].sort((a, b) => b.most - a.most);
}

function chart(rows, jobs) {
  const now = Date.now() / 1000;
  const first = Math.min(...rows.flatMap((row) => row.spans.map((span) => Date.parse(span.startedAt) / 1000)));
  const from = Math.max(now - state.within, Math.min(first, now - 60));
  const ends = new Map(jobs.filter((job) => job.allocation && job.eta?.completion?.median)
    .map((job) => [job.id, Date.parse(job.eta.completion.median) / 1000]));
  const perSecond = (WIDTH - LEFT - RIGHT) * (1 - AHEAD) / (now - from);
  const px = (at) => Math.min(WIDTH - RIGHT, LEFT + (Math.max(from, at) - from) * perSecond);
  const most = Math.max(...rows.map((row) => row.most));
  const height = rows.length * ROW + 2 * AXIS;
  return h("svg.timeline", { viewBox: `0 0 ${WIDTH} ${height}`, role: "group", "aria-label": `Allocations of ${rows.length} jobs` },
    h("line.now", { x1: px(now), x2: px(now), y1: AXIS, y2: height - AXIS }),
    [0, 0.25, 0.5, 0.75, 1, 1 / (1 - AHEAD)].map((part) => {
      const at = from + part * (now - from);
      return [16, height - 8].map((y) => h("text.tick", { x: px(at), y, "text-anchor": "middle" }, time(new Date(at * 1000))));
    }),
    rows.map((row, i) => h("g", {},
      h("svg:a", { href: `#/job/${encodeURIComponent(row.id)}` },
        h("text.tick", { x: LEFT - 8, y: AXIS + i * ROW + 15, "text-anchor": "end" }, row.name.length > 24 ? `${row.name.slice(0, 23)}…` : row.name)),
      row.spans.map((span) => held(span, row, i, px, now, most)),
      ahead(row, i, px, now, ends.get(row.id), most))));
}

function box(top, slots, most) {
  const height = 4 + (ROW - 8) * Math.log2(1 + slots) / Math.log2(1 + most);
  return { y: AXIS + top * ROW + (ROW - height) / 2, height };
}

function held(span, row, i, px, now, most) {
  const start = Date.parse(span.startedAt) / 1000;
  const end = span.endedAt ? Date.parse(span.endedAt) / 1000 : now;
  const where = span.nodes.length > 3 ? `${span.nodes.length} nodes` : span.nodes.join(", ");
  return h("rect", { x: px(start), width: Math.max(1, px(end) - px(start) - 1), ...box(i, span.slots, most), rx: 2, fill: ofJob(row.id) },
    h("title", {}, `${row.name}: ${span.slots} × ${span.acceleratorType} on ${where}, ${words(span.change)} at ${time(span.startedAt)},`
      + ` ${duration(end - start)}${span.endedAt ? "" : " so far"}`));
}

function ahead(row, i, px, now, end, most) {
  const last = row.spans.at(-1);
  if (!end || last.endedAt || end <= now) {
    return null;
  }
  return h("rect.ahead", { x: px(now), width: Math.max(1, px(end) - px(now)), ...box(i, last.slots, most), rx: 2, fill: ofJob(row.id) },
    h("title", {}, `${row.name}: expected end ${time(new Date(end * 1000))}`));
}
