// The elements around a plot, and the text in them: values in the legend, the read-out, the label and the spoken summary.

import { button, make } from "../dom.js";

const VALUES_EVERY_MS = 150;
const LABEL_EVERY_MS = 1000;
const SPEAK_EVERY_MS = 4000;
const KEYS = "Arrow keys pan, plus and minus zoom, 0 shows everything, Alt with the left or right arrow reads values, "
  + "Enter moves the playhead to the cursor.";

let identifiers = 0;

/** Returns { root, head, heading, readout, reset, area, live }. */
export function buildFrame(title, level) {
  const heading = make(`h${level}`, { class: "chart-title" }, title);
  const readout = make("span", { class: "chart-readout" });
  const reset = button("Reset zoom", null, { class: "chart-button chart-reset", hidden: true });
  const head = make("header", { class: "chart-head" }, heading, readout, reset);
  const help = make("p", { class: "chart-hidden", id: `chart-help-${identifiers += 1}` }, KEYS);
  const area = make("div", { class: "chart-area", tabindex: 0, role: "img", "aria-label": title, "aria-describedby": help.id });
  const live = make("p", { class: "chart-hidden", "aria-live": "polite" });
  const root = make("section", { class: "chart", "aria-label": title }, head, make("div", { class: "chart-body" }, area), help, live);
  return { root, head, heading, readout, reset, area, live };
}

/** Keeps all text of a plot up to date without writing more often than a reader can follow. */
export class Values {
  #plot;
  #written = -Infinity;
  #labelled = -Infinity;
  #spoken = -Infinity;
  #cursor = null;
  #valuesTimer = 0;
  #labelTimer = 0;
  #speech = 0;

  constructor(plot) {
    this.#plot = plot;
  }

  /** Makes the next `write` take effect immediately. */
  forget() {
    this.#written = -Infinity;
  }

  write() {
    const plot = this.#plot;
    const now = performance.now();
    const { cursor } = plot.group;
    // Values at a cursor are written immediately; without a cursor, they change only with the data.
    if (cursor === null && this.#cursor === null && now - this.#written < VALUES_EVERY_MS) {
      this.#valuesTimer ||= setTimeout(() => {
        this.#valuesTimer = 0;
        plot.scheduleCursor();
      }, VALUES_EVERY_MS);
      return;
    }
    this.#cursor = cursor;
    this.#written = now;
    plot.legend.setValues(plot.entries.map((entry) => (entry.visible ? plot.legendText(entry) : "")));
    const text = plot.positionText();
    if (plot.readout.textContent !== text) plot.readout.textContent = text;
    this.#labelTimer ||= setTimeout(() => this.#writeLabel(), Math.max(0, this.#labelled + LABEL_EVERY_MS - now));
  }

  /** Speaks at most once every few seconds, and only for the plot that has the focus; the last sentence takes precedence. */
  speak(sentence) {
    const plot = this.#plot;
    if (document.activeElement !== plot.area) return;
    clearTimeout(this.#speech);
    const wait = Math.max(250, this.#spoken + SPEAK_EVERY_MS - performance.now());
    this.#speech = setTimeout(() => {
      this.#spoken = performance.now();
      plot.live.textContent = sentence();
    }, wait);
  }

  stop() {
    for (const timer of [this.#valuesTimer, this.#labelTimer, this.#speech]) clearTimeout(timer);
  }

  #writeLabel() {
    const plot = this.#plot;
    this.#labelTimer = 0;
    this.#labelled = performance.now();
    plot.area.setAttribute("aria-label", plot.description());
    if (plot.isRunning && plot.group.cursor === null) this.speak(() => plot.summary());
  }
}
