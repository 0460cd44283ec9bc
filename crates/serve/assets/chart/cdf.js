// Cumulative distributions, for example of flow completion times: the share of values up to x, with a linear or logarithmic
// axis. Several distributions can be drawn on the same axes; legend, zoom, cursor and export work as in every plot.

import { button } from "../dom.js";
import { lowerBound, upperBound } from "./decimate.js";
import { axisScale, fixed, quantity, significant } from "./format.js";
import { Plot } from "./plot.js";
import { decimals, linearTicks, logTicks, niceTop } from "./ticks.js";

export class Cdf extends Plot {
  #isLog;
  #switch;

  /** Options: title, unit, log, series: [{ name, colour, dash, values (ascending), weights }], group, height. */
  constructor(host, options) {
    super(host, { unit: "s", height: 220, ...options });
    this.#isLog = options.log ?? false;
    this.#switch = button("Log", () => this.setLog(!this.#isLog), {
      class: "chart-button", title: "Logarithmic or linear axis", "aria-pressed": String(this.#isLog),
    });
    this.readout.after(this.#switch);
  }

  setLog(isLog) {
    this.#isLog = isLog;
    this.#switch.setAttribute("aria-pressed", String(isLog));
    this.group.setCursor(null);
    this.group.setRange(null);
  }

  /** Positions are values, or exponents of ten on a logarithmic axis. */
  #toAxis(value) {
    return this.#isLog ? Math.log10(value) : value;
  }

  fromAxis(position) {
    return this.#isLog ? 10 ** position : position;
  }

  createPoints() {
    return { x: new Float64Array(0), y: new Float64Array(0), length: 0 };
  }

  ownRange() {
    let low = Infinity;
    let high = 0;
    for (const { source: { values } } of this.entries ?? []) {
      // A logarithmic axis starts at the smallest positive value.
      const first = upperBound(values, 0);
      if (first < values.length) low = Math.min(low, values[first]);
      if (values.length > 0) high = Math.max(high, values[values.length - 1]);
    }
    if (!(high > 0)) return this.#isLog ? [-6, 0] : [0, 1];
    if (!this.#isLog) return [0, niceTop(high)];
    const [from, to] = [Math.log10(low), Math.log10(high)];
    const room = Math.max(0.05, 0.03 * (to - from));
    return [from - room, to + room];
  }

  // The share of the values before an index.
  #shareBefore(entry, index) {
    const { values, weights } = entry.source;
    if (!weights) return index / values.length;
    if (entry.weighted !== weights) {
      entry.weighted = weights;
      entry.sums = new Float64Array(values.length + 1);
      for (let i = 0; i < values.length; i += 1) entry.sums[i + 1] = entry.sums[i] + weights[i];
    }
    return entry.sums[index] / entry.sums[values.length];
  }

  // Each pixel column with values contributes its first and its last value; between columns the curve is flat.
  prepare(entry, [from, to], columns) {
    const { values } = entry.source;
    const points = entry.points;
    if (points.x.length < 2 * columns + 8) {
      points.x = new Float64Array(2 * columns + 8);
      points.y = new Float64Array(2 * columns + 8);
    }
    let count = 0;
    const put = (x, y) => {
      points.x[count] = x;
      points.y[count] = y;
      count += 1;
    };
    if (values.length > 0) {
      let index = lowerBound(values, this.fromAxis(from));
      put(from, this.#shareBefore(entry, index));
      for (let column = 0; column < columns && index < values.length; column += 1) {
        const edge = this.fromAxis(from + ((column + 1) / columns) * (to - from));
        const end = upperBound(values, edge);
        if (end === index) continue;
        put(this.#toAxis(values[index]), this.#shareBefore(entry, index));
        put(this.#toAxis(values[end - 1]), this.#shareBefore(entry, end));
        index = end;
      }
      put(to, this.#shareBefore(entry, index));
    }
    points.length = count;
  }

  verticalRange() {
    return [0, 1];
  }

  valueAt(entry, at) {
    const { values } = entry.source;
    return values.length === 0 ? NaN : this.#shareBefore(entry, upperBound(values, this.fromAxis(at) * (1 + 1e-12)));
  }

  snap(at, step) {
    const [from, to] = this.range;
    return at + (step * (to - from)) / 200;
  }

  /** The value below which the given share of a distribution lies. */
  quantile(entry, share) {
    const { values } = entry.source;
    if (values.length === 0) return NaN;
    let low = 0;
    let high = values.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#shareBefore(entry, middle + 1) >= share - 1e-12) high = middle;
      else low = middle + 1;
    }
    return values[low];
  }

  axisUnit() {
    return "";
  }

  xName() {
    return this.options.xName ?? "";
  }

  xTicks([from, to], width) {
    const unit = this.options.unit;
    const count = Math.max(2, Math.floor(width / 84));
    if (this.#isLog) return logTicks(from, to, count).map((value) => ({ at: Math.log10(value), label: quantity(value, unit, 4) }));
    const { factor, label } = axisScale(unit, to);
    const { ticks, step } = linearTicks(from, to, count);
    const places = decimals(step * factor);
    return ticks.map((at) => ({ at, label: fixed(at * factor, places) + (label && at !== 0 ? `\u00a0${label}` : "") }));
  }

  yTicks() {
    return [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, label: significant(at) }));
  }

  rails() {
    return { bottom: 0, top: 4 };
  }

  xText(at) {
    return quantity(this.fromAxis(at), this.options.unit);
  }

  readoutText(at) {
    return `Share up to ${this.xText(at)}`;
  }

  restingText() {
    return "Median";
  }

  restingValue(entry) {
    return quantity(this.quantile(entry, 0.5), this.options.unit, 3);
  }

  valueText(value) {
    return Number.isNaN(value) ? "–" : fixed(value, 4);
  }
}
