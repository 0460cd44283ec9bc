// The list of completions at the caret, with a description of the active one.
//
// The textarea keeps the focus and points at the active option (aria-activedescendant). It stays a text box rather than a
// combobox, because screen readers treat comboboxes as single-line fields.

import { setText } from "./text-node.js";

let count = 0;

export class Popup {
  constructor(textarea, parent, onAccept) {
    this.textarea = textarea;
    this.onAccept = onAccept;
    this.items = [];
    this.active = 0;
    this.id = `editor-popup-${(count += 1)}`;
    this.element = document.createElement("div");
    this.element.className = "editor-popup";
    this.element.hidden = true;
    this.list = document.createElement("ul");
    Object.assign(this.list, { id: this.id, className: "editor-options", role: "listbox" });
    this.list.setAttribute("aria-label", "Suggestions");
    this.detail = document.createElement("div");
    Object.assign(this.detail, { id: `${this.id}-detail`, className: "editor-detail" });
    this.element.append(this.list, this.detail);
    parent.append(this.element);
    textarea.setAttribute("aria-autocomplete", "list");
    textarea.setAttribute("aria-haspopup", "listbox");
    // The list must not take the focus from the text.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.onAccept(this.items[[...this.list.children].indexOf(option)]);
    });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  // Opens below `point` (viewport coordinates), or above it if there is more space there.
  open(items, point) {
    const same = this.isOpen ? this.items[this.active]?.label : undefined;
    this.items = items.slice(0, 200);
    this.items.forEach((item, index) => this.#option(item, index));
    for (let index = this.items.length; index < this.list.childElementCount; index += 1) this.list.children[index].hidden = true;
    this.element.hidden = false;
    this.textarea.setAttribute("aria-controls", this.id);
    this.#activate(Math.max(0, this.items.findIndex((item) => item.label === same)));
    this.place(point);
  }

  place({ x, top, bottom }) {
    const { style } = this.element;
    Object.assign(style, { left: "0", top: "0", bottom: "auto" });
    const box = this.element.getBoundingClientRect();
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const above = bottom + box.height + 8 > height && top > height - bottom;
    style.left = `${Math.max(8, Math.min(x - 10, width - box.width - 8))}px`;
    // Anchored at the line, so that the list stays there when the description changes its height.
    style.top = above ? "auto" : `${bottom + 4}px`;
    style.bottom = above ? `${height - top + 4}px` : "auto";
  }

  close() {
    if (!this.isOpen) return;
    this.element.hidden = true;
    this.items = [];
    this.textarea.removeAttribute("aria-controls");
    this.textarea.removeAttribute("aria-activedescendant");
  }

  // Handles a key event of the textarea; returns true if the popup used it.
  key(event) {
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey) return false;
    const last = this.items.length - 1;
    switch (event.key) {
      case "ArrowDown": this.#activate(this.active === last ? 0 : this.active + 1); return true;
      case "ArrowUp": this.#activate(this.active === 0 ? last : this.active - 1); return true;
      case "PageDown": this.#activate(Math.min(last, this.active + 8)); return true;
      case "PageUp": this.#activate(Math.max(0, this.active - 8)); return true;
      case "Escape": this.close(); return true;
      case "Enter":
      case "Tab":
        if (event.shiftKey) return false;
        this.onAccept(this.items[this.active]);
        return true;
      default: return false;
    }
  }

  // Fills option `index`; options are kept for reuse, see setText.
  #option(item, index) {
    const option = this.list.children[index] ?? this.list.appendChild(newOption(`${this.id}-${index}`));
    option.className = `editor-option editor-option-${item.kind}`;
    option.hidden = false;
    setText(option.children[0], item.label);
    setText(option.children[1], item.detail);
  }

  #activate(index) {
    const old = this.list.children[this.active];
    old?.removeAttribute("aria-selected");
    old?.removeAttribute("aria-describedby");
    this.active = index;
    const option = this.list.children[index];
    option.setAttribute("aria-selected", "true");
    this.textarea.setAttribute("aria-activedescendant", option.id);
    const { description } = this.items[index];
    setText(this.detail, description);
    this.detail.hidden = !description;
    if (description) option.setAttribute("aria-describedby", this.detail.id);
    // Not scrollIntoView: it would scroll the page as well.
    const low = option.offsetTop - this.list.offsetTop;
    if (low < this.list.scrollTop) this.list.scrollTop = low;
    else if (low + option.offsetHeight > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = low + option.offsetHeight - this.list.clientHeight;
  }
}

function newOption(id) {
  const option = document.createElement("li");
  Object.assign(option, { id, role: "option" });
  for (const name of ["label", "detail"]) {
    const part = document.createElement("span");
    part.className = `editor-option-${name}`;
    option.append(part);
  }
  return option;
}
