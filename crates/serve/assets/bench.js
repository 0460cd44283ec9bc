// The bench: write a scenario, run it, watch it.

import { quantity } from "./chart/format.js";
import { button, download, make, setMarkedText, setText } from "./dom.js";
import { keepDraft, keepEdit, keptDraft, keptEdit } from "./draft.js";
import { Editor } from "./editor/editor.js";
import { Sliders } from "./editor/sliders.js";
import { setValue } from "./editor/toml-place.js";
import { engine } from "./engine/engine.js";
import { linkTo, pack, share, unpack } from "./link.js";
import { notice } from "./notice.js";
import { Run } from "./run.js";
import { keepSetting, keptSetting } from "./setting.js";
import { StaleMark, textChange } from "./stale.js";
import { TheoryPanel } from "./theory.js";
import { WatchView } from "./watch.js";

const CHECK_AFTER = 250; // milliseconds after the last keystroke
// Simulated seconds per second.
const SPEEDS = [["as fast as possible", null], ["1 s/s", 1], ["100 ms/s", 0.1], ["10 ms/s", 0.01], ["1 ms/s", 0.001], ["100 µs/s", 1e-4]];

export async function showBench(host, path) {
  const bench = new Bench(host);
  await bench.open(path);
  return bench;
}

/** The bench in a frame of another page: it begins to run, without the editor. */
export async function showFigure(host, path) {
  const bench = new Bench(host, { hasEditor: false });
  await bench.open(path);
  if (!bench.runButton.disabled) bench.start();
  return bench;
}

class Bench {
  #run = null;
  #ran = null; // the scenario text of the run
  #checked = null; // the last response of the check
  #timer = 0;
  #asking = null;
  #settings = []; // settings of an experiment's case that cannot be written into the text

  constructor(host, { hasEditor = startsWithEditor() } = {}) {
    this.element = make("div", { class: "bench" });
    this.title = make("h1", { class: "bench-title" }, "Bench");
    this.subtitle = make("p", { class: "bench-subtitle" });
    this.cases = make("div", { class: "bench-cases" });
    this.facts = make("p", { class: "bench-facts", role: "status" });
    this.status = make("p", { class: "bench-status", role: "status" });
    this.links = make("p", { class: "bench-links" });
    this.result = make("section", { class: "bench-result", "aria-label": "Result" });
    this.#buildControls();
    this.stale = new StaleMark(this.element, { title: "Result of an earlier version", run: () => this.start() });
    const [editorHost, sliderHost, watchHost] = ["bench-editor", "bench-sliders", "bench-watch"].map((name) => make("div", { class: name }));
    const right = make("div", { class: "bench-right" }, watchHost, this.result);
    // The order suits narrow pages: controls, editor, charts. The style sheet places the editor on the left of wide pages.
    this.element.append(
      make("div", { class: "bench-bar" }, this.controls,
        make("div", { class: "bench-line" }, this.title, this.facts, this.revertButton),
        make("div", { class: "bench-line bench-news" }, this.status, this.links, this.stale.element)),
      make("div", { class: "bench-left" },
        make("div", { class: "bench-head" }, this.subtitle, this.cases),
        editorHost,
        make("details", { class: "bench-turn", open: true }, make("summary", {}, "Parameters"), sliderHost)),
      right);
    host.append(this.element);
    this.editor = new Editor(editorHost, { label: "Scenario", onInput: () => this.#edited() });
    this.sliders = new Sliders(sliderHost, { onChange: (key, literal) => this.#turn(key, literal) });
    this.watch = new WatchView(watchHost);
    this.theory = new TheoryPanel(right, () => this.scenario(), (fluid) => this.watch.overlay(fluid));
    this.#showEditor(hasEditor);
    this.#showResult();
    engine.schema().then((schema) => this.editor.setSchema(schema)).catch(() => {});
  }

  #buildControls() {
    this.runButton = button("Run", () => this.start(), { class: "primary", id: "run", disabled: true });
    this.pauseButton = button("Pause", () => this.#pauseOrResume(), { id: "pause", disabled: true });
    this.stepButton = button("Step", () => this.#step(), { id: "step", title: "Advance by one sample interval" });
    this.stopButton = button("Stop", () => this.#run?.stop(), { id: "stop", disabled: true });
    this.speed = make("select", { id: "speed", "aria-label": "Speed", onchange: () => this.#run?.setSpeed(this.#speedWanted()) },
      SPEEDS.map(([label], index) => make("option", { value: index }, label)));
    this.link = button("Link", () => this.#copyLink(), { id: "link", title: "Copy a permanent link with this scenario" });
    this.revertButton = button("Undo edits", () => this.#revert(), { id: "revert", class: "quiet", hidden: true, title: "Return to the scenario as it was opened" });
    this.save = button("TOML", () => download(`${this.#checked?.name ?? "scenario"}.toml`, this.#file()), { id: "save", title: "Save the scenario as a file" });
    this.editorButton = button("Editor", () => this.#showEditor(!this.hasEditor, { keep: true }), { id: "editor", title: "Show or hide the editor and the parameters" });
    this.controls = make("div", { class: "bench-controls", role: "toolbar", "aria-label": "Run" },
      this.runButton, this.pauseButton, this.stepButton, this.stopButton, make("label", { class: "speed" }, "Speed ", this.speed),
      make("span", { class: "grow" }), this.editorButton, this.save, this.link);
  }

  get hasEditor() {
    return !this.element.classList.contains("bench-alone");
  }

  #showEditor(shown, { keep = false } = {}) {
    this.element.classList.toggle("bench-alone", !shown);
    this.editorButton.setAttribute("aria-pressed", String(shown));
    if (keep) keepSetting("editor", shown ? "shown" : "hidden");
  }

  /** Opens the scenario that the address names: a built-in scenario, a case of an experiment, or the text itself. */
  async open(path) {
    // Without a name, the bench continues with its last scenario.
    const draft = keptDraft();
    if (!path.length && draft?.address) {
      path = draft.address.split("/").map(decodeURIComponent);
      history.replaceState(null, "", `#/bench/${draft.address}`);
    }
    this.address = path.map(encodeURIComponent).join("/");
    try {
      const [text, settings] = await this.#named(path, await engine.gallery());
      this.original = settings.reduce((written, setting) => this.#apply(written, setting), text);
    } catch (error) {
      notice(error.message, "bad");
      return;
    }
    this.sliders.forget();
    this.editor.text = keptEdit(this.address) ?? this.original;
    await this.#check();
  }

  // The text that a path names, and the settings that follow it or belong to an experiment's case.
  async #named([kind, name, ...parts], { scenarios, experiments }) {
    let text = null;
    if (kind === "scenario") {
      text = scenarios.find((scenario) => scenario.name === name)?.text ?? null;
      if (text === null) notice(`There is no scenario ${name}.`, "bad");
      else return [text, parts];
    } else if (kind === "experiment") {
      const [part, ...settings] = parts;
      const found = this.#openExperiment(experiments.find((experiment) => experiment.id === name), part);
      if (found) return [found.text, [...found.settings, ...settings]];
    } else if (kind === "x") {
      text = await unpack(name ?? "");
      if (text === null) notice("This link is incomplete; copy it again.", "bad");
      else return [text, parts];
    }
    return [text ?? scenarios[0].text, []];
  }

  #openExperiment(experiment, part) {
    if (!experiment) {
      notice("There is no such experiment.", "bad");
      return null;
    }
    this.subtitle.textContent = experiment.sentence;
    const link = (found) => make("a", {
      href: `#/bench/experiment/${encodeURIComponent(experiment.id)}/${encodeURIComponent(found.name)}`,
      "aria-current": found.name === part ? "true" : null,
    }, found.label);
    const verdicts = engine.verdicts(experiment.id);
    this.cases.replaceChildren(make("strong", {}, `${experiment.id} `), ...experiment.cases.map(link),
      ...(verdicts ? [make("a", { href: verdicts, class: "bench-verdicts" }, "Verdicts")] : []));
    const chosen = experiment.cases.find((found) => found.name === part) ?? experiment.cases[0];
    if (!chosen) {
      notice(`${experiment.id} is computed, not simulated; \`setpoint reproduce ${experiment.id}\` makes its page.`);
      return null;
    }
    return chosen;
  }

  // The text with a setting such as `flows.2.weight=2`; a setting that cannot be written there remains a setting of
  // the run.
  #apply(text, setting) {
    const at = setting.indexOf("=");
    const [key, value] = [setting.slice(0, at).trim(), setting.slice(at + 1).trim()];
    const literal = /^(true|false|[-+]?\d+(\.\d+)?|\[.*\]|\{.*\}|".*")$/s.test(value) ? value : JSON.stringify(value);
    try {
      return setValue(text, key, literal);
    } catch {
      this.#settings.push(setting);
      return text;
    }
  }

  scenario() {
    return { text: this.editor.text, settings: this.#settings };
  }

  // Compares only the text: the settings of a case do not change while it is open.
  #markStale() {
    this.stale.show(this.#run ? textChange(this.#ran, this.editor.text) : null, { disabled: this.runButton.disabled });
  }

  #edited() {
    this.#markStale();
    this.#keep();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), CHECK_AFTER);
  }

  // Keeps the text for other views, for Back and for a reload.
  #keep() {
    const { text } = this.editor;
    const isEdited = text !== this.original;
    keepDraft({ name: this.#checked?.name ?? "scenario", text, address: this.address });
    keepEdit(this.address, isEdited ? text : null);
    this.revertButton.hidden = !isEdited;
  }

  #revert() {
    this.editor.change(this.original);
    this.#edited();
  }

  #turn(key, literal) {
    try {
      this.editor.change(setValue(this.editor.text, key, literal), { group: key });
    } catch (error) {
      notice(`${key} cannot be written into the text: ${error.message}`, "bad");
    }
    this.#edited();
  }

  async #check() {
    this.#asking?.abort();
    this.#asking = new AbortController();
    let answer;
    try {
      answer = await engine.check(this.scenario(), this.#asking.signal);
    } catch (error) {
      if (error.name !== "AbortError") notice(error.message, "bad");
      return;
    }
    this.#checked = answer;
    this.#keep();
    this.editor.setDiagnostics(answer.problems);
    this.runButton.disabled = !answer.ok || Boolean(answer.refused);
    this.stepButton.disabled = this.runButton.disabled && (this.#run?.isOver ?? true);
    this.facts.classList.toggle("bench-refused", Boolean(answer.refused));
    this.#markStale();
    if (!answer.ok) {
      setText(this.facts, "");
      return;
    }
    setText(this.title, answer.name);
    if (!this.cases.children.length) setText(this.subtitle, answer.description);
    this.sliders.show(answer.sliders, this.editor.text);
    const parts = [
      `${answer.algorithm}, ${count(answer.flows, "flow")}, ${quantity(answer.duration_s, "s")}`,
      answer.takes_s === null ? null : `takes about ${quantity(answer.takes_s, "s", 2)}`,
      answer.refused ? null : `at most ${quantity(answer.memory_bytes, "B", 2)} of memory`,
      answer.is_sweep ? "a sweep: the first variant runs here, `setpoint sweep` runs all" : null,
      this.#settings.length ? `also set: ${this.#settings.join(", ")}` : null,
      answer.refused,
    ];
    setMarkedText(this.facts, parts.filter(Boolean).join(" · "));
    this.theory.reset(answer.inapplicable);
    if (this.#run) return;
    if (answer.network) this.watch.preview(answer.network);
    else this.watch.clear();
  }

  start({ paused = false } = {}) {
    this.#run?.leave();
    this.#ran = this.editor.text;
    this.#run = new Run(this.scenario(), {
      speed: this.#speedWanted(), paused,
      changed: (event) => this.#runChanged(event),
    });
    this.#markStale();
    this.watch.show(this.#run);
    this.#showResult();
    this.#runChanged("starting");
  }

  #speedWanted() {
    return SPEEDS[Number(this.speed.value)][1];
  }

  #pauseOrResume() {
    if (this.#run?.state === "paused") this.#run.resume();
    else this.#run?.pause();
  }

  #step() {
    if (!this.#run || this.#run.isOver) this.start({ paused: true });
    else if (this.#run.state === "paused") this.#run.step();
    else this.#run.pause();
  }

  #runChanged(event) {
    const run = this.#run;
    this.watch.changed(event);
    setText(this.pauseButton, run.state === "paused" ? "Resume" : "Pause");
    this.pauseButton.disabled = run.isOver || run.state === "starting" || run.state === "waiting";
    this.stopButton.disabled = run.isOver;
    setText(this.status, this.#statusText());
    this.status.className = `bench-status ${run.state}`;
    if (event === "end") this.#showResult();
  }

  #statusText() {
    const { state, start, history, message, end } = this.#run;
    const at = history?.length ? `${quantity(history.time[history.length - 1], "s")} of ${quantity(start.duration_s, "s")}` : "";
    if (state === "ended") return `Ended: ${quantity(start.duration_s, "s")} in ${quantity(end.took_s, "s", 2)}, ${pace(end.events / end.took_s)}.`;
    if (state === "failed") return `Failed: ${message}`;
    if (state === "stopped") return at ? `Stopped at ${at}.` : "Stopped.";
    if (state === "waiting") return `This run ${message}.`;
    if (state === "starting") return "Starting …";
    return `${state === "paused" ? "Paused" : "Running"}: ${at}`;
  }

  // The place of the result is reserved before the run, so that nothing moves when the run ends.
  #showResult() {
    const { end, id, start } = this.#run ?? {};
    delete this.result.dataset.digest;
    this.links.replaceChildren();
    if (!end) {
      this.result.replaceChildren(make("h2", {}, "Result"), make("p", { class: "words note" }, "A sentence on each finding, and the files of the run, appear here when it has ended."));
      return;
    }
    const file = (name, label, attributes = { download: `${start.name}-${name}` }) => {
      const link = make("a", attributes, label);
      engine.offer(link, id, name);
      return link;
    };
    const report = () => file("report.html", "Report", { target: "_blank", rel: "noopener" });
    this.links.append(button("Result", () => this.#goToResult(), { class: "quiet", title: "Go to the result below the charts" }), report());
    this.result.replaceChildren(
      make("h2", { tabindex: "-1" }, "Result"),
      make("p", { class: "words" }, end.words),
      ...warningList(end.warnings),
      make("p", { class: "files" },
        report(),
        file("flows.csv", "flows.csv"), ...(start.curves.some(({ name }) => name === "source.round_trip_s") ? [file("sources.csv", "sources.csv")] : []),
        file("queues.csv", "queues.csv"), file("ports.csv", "ports.csv"), file("samples.csv", "samples.csv"),
        file("summary.json", "summary.json"),
        make("span", { class: "digest", title: "Digest of the result: the same scenario and seed give the same" }, `digest ${end.digest.slice(0, 12)}`)),
      ...counterTable(end.counters));
    this.result.dataset.digest = end.digest;
    if (end.not_stored) notice(`The files of this run could not be written: ${end.not_stored}`, "bad");
  }

  #goToResult() {
    this.result.scrollIntoView();
    this.result.querySelector("h2").focus({ preventScroll: true });
  }

  // A file contains only the text, so a comment repeats the settings that it cannot contain.
  #file() {
    const word = (setting) => `'${setting.replaceAll("'", "'\\''")}'`;
    const comment = this.#settings.length ? `# Run with ${this.#settings.map((setting) => `--set ${word(setting)}`).join(" ")}\n` : "";
    return comment + this.editor.text;
  }

  async #copyLink() {
    try {
      const path = ["bench", "x", await pack(this.editor.text), ...this.#settings];
      notice(await share(linkTo(path)));
      // The link contains this text, which therefore no longer counts as edited.
      keepEdit(this.address, null);
      [this.address, this.original] = [path.slice(1).map(encodeURIComponent).join("/"), this.editor.text];
      this.#keep();
    } catch (error) {
      notice(`No link: ${error.message}.`, "bad");
    }
  }

  repaint() {
    this.watch.repaint();
  }

  destroy() {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#run?.leave();
    this.watch.destroy();
    this.editor.destroy();
    this.sliders.destroy();
  }
}

const pace = (perSecond) => (perSecond < 1e5 ? `${Math.round(perSecond / 1e3)} thousand events/s` : `${(perSecond / 1e6).toFixed(1)} million events/s`);

// The warnings about the finished run, if there are any.
function warningList(warnings) {
  if (warnings.length === 0) return [];
  const point = ({ check, message }) => make("li", { "data-check": check }, `${message[0].toUpperCase()}${message.slice(1)}.`);
  return [make("ul", { class: "warnings", "aria-label": "Warnings" }, warnings.map(point))];
}

// The counters of the points, if any is not zero.
function counterTable(counters) {
  if (counters.length === 0) return [];
  const row = ({ name, title, meaning, text }) => make("tr", {}, make("th", { scope: "row", title: meaning }, title), make("td", { class: "number", "data-counter": name }, text));
  return [make("details", { class: "counters" }, make("summary", {}, "Counters of all flows"), make("table", { class: "metrics" }, make("tbody", {}, counters.map(row))))];
}

// On a narrow page the editor would cover the charts, so it is hidden at first.
function startsWithEditor() {
  const kept = keptSetting("editor");
  return kept ? kept === "shown" : matchMedia("(min-width: 1001px)").matches;
}

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
