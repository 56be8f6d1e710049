// Allocations over time, by job or by slot, with the expected ends of running jobs and starts of pending ones. The slider and ctrl with the wheel zoom.

import { param, setParams } from "../address.js";
import { list, pages } from "../api.js";
import { axis, chart, tooltip } from "../chart.js";
import { assignColors, assignTenantColors, ofJob, ofTenant } from "../color.js";
import { jobsById } from "../data.js";
import { PHONE, h, jobLink } from "../dom.js";
import { duration, localized, number, time, words } from "../format.js";
import { labelOf, learnNames, shortId } from "../names.js";
import { inOrder } from "../order.js";
import { table } from "../table.js";
import { expectedStart } from "../upcoming.js";

export const title = "Timeline";

const SPANS = [600, 3600, 21_600, 86_400, 604_800];
/** Height of a row, and its part above the bars, which has the name on a phone. */
const ROW = PHONE ? 38 : 22;
const HEAD = PHONE ? 18 : 0;
const MOST_ROWS = 150;
/** Rows of slots, which are lower. */
const MOST_SLOTS = 512;
const SLOT_ROW = PHONE ? 14 : 12;
/** Characters of a name in the axis; the short id of the job follows. */
const NAME = 19;

/** All allocations of a time, and the shown jobs that run, once they are read; the first allocations are shown at once. */
const state = { read: null };

function byNode() {
  return param("rows") === "slots";
}

export async function load({ signal, later }) {
  const within = SPANS.find((seconds) => seconds === Number(param("seconds"))) ?? 3600;
  const spans = pages(`/allocations?since=${new Date(Date.now() - within * 1000).toISOString()}`, { signal });
  const read = spans.all.then(async (all) => {
    const running = byJob(all).slice(0, MOST_ROWS).filter((row) => !row.spans.at(-1).endedAt);
    return { within, all, jobs: await jobsById(running.map((row) => row.id), signal) };
  });
  const [some, queue, nodes] = await Promise.all([
    spans.first, list("/queue", { signal, forbidden: [] }), byNode() ? list("/nodes", { signal }) : [], later(state, { read })]);
  return { within, some, queue, nodes };
}

export function render({ within, some, queue, nodes }, { redraw, reload }) {
  const { all: spans, jobs } = state.read?.within === within ? state.read : { all: some, jobs: [] };
  assignColors([...new Set(spans.filter((span) => !span.endedAt).map((span) => span.jobId))]);
  assignTenantColors(spans.map((span) => span.tenant));
  learnNames(spans.map((span) => ({ id: span.jobId, name: span.jobName })));
  return [h("h1", {}, title),
    h("p.toolbar", {},
      choice("within", "Time shown", SPANS.map((seconds) => [seconds, `The last ${duration(seconds)}`]), within, (value) => ({ seconds: value }), reload),
      choice("rows", "Rows", [["", "Rows by job"], ["slots", "Rows by node and slot"]], param("rows") ?? "", (value) => ({ rows: value }), reload),
      choice("colors", "Colors", [["", "Colors by job"], ["tenant", "Colors by tenant"]], param("colors") ?? "", (value) => ({ colors: value }), redraw),
      h("span.detail", {}, byNode() ? "A row is a slot. Gaps are idle." : "The height of a bar is the number of slots, on a logarithmic scale. Pale bars end at the expected end, or begin at the expected start.")),
    ...(byNode() ? slotRows(spans, nodes, within) : jobRows(spans, jobs, queue, within))];
}

function choice(id, label, options, chosen, parameters, then) {
  return h("select", { id, "aria-label": label, change: (event) => {
    setParams(parameters(event.target.value));
    then();
  } }, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}

function jobRows(spans, jobs, queue, within) {
  const rows = byJob(spans);
  const running = rows.slice(0, MOST_ROWS).sort((a, b) => b.spans[0].startedAt.localeCompare(a.spans[0].startedAt));
  const shown = [...pending(queue, running), ...running];
  return [rows.length > running.length ? h("p", {}, `The ${MOST_ROWS} jobs with the most slots of ${number(rows.length)}.`) : null,
    shown.length ? drawn(shown, jobs, within) : h("p.empty", {}, "No allocations in this time.")];
}

/** Rows of pending jobs with an expected start, the first on top; a job that ran in the shown time has a row already. */
function pending(queue, rows) {
  const known = new Map(rows.map((row) => [row.id, row]));
  const next = queue.filter((entry) => expectedStart(entry) !== null).sort((a, b) => expectedStart(a) - expectedStart(b)).slice(0, MOST_ROWS);
  next.forEach((entry) => {
    if (known.has(entry.jobId)) {
      known.get(entry.jobId).next = entry;
    }
  });
  return next.filter((entry) => !known.has(entry.jobId)).map((entry) => ({ id: entry.jobId, name: entry.name, tenant: entry.tenant, spans: [], most: 1, next: entry }));
}

/** Rows of slots, node by node. */
function slotRows(spans, nodes, within) {
  const all = inOrder(nodes.filter((node) => node.devices.length), (node) => `${node.acceleratorType} ${node.id}`)
    .flatMap((node) => node.devices.map((device, i) => ({ node, device, name: i ? "" : `${node.id} (${node.acceleratorType})` })));
  const shown = all.slice(0, MOST_SLOTS);
  const places = new Map(shown.map((row, i) => [`${row.node.id}/${row.device}`, i]));
  const now = Date.now();
  const from = beginOf(spans, within, now);
  const bars = spans.flatMap((span) => {
    const row = { id: span.jobId, tenant: span.tenant };
    const { value: [start, stop], words: text } = barOf({ ...row, name: span.jobName }, span, 0, from, now);
    return span.placement.flatMap((piece) => piece.devices.map((device) => ({ row, words: `${piece.node}, ${device}\n${text}`, value: [start, stop, places.get(`${piece.node}/${device}`), 1] })));
  }).filter((bar) => bar.value[2] !== undefined);
  return [all.length > shown.length ? h("p", {}, `The first ${MOST_SLOTS} slots of ${number(all.length)}.`) : null,
    shown.length ? chart("Timeline of slots", (theme) => ({
      tooltip: tooltip(theme, "item", ({ data }) => data.words),
      ...frame(theme, from, now, now),
      yAxis: { ...nameAxis(theme, shown.map((row) => row.name)), axisLabel: { interval: 0, color: theme.text, width: PHONE ? 90 : 170, overflow: "truncate", fontSize: 11 },
        splitLine: { show: true, interval: (i) => Boolean(shown[i]?.name), lineStyle: { color: theme.line } } },
      grid: { left: PHONE ? 100 : 190, right: 24, top: 30, bottom: 66 },
      series: series(theme, bars, now, (params, api) => box(params, api, 1, SLOT_ROW, 0)),
    }), {
      height: shown.length * SLOT_ROW + 110,
      click: ({ data, dataIndex, componentType }) => {
        const target = componentType === "yAxis" ? `#/node/${encodeURIComponent(shown[dataIndex].node.id)}` : data?.row ? `#/job/${encodeURIComponent(data.row.id)}` : null;
        location.hash = target ?? location.hash;
      },
      data: () => allocationTable(spans),
    }) : h("p.empty", {}, "No node has slots.")];
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

/** The start of the chart: not before the first allocation. */
function beginOf(spans, within, now) {
  return Math.max(now - within * 1000, Math.min(...spans.map((span) => Date.parse(span.startedAt)), now - 60_000));
}

/** The axes of time and the slider. */
function frame(theme, from, now, until) {
  return {
    // "filter", the default, drops each bar with one end outside of the shown time
    dataZoom: [{ type: "inside", zoomOnMouseWheel: "ctrl", filterMode: "weakFilter" }, { type: "slider", filterMode: "weakFilter", height: 18, bottom: 8, textStyle: { color: theme.quiet }, labelFormatter: (at) => time(at) }],
    xAxis: axis(theme, "", (at) => time(at), { type: "time", position: "top", min: from, max: until, splitLine: { show: true, lineStyle: { color: theme.line } } }),
  };
}

function nameAxis(theme, names) {
  return { type: "category", inverse: true, data: names, triggerEvent: true, axisTick: { show: false }, axisLine: { lineStyle: { color: theme.line } } };
}

function series(theme, bars, now, renderItem) {
  return [{
    type: "custom", encode: { x: [0, 1], y: 2 }, clip: true, renderItem,
    data: bars.map((bar) => ({ ...bar, itemStyle: { color: colorOf(bar.row), opacity: bar.ahead ? 0.35 : 1 } })),
  }, {
    type: "line", data: [], markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: theme.bad, type: "dashed" }, data: [{ xAxis: now }] },
  }];
}

function drawn(rows, jobs, within) {
  const now = Date.now();
  const from = beginOf(rows.flatMap((row) => row.spans), within, now);
  const ahead = lookahead(rows, now, now - from);
  const ends = new Map(jobs.filter((job) => job.eta?.completion?.median).map((job) => [job.id, Date.parse(job.eta.completion.median)]));
  const most = Math.max(...rows.map((row) => row.most));
  const bars = rows.flatMap((row, i) => barsOf(row, i, from, now, ends.get(row.id), now + ahead));
  return chart("Timeline of allocations", (theme) => ({
    tooltip: tooltip(theme, "item", ({ data }) => data.words),
    grid: { left: PHONE ? 8 : 190, right: 24, top: 30, bottom: 66 },
    ...frame(theme, from, now, now + ahead),
    yAxis: { ...nameAxis(theme, rows.map(rowName)), z: PHONE ? 10 : 0,
      axisLabel: { inside: PHONE, interval: 0, color: theme.accent, width: PHONE ? 330 : 180, overflow: "truncate", verticalAlign: PHONE ? "bottom" : "middle", padding: [0, 0, 2, 0] } },
    series: series(theme, bars, now, (params, api) => box(params, api, most, ROW, HEAD)),
  }), {
    height: rows.length * ROW + 110,
    click: ({ data, dataIndex, componentType }) => {
      const row = componentType === "yAxis" ? rows[dataIndex] : data?.row;
      if (row) {
        location.hash = `#/job/${encodeURIComponent(row.id)}`;
      }
    },
    data: () => allocationTable(rows.flatMap((row) => row.spans)),
  });
}

/** Time ahead that is shown: a quarter of the width, and up to a half for the next start. The slider of the chart shows more. */
function lookahead(rows, now, past) {
  const starts = rows.filter((row) => row.next).map((row) => expectedStart(row.next) - now);
  return starts.length ? Math.max(past / 3, Math.min(past, 1.2 * Math.min(...starts))) : past / 3;
}

/** The name, cut if it is long, with the short id of the job. */
function rowName({ id, name }) {
  return `${PHONE || name.length <= NAME ? name : `${name.slice(0, NAME - 1)}…`} ${shortId(id)}`;
}

function allocationTable(spans) {
  return table("Allocations over time", COLUMNS, spans, { key: "" });
}

const COLUMNS = [
  { name: "job", value: (span) => labelOf(span.jobId), cell: (span) => jobLink(span.jobId, labelOf(span.jobId)) },
  { name: "tenant", value: (span) => span.tenant },
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

function places({ placement }) {
  return placement.length > 3 ? `${placement.length} nodes` : placement.map((piece) => piece.node).join(", ");
}

/** The bar of an allocation: { value: [from, to, row, slots], words, row }. */
function barOf(row, span, i, from, now) {
  const start = Date.parse(span.startedAt);
  const stop = span.endedAt ? Date.parse(span.endedAt) : now;
  return { row, value: [Math.max(from, start), stop, i, span.slots], words: `${row.name} ${shortId(row.id)}\n${span.slots} × ${span.acceleratorType} on ${places(span)}\n`
    + `${words(span.change)} at ${time(span.startedAt)}, ${duration((stop - start) / 1000)}${span.endedAt ? "" : " so far"}` };
}

/** The bars of a job; those after `now` are `ahead`. A pending job is shown from its expected start on. */
function barsOf(row, i, from, now, end, until) {
  const past = row.spans.map((span) => barOf(row, span, i, from, now));
  const last = row.spans.at(-1);
  if (row.next) {
    const start = Math.max(now, expectedStart(row.next));
    return [...past, { row, ahead: true, value: [start, Math.max(until, start + 1), i, last?.slots ?? 1], words: `${row.name}\npending: ${words(row.next.reason)}\nexpected start ${time(start)}\n${localized(row.next.message)}` }];
  }
  return end > now && last && !last.endedAt ? [...past, { row, ahead: true, value: [now, end, i, last.slots], words: `${row.name}\nexpected end ${time(end)}` }] : past;
}

/** The rectangle of a bar; as high as its slots, and at least a pixel wide. */
function box({ coordSys }, api, most, row, head) {
  const [left, middle] = api.coord([api.value(0), api.value(2)]);
  const [right] = api.coord([api.value(1), api.value(2)]);
  const height = most > 1 ? 4 + (row - head - 8) * Math.log2(1 + api.value(3)) / Math.log2(1 + most) : row - head - 3;
  const from = Math.max(left, coordSys.x);
  const to = Math.min(right, coordSys.x + coordSys.width);
  return to > from ? { type: "rect", shape: { x: from, y: middle + (head - height) / 2, width: Math.max(1, to - from - 1), height, r: 2 }, style: api.style() } : null;
}
