// The editor for scenarios: CodeMirror with completion and help from the schema, and with the problems that the server finds.

import {
  acceptCompletion, Annotation, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, codeFolding, completionKeymap,
  defaultKeymap, EditorState, EditorView, ensureSyntaxTree, foldGutter, foldKeymap, forEachDiagnostic, highlightActiveLine,
  highlightActiveLineGutter, highlightSelectionMatches, history, historyKeymap, hoverTooltip, indentWithTab, isolateHistory, keymap,
  lineNumbers, lintGutter, lintKeymap, pickedCompletion, Prec, search, searchKeymap, setDiagnostics, startCompletion,
} from "../vendor/codemirror.min.js";
import { make, setText } from "../dom.js";
import { complete } from "./completion.js";
import { Problems } from "./editor-problems.js";
import { helpAt } from "./hover.js";
import { scenarioLanguage } from "./language.js";

const HELP = "Ctrl+Space completes; Esc, then Tab leaves";
const LEAVE_MS = 2000; // time for Tab after Esc
const PARSE_MS = 100; // time that completion waits for the syntax tree
const GROUP_MS = 1500; // changes within this time may form one undo step

// Marks changes by the page; the value names a group, such as the moves of a slider, whose changes are undone together.
const byPage = Annotation.define();

let count = 0;

export class Editor {
  #schema = null;
  #group = null;
  #leaving = 0;

  constructor(host, { label = "Scenario", onInput = () => {} } = {}) {
    this.onInput = onInput;
    const id = `editor-help-${(count += 1)}`;
    this.help = make("span", { class: "editor-help", id }, HELP);
    this.position = make("span", { class: "editor-position", "aria-hidden": "true" });
    this.status = make("div", { class: "editor-status", role: "status" });
    this.problems = new Problems(label, (problem) => this.#select(problem), (problem, fix) => this.#fix(problem, fix));
    this.extensions = this.#extensions({ "aria-label": label, "aria-describedby": id, tabindex: "0" });
    this.view = new EditorView({ state: this.#state("") });
    this.element = make("div", { class: "editor" }, this.view.dom, this.problems.element,
      make("div", { class: "editor-foot" }, this.help, this.position), this.status);
    host.append(this.element);
    this.#showPosition();
  }

  get text() {
    return this.view.state.doc.toString();
  }

  // Opens another text, with an empty history. Does not call onInput.
  set text(text) {
    this.view.setState(this.#state(text));
    this.#showPosition();
  }

  // Replaces the text and changes only the part that differs. Consecutive changes of one `group` are undone together. Does
  // not call onInput.
  change(text, { group = null } = {}) {
    const annotations = [byPage.of(group ?? true)];
    if (group === null || group !== this.#group) annotations.push(isolateHistory.of("before"));
    this.view.dispatch({ changes: difference(this.text, text), annotations });
    this.#group = group;
  }

  // Problems of the server's check: [{ line, column, end_line, end_column, severity: "error" | "warning", message, help, fixes }].
  // Positions count from 1, in characters, and may be missing.
  setDiagnostics(list) {
    const { doc } = this.view.state;
    const shown = list.map((problem) => {
      const from = offset(doc, problem.line ?? 1, problem.column ?? 1);
      const to = Math.max(from, offset(doc, problem.end_line ?? problem.line ?? 1, problem.end_column ?? problem.column ?? 1));
      const fixes = problem.line ? problem.fixes ?? [] : [];
      const actions = fixes.map((fix) => ({ name: `Replace with ${fix}`, apply: (_, at, end) => this.#replace(at, end, fix) }));
      return { from, to, severity: problem.severity, message: problem.message, actions, problem: { ...problem, fixes }, renderMessage: () => explanation(problem) };
    });
    this.view.dispatch(setDiagnostics(this.view.state, shown));
    const summary = this.problems.show(shown.map((each) => each.problem));
    this.#showPosition();
    if (summary === null) return;
    setText(this.status, summary);
    // The list may have covered the line that is being edited.
    if (this.view.hasFocus) this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head) });
  }

  // The JSON schema of the text, for completion and help; null switches them off.
  setSchema(schema) {
    this.#schema = schema;
  }

  destroy() {
    clearTimeout(this.#leaving);
    this.view.destroy();
    this.element.remove();
  }

  #state(doc) {
    return EditorState.create({ doc, extensions: this.extensions });
  }

  #extensions(attributes) {
    const nonce = document.querySelector("meta[property=csp-nonce]")?.nonce ?? "";
    return [
      EditorView.cspNonce.of(nonce), EditorView.contentAttributes.of(attributes), scenarioLanguage,
      lintGutter(), lineNumbers(), codeFolding(), foldGutter({ openText: "▾", closedText: "▸" }), highlightActiveLine(), highlightActiveLineGutter(),
      history({ newGroupDelay: GROUP_MS, joinToEvent: (change, isAdjacent) => isAdjacent || typeof change.annotation(byPage) === "string" }),
      bracketMatching(), closeBrackets(), highlightSelectionMatches(), search({ top: true }),
      autocompletion({ override: [(context) => this.#complete(context)], icons: false, optionClass: ({ type }) => `completion-${type}` }),
      hoverTooltip((view, at) => this.#schema && helpAt(this.#schema, view.state.doc.toString(), at)),
      Prec.highest(keymap.of([{ key: "Tab", run: acceptCompletion }])),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, { key: "Escape", run: () => this.#leave(true) }, ...historyKeymap, ...foldKeymap, ...lintKeymap, ...defaultKeymap, indentWithTab]),
      EditorView.domEventObservers({
        keydown: ({ key }) => key === "Escape" || key === "Shift" || this.#leave(false), // Shift may precede Tab
        blur: () => this.#leave(false),
      }),
      EditorView.updateListener.of((update) => this.#updated(update)),
    ];
  }

  #updated(update) {
    if (update.docChanged && !update.transactions.some((each) => each.annotation(byPage))) {
      this.#group = null;
      this.onInput(this.text);
    }
    if (update.docChanged || update.selectionSet || update.focusChanged) this.#showPosition();
  }

  #showPosition() {
    const { state } = this.view;
    const { head } = state.selection.main;
    const line = state.doc.lineAt(head);
    setText(this.position, `Line ${line.number}, column ${[...line.text.slice(0, head - line.from)].length + 1}`);
    this.problems.setCurrent(this.view.hasFocus ? line.number : 0);
  }

  // After Esc, Tab leaves the editor. Other uses of Esc, such as closing the search, come first.
  #leave(leaving) {
    clearTimeout(this.#leaving);
    const text = leaving ? "Press Tab now to leave the editor." : HELP;
    if (leaving) {
      this.view.setTabFocusMode(LEAVE_MS);
      this.#leaving = setTimeout(() => this.#leave(false), LEAVE_MS);
    }
    if (this.help.textContent !== text) {
      setText(this.help, text);
      this.help.classList.toggle("editor-help-leaving", leaving);
      setText(this.status, leaving ? text : "");
    }
    return false;
  }

  #complete(context) {
    const { state, pos, explicit } = context;
    const tree = ensureSyntaxTree(state, pos, PARSE_MS) ?? undefined;
    const found = this.#schema && complete(this.#schema, state.doc.toString(), pos, explicit, tree);
    if (!found?.items.length) return null;
    return { from: found.from, to: found.to, filter: false, options: found.items.map(option) };
  }

  #select(problem) {
    this.#at(problem, (from, to) => {
      this.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      this.view.focus();
    });
  }

  #fix(problem, fix) {
    this.#at(problem, (from, to) => this.#replace(from, to, fix));
    this.view.focus();
  }

  // Replaces a name, in its quotes if it has any.
  #replace(from, to, name) {
    const quoted = /^["']/.test(this.view.state.sliceDoc(from, to));
    this.view.dispatch({ changes: { from, to, insert: quoted ? JSON.stringify(name) : name }, userEvent: "input.fix" });
  }

  // The current range of a problem: edits move it.
  #at(problem, use) {
    let range = null;
    forEachDiagnostic(this.view.state, (each, from, to) => {
      if (each.problem === problem) range = [from, to];
    });
    if (range) use(...range);
  }
}

function option({ label, detail, description, kind, insert, caret = insert.length, again }) {
  const apply = (view, completion, from, to) => {
    view.dispatch({
      changes: { from, to, insert }, selection: { anchor: from + caret }, annotations: pickedCompletion.of(completion),
      userEvent: "input.complete", scrollIntoView: true,
    });
    if (again) startCompletion(view);
  };
  return { label, detail, info: description || null, type: kind, apply };
}

function explanation({ message, help, code }) {
  return make("div", { class: "editor-explanation" }, make("strong", {}, message), help ? make("p", {}, help) : null, code ? make("code", {}, code) : null);
}

// The offset of a line and a column in characters, both from 1.
function offset(doc, number, column) {
  const line = doc.line(Math.min(Math.max(1, number), doc.lines));
  return line.from + [...line.text].slice(0, column - 1).join("").length;
}

// The smallest replacement that turns one text into another.
function difference(before, after) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}
