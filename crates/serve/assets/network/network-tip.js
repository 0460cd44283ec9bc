// Tooltip and keyboard control of the network view: Tab enters the drawing once, arrow keys move between its parts.

import { make, setText } from "../dom.js";

let count = 0;

export class Tip {
  #rows = [];
  #part = null;
  #stop = null;

  /**
   * `frame` is the positioned element around the drawing; `describe(part)` returns `{ title, head, rows }`.
   * A part is `{ element, x, y, label }`.
   */
  constructor(frame, describe) {
    this.frame = frame;
    this.describe = describe;
    this.title = make("div", { class: "net-tip-title" });
    this.table = make("table", { class: "net-tip-table" });
    this.element = make("div", { class: "net-tip", role: "tooltip", id: `net-tip-${count += 1}`, hidden: true }, this.title, this.table);
    frame.append(this.element);
    this.parts = [];
    this.pointed = null;
    this.#listen();
  }

  /** Takes the parts of a new drawing in reading order; keeps the focus on the part with the same label. */
  setParts(parts) {
    const focused = this.focused?.label;
    this.parts = parts;
    this.pointed = null;
    this.byElement = new Map(parts.map((part) => [part.element, part]));
    for (const part of parts) {
      part.element.setAttribute("tabindex", "-1");
      part.element.setAttribute("role", "img");
      part.element.setAttribute("aria-label", part.label);
    }
    this.#setStop(parts.find((part) => part.label === this.#stop?.label) ?? parts[0] ?? null);
    this.focused = null;
    const again = focused && parts.find((part) => part.label === focused);
    if (again) again.element.focus({ preventScroll: true });
    this.#show();
  }

  /** Writes the current values if the tooltip is open. */
  refresh() {
    if (this.#part) this.#write();
  }

  #setStop(part) {
    this.#stop?.element.setAttribute("tabindex", "-1");
    this.#stop = part;
    part?.element.setAttribute("tabindex", "0");
  }

  #listen() {
    const find = (event) => this.byElement?.get(event.target.closest?.("[tabindex]")) ?? null;
    const { frame } = this;
    frame.addEventListener("pointermove", (event) => {
      const part = find(event);
      if (part === this.pointed && !part?.follow) return;
      this.pointed = part;
      if (part?.follow) {
        const box = frame.getBoundingClientRect();
        part.at = { x: event.clientX - box.left, y: event.clientY - box.top };
      }
      this.#show();
    });
    frame.addEventListener("pointerleave", () => { this.pointed = null; this.#show(); });
    frame.addEventListener("focusin", (event) => {
      this.focused = find(event);
      if (this.focused) this.#setStop(this.focused);
      this.#show();
    });
    frame.addEventListener("focusout", () => { this.focused = null; this.#show(); });
    frame.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Escape" && this.#part) { this.pointed = null; this.#part = null; this.element.hidden = true; return; }
    if (!this.focused || event.ctrlKey || event.altKey || event.metaKey) return;
    let next = null;
    if (direction) next = nearest(this.parts, this.focused, direction);
    else if (event.key === "Home") next = this.parts[0];
    else if (event.key === "End") next = this.parts.at(-1);
    else return;
    event.preventDefault();
    next?.element.focus();
  }

  #show() {
    const part = this.pointed ?? this.focused ?? null;
    if (this.#part && this.#part !== part) this.#part.element.removeAttribute("aria-describedby");
    this.#part = part;
    this.element.hidden = !part;
    if (!part) return;
    part.element.setAttribute("aria-describedby", this.element.id);
    this.#write();
    this.#place(part);
  }

  #write() {
    const { title, head, rows } = this.describe(this.#part);
    const lines = head ? [head, ...rows] : rows;
    setText(this.title, title);
    while (this.#rows.length < lines.length) this.#rows.push(this.table.insertRow());
    while (this.#rows.length > lines.length) this.#rows.pop().remove();
    lines.forEach((cells, index) => {
      const row = this.#rows[index];
      const kind = head && index === 0 ? "TH" : "TD";
      if (row.cells.length !== cells.length || row.cells[0]?.tagName !== kind) {
        row.replaceChildren(...cells.map(() => make(kind)));
      }
      cells.forEach((text, column) => setText(row.cells[column], text));
    });
  }

  /** Above or below the part, inside the frame if there is space, otherwise at least inside the window. */
  #place(part) {
    const at = part.follow && this.pointed === part && part.at ? part.at : part;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const x = Math.min(Math.max(4, at.x - width / 2), Math.max(4, this.frame.clientWidth - width - 4));
    const gap = (part.reach ?? 8) + 8;
    const above = at.y - gap - height;
    const below = at.y + gap;
    const fitsBelow = below + height <= this.frame.clientHeight;
    const inWindow = above + this.frame.getBoundingClientRect().top >= 4;
    const top = above >= 0 || (!fitsBelow && inWindow) ? above : below;
    this.element.style.transform = `translate(${Math.round(x)}px, ${Math.round(top)}px)`;
  }
}

/** The closest part in a direction; sideways distance counts double, so that a row is followed to its end. */
export function nearest(parts, from, [dx, dy]) {
  let best = null;
  let least = Infinity;
  for (const part of parts) {
    const x = part.x - from.x;
    const y = part.y - from.y;
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (part === from || ahead < 1 || aside > 2.5 * ahead) continue;
    const cost = ahead + 2 * aside;
    if (cost < least) { least = cost; best = part; }
  }
  return best;
}
