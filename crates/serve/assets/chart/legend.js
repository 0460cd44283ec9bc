// The legend of a plot: one button per series that switches it on and off, with the value at the cursor. More than eight
// series become a scrolling list with a filter.

import { button, make, svg } from "../dom.js";

const LIST_FROM = 9;

export class Legend {
  #entries = [];
  #keys = [];
  #onChange;
  #onFocus;
  #list;
  #filter;
  #empty;
  #drawn;

  /** `onChange()` is called after a change of visibility, `onFocus(entry | null)` when the pointer enters or leaves an entry. */
  constructor({ onChange, onFocus, label }) {
    this.#onChange = onChange;
    this.#onFocus = onFocus;
    this.element = make("div", { class: "chart-legend", role: "group", "aria-label": `Series of ${label}` });
  }

  get isList() {
    return this.#entries.length >= LIST_FROM;
  }

  /** `entries`: { name, colour, dash, visible }; `keys`: { name, colour, shade } of marks and bands, which have no switch. */
  setEntries(entries, keys = []) {
    this.#entries = entries.map((entry) => ({ entry, ...this.#button(entry) }));
    this.#keys = keys.map((key) => this.#key(key));
    this.#list = make("div", { class: "chart-legend-items" }, this.#entries.map(({ button }) => button));
    this.element.classList.toggle("chart-legend-list", this.isList);
    this.element.replaceChildren();
    if (this.isList) this.element.append(this.#tools());
    else this.#list.append(...this.#keys);
    this.element.append(this.#list);
    if (this.isList && this.#keys.length > 0) this.element.append(make("div", { class: "chart-legend-keys" }, this.#keys));
    this.refresh();
  }

  /** Shows which series are on. */
  refresh() {
    for (const { entry, button } of this.#entries) button.setAttribute("aria-pressed", String(entry.visible));
    if (this.isList) this.#drawn.textContent = `${this.#entries.filter(({ entry }) => entry.visible).length} of ${this.#entries.length} drawn`;
  }

  /** Writes the values; `texts[i]` belongs to the i-th entry. */
  setValues(texts) {
    this.#entries.forEach(({ value }, index) => {
      const text = texts[index] ?? "";
      // Writing unchanged text would still trigger a layout.
      if (value.textContent !== text) value.textContent = text;
    });
  }

  #button(entry) {
    const value = make("span", { class: "chart-legend-value" });
    const item = button(swatch(entry), (event) => {
      if (event.altKey) this.#only(entry);
      else entry.visible = !entry.visible;
      this.#changed();
    }, {
      class: "chart-legend-item", title: "Click: show or hide. Alt+click: show only this series.",
      onpointerenter: () => this.#onFocus(entry), onpointerleave: () => this.#onFocus(null),
      onfocus: () => { if (item.matches(":focus-visible")) this.#onFocus(entry); }, onblur: () => this.#onFocus(null),
    });
    item.append(make("span", { class: "chart-legend-name" }, entry.name), value);
    return { button: item, value };
  }

  #key(key) {
    const tick = make("span", { class: key.shade ? "chart-legend-shade" : "chart-legend-tick" });
    tick.style.background = `var(${key.colour})`;
    return make("span", { class: "chart-legend-key" }, tick, make("span", { class: "chart-legend-name" }, key.name));
  }

  // Alt+click on the only visible series shows all again.
  #only(entry) {
    const alone = this.#entries.every((other) => other.entry.visible === (other.entry === entry));
    for (const other of this.#entries) other.entry.visible = alone || other.entry === entry;
  }

  #tools() {
    this.#filter = make("input", {
      class: "chart-legend-filter", type: "search", placeholder: "Filter", "aria-label": "Filter the series by name", oninput: () => this.#applyFilter(),
    });
    this.#empty = make("p", { class: "chart-legend-empty", hidden: true }, "No series match.");
    this.#list.append(this.#empty);
    this.#drawn = make("span", { class: "chart-legend-drawn" });
    const all = button("All", () => this.#switch(true), { class: "chart-button", title: "Show all listed series" });
    const none = button("None", () => this.#switch(false), { class: "chart-button", title: "Hide all listed series" });
    return make("div", { class: "chart-legend-tools" }, this.#filter, all, none, this.#drawn);
  }

  #applyFilter() {
    const wanted = this.#filter.value.trim().toLowerCase();
    let shown = 0;
    for (const { entry, button } of this.#entries) {
      button.hidden = !entry.name.toLowerCase().includes(wanted);
      if (!button.hidden) shown += 1;
    }
    this.#empty.hidden = shown > 0;
  }

  // The buttons act on the listed series, so that "filter, then none" hides a group.
  #switch(visible) {
    for (const { entry, button } of this.#entries) if (!button.hidden) entry.visible = visible;
    this.#changed();
  }

  #changed() {
    this.refresh();
    this.#onChange();
  }
}

function swatch({ colour, dash }) {
  const line = svg("line", { x1: 0, x2: 18, y1: 4, y2: 4, ...(dash.length > 0 && { "stroke-dasharray": dash.join(" ") }) });
  line.style.stroke = `var(${colour})`;
  return svg("svg", { class: "chart-legend-swatch", viewBox: "0 0 18 8", "aria-hidden": "true" }, line);
}
