// Sliders for quantities of a scenario. A slider shows the value that the text sets, and moving it makes the page write a
// round value into the text.

import { make, setText, svg } from "../dom.js";
import { nearest, positionOf, readLiteral, roundValues, showValue, splitValue, writeLiteral } from "./literal.js";
import { findValues } from "./toml-place.js";

const STEPS = 1000; // resolution of the range inputs; values are rounded separately

let count = 0;

export class Sliders {
  #rows = new Map(); // by key

  // `onChange(key, literal)` receives a TOML literal such as `"26 kB"` with its quotes.
  constructor(host, { onChange = () => {} } = {}) {
    this.onChange = onChange;
    this.element = make("div", { class: "sliders" });
    host.append(this.element);
  }

  // Shows sliders for `list`, with the values that `text` sets. Entries:
  //   { key, label, unit, value, default, min, max, scale: "log" | "linear", literal_unit }
  // with `value`, `default`, `min` and `max` in the base unit ("B", "b/s", "s", "ratio", "count"). `value` applies where the
  // text does not set the key. Without `default`, the first value shown for a key is its default until `forget()`.
  show(list, text) {
    const found = findValues(text, list.map((entry) => entry.key));
    const kept = new Map();
    list.forEach((entry, index) => {
      const written = found[index] && readLiteral(found[index].text, entry.unit, entry.unit === "count" ? "" : null);
      const value = written ?? entry.value;
      const row = this.#rows.get(entry.key) ?? new Row(entry, value, (literal) => this.onChange(entry.key, literal));
      row.follow(entry, value);
      kept.set(entry.key, row);
    });
    for (const [key, row] of this.#rows) if (!kept.has(key)) row.element.remove();
    this.#rows = kept;
    // Moving an element would interrupt a drag, so only misplaced elements are moved.
    [...kept.values()].forEach((row, index) => {
      if (this.element.children[index] !== row.element) this.element.insertBefore(row.element, this.element.children[index] ?? null);
    });
  }

  // Forgets the defaults: call this before showing another scenario.
  forget() {
    for (const row of this.#rows.values()) row.stop();
    this.#rows.clear();
    this.element.replaceChildren();
  }

  destroy() {
    this.forget();
    this.element.remove();
  }
}

class Row {
  #dragging = false;
  #typing = false;
  #stop = new AbortController();

  constructor(entry, value, emit) {
    this.first = value;
    this.value = value;
    this.emit = emit;
    this.#build();
    const { signal } = this.#stop;
    const on = (target, name, handler) => target.addEventListener(name, handler, { signal });
    on(this.range, "pointerdown", () => { this.#dragging = true; });
    on(this.range, "input", () => this.#set(this.values[nearest(this.values, this.range.value / STEPS, this.entry)]));
    on(this.range, "change", () => this.#release());
    for (const name of ["pointerup", "pointercancel"]) on(window, name, () => this.#release());
    on(this.range, "keydown", (event) => this.#key(event));
    on(this.field, "input", () => this.#type());
    on(this.field, "change", () => this.#typed());
    on(this.field, "blur", () => this.#typed());
    on(this.field, "keydown", (event) => this.#fieldKey(event));
    on(this.reset, "click", () => {
      if (this.value !== this.standard) this.#set(this.standard);
    });
  }

  stop() {
    this.#stop.abort();
  }

  // Adopts a value from the text. A slider or field in use keeps the user's input.
  follow(entry, value) {
    const changed = !this.entry || ["min", "max", "scale", "unit", "literal_unit"].some((name) => entry[name] !== this.entry[name]);
    this.entry = entry;
    if (changed) this.values = roundValues(entry);
    this.standard = entry.default ?? this.first;
    if (!this.#dragging) this.value = value;
    this.#draw();
  }

  #build() {
    const id = `sliders-${(count += 1)}`;
    this.label = make("label", { class: "sliders-label", for: id });
    this.key = make("code", { class: "sliders-key" });
    this.range = make("input", { class: "sliders-range", id, type: "range", min: 0, max: STEPS, step: "any" });
    this.field = make("input", { class: "sliders-field", type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
    this.unit = make("span", { class: "sliders-unit", "aria-hidden": "true" });
    // An arrow that curves back.
    const arrow = svg("path", { d: "M3 2.5v4h4M3.4 6.3A5.2 5.2 0 1 1 2.8 9" });
    this.reset = make("button", { class: "sliders-reset", type: "button" }, svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, arrow));
    const track = make("div", { class: "sliders-track" }, make("span", { class: "sliders-mark", "aria-hidden": "true" }), this.range);
    this.element = make("div", { class: "sliders-row" },
      this.label, make("span", { class: "sliders-value" }, this.field, this.unit), this.reset, track, this.key);
  }

  #draw() {
    const { entry, value, standard } = this;
    const text = showValue(value, entry.unit, entry.literal_unit);
    const parts = splitValue(value, entry.unit, entry.literal_unit);
    const position = positionOf(value, entry);
    setText(this.label, entry.label);
    if (this.key.textContent !== entry.key) this.key.replaceChildren(...breakable(entry.key));
    if (!this.#dragging && Math.abs(this.range.value - position * STEPS) > 1e-6) this.range.value = position * STEPS;
    this.range.setAttribute("aria-valuetext", text);
    this.element.style.setProperty("--sliders-at", this.#dragging ? this.range.value / STEPS : position);
    this.element.style.setProperty("--sliders-default", positionOf(standard, entry));
    if (!this.#typing) {
      if (this.field.value !== parts.number) this.field.value = parts.number; // keeps the caret
      setText(this.unit, parts.unit);
      this.field.setAttribute("aria-label", parts.unit ? `${entry.label} in ${parts.unit}` : entry.label);
      this.field.removeAttribute("aria-invalid");
    }
    const name = `Reset ${entry.label} to ${showValue(standard, entry.unit, entry.literal_unit)}`;
    this.reset.title = name;
    this.reset.setAttribute("aria-label", name);
    // Not `disabled`: a button that has just been pressed must keep the focus.
    this.reset.setAttribute("aria-disabled", String(value === standard));
  }

  #set(value) {
    if (value === this.value) {
      this.#draw();
      return;
    }
    this.value = value;
    this.#draw();
    this.emit(writeLiteral(value, this.entry.unit, this.entry.literal_unit));
  }

  #release() {
    if (!this.#dragging) return;
    this.#dragging = false;
    this.#draw();
  }

  // Arrows go to the next round value; the browser's own step would often round to the same value.
  #key(event) {
    const { values, value } = this;
    const above = values.findIndex((each) => each > value);
    const below = values.findLastIndex((each) => each < value);
    const page = Math.max(1, Math.round(values.length / 10));
    const up = above < 0 ? values.length - 1 : above;
    const down = Math.max(0, below);
    const index = {
      ArrowRight: up, ArrowUp: up, ArrowLeft: down, ArrowDown: down,
      PageUp: Math.min(values.length - 1, up + page - 1), PageDown: Math.max(0, down - page + 1),
      Home: 0, End: values.length - 1,
    }[event.key];
    if (index === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.#set(values[index]);
  }

  #typedValue() {
    return readLiteral(this.field.value, this.entry.unit, this.unit.textContent);
  }

  #type() {
    this.#typing = true;
    if (this.#typedValue() === null) this.field.setAttribute("aria-invalid", "true");
    else this.field.removeAttribute("aria-invalid");
  }

  #typed() {
    if (!this.#typing) return;
    const value = this.#typedValue();
    this.#typing = false;
    this.#set(value ?? this.value);
  }

  #fieldKey(event) {
    if (event.key === "Enter") {
      this.#typed();
      this.field.select();
    } else if (event.key === "Escape" && this.#typing) {
      this.#typing = false;
      this.#draw();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      this.#typed();
      this.#key(event);
    }
  }
}

// A key that may be broken after its dots.
const breakable = (key) => key.split(/(?<=\.)/).flatMap((part) => [part, make("wbr")]);
