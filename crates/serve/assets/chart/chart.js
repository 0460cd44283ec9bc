// Time series that grow while a simulation runs: queues, rates, utilisation.

import { BandPoints } from "./band.js";
import { density, interpolated, nearest, Points } from "./decimate.js";
import { axisLabel, axisScale, fixed, quantity, withEnds } from "./format.js";
import { textWidth } from "./palette.js";
import { Plot } from "./plot.js";
import { decimals, linearTicks, nextEnd, niceTop } from "./ticks.js";

const RAIL = 9; // height of one row of marks
const EVENT_ROW = 20; // height of the event labels above the plot
const EVENT_NEAR = 5; // pixels from the cursor within which the read-out names an event

export class Chart extends Plot {
  #bins = new Float64Array(0);

  constructor(host, options) {
    super(host, { unit: "", references: [], events: [], marks: [], ...options });
  }

  /** Position of the playhead in seconds, or null for none. */
  setPlayhead(time) {
    this.playhead = time;
    this.scheduleCursor();
  }

  setEvents(events) {
    this.options.events = events;
    this.schedule();
  }

  // A series with a band has columns for its smallest and largest values in addition to its means.
  createPoints({ band }) {
    return band ? new BandPoints() : new Points();
  }

  // ---- data -----------------------------------------------------------------------------------------------------------------

  #timeOf(entry) {
    return entry.source.time ? entry.source.time() : this.options.time();
  }

  ownRange() {
    let last = 0;
    let first = 0;
    const include = (time) => {
      if (time.length === 0) return;
      last = Math.max(last, time[time.length - 1]);
      first = Math.min(first, time[0]);
    };
    include(this.options.time());
    for (const { source } of this.entries ?? []) if (source.time) include(source.time());
    const { duration } = this.options;
    const limit = typeof duration === "function" ? duration() : duration;
    return [first, limit === undefined || limit === null ? last : nextEnd(last, limit)];
  }

  prepare(entry, [from, to], columns) {
    const { column, band } = entry.source;
    const values = band ? { mean: column(), low: band.low(), high: band.high() } : column();
    entry.points.update(this.#timeOf(entry), values, from, to, columns);
  }

  verticalRange() {
    let low = Infinity;
    let high = -Infinity;
    for (const { visible, points } of this.entries) {
      if (!visible) continue;
      const [smallest, largest] = points.extent();
      if (smallest < low) low = smallest;
      if (largest > high) high = largest;
    }
    for (const { value } of this.options.references) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (!(high >= low)) return [0, 1];
    const { zero = true } = this.options;
    if (zero || low <= 0) return [low < 0 ? -niceTop(-low) : 0, high > 0 ? niceTop(high) : low < 0 ? 0 : 1];
    const room = Math.max(high - low, high * 1e-6) * 0.06;
    return [low - room, high + room];
  }

  // Series on the common times show the sample itself. A series with its own times, such as a coarse model, shows the value
  // on its line, because its nearest sample may be far from the cursor.
  valueAt(entry, at) {
    const time = this.#timeOf(entry);
    const column = entry.source.column();
    return entry.source.time ? interpolated(time, column, at) : column[nearest(time, at)] ?? NaN;
  }

  // The mean and, at the cursor, also the range of the band there.
  legendText(entry) {
    const { band } = entry.source;
    const index = band && this.reading !== null ? nearest(this.#timeOf(entry), this.reading) : -1;
    if (index < 0) return super.legendText(entry);
    const mean = entry.source.column()[index];
    const ends = [Math.min(band.low()[index], mean), Math.max(band.high()[index], mean)];
    return withEnds(mean, ends, this.options.unit);
  }

  snap(at, step) {
    const own = this.options.time();
    const other = this.entries.find(({ visible, source }) => visible && source.time);
    const time = own.length > 0 || !other ? own : other.source.time();
    const index = nearest(time, at);
    return index < 0 ? at : time[Math.min(time.length - 1, Math.max(0, index + step))];
  }

  // ---- texts ----------------------------------------------------------------------------------------------------------------

  axisUnit() {
    return this.#scale().label;
  }

  #scale() {
    return axisScale(this.options.unit, Math.max(Math.abs(this.vertical[0]), Math.abs(this.vertical[1])));
  }

  xName() {
    return "Time";
  }

  xTicks([from, to], width) {
    const { factor, label } = axisScale("s", Math.max(Math.abs(from), Math.abs(to)));
    let room = 8 * this.fontSize;
    for (;;) {
      const { ticks, step } = linearTicks(from, to, Math.max(2, Math.floor(width / room)));
      const places = decimals(step * factor);
      const needed = fixed(to * factor, places).length * 0.6 * this.fontSize + 40;
      if (needed > room) {
        room = needed;
        continue;
      }
      return ticks.map((at) => ({ at, label: at === 0 ? "0" : `${fixed(at * factor, places)}\u00a0${label}` }));
    }
  }

  yTicks([low, high], height) {
    const { factor } = this.#scale();
    const { ticks, step } = linearTicks(low, high, Math.max(3, Math.floor(height / (27 + this.fontSize))));
    const places = decimals(step * factor);
    return ticks.map((at) => ({ at, label: fixed(at * factor, places) }));
  }

  xText(at) {
    const time = this.options.time();
    const interval = time.length > 1 ? (time[time.length - 1] - time[0]) / (time.length - 1) : 0;
    // Enough digits to distinguish neighbouring samples.
    const digits = interval > 0 && at !== 0 ? Math.ceil(Math.log10(Math.abs(at) / interval) + 0.3) : 4;
    return quantity(at, "s", Math.min(10, Math.max(4, digits)));
  }

  readoutText(at) {
    return this.group.cursor === null ? `Playhead ${this.xText(at)}` : `At ${this.xText(at)}`;
  }

  readoutExtra(at) {
    const [from, to] = this.range;
    const near = ((to - from) / this.uplot.over.clientWidth) * EVENT_NEAR;
    return this.#events().filter((event) => Math.abs(event.at - at) <= near).map(({ label }) => ` · ${label}`).join("");
  }

  restingText() {
    const time = this.options.time();
    return time.length === 0 ? "No samples yet" : `Last sample ${this.xText(time[time.length - 1])}`;
  }

  restingValue(entry) {
    const column = entry.source.column();
    return column.length === 0 ? "" : this.valueText(column[Math.min(column.length, this.#timeOf(entry).length) - 1]);
  }

  valueText(value) {
    return quantity(value, this.options.unit, 4);
  }

  // ---- decorations ----------------------------------------------------------------------------------------------------------

  keys() {
    const bands = this.options.bands ? [{ name: this.options.bands, colour: "--muted", shade: true }] : [];
    return [...bands, ...this.options.marks.map(({ name, colour }) => ({ name, colour: colour ?? "--event" }))];
  }

  rails() {
    const { marks } = this.options;
    const top = marks.filter(({ place }) => place === "top").length * RAIL;
    const bottom = marks.length * RAIL - top;
    return { bottom: bottom > 0 ? bottom + 3 : 0, top: top > 0 ? top + 3 : 0 };
  }

  headroom() {
    return this.options.events.length > 0 ? EVENT_ROW + 4 : 10;
  }

  #events() {
    return this.options.events.map((event) => ({ at: event.at ?? event.at_s, label: event.label })).sort((a, b) => a.at - b.at);
  }

  below(pen, frame, palette) {
    const { left, width, top, height } = frame;
    const base = Math.round(frame.y(Math.max(0, this.vertical[0]))) + 0.5;
    pen.line(left, base, left + width, base, { colour: palette.of("--rule") });
    for (const { at } of this.#events()) {
      const x = Math.round(frame.x(at)) + 0.5;
      pen.line(x, top, x, top + height, { colour: palette.of("--event"), dash: [2, 3] });
    }
    for (const { value } of this.options.references) {
      const y = Math.round(frame.y(value)) + 0.5;
      pen.line(left, y, left + width, y, { colour: palette.of("--muted"), dash: [5, 4] });
    }
    this.#marks(pen, frame, palette);
  }

  #marks(pen, frame, palette) {
    const { left, width, top, height } = frame;
    if (this.#bins.length !== Math.floor(width)) this.#bins = new Float64Array(Math.max(1, Math.floor(width)));
    const bins = this.#bins;
    const row = { bottom: 0, top: 0 };
    for (const mark of this.options.marks) {
      const place = mark.place === "top" ? "top" : "bottom";
      const y = place === "top" ? top + 1 + row.top * RAIL : top + height - (row.bottom + 1) * RAIL;
      row[place] += 1;
      const largest = density(mark.at(), mark.count?.(), ...this.range, bins);
      const colour = palette.of(mark.colour ?? "--event");
      // One event is a faint tick of full height; further events on the same pixel make it stronger.
      for (let i = 0; i < bins.length; i += 1) {
        if (bins[i] === 0) continue;
        const strength = largest > 1 ? Math.log1p(bins[i]) / Math.log1p(largest) : 1;
        pen.rect(left + i, y, 1, RAIL - 3, colour, 0.3 + 0.7 * strength);
      }
    }
  }

  above(pen, frame, palette) {
    const small = { size: this.fontSize, family: palette.family };
    this.#eventLabels(pen, frame, palette, small);
    const blocked = [];
    const sorted = this.options.references.filter(({ label }) => label).sort((a, b) => b.value - a.value);
    for (const { value, label } of sorted) {
      const y = frame.y(value);
      if (y < frame.top || y > frame.top + frame.height) continue;
      const wide = textWidth(label, small.size, small.family) + 8;
      const end = frame.left + frame.width;
      const fits = ({ x, base }) => base > frame.top + 9 && base < frame.top + frame.height && x > frame.left
        && blocked.every((other) => Math.abs(other.base - base) > 14 || x + wide < other.x || other.x + other.wide < x);
      // The label goes above its line, below it, or further to the left.
      const places = [[0, y - 6], [0, y + 14], [1, y - 6], [2, y - 6]];
      const place = places.map(([steps, base]) => ({ x: end - (steps + 1) * (wide + 4), base })).find(fits);
      if (place === undefined) continue;
      blocked.push({ ...place, wide });
      pen.rect(place.x, place.base - 11, wide, 15, palette.of("--paper"), 0.85);
      pen.text(place.x + wide - 4, place.base, label, { colour: palette.of("--ink"), font: small, align: "end" });
    }
  }

  // A label may extend up to the next event; if there is no space, it is omitted, and the read-out names the event at the
  // cursor.
  #eventLabels(pen, frame, palette, font) {
    const right = frame.left + frame.width + 20;
    const shown = this.#events().filter(({ at }) => at >= this.range[0] && at <= this.range[1]);
    const width = (text) => textWidth(text, font.size, font.family);
    let occupied = frame.left - 30;
    shown.forEach(({ at, label }, index) => {
      const isLast = index + 1 === shown.length;
      const end = isLast ? right : frame.x(shown[index + 1].at) - 8;
      // The last label moves to the left as far as necessary to end inside the plot.
      const x = Math.max(occupied + 10, Math.min(frame.x(at) - 3, isLast ? right - width(label) : Infinity));
      const text = shortened(label, end - x, width);
      if (!text || x > frame.x(at)) return;
      pen.text(x, frame.top - 10, text, { colour: palette.of("--event"), font });
      occupied = x + width(text);
    });
  }

  description() {
    const unit = this.axisUnit();
    return `${axisLabel(this.options.title, unit)}, ${this.rangeText()}. ${this.summary()}`;
  }
}

function shortened(label, room, width) {
  if (width(label) <= room) return label;
  for (let letters = label.length - 1; letters >= 4; letters -= 1) {
    const text = `${label.slice(0, letters).trimEnd()}…`;
    if (width(text) <= room) return text;
  }
  return "";
}
