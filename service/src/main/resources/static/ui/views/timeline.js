// Allocations of each job over time, with the expected ends of running jobs. The slider and ctrl with the wheel zoom.

import { param, setParams } from "../address.js";
import { pages } from "../api.js";
import { axis, chart, tooltip } from "../chart.js";
import { assignColors, assignTenantColors, ofJob, ofTenant } from "../color.js";
import { jobsById } from "../data.js";
import { PHONE, h, jobLink } from "../dom.js";
import { duration, number, time, words } from "../format.js";
import { table } from "../table.js";

export const title = "Timeline";

const SPANS = [600, 3600, 21_600, 86_400, 604_800];
/** Height of a row, and its part above the bars, which has the name on a phone. */
const ROW = PHONE ? 38 : 22;
const HEAD = PHONE ? 18 : 0;
const MOST_ROWS = 150;

/** All allocations of a time, and the shown jobs that run, once they are read; the first allocations are shown at once. */
const state = { read: null };

export async function load({ signal, later }) {
  const within = SPANS.find((seconds) => seconds === Number(param("seconds"))) ?? 3600;
  const spans = pages(`/allocations?since=${new Date(Date.now() - within * 1000).toISOString()}`, { signal });
  const read = spans.all.then(async (all) => {
    const running = byJob(all).slice(0, MOST_ROWS).filter((row) => !row.spans.at(-1).endedAt);
    return { within, all, jobs: await jobsById(running.map((row) => row.id), signal) };
  });
  const [some] = await Promise.all([spans.first, later(state, { read })]);
  return { within, some };
}

export function render({ within, some }, { redraw, reload }) {
  const { all: spans, jobs } = state.read?.within === within ? state.read : { all: some, jobs: [] };
  assignColors([...new Set(spans.filter((span) => !span.endedAt).map((span) => span.jobId))]);
  assignTenantColors(spans.map((span) => span.tenant));
  const rows = byJob(spans);
  const shown = rows.slice(0, MOST_ROWS).sort((a, b) => b.spans[0].startedAt.localeCompare(a.spans[0].startedAt));
  return [h("h1", {}, title),
    h("p.toolbar", {},
      h("select", { id: "within", "aria-label": "Time shown", change: (event) => {
        setParams({ seconds: event.target.value });
        reload();
      } }, SPANS.map((seconds) => h("option", { value: seconds, selected: seconds === within }, `The last ${duration(seconds)}`))),
      h("select", { id: "colors", "aria-label": "Colors", change: (event) => {
        setParams({ colors: event.target.value });
        redraw();
      } }, h("option", { value: "" }, "Colors by job"), h("option", { value: "tenant", selected: param("colors") === "tenant" }, "Colors by tenant")),
      h("span.detail", {}, "The height of a bar is the number of slots, on a logarithmic scale. Pale bars end at the expected end.")),
    rows.length > shown.length ? h("p", {}, `The ${MOST_ROWS} jobs with the most slots of ${number(rows.length)}.`) : null,
    rows.length ? drawn(shown, jobs, within) : h("p.empty", {}, "No allocations in this time.")];
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

function drawn(rows, jobs, within) {
  const now = Date.now();
  const first = Math.min(...rows.flatMap((row) => row.spans.map((span) => Date.parse(span.startedAt))));
  const from = Math.max(now - within * 1000, Math.min(first, now - 60_000));
  const ends = new Map(jobs.filter((job) => job.eta?.completion?.median).map((job) => [job.id, Date.parse(job.eta.completion.median)]));
  const most = Math.max(...rows.map((row) => row.most));
  const bars = rows.flatMap((row, i) => barsOf(row, i, from, now, ends.get(row.id)));
  return chart("Timeline of allocations", (theme) => ({
    tooltip: tooltip(theme, "item", ({ data }) => data.words),
    grid: { left: PHONE ? 8 : 190, right: 24, top: 30, bottom: 66 },
    // the future takes at most a quarter of the width; the slider of the chart shows more
    dataZoom: [{ type: "inside", zoomOnMouseWheel: "ctrl" }, { type: "slider", height: 18, bottom: 8, textStyle: { color: theme.quiet }, labelFormatter: (at) => time(at) }],
    xAxis: axis(theme, "", (at) => time(at), { type: "time", position: "top", min: from, max: now + (now - from) / 3, splitLine: { show: true, lineStyle: { color: theme.line } } }),
    yAxis: { type: "category", inverse: true, data: rows.map((row) => row.name), triggerEvent: true, axisTick: { show: false },
      axisLine: { lineStyle: { color: theme.line } }, axisLabel: { inside: PHONE, interval: 0, color: theme.accent, width: PHONE ? 330 : 170, overflow: "truncate", verticalAlign: PHONE ? "bottom" : "middle", padding: [0, 0, 2, 0] }, z: PHONE ? 10 : 0 },
    series: [{
      type: "custom", encode: { x: [0, 1], y: 2 }, clip: true,
      data: bars.map((bar) => ({ ...bar, itemStyle: { color: colorOf(bar.row), opacity: bar.ahead ? 0.35 : 1 } })),
      renderItem: (params, api) => box(params, api, most),
    }, {
      type: "line", data: [], markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: theme.bad, type: "dashed" }, data: [{ xAxis: now }] },
    }],
  }), {
    height: rows.length * ROW + 110,
    click: ({ data, dataIndex, componentType }) => {
      const row = componentType === "yAxis" ? rows[dataIndex] : data?.row;
      if (row) {
        location.hash = `#/job/${encodeURIComponent(row.id)}`;
      }
    },
    data: () => table("Allocations over time", COLUMNS, rows.flatMap((row) => row.spans.map((span) => ({ ...span, row }))), { key: "" }),
  });
}

const COLUMNS = [
  { name: "job", value: ({ row }) => row.name, cell: ({ row }) => jobLink(row.id, row.name) },
  { name: "tenant", value: ({ row }) => row.tenant },
  { name: "slots", value: (span) => span.slots, number: true },
  { name: "type", value: (span) => span.acceleratorType },
  { name: "nodes", value: places },
  { name: "change", value: (span) => words(span.change) },
  { name: "from", value: (span) => span.startedAt, cell: (span) => time(span.startedAt) },
  { name: "until", value: (span) => span.endedAt, cell: (span) => (span.endedAt ? time(span.endedAt) : "now") },
];

function colorOf(row) {
  return param("colors") === "tenant" ? ofTenant(row.tenant) : ofJob(row.id);
}

function places(span) {
  return span.nodes.length > 3 ? `${span.nodes.length} nodes` : span.nodes.join(", ");
}

/** The bars of a job: { value: [from, to, row, slots], words, row, ahead }. */
function barsOf(row, i, from, now, end) {
  const past = row.spans.map((span) => {
    const start = Date.parse(span.startedAt);
    const stop = span.endedAt ? Date.parse(span.endedAt) : now;
    return { row, value: [Math.max(from, start), stop, i, span.slots], words: `${row.name}\n${span.slots} × ${span.acceleratorType} on ${places(span)}\n`
      + `${words(span.change)} at ${time(span.startedAt)}, ${duration((stop - start) / 1000)}${span.endedAt ? "" : " so far"}` };
  });
  const last = row.spans.at(-1);
  return end > now && !last.endedAt ? [...past, { row, ahead: true, value: [now, end, i, last.slots], words: `${row.name}\nexpected end ${time(end)}` }] : past;
}

/** The rectangle of a bar; as high as its slots, and at least a pixel wide. */
function box({ coordSys }, api, most) {
  const [left, middle] = api.coord([api.value(0), api.value(2)]);
  const [right] = api.coord([api.value(1), api.value(2)]);
  const height = 4 + (ROW - HEAD - 8) * Math.log2(1 + api.value(3)) / Math.log2(1 + most);
  const from = Math.max(left, coordSys.x);
  const to = Math.min(right, coordSys.x + coordSys.width);
  return to > from ? { type: "rect", shape: { x: from, y: middle + (HEAD - height) / 2, width: Math.max(1, to - from - 1), height, r: 2 }, style: api.style() } : null;
}
