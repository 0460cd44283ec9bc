// The common part of all plots: frame, legend, zoom, cursor, drawing once per animation frame, and export. uPlot provides
// scales, axes and the canvas; the series are drawn from decimated points. `Chart` and `Cdf` extend this class.

import { make } from "../dom.js";
import { axisLabel } from "./format.js";
import { Group } from "./group.js";
import { interact } from "./interact.js";
import { Legend } from "./legend.js";
import { drawOverlay } from "./overlay.js";
import { readPalette, seriesStyle } from "./palette.js";
import { CanvasPen } from "./pens.js";
import { pngFromSvg, svgOf } from "./export.js";
import { buildFrame, Values } from "./frame.js";

const GUTTER = 58; // width of the left axis; the same everywhere, so that stacked plots align
const RIGHT = 2.4; // space for half of the last label of the time axis, in units of the font size
const LIVE_POINTS = 40_000; // points drawn per frame while data arrives
const REST_POINTS = 260_000; // points drawn when nothing moves
const REST_AFTER_MS = 300;
const BAND = 0.28; // opacity of the band around a line
const BAND_OF_MANY = 0.14;
const DASHES_UP_TO = 12; // with more lines, dashes cannot be distinguished and are slow to draw

export class Plot {
  #frame = 0;
  #dirty = false;
  #onScreen = true;
  #rest = 0;
  #live = false;
  #lastUpdate = -Infinity;
  #values;
  #brush = null;
  #focus = null;
  #overlayEmpty = false;
  #seekers = new Set();
  #stopInteraction;
  #observers = [];
  #xs = new Float64Array(0);
  #ys = new Float64Array(0);
  #lows = new Float64Array(0);
  #highs = new Float64Array(0);

  constructor(host, options) {
    this.options = options;
    this.palette = readPalette();
    this.playhead = null;
    this.group = Group.join(options.group, this);
    this.#build(host);
    this.setSeries(options.series);
  }

  // ---- defined by the subclasses ---------------------------------------------------------------------------------------
  // ownRange()                 the full horizontal range of this plot, in axis coordinates
  // prepare(entry, range, n)   fills entry.points for n pixel columns
  // verticalRange()            [low, high] of the values
  // valueAt(entry, position)   the value at full resolution
  // snap(position, step)       the nearest sample, or the one `step` samples further on
  // xTicks(range, width), yTicks(range, height)   [{ at, label }]
  // xText(position), valueText(value), restingText()
  // below(pen, frame), above(pen, frame)          decorations; rails() and headroom() reserve space for them

  keys() { return []; }
  rails() { return { bottom: 0, top: 0 }; }
  headroom() { return 8; }
  below() {}
  above() {}
  readoutExtra() { return ""; }

  /** Size of the text on axes and labels, in pixels. */
  get fontSize() { return this.options.fontSize ?? 11; }

  // ---- public ---------------------------------------------------------------------------------------------------------------

  /** Reloads the data; draws at most once per animation frame. */
  update() {
    this.#lastUpdate = performance.now();
    this.schedule();
  }

  /** Replaces the series. Series keep their visibility by name. */
  setSeries(series) {
    const before = new Map((this.entries ?? []).map((entry) => [entry.name, entry.visible]));
    this.entries = series.map((source, index) => {
      const style = seriesStyle(index);
      const dash = source.dash === true ? [6, 3] : source.dash || (source.colour ? [] : style.dash);
      const visible = before.get(source.name) ?? source.visible ?? true;
      return { source, name: source.name, colour: source.colour ?? style.colour, dash, visible, points: this.createPoints(source) };
    });
    this.legend.setEntries(this.entries, this.keys());
    this.root.classList.toggle("chart-with-list", this.legend.isList);
    this.#values.forget();
    this.schedule();
  }

  /** Sets the shown range for all plots of the group; null shows everything. */
  setRange(range) {
    const full = this.group.full();
    const tiny = (full[1] - full[0]) * 1e-7;
    if (range && range[1] - range[0] < tiny) {
      const centre = (range[0] + range[1]) / 2;
      range = [centre - tiny / 2, centre + tiny / 2];
    }
    this.group.setRange(range);
    this.#values.speak(() => `${this.options.title}: ${this.rangeText()}.`);
  }

  get range() {
    return this.group.range ?? this.group.full();
  }

  /** Whether data arrived within the last second. */
  get isRunning() {
    return performance.now() - this.#lastUpdate < 1000;
  }

  get isZoomed() {
    return this.group.range !== null;
  }

  /** Calls `callback` with the position where the user clicks; returns a function that removes the callback. */
  onSeek(callback) {
    this.#seekers.add(callback);
    this.area.classList.add("chart-seekable");
    return () => this.#seekers.delete(callback);
  }

  /** Redraws the plot with the colours of the current theme. */
  repaint() {
    this.palette = readPalette();
    this.schedule();
  }

  /** A standalone SVG document of the current view in the colours of the light theme. */
  toSvg() {
    const text = svgOf(this);
    this.schedule();
    return text;
  }

  /** The same picture as PNG with two pixels per CSS pixel. */
  toPng() {
    return pngFromSvg(this.toSvg());
  }

  setHeight(height) {
    if (height === this.uplot.height) return;
    this.uplot.setSize({ width: this.uplot.width, height });
    this.schedule();
  }

  destroy() {
    cancelAnimationFrame(this.#frame);
    this.#frame = -1;
    clearTimeout(this.#rest);
    this.#values.stop();
    this.#stopInteraction();
    for (const observer of this.#observers) observer.disconnect();
    this.group.leave(this);
    this.uplot.destroy();
    this.root.remove();
  }

  // ---- frame ----------------------------------------------------------------------------------------------------------------

  #build(host) {
    const { title, height = 220, level = 3, tools = [] } = this.options;
    Object.assign(this, buildFrame(title, level));
    this.head.append(...tools);
    this.reset.addEventListener("click", () => {
      this.setRange(null);
      this.area.focus({ preventScroll: true });
    });
    this.legend = new Legend({
      label: title,
      onChange: () => this.schedule(),
      onFocus: (entry) => {
        if (this.#focus === entry) return;
        this.#focus = entry;
        this.schedule();
      },
    });
    this.area.after(this.legend.element);
    this.#values = new Values(this);
    host.append(this.root);
    this.#createUplot(height);
    this.#stopInteraction = interact(this.#interactive());
    const resize = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry.contentRect.width);
      if (width > 0 && width !== this.uplot.width) this.uplot.setSize({ width, height: this.uplot.height });
      this.schedule();
    });
    resize.observe(this.area);
    // While data arrive, a plot that is scrolled out of view costs nothing.
    const sight = new IntersectionObserver((entries) => {
      this.#onScreen = entries.at(-1).isIntersecting;
      if (this.#onScreen && this.#dirty) this.schedule();
    }, { rootMargin: "100px" });
    sight.observe(this.area);
    this.#observers.push(resize, sight);
  }

  #createUplot(height) {
    const { fontSize } = this;
    const font = `${fontSize}px ${this.palette.family}`;
    const axis = (ticks, more) => ({
      font,
      stroke: () => this.palette.of("--muted"),
      grid: { stroke: () => this.palette.of("--grid"), width: 1 },
      ticks: { show: false },
      gap: 6,
      filter: (_, splits) => splits,
      // uPlot needs an increment before it requests the ticks; below 5 it accepts only increments from its own table.
      incrs: (_, __, min, max) => [Math.max(5, max - min)],
      space: 1,
      splits: () => ticks().map(({ at }) => at),
      values: () => ticks().map(({ label }) => label),
      ...more,
    });
    this.vertical = [0, 1];
    const options = {
      width: Math.max(200, Math.floor(this.area.clientWidth)),
      height,
      padding: [() => this.headroom(), Math.floor(RIGHT * fontSize), 0, 0],
      legend: { show: false },
      cursor: { show: false },
      select: { show: false },
      scales: {
        x: { time: false, range: () => this.range },
        y: { auto: true, range: () => this.#extended() },
      },
      axes: [
        axis(() => this.xTicks(this.range, this.#geometry().width), { size: fontSize + 15 }),
        axis(() => this.yTicks(this.vertical, this.#geometry().height), { size: GUTTER, side: 3 }),
      ],
      series: [{}, { show: false }],
      hooks: { draw: [(u) => this.#paintCanvas(u)] },
    };
    this.uplot = new window.uPlot(options, [[0, 1], [0, 1]], this.area);
    this.overlay = make("canvas", { class: "chart-overlay" });
    this.overlay.setAttribute("aria-hidden", "true");
    this.uplot.over.parentElement.append(this.overlay);
  }

  // Rails of marks are outside the range of the values, so that no line crosses them.
  #extended() {
    const [low, high] = this.vertical;
    const { bottom, top } = this.rails();
    const height = Math.max(20, this.#geometry().height);
    const perPixel = (high - low) / Math.max(10, height - bottom - top);
    return [low - bottom * perPixel, high + top * perPixel];
  }

  #geometry() {
    const u = this.uplot;
    if (!u?.bbox?.width) return { left: GUTTER, top: 8, width: 600, height: 180 };
    const ratio = window.uPlot.pxRatio;
    return { left: u.bbox.left / ratio, top: u.bbox.top / ratio, width: u.bbox.width / ratio, height: u.bbox.height / ratio };
  }

  #interactive() {
    return {
      area: this.area,
      plot: this.uplot.over,
      width: () => this.#geometry().width,
      wheelNeedsKey: this.options.wheel === "key",
      range: () => this.range,
      full: () => this.group.full(),
      setRange: (range) => this.setRange(range),
      setCursor: (at) => this.group.setCursor(at === null ? null : this.snap(at, 0)),
      cursor: () => this.group.cursor,
      stepCursor: (direction, large) => this.#stepCursor(direction, large),
      seek: (at) => { for (const callback of this.#seekers) callback(this.fromAxis(at)); },
      brush: (span) => {
        this.#brush = span;
        this.scheduleCursor();
      },
    };
  }

  fromAxis(position) {
    return position;
  }

  #stepCursor(direction, large) {
    const [from, to] = this.range;
    const pixel = (to - from) / this.#geometry().width;
    const start = this.group.cursor ?? (direction > 0 ? from : to);
    // One sample, but at least one pixel: single samples of a dense curve cannot be seen.
    const sample = this.group.cursor === null ? this.snap(start, 0) : this.snap(start, direction * (large ? 10 : 1));
    const moved = Math.abs(sample - start) >= pixel ? sample : this.snap(start + direction * pixel * (large ? 10 : 1), 0);
    this.group.setCursor(Math.min(to, Math.max(from, moved)));
    this.#values.speak(() => this.summary());
  }

  // ---- drawing --------------------------------------------------------------------------------------------------------------

  schedule() {
    this.#dirty = true;
    this.scheduleCursor();
  }

  scheduleCursor() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#render());
  }

  #render() {
    this.#frame = 0;
    if (this.area.clientWidth === 0) return;
    // A chart that is not on the screen is drawn when data stop arriving, for prints and pictures of the whole page.
    if (!this.#onScreen && this.#isArriving()) return this.#drawAtRest();
    if (this.#dirty) this.#draw();
    this.#drawOverlay();
    this.#values.write();
  }

  #draw() {
    this.#dirty = false;
    const isLive = this.#isArriving();
    const shown = this.entries.filter(({ visible }) => visible).length;
    const fine = Math.ceil(this.#geometry().width * (isLive ? 1 : Math.min(2, window.devicePixelRatio)));
    const budget = (isLive ? LIVE_POINTS : REST_POINTS) / 2 / Math.max(1, shown);
    const columns = Math.max(100, Math.min(fine, Math.floor(budget)));
    this.#live = isLive;
    this.prepareAll(columns);
    this.uplot.batch(() => this.uplot.redraw(true, true));
    const label = axisLabel(this.options.title, this.axisUnit());
    if (this.heading.textContent !== label) this.heading.textContent = label;
    this.reset.hidden = !this.isZoomed;
    clearTimeout(this.#rest);
    if (isLive) this.#drawAtRest();
  }

  #isArriving() {
    return performance.now() - this.#lastUpdate < REST_AFTER_MS;
  }

  #drawAtRest() {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.schedule(), REST_AFTER_MS + 50);
  }

  /** Decimates the visible series for the current range and fits the vertical range. */
  prepareAll(columns) {
    for (const entry of this.entries) if (entry.visible) this.prepare(entry, this.range, columns);
    this.vertical = this.verticalRange();
  }

  #paintCanvas(u) {
    if (!this.entries) return;
    const { ctx } = u;
    const ratio = window.uPlot.pxRatio;
    ctx.save();
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paint(new CanvasPen(ctx, ratio), this.frameFor(this.#geometry()), this.palette);
    ctx.restore();
  }

  /** Position functions for a plot rectangle. */
  frameFor({ left, top, width, height }) {
    const [from, to] = this.range;
    const [low, high] = this.#extended();
    return {
      left, top, width, height,
      x: (value) => left + ((value - from) / (to - from)) * width,
      y: (value) => top + height - ((value - low) / (high - low)) * height,
    };
  }

  /** Draws everything inside the axes with a pen. */
  paint(pen, frame, palette) {
    const shown = this.entries.filter(({ visible }) => visible);
    const { left, top, width, height } = frame;
    pen.clip(left, top, width, height, () => {
      this.below(pen, frame, palette);
      const focus = shown.includes(this.#focus) ? this.#focus : null;
      for (const entry of shown) if (entry !== focus) this.#paintSeries(pen, frame, palette, entry, shown.length, focus ? 0.2 : 1);
      if (focus) this.#paintSeries(pen, frame, palette, focus, 1, 1);
    });
    this.above(pen, frame, palette);
  }

  #paintSeries(pen, frame, palette, { points, colour, dash }, shown, alpha) {
    const { length } = points;
    if (this.#xs.length < length) {
      [this.#xs, this.#ys, this.#lows, this.#highs] = [0, 0, 0, 0].map(() => new Float64Array(2 * length));
    }
    const [x0, y0] = [frame.x(0), frame.y(0)];
    const [dx, dy] = [frame.x(1) - x0, frame.y(1) - y0];
    for (let i = 0; i < length; i += 1) {
      this.#xs[i] = x0 + points.x[i] * dx;
      this.#ys[i] = y0 + points.y[i] * dy;
    }
    const many = shown > 8;
    if (points.high) {
      for (let i = 0; i < length; i += 1) {
        this.#lows[i] = y0 + points.low[i] * dy;
        this.#highs[i] = y0 + points.high[i] * dy;
      }
      pen.band(this.#xs, this.#lows, this.#highs, length, palette.of(colour), (many ? BAND_OF_MANY : BAND) * alpha);
    }
    pen.path(this.#xs, this.#ys, length, {
      colour: palette.of(colour),
      width: many || this.#live ? pen.hairline : 1.4,
      double: !many && this.#live,
      dash: shown > DASHES_UP_TO ? [] : dash,
      alpha: many && pen.hairline === 1 ? 0.85 * alpha : alpha,
    });
  }

  #drawOverlay() {
    // A canvas that stays empty needs no work in the compositor.
    const isEmpty = this.#brush === null && this.playhead === null && this.group.cursor === null;
    if (isEmpty && this.#overlayEmpty) return;
    this.#overlayEmpty = isEmpty;
    drawOverlay(this, this.frameFor(this.#geometry()), this.#brush);
  }

  // ---- texts ----------------------------------------------------------------------------------------------------------------

  rangeText() {
    const [from, to] = this.range;
    return `${this.xText(from)} to ${this.xText(to)}`;
  }

  /** The label of the plot: name, range, and the values of the first series. */
  description() {
    return `${this.options.title}, ${this.rangeText()}. ${this.summary()}`;
  }

  /** Position and values as one sentence, for at most four series. */
  summary() {
    const shown = this.entries.filter(({ visible }) => visible);
    const values = shown.slice(0, 4).map((entry) => `${entry.name} ${this.legendText(entry)}`);
    const rest = shown.length > 4 ? `, and ${shown.length - 4} more` : "";
    return shown.length === 0 ? "No series are shown." : `${this.positionText()}: ${values.join(", ")}${rest}.`;
  }

  /** The position for which the legend shows values: the cursor, otherwise the playhead, otherwise null. */
  get reading() {
    return this.group.cursor ?? this.playhead;
  }

  legendText(entry) {
    return this.reading === null ? this.restingValue(entry) : this.valueText(this.valueAt(entry, this.reading));
  }

  positionText() {
    return this.reading === null ? this.restingText() : this.readoutText(this.reading) + this.readoutExtra(this.reading);
  }
}
