// Charts by Apache ECharts, which is loaded with the first of them. A chart survives redraws of its view, so that its zoom stays.

import { ofLine } from "./color.js";
import { PHONE, h } from "./dom.js";
import { number } from "./format.js";
import { slug, table } from "./table.js";

/** Points up to which a line shows each of them. */
const FEW = 40;
/** Usual height of a chart, pixels. */
const HEIGHT = 230;
/** Height of a row of a legend, pixels. */
const LEGEND_ROW = 22;
/** Charts of the view, by title: { host, observer, instance, build, click }. */
const charts = new Map();
let library = null;
/** The start of the last chart: they start one by one, so that the page stays responsive. */
let starting = Promise.resolve();

/**
 * A chart with its data as a table below it.
 *
 * @param title what is shown; unique in the view
 * @param build the option of ECharts, as a function of the theme { text, quiet, line, ground, accent, bad, dark }
 * @param options height in pixels, click: called with the clicked element, data: the content of the table, as a function
 */
export function chart(title, build, { height = HEIGHT, click = null, data = null } = {}) {
  const one = charts.get(title) ?? create(title);
  Object.assign(one, { build, click });
  one.host.style.height = `${height}px`;
  apply(one);
  return h("figure", {}, one.host, data ? folded(title, data) : null);
}

function create(title) {
  const one = { host: h("div.chart", { role: "img", "aria-label": title }), instance: null };
  one.observer = new ResizeObserver(() => (one.instance ? fit(one) : start(one)));
  one.observer.observe(one.host);
  charts.set(title, one);
  return one;
}

function fit({ host, instance }) {
  if (instance.getWidth() !== host.clientWidth || instance.getHeight() !== host.clientHeight) {
    instance.resize();
  }
}

function start(one) {
  library ??= import("/ui/lib/echarts.esm.min.js");
  starting = starting.then(() => new Promise((resolve) => setTimeout(resolve))).then(() => begin(one));
}

async function begin(one) {
  const { init } = await library;
  if (!one.instance && one.host.isConnected && one.host.clientWidth) {
    one.instance = init(one.host);
    one.instance.on("click", (event) => one.click?.(event));
    apply(one);
  }
}

function apply({ instance, build }) {
  const theme = themeNow();
  instance?.setOption({
    animation: false,
    textStyle: { color: theme.text, fontFamily: "system-ui, sans-serif" },
    ...build(theme),
  }, { replaceMerge: ["series"] });
}

function themeNow() {
  const style = getComputedStyle(document.documentElement);
  const colors = ["text", "quiet", "line", "ground", "raised", "accent", "bad"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]);
  return { ...Object.fromEntries(colors), dark: style.colorScheme === "dark" };
}

/** Applies another theme to all charts. */
export function restyle() {
  charts.forEach(apply);
}

/** Frees the charts that are no longer on the page. */
export function sweep() {
  for (const [title, { host, observer, instance }] of charts) {
    if (!host.isConnected) {
      observer.disconnect();
      instance?.dispose();
      charts.delete(title);
    }
  }
}

function folded(title, data) {
  const place = h("div", {});
  return h("details", { id: `data-${slug(title)}`, toggle: (event) => event.target.open && place.replaceChildren(data()) }, h("summary", {}, "Data"), place);
}

/** Text of tooltips is drawn, never markup. */
export function tooltip(theme, trigger, formatter) {
  return { trigger, formatter, renderMode: "richText", confine: true, backgroundColor: theme.raised, borderColor: theme.line, textStyle: { color: theme.text } };
}

export function axis(theme, name, text, options = {}) {
  return {
    type: "value", name, nameLocation: "middle", nameGap: 28, nameTextStyle: { color: theme.quiet },
    axisLabel: { color: theme.quiet, formatter: text, hideOverlap: true }, axisLine: { lineStyle: { color: theme.line } },
    splitLine: { lineStyle: { color: theme.line } }, ...options,
  };
}

/**
 * Lines or points over a common axis.
 *
 * @param lines { name, points: [[x, y, color, pixels to the right]], color: index, dots: true for points without a line, symbol, hollow, step,
 *     plain: no points, apart: true for a dashed line that is not stacked }
 * @param options x and y: names of the axes, xText and yText: how values are written, time: x is a time in milliseconds,
 *     whole: false if x has fractions, zoom: true for a slider, stack: true for areas above each other, most: end of the y axis,
 *     counts: true if y counts, so that its axis has whole numbers, named: true for a legend also of one line, wrapped: true for a legend in rows
 */
export function lines(title, lines, { x = "", y = "", xText = number, yText = number, time = false, zoom = false, stack = false, most = null, whole = true, counts = false, named = false,
  wrapped = false, height } = {}) {
  const drawn = lines.filter((line) => line.points.length);
  if (!drawn.length) {
    return h("p.empty", {}, "No data yet.");
  }
  const keyed = named || drawn.length > 1;
  const more = wrapped ? LEGEND_ROW * Math.ceil((drawn.length - 1) / (PHONE ? 1 : 2)) : 0;
  if (time && new Set(drawn.flatMap((line) => line.points.map(([at]) => at))).size === 1) {
    return h("p.empty", {}, `The first values are from ${xText(drawn[0].points[0][0])}; the chart begins with the next ones.`);
  }
  const at = new Set(drawn.flatMap((line) => line.points.map(([value]) => value)));
  const ends = !time && whole && at.size === 1 ? { min: [...at][0] - 1, max: [...at][0] + 1 } : { min: "dataMin", max: "dataMax" };
  return chart(title, (theme) => ({
    tooltip: tooltip(theme, drawn.every((line) => line.dots) ? "item" : "axis",
      (items) => [xText([items].flat()[0].value[0]), ...[items].flat().map((item) => `${item.seriesName}: ${yText(item.value[1])}`)].join("\n")),
    legend: keyed ? { type: wrapped ? "plain" : "scroll", top: 0, textStyle: { color: theme.text }, pageTextStyle: { color: theme.text } } : { show: false },
    grid: { left: 64, right: 18, top: keyed ? 36 + more : 14, bottom: zoom ? 66 : 44 },
    dataZoom: zoom ? [{ type: "inside", zoomOnMouseWheel: "ctrl" }, { type: "slider", height: 16, bottom: 6, textStyle: { color: theme.quiet }, labelFormatter: xText }] : [],
    xAxis: axis(theme, x, xText, { type: time ? "time" : "value", ...ends, splitLine: { show: false }, minInterval: whole && !time ? 1 : 0 }),
    yAxis: axis(theme, y, yText, { nameGap: 50, max: most, minInterval: counts ? 1 : 0 }),
    series: drawn.map((line) => series(line, line.color === undefined ? lines.indexOf(line) : line.color, theme, stack)),
  }), { height: (height ?? HEIGHT) + more, data: () => table(title, columns(drawn, x, xText, yText), rows(drawn), { key: slug(title) }) });
}

function series({ name, points, dots, symbol = "circle", hollow, step, plain, apart }, index, theme, stack) {
  const stacked = stack && !apart;
  const style = (color) => (hollow ? { color: theme.ground, borderColor: color, borderWidth: 2 } : { color });
  const color = index === null ? theme.quiet : ofLine(index, theme.dark);
  return {
    name, type: dots ? "scatter" : "line", symbol, symbolSize: dots ? 11 : 6, showSymbol: !plain && points.length <= FEW, step: step && "end", color,
    data: points.map((point) => (point.length > 2 ? { value: point, itemStyle: style(ofLine(point[2], theme.dark)), symbolOffset: [point[3] ?? 0, 0] } : point)),
    itemStyle: style(color), lineStyle: { width: 2, type: apart ? "dashed" : "solid" }, stack: stacked ? "all" : null, areaStyle: stacked ? { opacity: 0.35 } : null,
  };
}

/** The values of all lines by x. */
function rows(lines) {
  const all = new Map();
  lines.forEach(({ points }, i) => points.forEach(([x, y]) => {
    all.set(x, all.get(x) ?? []);
    all.get(x)[i] = y;
  }));
  return [...all].sort((a, b) => a[0] - b[0]);
}

function columns(lines, x, xText, yText) {
  return [{ name: x || "at", value: ([at]) => at, cell: ([at]) => xText(at) },
    ...lines.map((line, i) => ({ name: line.name, value: ([, values]) => values[i], cell: ([, values]) => (values[i] === undefined ? "–" : yText(values[i])), number: true }))];
}

/** A line without axes, for tiles. */
export function spark(title, points) {
  return points.length > 1 ? chart(title, (theme) => ({
    grid: { left: 0, right: 0, top: 2, bottom: 2 },
    xAxis: { type: "value", show: false, min: "dataMin", max: "dataMax" }, yAxis: { type: "value", show: false, min: 0 },
    series: [{ type: "line", data: points, showSymbol: false, silent: true, step: "end", color: theme.accent, lineStyle: { width: 1.5 }, areaStyle: { opacity: 0.15 } }],
  }), { height: 30 }) : null;
}
