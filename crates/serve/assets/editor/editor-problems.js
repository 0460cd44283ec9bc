// The list of problems under the editor: each leads to its position in the text and offers its fixes.

import { button, make } from "../dom.js";

export class Problems {
  #list = [];

  // Calls `onSelect(problem)` when an entry is chosen, and `onFix(problem, fix)` when one of its fixes is.
  constructor(label, onSelect, onFix) {
    Object.assign(this, { onSelect, onFix });
    this.element = make("ul", { class: "editor-problems", hidden: true, "aria-label": `Problems: ${label}` });
  }

  // Shows problems. Returns a summary to announce, or null if nothing changed.
  show(list) {
    const isSame = JSON.stringify(list) === JSON.stringify(this.#list);
    this.#list = list;
    if (isSame) return null;
    this.element.hidden = list.length === 0;
    this.element.replaceChildren(...list.map((problem, index) => this.#entry(problem, index)));
    const errors = list.filter((each) => each.severity === "error").length;
    const summary = [plural(errors, "error"), plural(list.length - errors, "warning")].filter(Boolean).join(", ");
    return list.length === 0 ? "No problems" : `${summary}. ${lineOf(list[0])} ${list[0].message}`;
  }

  // Highlights the entries of a line; 0 for none.
  setCurrent(line) {
    [...this.element.children].forEach((item, index) => item.classList.toggle("editor-problem-here", this.#list[index].line === line));
  }

  #entry({ severity, line, message, help, fixes }, index) {
    const part = (name, ...content) => make("span", { class: `editor-problem-${name}` }, ...content);
    const entry = button("", () => this.onSelect(this.#list[index]), { class: `editor-problem editor-problem-${severity}` });
    entry.append(part("kind", severity), " ", part("line", lineOf({ line })), " ", part("message", message, help ? [" ", part("help", help)] : null));
    return make("li", {}, entry, fixes.map((fix) => button(`Replace with ${fix}`, () => this.onFix(this.#list[index], fix), { class: "editor-fix" })));
  }
}

const lineOf = ({ line }) => (line ? `line ${line}` : "");
const plural = (number, word) => (number === 0 ? "" : `${number} ${word}${number === 1 ? "" : "s"}`);
