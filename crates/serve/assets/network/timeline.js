// Scrubber of a run: progress, measurement interval, events, an overview of the longest queue, live and
// replay. The timeline owns the clock of a replay and reports each new position through onSeek.

import { quantity } from "../chart/format.js";
import { svg } from "../dom.js";
import { change, html } from "./network-dom.js";
import { interesting, labelRows, Overview, speedText, timeText } from "./timeline-overview.js";
import { buildParts, HEIGHT } from "./timeline-parts.js";

const LENGTHS_S = [5, 10, 20, 60];
/** Minimum time between redraws of the overview, which changes too slowly to be drawn for every sample. */
const REDRAW_MS = 80;

export class Timeline {
  #duration = 1;
  #from = 0;
  #events = [];
  #history = null;
  #queues = 0;
  #finished = false;
  #mode = "live";
  #position = 0;
  #frame = 0;
  #drawn = 0;
  #pending = 0;
  #window = null; // the part that is shown, as [from, to]; null for the whole run
  #detail = null; // the overview of that part

  /**
   * `onSeek(time_s)` requests a time, `onSeek(null)` requests to follow the run. `onPlay(speed)` reports the simulated seconds
   * per second of a replay, 0 when it stops; its return value is ignored. `onZoom([from, to] | null)` requests a part of the
   * run, or the whole run; `setWindow` then shows it.
   */
  constructor(host, { onSeek = () => {}, onPlay = () => {}, onZoom = () => {} } = {}) {
    this.host = host;
    this.onZoom = onZoom;
    this.onSeek = onSeek;
    this.onPlay = onPlay;
    this.overview = new Overview(1);
    Object.assign(this, buildParts());
    host.append(this.view);
    this.#listen();
    this.observer = new ResizeObserver(() => this.#resize());
    this.observer.observe(this.track);
    this.#resize();
    this.#speeds();
    this.#state();
  }

  /** Sets the duration of the run and the start of the measurement interval. Clears the overview. */
  setDuration(duration_s, measure_from_s = 0) {
    this.#duration = duration_s > 0 ? duration_s : 1;
    this.#from = Math.min(Math.max(0, measure_from_s || 0), this.#duration);
    this.overview.reset(this.#duration);
    this.#finished = false;
    this.#speeds();
    this.setWindow(null);
  }

  /** Shows a part of the run; null shows the whole run. */
  setWindow(window) {
    this.#window = window;
    this.#detail = window && new Overview(window[1] - window[0], this.overview.slices, window[0]);
    if (this.#history) this.#detail?.update(this.#history, this.#queues);
    this.#state();
    this.#resize();
  }

  /** `[{ at_s, label }]` */
  setEvents(events) {
    this.#events = [...events].sort((a, b) => a.at_s - b.at_s);
    this.#layEvents();
  }

  /** Takes new samples. A different history starts a new run and returns to live. */
  update(history, queues = queueCount(history)) {
    if (history !== this.#history) {
      this.#history = history;
      this.#queues = queues;
      this.overview.reset(this.#duration);
      this.#finished = false;
      this.#stop();
      this.#mode = "live";
      this.#state();
    }
    if (!this.overview.update(history, this.#queues)) return;
    this.#detail?.update(history, this.#queues);
    if (this.#mode === "live") this.#position = this.reached;
    this.#schedule();
  }

  /** Call when the run has ended, even if it stopped early: a replay then stops at the last sample. */
  finish() {
    this.#finished = true;
    this.#state();
  }

  /** Moves the handle without a callback; null follows the run. */
  setPosition(time_s) {
    // An application that calls setPosition in onSeek must not stop the replay.
    if (this.playing && time_s !== null && Math.abs(time_s - this.#position) < this.#duration * 1e-9) return;
    this.#stop();
    this.#mode = time_s === null ? "live" : "held";
    this.#position = time_s === null ? this.reached : this.#clamp(time_s);
    this.#state();
    this.#mark();
  }

  get reached() { return Math.min(this.overview.reached, this.#duration); }
  get position() { return this.#mode === "live" ? null : this.#position; }
  get playing() { return this.#mode === "playing"; }

  /** Colours come from the style sheet, so a new theme needs no redrawing. */
  repaint() {}

  destroy() {
    this.#stop();
    clearTimeout(this.#pending);
    this.observer.disconnect();
    this.view.remove();
  }

  #listen() {
    this.live.addEventListener("click", () => this.#goLive());
    this.play.addEventListener("click", () => (this.playing ? this.#pause() : this.#replay()));
    this.zoom.addEventListener("click", () => this.onZoom(this.#window ? null : this.#interesting()));
    this.speed.addEventListener("change", () => { if (this.playing) this.onPlay(this.#rate()); });
    this.track.addEventListener("keydown", (event) => this.#key(event));
    this.track.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.track.setPointerCapture(event.pointerId);
      this.track.focus({ preventScroll: true });
      this.#point(event);
    });
    this.track.addEventListener("pointermove", (event) => {
      if (this.track.hasPointerCapture(event.pointerId)) this.#point(event);
    });
  }

  #point(event) {
    const box = this.track.getBoundingClientRect();
    const [from, to] = this.#shown;
    this.#seek(from + ((event.clientX - box.left) / box.width) * (to - from));
  }

  get #shown() { return this.#window ?? [0, this.#duration]; }

  #interesting() {
    return interesting(this.#events.map(({ at_s }) => at_s), this.overview.activity(), this.#duration);
  }

  #key(event) {
    if (event.altKey || event.metaKey) return;
    const now = this.#position;
    const [from, to] = this.#shown;
    const small = (to - from) / (event.shiftKey ? 1000 : 100);
    const events = this.#events.map((item) => item.at_s);
    const margin = this.#duration * 1e-6;
    const targets = {
      ArrowLeft: () => (event.ctrlKey ? events.findLast((at) => at < now - margin) ?? 0 : now - small),
      ArrowRight: () => (event.ctrlKey ? events.find((at) => at > now + margin) ?? this.reached : now + small),
      PageDown: () => now - (to - from) / 10,
      PageUp: () => now + (to - from) / 10,
      Home: () => 0,
      End: () => this.reached,
    };
    targets.ArrowDown = targets.ArrowLeft;
    targets.ArrowUp = targets.ArrowRight;
    if (targets[event.key]) this.#seek(targets[event.key]());
    else if (event.key === " ") { if (this.playing) this.#pause(); else this.#replay(); }
    else if (event.key === "l" || event.key === "L" || event.key === "Escape") this.#goLive();
    else return;
    event.preventDefault();
  }

  #clamp(time) { return Math.min(Math.max(0, time), this.reached); }

  #seek(time) {
    const held = this.playing;
    this.#stop();
    this.#mode = "held";
    this.#position = this.#clamp(time);
    if (held) this.onPlay(0);
    this.#state();
    this.#mark();
    this.onSeek(this.#position);
  }

  #goLive() {
    const held = this.playing;
    this.#stop();
    this.#mode = "live";
    this.#position = this.reached;
    if (held) this.onPlay(0);
    this.#state();
    this.#mark();
    this.onSeek(null);
  }

  #rate() { return this.#duration / Number(this.speed.value); }

  #replay() {
    if (!(this.reached > 0)) return;
    if (this.#mode === "live" || this.#position >= this.reached * (1 - 1e-9)) this.#position = 0;
    this.#mode = "playing";
    this.#state();
    this.onPlay(this.#rate());
    let before = null;
    const step = (now) => {
      this.#position += before === null ? 0 : Math.min(0.25, (now - before) / 1000) * this.#rate();
      before = now;
      if (this.#position >= this.reached) { this.#end(); return; }
      this.#mark();
      this.onSeek(this.#position);
      if (this.playing) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  /** A replay that catches up with a running simulation follows it. */
  #end() {
    if (!this.#finished && this.reached < this.#duration * (1 - 1e-6)) { this.#goLive(); return; }
    this.#seek(this.reached);
  }

  #pause() {
    this.#stop();
    this.#mode = "held";
    this.onPlay(0);
    this.#state();
    this.#mark();
  }

  #stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.#mode === "playing") this.#mode = "held";
  }

  #speeds() {
    const chosen = this.speed.value || "20";
    this.speed.replaceChildren(...LENGTHS_S.map((seconds) => {
      const option = html("option", "", `${seconds}\u00a0s (${speedText(this.#duration / seconds)})`);
      option.value = String(seconds);
      return option;
    }));
    this.speed.value = chosen;
  }

  #state() {
    this.live.setAttribute("aria-pressed", String(this.#mode === "live"));
    this.live.textContent = this.#finished ? "Latest" : "Live";
    this.play.textContent = this.playing ? "Pause" : "Replay";
    this.view.dataset.mode = this.#mode;
    this.zoom.textContent = this.#window ? "Whole run" : "Zoom to events";
    this.zoom.disabled = !this.#window && !this.#interesting();
  }

  #resize() {
    this.width = Math.max(40, this.track.clientWidth);
    this.svg.setAttribute("width", this.width);
    const from = Math.min(this.width, Math.max(0, this.#x(this.#from)));
    this.measured.setAttribute("x", from);
    this.measured.setAttribute("width", this.width - from);
    this.measuredText.setAttribute("x", from + 6);
    this.measuredText.setAttribute("visibility", this.#from > 0 && this.width - from > 70 ? "visible" : "hidden");
    const [first, last] = this.#shown;
    this.first.textContent = first === 0 ? "0" : quantity(first, "s", 3);
    this.last.textContent = quantity(last, "s", 4);
    this.track.setAttribute("aria-valuemax", String(this.#duration));
    this.#layEvents();
    this.#redraw();
  }

  #x(time) {
    const [from, to] = this.#shown;
    return ((time - from) / (to - from)) * this.width;
  }

  #layEvents() {
    const [first, last] = this.#shown;
    const shown = this.#events.filter(({ at_s }) => at_s >= first && at_s <= last);
    this.ticks.replaceChildren(...shown.map(({ at_s, label }) => {
      const tick = svg("path", { class: "time-tick", d: `M${this.#x(at_s).toFixed(1)} 0V${HEIGHT}` });
      const title = svg("title");
      title.textContent = `${label}, ${quantity(at_s, "s", 4)}`;
      tick.append(title);
      return tick;
    }));
    const elements = shown.map(({ at_s, label }) => {
      const element = html("button", "time-event", label);
      element.type = "button";
      // Keyboard users reach events with Ctrl and the arrow keys of the slider.
      element.tabIndex = -1;
      element.title = quantity(at_s, "s", 4);
      element.addEventListener("click", () => this.#seek(at_s));
      return element;
    });
    this.labels.replaceChildren(...elements);
    const sizes = elements.map((element, index) => ({ x: this.#x(shown[index].at_s), width: element.offsetWidth }));
    const places = labelRows(sizes, this.width);
    const rows = Math.max(0, ...places.map(({ row }) => row + 1));
    elements.forEach((element, index) => {
      const { row, left } = places[index];
      if (row < 0) { element.remove(); return; }
      element.style.left = `${left}px`;
      element.style.bottom = `${row * 17}px`;
    });
    this.labels.style.height = `${rows * 17}px`;
  }

  #schedule() {
    const wait = this.#drawn + REDRAW_MS - performance.now();
    if (wait <= 0) this.#redraw();
    else if (!this.#pending) this.#pending = setTimeout(() => this.#redraw(), wait);
    if (this.#mode === "live") this.#mark();
  }

  #redraw() {
    clearTimeout(this.#pending);
    this.#pending = 0;
    this.#drawn = performance.now();
    this.outline.setAttribute("d", (this.#detail ?? this.overview).outline(this.width, HEIGHT - 8));
    const text = this.overview.highest > 0 ? `longest queue, maximum ${quantity(this.overview.highest, "B", 3)}` : "longest queue";
    if (this.caption.textContent !== text) this.caption.textContent = text;
    this.#mark();
  }

  #mark() {
    const reached = Math.min(this.width, Math.max(0, this.#x(this.reached)));
    const [first, last] = this.#shown;
    const isInside = this.#position >= first && this.#position <= last;
    change(this.handle, "visibility", isInside ? "visible" : "hidden");
    change(this.done, "width", reached.toFixed(1));
    change(this.rest, "x", reached.toFixed(1));
    change(this.rest, "width", (this.width - reached).toFixed(1));
    change(this.handle, "transform", `translate(${this.#x(this.#position).toFixed(1)} 0)`);
    const total = quantity(this.#duration, "s", 4);
    const text = `${timeText(this.#position, this.#duration)} of ${total}`;
    if (this.readout.textContent !== text) this.readout.textContent = text;
    change(this.track, "aria-valuenow", String(Number(this.#position.toPrecision(6))));
    const near = this.#events.find(({ at_s }) => Math.abs(at_s - this.#position) < this.#duration * 0.002);
    change(this.track, "aria-valuetext", near ? `${text}, ${near.label}` : text);
  }
}

/** The number of queues in a history, which does not store this number; a run sends at most 32. */
function queueCount(history) {
  let count = 0;
  try { while (count < 32 && history.column("queue.length_bytes", count)) count += 1; } catch { /* past the last column */ }
  return count;
}
