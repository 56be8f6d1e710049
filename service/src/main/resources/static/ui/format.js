// Numbers and times in readable form.

const NUMBER = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const TIME = { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false };
const DAY = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hour12: false };
const YEAR = { year: "numeric", ...DAY };
/** Formats by their options; each is created for its first time, which takes long. */
const formats = new Map();
const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z/g;
const UNITS = [["d", 86400], ["h", 3600], ["min", 60]];

export function number(value) {
  return value === null || value === undefined ? "–" : NUMBER.format(value);
}

export function percent(part, digits = 0) {
  return part === null || part === undefined ? "–" : `${(100 * part).toFixed(digits)} %`;
}

export function mebibytes(amount) {
  return amount === null || amount === undefined ? "–" : gib(Math.round(amount / 102.4) / 10);
}

export function watts(power) {
  return power === null || power === undefined ? "–" : `${number(power)} W`;
}

/** A gap: small ones need more digits than a share of a cluster. */
export function gap(part) {
  return part === 0 ? "0 %" : percent(part, part < 0.001 ? 4 : 2);
}

export function gib(amount) {
  return `${number(amount)} GiB`;
}

/** Seconds in the two largest units that fit. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) {
    return "–";
  }
  for (const [index, [unit, size]] of UNITS.entries()) {
    if (seconds >= size) {
      const whole = Math.floor(seconds / size);
      const [next, nextSize] = UNITS[index + 1] ?? ["s", 1];
      const rest = Math.floor((seconds - whole * size) / nextSize);
      return rest ? `${whole} ${unit} ${rest} ${next}` : `${whole} ${unit}`;
    }
  }
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** The local time of day, with the date where that is not today, and with the year where that is not this one. */
export function time(text) {
  if (!text) {
    return "–";
  }
  const at = new Date(text);
  const now = new Date();
  const format = at.toDateString() === now.toDateString() ? TIME : at.getFullYear() === now.getFullYear() ? DAY : YEAR;
  if (!formats.has(format)) {
    formats.set(format, new Intl.DateTimeFormat(undefined, format));
  }
  return formats.get(format).format(at);
}

/** A message of the service, with its times in the same form as all other times. */
export function localized(message) {
  return message?.replace(INSTANT, (instant) => time(instant));
}

/** Seconds since a time. */
export function seconds(text) {
  return Math.max(0, (Date.now() - new Date(text)) / 1000);
}

export function ago(text) {
  return text ? duration(seconds(text)) : "–";
}

/** "1 node", "3 nodes". */
export function count(amount, noun) {
  return `${number(amount)} ${noun}${amount === 1 ? "" : "s"}`;
}

/** The allocation of a job as a short text. */
export function allocation(held) {
  if (!held) {
    return "nothing";
  }
  const { slots, acceleratorType, nodes, strategy, aggregationSlots } = held.configuration;
  const where = nodes > 1 ? ` on ${nodes} nodes` : "";
  return `${slots} × ${acceleratorType}${where}${strategy === "PARAMETER_SERVER" ? `, ${number(aggregationSlots)} aggregation` : ""}`;
}

/** NOT_ENOUGH_SLOTS as "not enough slots". */
export function words(token) {
  return String(token).toLowerCase().replaceAll("_", " ");
}

/** A value as JSON, so that one text never looks like two values; characters that reverse or break a line are escaped. */
export function quoted(value) {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
