// Text for quantities with units: values in legends and read-outs, and scales for axes.
// Prefixes are decimal, as in the reports (1 kB = 1000 B).

export const NBSP = "\u00a0";
export const MINUS = "\u2212";
export const NONE = "–";
const GROUP = "\u202f";

const LARGE = [[1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"]];
const SMALL = [[1e-9, "n"], [1e-6, "µ"], [1e-3, "m"], [1, ""]];
const PREFIXES = { "s": SMALL, "b/s": LARGE, "B": LARGE };

/**
 * A value with its unit, such as "23.4 Mb/s". Units: "s", "b/s", "B", "%" (the value is a percentage), "share" (the value is
 * 0..1 and appears as a percentage), "" (count); any other unit is appended without a prefix.
 */
export function quantity(value, unit = "", digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return NONE;
  if (value === Infinity) return "∞";
  if (value === -Infinity) return `${MINUS}∞`;
  if (unit === "share") return quantity(100 * value, "%", digits);
  const [factor, prefix] = prefixFor(unit, value, digits);
  const whole = unit === "" && Number.isInteger(value);
  const text = whole ? grouped(value) : significant(value / factor, digits);
  const label = prefix + unit;
  return label === "" ? text : text + NBSP + label;
}

/** A share 0..1 as a percentage, such as "42.5 %". */
export function share(value, digits = 3) {
  return quantity(value, "share", digits);
}

/** A number without a unit, with at most `digits` significant digits and no trailing zeros. */
export function significant(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return NONE;
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  if (size >= 1e15 || size < 1e-6) return signed(rounded.toExponential().replace("e+", "e"));
  const decimals = Math.min(20, Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
  const text = rounded.toFixed(decimals);
  return signed(text.includes(".") ? text.replace(/\.?0+$/, "") : text);
}

/** A number with a fixed number of decimals and the typographic minus sign; for the labels along an axis. */
export function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  return signed(Number(text) === 0 ? text.replace("-", "") : text);
}

/** The scale of an axis that extends to `max`: multiply values by `factor` and name the unit `label` ("kB", "ms", "%"). */
export function axisScale(unit, max) {
  if (unit === "share") return { factor: 100, label: "%" };
  const usable = Number.isFinite(max) && max !== 0 ? max : 1;
  const [size, prefix] = prefixFor(unit, usable, 4);
  // Rounding makes the factor exact, which 1 / 1e-9 is not.
  return { factor: size < 1 ? Math.round(1 / size) : 1 / size, label: prefix + unit };
}

/** A name with the unit of its axis, such as "Queue (kB)". */
export function axisLabel(name, label) {
  return label === "" ? name : `${name} (${label})`;
}

function prefixFor(unit, value, digits) {
  const prefixes = PREFIXES[unit];
  if (!prefixes || value === 0) return [1, ""];
  // Round first: 999.99 kB with four digits is 1 MB, not 1000 kB.
  const size = Math.abs(Number(value.toPrecision(digits)));
  let chosen = prefixes[0];
  for (const prefix of prefixes) if (size >= prefix[0] * (1 - 1e-12)) chosen = prefix;
  return chosen;
}

function grouped(value) {
  const text = Math.abs(value).toFixed(0);
  const spaced = text.length > 4 ? text.replace(/\B(?=(\d{3})+$)/g, GROUP) : text;
  return value < 0 ? MINUS + spaced : spaced;
}

function signed(text) {
  return text.replace("-", MINUS);
}

/** A mean with the ends of its band, such as "26.7 (12–31) kB"; short, because legends are narrow. */
export function withEnds(mean, ends, unit) {
  const values = [mean, ...ends];
  const texts = values.map((value) => quantity(value, unit, 3).split(NBSP));
  const label = texts[2][1];
  const isCommon = values.every((value, index) => value === 0 || texts[index][1] === label);
  const [middle, low, high] = texts.map((parts) => (isCommon ? parts[0] : parts.join(NBSP)));
  return `${middle} (${low}–${high})${isCommon && label ? NBSP + label : ""}`;
}
