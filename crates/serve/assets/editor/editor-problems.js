// The list of problems under the editor; each entry is a button that leads to its position in the text.

export class Problems {
  #shown = "[]";

  // Calls `onSelect(diagnostic)` when an entry is chosen.
  constructor(label, onSelect) {
    this.onSelect = onSelect;
    this.element = document.createElement("ul");
    Object.assign(this.element, { className: "editor-problems", hidden: true });
    this.element.setAttribute("aria-label", `Problems: ${label}`);
  }

  // Shows diagnostics. Returns a summary to announce, or null if nothing changed.
  show(list) {
    const shown = JSON.stringify(list);
    if (shown === this.#shown) return null;
    this.#shown = shown;
    this.element.hidden = list.length === 0;
    this.element.replaceChildren(...list.map((each) => this.#entry(each)));
    const errors = list.filter((each) => each.severity === "error").length;
    const summary = [plural(errors, "error"), plural(list.length - errors, "warning")].filter(Boolean).join(", ");
    return list.length === 0 ? "No problems" : `${summary}. Line ${list[0].line}: ${list[0].message}`;
  }

  // Highlights the entries of a line; 0 for none.
  setCurrent(line) {
    for (const button of this.element.querySelectorAll("button")) {
      button.classList.toggle("editor-problem-here", Number(button.dataset.line) === line);
    }
  }

  #entry(each) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: `editor-problem editor-problem-${each.severity}` });
    button.dataset.line = each.line;
    const part = (name, text) => {
      const element = document.createElement("span");
      Object.assign(element, { className: `editor-problem-${name}`, textContent: text });
      return element;
    };
    const message = part("message", each.message);
    button.append(part("kind", each.severity), " ", part("line", `line ${each.line}`), " ", message);
    if (each.help) message.append(" ", part("help", each.help));
    button.addEventListener("click", () => this.onSelect(each));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }
}

export const plural = (number, word) => (number === 0 ? "" : `${number} ${word}${number === 1 ? "" : "s"}`);
