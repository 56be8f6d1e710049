// Small charts as SVG. Each has a title for screen readers, and each mark has its value as a title.

import { h, swatch } from "./dom.js";
import { number } from "./format.js";
import { ofLine } from "./color.js";

const WIDTH = 640;
const HEIGHT = 220;
const EDGE = { left: 62, right: 12, top: 12, bottom: 30 };

/** 1, 2 or 5 times a power of ten, so that about `count` steps cover `span`. */
function step(span, count) {
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
}

function ticks(low, high, least = 0) {
  const size = Math.max(least, step(high - low || 1, 4));
  const marks = [];
  for (let at = Math.ceil(low / size) * size; at <= high + size * 1e-9; at += size) {
    marks.push(at);
  }
  return marks;
}

function range(values, fromZero) {
  const low = Math.min(...values, ...(fromZero ? [0] : []));
  const high = Math.max(...values);
  return high > low ? [low, high] : [low - 0.5, high + 0.5];
}

/**
 * Lines over a common axis of whole numbers.
 *
 * @param title what is shown
 * @param lines { name, points: [[x, y]], dots: only dots, mark: one point to ring }
 * @param options x: name of the axis, y: name of the axis, xText: how to write x, fromZero: the y axis begins at 0
 */
export function lines(title, lines, { x = "", y = "", xText = number, yText = number, fromZero = true } = {}) {
  const drawn = lines.filter((line) => line.points.length);
  if (!drawn.length) {
    return h("p.empty", {}, "No data yet.");
  }
  const xs = range(drawn.flatMap((line) => line.points.map((point) => point[0])), false);
  const ys = range(drawn.flatMap((line) => line.points.map((point) => point[1])), fromZero);
  const px = (value) => EDGE.left + (value - xs[0]) / (xs[1] - xs[0]) * (WIDTH - EDGE.left - EDGE.right);
  const py = (value) => HEIGHT - EDGE.bottom - (value - ys[0]) / (ys[1] - ys[0]) * (HEIGHT - EDGE.top - EDGE.bottom);
  return h("figure", {},
    h("svg.chart", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title },
      h("title", {}, title),
      ticks(...ys).map((at) => h("g", {},
        h("line.grid", { x1: EDGE.left, x2: WIDTH - EDGE.right, y1: py(at), y2: py(at) }),
        h("text.tick", { x: EDGE.left - 6, y: py(at) + 4, "text-anchor": "end" }, yText(at)))),
      ticks(...xs, 1).map((at) => h("text.tick", { x: px(at), y: HEIGHT - 10, "text-anchor": "middle" }, xText(at))),
      drawn.map((line, i) => draw(line, lines.indexOf(line) ?? i, px, py, xText, yText))),
    h("figcaption", {},
      lines.length > 1
        ? h("ul.legend", {}, lines.map((line, i) => h("li", {}, swatch(ofLine(i)), line.name)))
        : null,
      h("span.axes", {}, [y, x].filter(Boolean).join(" against "))));
}

function draw(line, index, px, py, xText, yText) {
  const color = ofLine(index);
  const at = line.points.map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`);
  return h("g", {},
    line.dots ? null : h("polyline", { points: at.join(" "), fill: "none", stroke: color, "stroke-width": 2 }),
    line.points.length <= 80 || line.dots
      ? line.points.map(([x, y]) => h("circle", { cx: px(x), cy: py(y), r: line.dots ? 4 : 3, fill: color },
        h("title", {}, `${line.name}: ${yText(y)} at ${xText(x)}`)))
      : null,
    line.mark ? h("circle.mark", { cx: px(line.mark[0]), cy: py(line.mark[1]), r: 8 },
      h("title", {}, `chosen: ${yText(line.mark[1])} at ${xText(line.mark[0])}`)) : null);
}
