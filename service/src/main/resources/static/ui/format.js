// Numbers and times in readable form.

const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
/** Numbers below 0.1, of which two digits after the point would leave nothing. */
const SMALL = new Intl.NumberFormat("en", { maximumSignificantDigits: 2, maximumFractionDigits: 4, roundingPriority: "lessPrecision" });
const TIME = { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false };
const DAY = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hour12: false };
const YEAR = { year: "numeric", ...DAY };
/** Formats by their options; each is created for its first time, which takes long. */
const formats = new Map();
const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z/g;
const UNITS = [["d", 86400], ["h", 3600], ["min", 60]];

export function number(value) {
  return value === null || value === undefined ? "–" : (Math.abs(value) < 0.1 ? SMALL : NUMBER).format(value);
}

/** An amount with at most two digits after the point. */
export function rounded(value) {
  return value > 0 && value < 0.005 ? "< 0.01" : number(Math.round(100 * value) / 100);
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

/** Seconds in the two largest units that fit; milliseconds below a tenth of a second. */
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
  if (seconds > 0 && seconds < 0.1) {
    return `${Math.max(1, Math.round(1000 * seconds))} ms`;
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

/** The allocation of a job as a short text; `share` is the part of its device that it takes, if it shares one. */
export function allocation(held, share) {
  if (!held) {
    return "nothing";
  }
  const { slots, acceleratorType, nodes, batchSize, strategy, aggregationSlots } = held.configuration;
  const where = nodes > 1 ? ` on ${nodes} nodes` : "";
  const servers = strategy === "PARAMETER_SERVER" ? `, parameter servers on ${count(aggregationSlots, "aggregation slot")}` : "";
  return `${ofDevice(share)}${slots} × ${acceleratorType}${where}, batch ${number(batchSize)}${servers}`;
}

/** "0.5 of " for a share of a device; empty for whole devices. */
export function ofDevice(share) {
  return share ? `${number(share)} of ` : "";
}

/** NOT_ENOUGH_SLOTS as "not enough slots", and CANCELLED as "canceled". */
export function words(token) {
  return String(token).replace("CANCELLED", "CANCELED").toLowerCase().replaceAll("_", " ");
}

/** A value as JSON, so that one text never looks like two values; characters that reverse or break a line are escaped. */
export function quoted(value) {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A sum of shares of slots without the error of binary fractions; null and undefined stay. */
export function hundredths(sum) {
  return sum == null ? sum : Math.round(sum * 100) / 100;
}
