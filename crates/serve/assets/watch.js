// The view of one run: its network, its queues and rates over time, and a timeline for going back.

import { Chart } from "./chart/chart.js";
import { quantity } from "./chart/format.js";
import { button, download, make } from "./dom.js";
import { feedbackOf } from "./feedback.js";
import { QUEUE_BANDS, queueBand } from "./queue-band.js";
import { NetworkView } from "./network/network.js";
import { Timeline } from "./network/timeline.js";

const MOST_VISIBLE = 16; // curves of a chart that are initially visible
// Heights in pixels.
const AROUND = 188; // the bars above the parts, the key of the network, and the gaps
const TIMELINE = 112;
const CHART_FRAME = 52; // title and legend of a chart

export class WatchView {
  #run = null;
  #network = null;
  #timeline = null;
  #queues = null;
  #rates = null;
  #ratesFile = "rates"; // the name of files with the curves of flows that are shown
  #position = null; // the time that is shown; null for the last sample
  #fluid = null;
  #frame = 0;
  #isBuilt = false;
  #isLarge = false; // whether the network has its natural height

  /**
   * `show` lists the parts; `large` draws them for an audience; `heights()` gives the heights of the network and of a chart, by
   * default those that fill the window.
   */
  constructor(host, { show = ["network", "timeline", "queues", "rates"], large = false, heights } = {}) {
    [this.shown, this.large, this.heights] = [show, large, heights];
    // Stacked, or side by side if there is enough room.
    [this.space, this.courses] = [make("div", { class: "watch-side" }), make("div", { class: "watch-side" })];
    this.element = make("div", { class: "watch" }, this.space, this.courses);
    host.append(this.element);
    this.observer = new ResizeObserver(() => this.#fit());
    this.observer.observe(this.element);
    addEventListener("resize", this.#fit);
  }

  /** Shows another run from its beginning. */
  show(run) {
    this.clear();
    this.#run = run;
  }

  /** Shows the network of a run that has not begun. */
  preview(network) {
    this.clear();
    if (this.shown.includes("network")) this.#buildNetwork(network, "network");
  }

  clear() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const part of [this.#network, this.#timeline, this.#queues, this.#rates]) part?.destroy();
    [this.#network, this.#timeline, this.#queues, this.#rates, this.#position, this.#fluid, this.#isBuilt] = [null, null, null, null, null, null, false];
    this.space.replaceChildren();
    this.courses.replaceChildren();
  }

  /** Call when the run has new samples or has ended. */
  changed(event) {
    if (!this.#run?.start) return;
    if (!this.#isBuilt) this.#build();
    if (this.#run.isOver) this.#timeline?.finish();
    if (event === "samples" || this.#run.isOver) this.#schedule();
  }

  #part(side, name, title) {
    const host = make("section", { class: `watch-part watch-${name}`, "aria-label": title });
    side.append(host);
    return host;
  }

  #buildNetwork(network, name) {
    const host = this.#part(this.space, "network", "Network");
    this.#network = new NetworkView(host, network, { most: this.#heights().network, scale: this.large ? 1.4 : 1 });
    this.larger = button("Larger", () => {
      this.#isLarge = !this.#isLarge;
      this.#fit();
    }, { class: "quiet", "aria-pressed": String(this.#isLarge), title: "Draw the network at its natural height" });
    this.#network.key.after(make("div", { class: "watch-tools" }, this.larger,
      button("SVG", () => download(`${name}-network.svg`, this.#network.toSvg(), "image/svg+xml"), { class: "quiet", title: "Save as SVG" })));
  }

  // The heights at which the network, the timeline and the queue fill the window; without the editor, all parts fit
  // into it.
  #heights() {
    if (this.heights) return this.heights();
    const isBeside = getComputedStyle(this.element).display === "grid";
    const room = Math.max(innerHeight, 560) - AROUND - TIMELINE;
    const shared = room - CHART_FRAME;
    return {
      network: this.#isLarge ? Infinity : isBeside ? room : Math.max(170, shared * 0.57),
      chart: isBeside ? Math.max(130, (room + TIMELINE) / 2 - CHART_FRAME) : Math.min(260, Math.max(150, shared * 0.43)),
    };
  }

  #fit = () => {
    const { network, chart } = this.#heights();
    this.larger?.setAttribute("aria-pressed", String(this.#isLarge));
    this.#network?.setMost(network);
    for (const plot of [this.#queues, this.#rates]) plot?.setHeight(Math.floor(chart));
  };

  #build() {
    this.#isBuilt = true;
    const { start, history } = this.#run;
    const svg = (name, drawn) => button("SVG", () => download(`${start.name}-${name()}.svg`, drawn().toSvg(), "image/svg+xml"), { class: "quiet", title: "Save as SVG" });
    const png = (name, drawn) => button("PNG", async () => download(`${start.name}-${name()}.png`, await drawn().toPng()), { class: "quiet", title: "Save as PNG" });
    const saves = (name, drawn) => [svg(name, drawn), png(name, drawn)];
    const time = () => history.time;
    const shows = (part) => this.shown.includes(part);
    const shared = { time, duration: start.duration_s, group: this.#run, height: Math.floor(this.#heights().chart), wheel: "key", events: start.events, fontSize: this.large ? 16 : 11 };
    if (shows("network")) this.#buildNetwork(start, start.name);
    if (shows("timeline")) this.#buildTimeline();
    if (shows("queues")) this.#buildQueues({ ...shared, tools: saves(() => "queues", () => this.#queues) });
    if (shows("rates")) this.#buildRates({ ...shared, tools: saves(() => this.#ratesFile, () => this.#rates) });
    this.#queues?.onSeek((at) => this.#seek(at));
    if (start.flows_total > start.flows.length || start.queues_total > start.queues.length) {
      this.courses.append(make("p", { class: "note" },
        `Shown are ${start.flows.length} of ${start.flows_total} flows and ${start.queues.length} of ${start.queues_total} queues; the report and the CSV files have all of them.`));
    }
    // The charts and the timeline show the same part of the run.
    if (this.#timeline) this.#queues.group.onRange = (range) => this.#timeline.setWindow(range);
    if (this.#fluid) this.overlay(this.#fluid);
  }

  #buildTimeline() {
    const { start } = this.#run;
    this.#timeline = new Timeline(this.#part(this.space, "timeline", "Timeline"), {
      onSeek: (at) => this.#seek(at), onZoom: (range) => this.#queues.setRange(range),
    });
    this.#timeline.setDuration(start.duration_s, start.measure_from_s);
    this.#timeline.setEvents(start.events);
  }

  #buildQueues(shared) {
    const { start, history } = this.#run;
    const { time } = shared;
    const feedback = feedbackOf(start);
    this.#queues = new Chart(this.#part(this.courses, "queues", "Queues"), {
      ...shared, title: "Queue length", bands: QUEUE_BANDS, unit: "B", series: this.#queueSeries(),
      references: start.set_point_bytes === null ? [] : [{ value: start.set_point_bytes, label: `set point ${quantity(start.set_point_bytes, "B")}` }],
      marks: [{ name: "notifications", at: time, count: () => total(history, feedback.shown, feedback.count), colour: "--s1", place: "bottom" },
        { name: "pauses", at: time, count: () => total(history, ["port.paused_share"], start.ports.length), colour: "--alarm", place: "top" }],
    });
  }

  #buildRates(shared) {
    const { start, history } = this.#run;
    const colour = (index) => ({ colour: `--s${index % 6}` });
    const flows = start.flows.map((flow, index) => ({
      name: flow.name, ...colour(index), column: () => history.column("flow.rate_bps", index), visible: index < MOST_VISIBLE,
    }));
    const limits = start.flows.length > MOST_VISIBLE || this.large ? [] : start.flows.map((flow, index) => ({
      name: `${flow.name} limit`, ...colour(index), dash: [4, 3], column: () => history.column("flow.limit_bps", index), visible: false,
    }));
    const ofSources = (name) => start.flows.map((flow, index) => ({
      name: flow.name, ...colour(index), column: () => history.column(name, index), visible: index < MOST_VISIBLE,
    }));
    const marks = () => start.queues.map((queue, index) => ({
      name: queue.name, ...colour(index), column: () => history.column("queue.marked_frames", index), visible: isShown(queue, index),
    }));
    const declared = (curve, series) => ({ ...curve, file: curve.title.toLowerCase().replaceAll(" ", "-"), series });
    const ofKind = (kind) => start.curves.filter(({ name }) => name.startsWith(kind));
    const quantities = [
      { file: "rates", title: "Rates", unit: "b/s", series: () => [...flows, ...limits] },
      ...ofKind("source.").map((curve) => declared(curve, () => ofSources(curve.name))),
      ...ofKind("queue.marked_frames").map((curve) => declared(curve, marks)),
    ];
    const host = this.#part(this.courses, "rates", "Rates");
    const draw = ({ file, title, unit, series }) => {
      this.#ratesFile = file;
      this.#rates?.destroy();
      const tools = quantities.length > 1 ? [choice, ...shared.tools] : shared.tools;
      this.#rates = new Chart(host, { ...shared, tools, title, unit, series: series() });
      this.#rates.onSeek((at) => this.#seek(at));
    };
    const choice = make("select", { class: "quiet", "aria-label": "Curves to show" },
      ...quantities.map(({ title }, place) => make("option", { value: String(place) }, title)));
    choice.addEventListener("change", () => {
      draw(quantities[Number(choice.value)]);
      this.#fit();
      this.#schedule();
      choice.focus();
    });
    draw(quantities[0]);
  }

  #queueSeries() {
    const { start, history } = this.#run;
    const series = start.queues.map((queue, index) => ({ name: queue.name, ...queueBand(() => history, index), visible: isShown(queue, index) }));
    // For an audience, hidden curves would only fill the legend.
    return this.large ? series.filter(({ visible }) => visible) : series;
  }

  #seek(at) {
    this.#position = at;
    this.#timeline?.setPosition(at);
    this.#schedule();
  }

  /** Draws once per animation frame, however many messages arrive. */
  #schedule() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      const { history, start } = this.#run;
      if (history.length === 0) return;
      const index = this.#position === null ? history.length - 1 : history.indexAt(this.#position);
      this.#network?.show(history, Math.max(0, index));
      this.#timeline?.update(history, start.queues.length);
      for (const chart of [this.#queues, this.#rates]) {
        chart?.setPlayhead(this.#position);
        chart?.update();
      }
      this.element.dataset.samples = history.length;
      this.element.dataset.at = history.time[Math.max(0, index)];
      this.element.dataset.queue = start.queues.length ? history.column("queue.length_bytes", 0)[Math.max(0, index)] : "";
    });
  }

  /** Draws the queue of the fluid model over that of the packets; null removes it. */
  overlay(fluid) {
    this.#fluid = fluid;
    if (!this.#queues) return;
    const [times, lengths] = fluid ? [Float64Array.from(fluid.time_s), Float64Array.from(fluid.queue_bytes)] : [];
    const extra = fluid ? [{ name: "fluid model", colour: "--s1", dash: [6, 3], time: () => times, column: () => lengths }] : [];
    this.#queues.setSeries([...this.#queueSeries(), ...extra]);
    this.#queues.update();
  }

  repaint() {
    for (const part of [this.#network, this.#timeline, this.#queues, this.#rates]) part?.repaint?.();
  }

  destroy() {
    this.clear();
    this.observer.disconnect();
    removeEventListener("resize", this.#fit);
    this.element.remove();
  }
}

// Queues that only one flow passes through hardly ever fill, so they are hidden at first, except the first queue.
const isShown = (queue, index) => index === 0 || (index < MOST_VISIBLE && queue.flows > 1);

// The sum of kinds of columns over all their indices. It is kept between calls, since only new samples are added.
const sums = new WeakMap();
function total(history, names, count) {
  const kind = names.join(" ");
  const kinds = sums.get(history) ?? {};
  sums.set(history, kinds);
  let { values, done, generation } = kinds[kind] ?? { values: new Float64Array(1024), done: 0, generation: history.generation };
  const { length } = history;
  // The history has halved its resolution: start again.
  if (generation !== history.generation) done = 0;
  if (values.length < length) {
    const larger = new Float64Array(2 * length);
    larger.set(values);
    values = larger;
  }
  values.fill(0, done, length);
  for (let index = 0; index < count; index += 1) {
    for (const name of names) {
      const column = history.column(name, index);
      for (let at = done; at < length; at += 1) values[at] += column[at] || 0;
    }
  }
  kinds[kind] = { values, done: length, generation: history.generation };
  return values.subarray(0, length);
}
