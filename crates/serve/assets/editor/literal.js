// Quantities as written in scenarios: conversion between numbers in base units and TOML literals, and round values
// for sliders.
//
// Base units: "B", "b/s", "s", "ratio" and "count".

const FAMILIES = {
  "B": { B: 1, kB: 1e3, MB: 1e6, GB: 1e9 },
  "b/s": { "b/s": 1, "kb/s": 1e3, "Mb/s": 1e6, "Gb/s": 1e9, "Tb/s": 1e12 },
  "s": { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1 },
  "ratio": { "%": 1e-2 },
  "count": { "": 1 },
};

// Other spellings that scenarios may use; they are read, not written.
const SPELLINGS = {
  "B": { KB: 1e3, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 },
  "b/s": { "Kb/s": 1e3, bps: 1, kbps: 1e3, Mbps: 1e6, Gbps: 1e9, Tbps: 1e12 },
  "s": { ps: 1e-12, "µs": 1e-6, "μs": 1e-6 },
  "ratio": { ppm: 1e-6, ppb: 1e-9 },
  "count": {},
};

// The value of `"26 kB"`, `26 kB`, `10`, `"2^-7"` or `"1/128"` in the base unit, or null. A number without a unit counts in
// `assumed`, such as "kB"; without `assumed` only ratios and counts may be bare.
export function readLiteral(literal, unit, assumed = null) {
  const text = literal.trim().replace(/^(["'])(.*)\1$/, "$2").trim().replaceAll("\u00a0", " ");
  const power = /^2\^(-?\d+)$/.exec(text);
  const fraction = /^1\/(\d+)$/.exec(text);
  if (unit === "ratio" || unit === "count") {
    if (power) return 2 ** Number(power[1]);
    if (fraction) return 1 / Number(fraction[1]);
  }
  const parts = /^\+?(\d[\d_]*(?:\.[\d_]+)?|\.\d+)\s*(\S*)$/.exec(text);
  if (!parts) return null;
  const name = parts[2] || (assumed ?? (unit === "ratio" ? "1" : ""));
  const factor = name === "1" ? 1 : FAMILIES[unit]?.[name] ?? SPELLINGS[unit]?.[name];
  return factor === undefined ? null : exact(Number(parts[1].replaceAll("_", "")) * factor);
}

// The number and the unit to write for a value: { number: "26", unit: "kB" }. `preferred` is used as long as it gives
// convenient numbers; "2^" requests powers of two.
export function splitValue(value, unit, preferred = null) {
  if (preferred === "2^") return { number: `2^${Math.round(Math.log2(value))}`, unit: "" };
  if (unit === "ratio" && preferred === "") return { number: plain(value), unit: "" };
  const family = FAMILIES[unit];
  const names = Object.keys(family);
  const handy = preferred in family && (value === 0 || (value / family[preferred] >= 1 && value / family[preferred] < 10000));
  const name = handy || names.length === 1 ? (handy ? preferred : names[0]) : names.findLast((each) => value >= family[each]) ?? preferred ?? names[0];
  return { number: plain(value / family[name]), unit: name };
}

// The TOML literal of a value. Counts are bare numbers, everything else is a string with its unit.
export function writeLiteral(value, unit, preferred = null) {
  const parts = splitValue(value, unit, preferred);
  if (unit === "count" && preferred !== "2^") return parts.number;
  return JSON.stringify(parts.unit ? `${parts.number} ${parts.unit}` : parts.number);
}

// A value for human readers: "26 kB" with a no-break space.
export function showValue(value, unit, preferred = null) {
  const parts = splitValue(value, unit, preferred);
  return parts.unit ? `${parts.number}\u00a0${parts.unit}` : parts.number;
}

// Round values from `min` to `max`, in order: two significant digits on a logarithmic scale (three where that would be
// coarse), multiples of a round step on a linear one.
export function roundValues({ min, max, scale, unit, literal_unit: preferred }) {
  const whole = unit === "count";
  let values;
  if (preferred === "2^") {
    values = range(Math.ceil(Math.log2(min)), Math.floor(Math.log2(max))).map((exponent) => 2 ** exponent);
  } else if (scale === "log" && min > 0) {
    values = decades(min, max, 2);
    if (values.length < 40) values = decades(min, max, 3);
  } else {
    const step = Math.max(roundStep((max - min) / 200), whole ? 1 : 0);
    values = range(Math.ceil(min / step), Math.floor(max / step)).map((index) => exact(index * step));
  }
  if (whole && preferred !== "2^") values = values.map(Math.round);
  if (preferred !== "2^") values = [min, ...values.filter((value) => value > min && value < max), max];
  return [...new Set(values)];
}

// The position of a value between `min` and `max`, from 0 to 1, and the inverse.
export function positionOf(value, { min, max, scale }) {
  const log = scale === "log" && min > 0;
  const position = log ? Math.log(Math.max(value, min) / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.min(1, Math.max(0, position));
}

export function valueAt(position, { min, max, scale }) {
  return scale === "log" && min > 0 ? min * (max / min) ** position : min + position * (max - min);
}

// The index of the round value nearest to a position on the slider.
export function nearest(values, position, entry) {
  let best = 0;
  values.forEach((value, index) => {
    const distance = (each) => Math.abs(positionOf(each, entry) - position);
    if (distance(value) < distance(values[best])) best = index;
  });
  return best;
}

function decades(min, max, digits) {
  const low = 10 ** (digits - 1);
  const values = [];
  for (let decade = Math.floor(Math.log10(min)); decade <= Math.log10(max); decade += 1) {
    for (let mantissa = low; mantissa < 10 * low; mantissa += 1) {
      const value = exact(mantissa * 10 ** (decade - digits + 1));
      if (value >= min && value <= max) values.push(value);
    }
  }
  return values;
}

function roundStep(raw) {
  const power = 10 ** Math.floor(Math.log10(raw));
  return exact(power * [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999));
}

const range = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

// Removes the noise of binary fractions: 0.1 × 3 is 0.3.
const exact = (value) => Number(value.toPrecision(12));

// Writes a number without an exponent, which quantities in scenarios do not allow.
function plain(value) {
  const text = String(Number(value.toPrecision(6)));
  return text.includes("e") ? Number(text).toFixed(12).replace(/\.?0+$/, "") : text;
}
