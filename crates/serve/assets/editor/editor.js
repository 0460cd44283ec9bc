// A TOML editor on a real textarea, so that undo, selection, input methods and screen readers work as usual.
//
// The textarea's own text is transparent; the same text in colour lies behind it. Both use one font, one line height and no
// wrapping, and the coloured text follows the textarea's scroll position.

import { complete } from "./completion.js";
import { indent, newLine, outdent, toggleComment } from "./editor-commands.js";
import { Popup } from "./editor-popup.js";
import { Problems, plural } from "./editor-problems.js";
import { View } from "./editor-view.js";
import { setText } from "./text-node.js";

const HELP = "Ctrl+Space completes; Esc, then Tab leaves";
// Chromium needs seconds to insert thousands of lines as if typed. Such a long text replaces the old text and its undo
// history, as does the first text in an empty editor.
const UNDO_LINES = 200;
// Programmatic edits of one group within this time, such as the moves of a slider, form one undo step.
const GROUP_MS = 1500;

let count = 0;

export class Editor {
  #text = "";
  #quiet = false; // set while the editor itself moves the focus or changes the text
  #leaving = false; // after Esc, Tab leaves the editor
  #schema = null;
  #range = null; // the range that an accepted completion replaces
  #group = null;
  #stop = new AbortController();

  constructor(host, { label = "Scenario", onInput = () => {} } = {}) {
    this.onInput = onInput;
    this.#build(host, label);
    this.view = new View(this.code, this.gutter);
    this.popup = new Popup(this.textarea, this.element, (item) => this.#accept(item));
    const { signal } = this.#stop;
    const on = (target, name, handler) => target.addEventListener(name, handler, { signal });
    on(this.textarea, "input", (event) => this.#input(event));
    on(this.textarea, "keydown", (event) => this.#key(event));
    on(this.textarea, "scroll", () => this.#scroll());
    on(this.textarea, "focus", () => this.#caret());
    on(this.textarea, "blur", () => this.#blur());
    on(this.textarea, "pointerdown", () => this.popup.close());
    on(document, "selectionchange", () => this.#caret());
    on(this.textarea, "selectionchange", () => this.#caret());
    on(window, "resize", () => this.repaint());
    on(window, "scroll", () => this.#placePopup());
    // The page has a single undo history: after typing elsewhere, the last step does not belong to the editor.
    on(document, "beforeinput", (event) => {
      if (event.target !== this.textarea) this.#group = null;
    });
    on(this.gutter, "click", (event) => this.#gutterClick(event));
    document.fonts.ready.then(() => this.repaint());
    this.repaint();
    this.#caret();
  }

  get text() {
    return this.textarea.value;
  }

  set text(text) {
    this.change(text);
  }

  // Replaces the text with `text`, changing only the part that differs. Consecutive changes of one `group` are undone
  // together. Does not call onInput.
  change(text, { group = null } = {}) {
    const wanted = text.replaceAll("\r\n", "\n"); // as the textarea does
    this.#programmatic(() => {
      const last = this.#group;
      const again = group !== null && last?.name === group && last.after === this.text && performance.now() - last.time < GROUP_MS;
      const before = again ? last.before : this.text;
      if (again && last.after !== before) document.execCommand("undo");
      this.#insert(...difference(this.text, wanted));
      this.#group = group === null ? null : { name: group, before, after: wanted, time: performance.now() };
    });
  }

  // Replaces characters from..to (offsets in the text). Does not call onInput.
  replaceRange(from, to, text) {
    this.#group = null;
    this.#programmatic(() => this.#insert(from, to, text));
  }

  undo() {
    this.#programmatic(() => document.execCommand("undo"), true);
  }

  redo() {
    this.#programmatic(() => document.execCommand("redo"), true);
  }

  // Diagnostics: [{ line, column, end_line, end_column, severity: "error" | "warning", message, help }], counted from 1 with
  // columns in characters. `end_line`, `end_column` and `help` may be missing.
  setDiagnostics(list) {
    const lines = this.view.lines.length;
    const full = list.map((each) => {
      const line = Math.min(Math.max(1, each.line), lines);
      const column = each.column ?? 1;
      const endLine = Math.min(Math.max(line, each.end_line ?? line), lines);
      return { ...each, line, column, end_line: endLine, end_column: each.end_column ?? column };
    });
    this.view.setDiagnostics(full);
    this.#listProblems();
  }

  // The JSON schema of the text, for completion; null switches completion off.
  setSchema(schema) {
    this.#schema = schema;
  }

  // Moves the caret to the start of a line (from 1), shows the line in the middle and focuses the editor.
  focusLine(number) {
    const line = Math.min(Math.max(1, number), this.view.lines.length);
    this.#select(this.#offset(line, 0), this.#offset(line, 0));
  }

  // Colours follow the theme through CSS alone. Call this when the font may have changed, or when a hidden editor appears.
  repaint() {
    this.popup.close();
    this.#fit();
    this.#scroll();
  }

  destroy() {
    this.#stop.abort();
    this.element.remove();
  }

  #build(host, label) {
    const id = `editor-${(count += 1)}`;
    const make = (tag, className, properties = {}) => Object.assign(document.createElement(tag), { className, ...properties });
    this.element = make("div", "editor");
    const title = make("label", "editor-label", { htmlFor: id, textContent: label });
    const area = make("div", "editor-area");
    this.gutter = make("div", "editor-gutter");
    const box = make("div", "editor-box");
    this.viewport = make("div", "editor-view");
    this.code = make("pre", "editor-code");
    this.textarea = make("textarea", "editor-input", { id, spellcheck: false, wrap: "off", autocapitalize: "off", autocomplete: "off", translate: false });
    this.textarea.setAttribute("autocorrect", "off");
    this.textarea.setAttribute("aria-describedby", `${id}-help`);
    this.textarea.setAttribute("aria-multiline", "true");
    this.gutter.setAttribute("aria-hidden", "true");
    this.viewport.setAttribute("aria-hidden", "true");
    this.viewport.append(this.code);
    box.append(this.viewport, this.textarea);
    area.append(this.gutter, box);
    const foot = make("div", "editor-foot");
    this.help = make("span", "editor-help", { id: `${id}-help`, textContent: HELP });
    this.position = make("span", "editor-position");
    this.position.setAttribute("aria-hidden", "true");
    foot.append(this.help, this.position);
    this.problems = new Problems(label, (each) => {
      const [from] = this.view.range(each, each.line);
      const [, to] = this.view.range(each, each.end_line);
      this.#select(this.#offset(each.line, from), this.#offset(each.end_line, to));
    });
    this.status = make("div", "editor-status", { role: "status" });
    this.element.append(title, area, this.problems.element, foot, this.status);
    host.append(this.element);
  }

  // Browsers round the width of every coloured piece up to 1/64 of a pixel, so that a line of many pieces drifts away from
  // the same line in the textarea. A tiny letter spacing makes the width of a character a multiple of that unit, both in
  // CSS pixels and, at the usual scales, in device pixels.
  #fit() {
    const probe = document.createElement("span");
    const characters = 2000;
    probe.className = "editor-probe";
    probe.textContent = "0".repeat(characters);
    this.code.append(probe);
    const width = probe.getBoundingClientRect().width / characters;
    probe.remove();
    const scale = window.devicePixelRatio;
    const unit = Number.isInteger(4 * scale) ? 1 / 16 : 1 / 64 / scale;
    // Slightly less than a multiple, because browsers round up.
    const spacing = width === 0 ? 0 : Math.round(width / unit) * unit - width - 2e-5;
    this.element.style.setProperty("--editor-spacing", `${spacing.toFixed(6)}px`);
  }

  #input(event) {
    if (this.#quiet) return;
    this.#group = null;
    this.#refresh();
    const typed = event.inputType === "insertText" && !event.isComposing;
    if (typed || (this.popup.isOpen && event.inputType.startsWith("delete"))) this.#suggest(false);
    else this.popup.close();
    this.onInput(this.text);
  }

  // Brings the coloured text up to date.
  #refresh() {
    if (this.#text === this.text) return;
    this.#text = this.text;
    this.view.update(this.#text);
    if (this.view.diagnostics.length > 0) this.#listProblems(false);
    this.#scroll();
    this.#caret();
  }

  #scroll() {
    const { scrollTop, scrollLeft } = this.textarea;
    this.viewport.scrollTop = scrollTop;
    this.viewport.scrollLeft = scrollLeft;
    this.gutter.scrollTop = scrollTop;
    this.#placePopup();
  }

  #caret() {
    if (this.#quiet) return;
    const { selectionStart, selectionEnd } = this.textarea;
    const focused = document.activeElement === this.textarea;
    const caret = this.textarea.selectionDirection === "backward" ? selectionStart : selectionEnd;
    const [line, column] = this.#place(caret);
    this.view.setCurrent(focused && selectionStart === selectionEnd ? line : 0);
    setText(this.position, `Line ${line}, column ${[...this.view.lines[line - 1].text.slice(0, column)].length + 1}`);
    this.problems.setCurrent(focused ? line : 0);
    if (this.popup.isOpen && (caret !== this.#range.caret || selectionStart !== selectionEnd)) this.popup.close();
  }

  #blur() {
    if (this.#quiet) return;
    this.#leave(false);
    this.popup.close();
    this.#caret();
  }

  #key(event) {
    if (event.isComposing) return;
    if (this.popup.key(event)) {
      event.preventDefault();
      return;
    }
    const { selectionStart: start, selectionEnd: end } = this.textarea;
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key === " ") {
      event.preventDefault();
      this.#suggest(true);
    } else if (control && event.key === "/") {
      event.preventDefault();
      this.#command(toggleComment(this.text, start, end));
    } else if (event.key === "Tab" && !control && !event.altKey) {
      if (this.#leaving) return; // the browser moves the focus
      event.preventDefault();
      this.#command((event.shiftKey ? outdent : indent)(this.text, start, end));
    } else if (event.key === "Enter" && !control && !event.altKey) {
      event.preventDefault();
      this.popup.close();
      this.#command(newLine(this.text, start, end), true);
    }
    // Shift alone may precede Tab.
    if (event.key !== "Shift") this.#leave(event.key === "Escape");
  }

  #leave(leaving) {
    if (leaving === this.#leaving) return;
    this.#leaving = leaving;
    setText(this.help, leaving ? "Press Tab now to leave the editor." : HELP);
    this.help.classList.toggle("editor-help-leaving", leaving);
    setText(this.status, leaving ? "Press Tab now to leave the editor." : "");
  }

  // Runs a keyboard command as one undo step.
  #command(change, reveal = false) {
    if (!change) return;
    this.#group = null;
    this.#quiet = true;
    this.#insert(change.from, change.to, change.insert);
    this.textarea.setSelectionRange(...change.select);
    this.#quiet = false;
    this.#refresh();
    if (reveal) this.#reveal();
    this.#caret();
    this.onInput(this.text);
  }

  // Replaces from..to through the browser's editing command, which records an undo step. The editor must have the focus.
  #insert(from, to, text) {
    const { textarea } = this;
    if (from === to && text === "") return;
    const current = textarea.value;
    const small = current !== "" && lineCount(text) <= UNDO_LINES && lineCount(current.slice(from, to)) <= 10 * UNDO_LINES;
    let done = false;
    if (small && document.activeElement === textarea) {
      textarea.setSelectionRange(from, to);
      done = text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
    }
    const wanted = current.slice(0, from) + text + current.slice(to);
    if (!done || textarea.value !== wanted) textarea.value = wanted;
  }

  // Changes the text on behalf of the page: the focus, the selection and all scroll positions stay as they are.
  #programmatic(edit, tell = false) {
    const { textarea } = this;
    const focus = document.activeElement;
    const { selectionStart, selectionEnd, selectionDirection } = textarea;
    const before = this.text;
    const scrolled = [];
    for (let node = textarea; node; node = node.parentElement) scrolled.push([node, node.scrollTop, node.scrollLeft]);
    this.#quiet = true;
    textarea.focus({ preventScroll: true });
    edit();
    const [from, to, insert] = difference(before, this.text);
    const move = (caret) => {
      if (caret <= from) return caret;
      return caret >= to ? caret + insert.length - (to - from) : from + insert.length;
    };
    textarea.setSelectionRange(move(selectionStart), move(selectionEnd), selectionDirection);
    if (focus !== textarea) {
      if (focus && focus !== document.body) focus.focus({ preventScroll: true });
      else textarea.blur();
    }
    for (const [node, top, left] of scrolled) {
      if (node.scrollTop !== top) node.scrollTop = top;
      if (node.scrollLeft !== left) node.scrollLeft = left;
    }
    this.#quiet = false;
    this.popup.close();
    this.#refresh();
    if (tell && this.text !== before) this.onInput(this.text);
  }

  #suggest(asked) {
    const { selectionStart: caret, selectionEnd } = this.textarea;
    const found = this.#schema && caret === selectionEnd ? complete(this.#schema, this.text, caret, asked) : null;
    if (!found || found.items.length === 0) {
      this.popup.close();
      if (asked) setText(this.status, "No suggestions");
      return;
    }
    this.#range = { from: found.from, to: found.to, caret };
    this.popup.open(found.items, this.#pointAt(found.from));
    setText(this.status, plural(found.items.length, "suggestion"));
  }

  #accept(item) {
    const { from, to } = this.#range;
    this.popup.close();
    const caret = from + (item.caret ?? item.insert.length);
    this.#command({ from, to, insert: item.insert, select: [caret, caret] }, true);
    if (item.again) this.#suggest(false);
  }

  #placePopup() {
    if (!this.popup.isOpen) return;
    const point = this.#pointAt(this.#range.from);
    const box = this.textarea.getBoundingClientRect();
    if (point.bottom < box.top || point.top > box.bottom) this.popup.close();
    else this.popup.place(point);
  }

  #listProblems(announce = true) {
    const summary = this.problems.show(this.view.diagnostics);
    if (summary === null) return;
    if (announce) setText(this.status, summary);
    this.#caret();
  }

  #gutterClick(event) {
    const number = [...this.gutter.children].indexOf(event.target) + 1;
    if (number > 0) this.focusLine(number);
  }

  // Selects a range and focuses the editor, with the range in the middle.
  #select(from, to) {
    const { textarea } = this;
    textarea.focus({ preventScroll: true });
    textarea.setSelectionRange(from, to);
    const [line] = this.#place(from);
    const height = this.view.lines[0].element.offsetHeight;
    const top = (line - 1) * height;
    if (top < textarea.scrollTop || top + 2 * height > textarea.scrollTop + textarea.clientHeight) textarea.scrollTop = top - textarea.clientHeight / 2 + height;
    this.#scroll();
    this.#reveal();
    this.#caret();
    textarea.scrollIntoView({ block: "nearest" });
  }

  // Scrolls the textarea until the caret is visible.
  #reveal() {
    const { textarea } = this;
    const point = this.#pointAt(textarea.selectionStart);
    const box = textarea.getBoundingClientRect();
    const margin = 24;
    const right = box.left + textarea.clientWidth - margin;
    const bottom = box.top + textarea.clientHeight - 4;
    if (point.x < box.left + margin) textarea.scrollLeft -= box.left + margin - point.x;
    else if (point.x > right) textarea.scrollLeft += point.x - right;
    if (point.top < box.top) textarea.scrollTop -= box.top - point.top;
    else if (point.bottom > bottom) textarea.scrollTop += point.bottom - bottom;
    this.#scroll();
  }

  #pointAt(offset) {
    return this.view.point(...this.#place(offset));
  }

  // The line (from 1) and the column (from 0) of an offset.
  #place(offset) {
    const before = this.#text.slice(0, offset);
    return [lineCount(before), before.length - before.lastIndexOf("\n") - 1];
  }

  #offset(line, column) {
    let at = 0;
    for (let number = 1; number < line; number += 1) at += this.view.lines[number - 1].text.length + 1;
    return at + Math.min(column, this.view.lines[line - 1].text.length);
  }
}

// The smallest replacement that turns one text into another: [from, to, insert].
function difference(before, after) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return [head, before.length - tail, after.slice(head, after.length - tail)];
}

function lineCount(text) {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
