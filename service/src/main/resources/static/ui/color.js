// Colors that remain distinct with any kind of color vision (Okabe and Ito), with lighter and darker shades of each.

const HUES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c6bb1", "#999933"];
const SHADES = [0, -0.28, 0.3];
const PALETTE = SHADES.flatMap((by) => HUES.map((hue) => shaded(hue, by)));

/** Place in the palette of each running job, by its id. */
let places = new Map();
let tenants = [];

function shaded(color, by) {
  const towards = by < 0 ? 0 : 255;
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `rgb(${parts.map((part) => Math.round(part + (towards - part) * Math.abs(by))).join(" ")})`;
}

/**
 * Gives each running job a color of its own as long as the palette has one left; then the least used one. A job
 * keeps its color while it runs. A new one takes the place that its id hashes to if that is free, so that a reload changes little.
 */
export function assignColors(running) {
  const kept = new Map();
  const uses = PALETTE.map(() => 0);
  const take = (id, place) => {
    kept.set(id, place);
    uses[place]++;
  };
  running.filter((id) => places.has(id)).forEach((id) => take(id, places.get(id)));
  for (const id of running.filter((one) => !places.has(one)).sort()) {
    const leastUses = Math.min(...uses);
    let place = hashed(id);
    while (uses[place] > leastUses) {
      place = (place + 1) % PALETTE.length;
    }
    take(id, place);
  }
  places = kept;
}

/** Gives the tenants colors in the order of their names. */
export function assignTenantColors(names) {
  tenants = [...new Set(names)].sort();
}

/** The color of a tenant; tenants share colors only beyond the palette. */
export function ofTenant(name) {
  return PALETTE[Math.max(0, tenants.indexOf(name)) % PALETTE.length];
}

/** The color of a job, the same in every view. */
export function ofJob(id) {
  return PALETTE[places.get(id) ?? hashed(id)];
}

/** The color of a line of a chart; lighter on a dark ground. */
export function ofLine(index, dark) {
  return dark ? shaded(HUES[index % HUES.length], 0.35) : HUES[index % HUES.length];
}

/** FNV-1a. */
function hashed(id) {
  let hash = 2166136261;
  for (let i = 0; i < id.length; i++) {
    hash = Math.imul(hash ^ id.charCodeAt(i), 16777619) >>> 0;
  }
  return hash % PALETTE.length;
}
