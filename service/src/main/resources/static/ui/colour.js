// Colours that people with any kind of colour vision can tell apart (Okabe and Ito), lighter and darker ones between.

const HUES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c6bb1", "#999933"];
const SHADES = [0, -0.28, 0.3];

function shaded(colour, by) {
  const towards = by < 0 ? 0 : 255;
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `rgb(${parts.map((part) => Math.round(part + (towards - part) * Math.abs(by))).join(" ")})`;
}

/** The same colour for the same job everywhere and always. FNV-1a. */
export function ofJob(id) {
  let hash = 2166136261;
  for (let i = 0; i < id.length; i++) {
    hash = Math.imul(hash ^ id.charCodeAt(i), 16777619) >>> 0;
  }
  return shaded(HUES[hash % HUES.length], SHADES[Math.floor(hash / HUES.length) % SHADES.length]);
}

export function ofLine(index) {
  return HUES[index % HUES.length];
}
