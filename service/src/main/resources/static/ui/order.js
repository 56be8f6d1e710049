// The order of names.

const MARKS = /\p{M}/gu;
const DIGITS = /\d+/g;
/** Digits of the largest number in a name. */
const WIDTH = 16;
/** Keys of at most `MOST` names, which each refresh sorts. */
const keys = new Map();
const MOST = 50_000;

/** A text in whose order names sort without regard to case and accents, and numbers in names by their values. */
export function sortKey(name) {
  if (!keys.has(name)) {
    if (keys.size >= MOST) {
      keys.clear();
    }
    keys.set(name, computed(name));
  }
  return keys.get(name);
}

function computed(name) {
  return name.normalize("NFD").replace(MARKS, "").toLowerCase().replace(DIGITS, (digits) => digits.padStart(WIDTH, "0"));
}

/** The items in the order of their keys; those without a key are last in either direction. */
export function inOrder(items, keyOf, descending = false) {
  const known = [];
  const rest = [];
  for (const item of items) {
    const key = keyOf(item);
    (key === null || key === undefined || key === "" ? rest : known).push({ key: typeof key === "string" ? sortKey(key) : key, item });
  }
  const sign = descending ? -1 : 1;
  known.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0));
  return [...known, ...rest].map(({ item }) => item);
}
