// The coloured text and the line numbers behind the editor's textarea. Redraws only the lines that changed.

import { setText } from "./text-node.js";
import { lexLine } from "./toml-lex.js";

export class View {
  // `code` and `gutter` are the elements to fill.
  constructor(code, gutter) {
    this.code = code;
    this.gutter = gutter;
    this.lines = []; // { text, state (at the start of the line), after, marks, element }
    this.diagnostics = [];
    this.current = []; // the elements of the current line
    this.update("");
  }

  // Shows `text`. Diagnostics below an edit move with their lines.
  update(text) {
    const next = text.split("\n");
    const old = this.lines;
    let head = 0;
    while (head < next.length && head < old.length && next[head] === old[head].text) head += 1;
    let tail = 0;
    while (tail < next.length - head && tail < old.length - head && next.at(-1 - tail) === old.at(-1 - tail).text) tail += 1;
    const removed = old.slice(head, old.length - tail);
    const added = next.slice(head, next.length - tail).map((line) => ({ text: line, state: null, after: null, marks: [], element: null }));
    if (removed.length === 0 && added.length === 0) return;

    // An edit within lines keeps their elements.
    const kept = Math.min(removed.length, added.length);
    for (let index = 0; index < kept; index += 1) {
      added[index].element = removed[index].element;
      added[index].marks = removed[index].marks.filter((mark) => mark.from < added[index].text.length)
        .map((mark) => ({ ...mark, to: Math.min(mark.to, added[index].text.length) }));
    }
    for (const line of removed.slice(kept)) line.element.remove();
    const before = old[old.length - tail]?.element ?? null;
    const fresh = document.createDocumentFragment();
    for (const line of added.slice(kept)) {
      line.element = document.createElement("div");
      line.element.className = "editor-line";
      fresh.append(line.element);
    }
    this.code.insertBefore(fresh, before);
    this.lines = [...old.slice(0, head), ...added, ...old.slice(old.length - tail)];
    this.#colour(head, head + added.length);
    this.#number();

    const moved = added.length - removed.length;
    if (moved !== 0 && this.diagnostics.length > 0) {
      const lastRemoved = head + removed.length;
      const move = (line) => (line > lastRemoved ? line + moved : Math.min(line, this.lines.length));
      this.setDiagnostics(this.diagnostics.map((each) => ({ ...each, line: move(each.line), end_line: move(each.end_line) })));
    }
  }

  // Draws lines from..to, and further lines until the state agrees with that of the lines already drawn.
  #colour(from, to) {
    let state = from === 0 ? "" : this.lines[from - 1].after;
    for (let index = from; index < this.lines.length; index += 1) {
      const line = this.lines[index];
      if (index >= to && line.state === state) return;
      line.state = state;
      line.after = draw(line);
      state = line.after;
    }
  }

  #number() {
    const { gutter, lines } = this;
    while (gutter.childElementCount > lines.length) gutter.lastElementChild.remove();
    const fresh = document.createDocumentFragment();
    for (let number = gutter.childElementCount + 1; number <= lines.length; number += 1) {
      const element = document.createElement("div");
      element.className = "editor-lineno";
      element.textContent = String(number);
      fresh.append(element);
    }
    gutter.append(fresh);
    // A whole number of pixels, because text that starts between two pixels is blurred.
    gutter.style.width = `${24 + 8 * Math.max(3, String(lines.length).length)}px`;
  }

  // Underlines the diagnostics and marks their lines. Lines count from 1; columns count characters from 1.
  setDiagnostics(list) {
    this.diagnostics = list;
    const marks = new Map();
    const titles = new Map();
    for (const each of list) {
      const first = clamp(each.line, 1, this.lines.length);
      const last = clamp(each.end_line, first, this.lines.length);
      for (let number = first; number <= last; number += 1) {
        const [from, to] = this.range(each, number);
        if (!marks.has(number)) marks.set(number, []);
        marks.get(number).push({ from, to, severity: each.severity });
      }
      const worst = titles.get(first)?.severity === "error" ? "error" : each.severity;
      titles.set(first, { severity: worst, message: [titles.get(first)?.message, each.message].filter(Boolean).join("\n") });
    }
    this.lines.forEach((line, index) => {
      const wanted = marks.get(index + 1) ?? [];
      if (wanted.length === 0 && line.marks.length === 0) return;
      line.marks = wanted;
      draw(line);
    });
    [...this.gutter.children].forEach((element, index) => {
      const title = titles.get(index + 1);
      if (!title && !element.title) return;
      element.classList.toggle("editor-lineno-error", title?.severity === "error");
      element.classList.toggle("editor-lineno-warning", title?.severity === "warning");
      element.title = title?.message ?? "";
    });
  }

  // The part of line `number` that a diagnostic covers, in UTF-16 units as the DOM counts.
  range(diagnostic, number) {
    const { text } = this.lines[number - 1];
    const margin = /^\s*/.exec(text)[0].length;
    const from = number === diagnostic.line ? units(text, diagnostic.column) : margin;
    const to = number === diagnostic.end_line ? units(text, diagnostic.end_column) : text.length;
    if (to > from) return [from, to];
    // An empty range still needs a visible mark.
    return from < text.length ? [from, from + 1] : [Math.max(margin, from), Math.max(margin, from) + 1];
  }

  // Highlights a line (from 1); 0 for none.
  setCurrent(number) {
    const now = [this.lines[number - 1]?.element, this.gutter.children[number - 1]];
    const names = ["editor-line-current", "editor-lineno-current"];
    now.forEach((element, index) => {
      if (element === this.current[index]) return;
      this.current[index]?.classList.remove(names[index]);
      element?.classList.add(names[index]);
    });
    this.current = now;
  }

  // The screen position of a character: `{ x, top, bottom }` in the viewport.
  point(number, column) {
    const { element } = this.lines[number - 1];
    const box = element.getBoundingClientRect();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let left = column;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (left <= node.length) {
        const range = document.createRange();
        range.setStart(node, left);
        range.setEnd(node, left);
        return { x: range.getBoundingClientRect().left, top: box.top, bottom: box.bottom };
      }
      left -= node.length;
    }
    return { x: box.left, top: box.top, bottom: box.bottom };
  }
}

// Fills the element of a line and returns the state at its end.
function draw(line) {
  const { text, element } = line;
  const { pieces, state } = lexLine(text, line.state);
  const cuts = new Set([0, text.length]);
  for (const [from, to] of pieces) cuts.add(from).add(to);
  for (const { from, to } of line.marks) cuts.add(Math.min(from, text.length)).add(Math.min(to, text.length));
  const stops = [...cuts].sort((a, b) => a - b);
  let used = 0;
  const put = (content, kind, mark) => {
    const span = element.children[used] ?? element.appendChild(document.createElement("span"));
    const name = `${kind}${mark ? ` editor-wave-${mark}` : ""}`.trim();
    if (span.className !== name) span.className = name;
    setText(span, content);
    used += 1;
  };
  let piece = 0;
  for (let index = 0; index + 1 < stops.length; index += 1) {
    const [from, to] = [stops[index], stops[index + 1]];
    while (piece < pieces.length && pieces[piece][1] <= from) piece += 1;
    const kind = piece < pieces.length && pieces[piece][0] <= from ? `editor-${pieces[piece][2]}` : "";
    put(text.slice(from, to), kind, worst(line.marks.filter((each) => each.from < to && each.to > from)));
  }
  const beyond = worst(line.marks.filter((each) => each.to > text.length));
  if (beyond) put("\u00a0", "", beyond); // at the end of the line there is no character to underline
  while (used < element.childElementCount) put("", "", null); // spare spans are kept, see setText
  return state;
}

function worst(marks) {
  if (marks.length === 0) return null;
  return marks.some((mark) => mark.severity === "error") ? "error" : "warning";
}

// From a 1-based column in characters to an offset in UTF-16 units.
function units(text, column) {
  let at = 0;
  for (let left = column - 1; left > 0 && at < text.length; left -= 1) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
