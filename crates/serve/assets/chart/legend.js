// The legend of a plot: one button per series that switches it on and off, with the value at the cursor. More than eight
// series become a scrolling list with a filter.

const LIST_FROM = 9;
const SVG = "http://www.w3.org/2000/svg";

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
    this.element = element("div", "chart-legend");
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", `Series of ${label}`);
  }

  get isList() {
    return this.#entries.length >= LIST_FROM;
  }

  /** `entries`: { name, colour, dash, visible }; `keys`: { name, colour, shade } of marks and bands, which have no switch. */
  setEntries(entries, keys = []) {
    this.#entries = entries.map((entry) => ({ entry, ...this.#button(entry) }));
    this.#keys = keys.map((key) => this.#key(key));
    this.#list = element("div", "chart-legend-items");
    this.#list.append(...this.#entries.map(({ button }) => button));
    this.element.classList.toggle("chart-legend-list", this.isList);
    this.element.replaceChildren();
    if (this.isList) this.element.append(this.#tools());
    else this.#list.append(...this.#keys);
    this.element.append(this.#list);
    if (this.isList && this.#keys.length > 0) {
      const foot = element("div", "chart-legend-keys");
      foot.append(...this.#keys);
      this.element.append(foot);
    }
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
    const button = element("button", "chart-legend-item");
    button.type = "button";
    button.title = "Click: show or hide. Alt+click: show only this series.";
    const name = element("span", "chart-legend-name", entry.name);
    const value = element("span", "chart-legend-value");
    button.append(swatch(entry), name, value);
    button.addEventListener("click", (event) => {
      if (event.altKey) this.#only(entry);
      else entry.visible = !entry.visible;
      this.#changed();
    });
    button.addEventListener("pointerenter", () => this.#onFocus(entry));
    button.addEventListener("pointerleave", () => this.#onFocus(null));
    button.addEventListener("focus", () => { if (button.matches(":focus-visible")) this.#onFocus(entry); });
    button.addEventListener("blur", () => this.#onFocus(null));
    return { button, value };
  }

  #key(key) {
    const item = element("span", "chart-legend-key");
    const tick = element("span", key.shade ? "chart-legend-shade" : "chart-legend-tick");
    tick.style.background = `var(${key.colour})`;
    item.append(tick, element("span", "chart-legend-name", key.name));
    return item;
  }

  // Alt+click on the only visible series shows all again.
  #only(entry) {
    const alone = this.#entries.every((other) => other.entry.visible === (other.entry === entry));
    for (const other of this.#entries) other.entry.visible = alone || other.entry === entry;
  }

  #tools() {
    const tools = element("div", "chart-legend-tools");
    this.#filter = element("input", "chart-legend-filter");
    this.#filter.type = "search";
    this.#filter.placeholder = "Filter";
    this.#filter.setAttribute("aria-label", "Filter the series by name");
    this.#filter.addEventListener("input", () => this.#applyFilter());
    this.#empty = element("p", "chart-legend-empty", "No series match.");
    this.#empty.hidden = true;
    this.#list.append(this.#empty);
    const all = element("button", "chart-button", "All");
    const none = element("button", "chart-button", "None");
    all.title = "Show all listed series";
    none.title = "Hide all listed series";
    all.addEventListener("click", () => this.#switch(true));
    none.addEventListener("click", () => this.#switch(false));
    for (const button of [all, none]) button.type = "button";
    this.#drawn = element("span", "chart-legend-drawn");
    tools.append(this.#filter, all, none, this.#drawn);
    return tools;
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
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "chart-legend-swatch");
  svg.setAttribute("viewBox", "0 0 18 8");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "line");
  for (const [name, value] of Object.entries({ x1: 0, x2: 18, y1: 4, y2: 4 })) line.setAttribute(name, value);
  line.style.stroke = `var(${colour})`;
  if (dash.length > 0) line.setAttribute("stroke-dasharray", dash.join(" "));
  svg.append(line);
  return svg;
}

export function element(tag, className, text) {
  const node = document.createElement(tag);
  node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}
