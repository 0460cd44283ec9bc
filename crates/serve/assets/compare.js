// Compare: the same scenario and seed under two to four algorithms or parameter sets.

import { Cdf } from "./chart/cdf.js";
import { Chart } from "./chart/chart.js";
import { quantity } from "./chart/format.js";
import { button, make } from "./dom.js";
import { keptDraft } from "./draft.js";
import { engine } from "./engine/engine.js";
import { linkTo, pack, share, unpack } from "./link.js";
import { notice } from "./notice.js";
import { QUEUE_BANDS, queueBand } from "./queue-band.js";
import { Run } from "./run.js";
import { StaleMark } from "./stale.js";

const MOST = 4;
const MOST_VISIBLE = 16; // flows of a run that are initially visible

export async function showCompare(host, path) {
  const compare = new Compare(host);
  await compare.open(path);
  return compare;
}

class Compare {
  #runs = [];
  #ran = null; // scenario and variants of the runs
  #parts = [];
  #frame = 0;

  constructor(host) {
    this.scenario = make("select", { id: "compare-scenario", "aria-label": "Scenario" });
    this.variants = make("div", { class: "compare-variants" });
    this.runButton = button("Run all", () => this.start(), { class: "primary", id: "compare-run", disabled: true });
    this.linkButton = button("Link", () => this.#copyLink(), { id: "compare-link", title: "Copy a permanent link with this comparison" });
    this.addButton = button("Add", () => { this.#add(""); this.#changedInput(); }, { title: "Add a variant" });
    this.output = make("div", { class: "compare-output" });
    const page = make("div", { class: "page compare" });
    this.stale = new StaleMark(page, { title: "Earlier comparison", label: "Run all", run: () => this.start() });
    page.addEventListener("input", () => this.#changedInput());
    host.append(page);
    page.append(
      make("h1", {}, "Compare"),
      make("p", { class: "lead" }, "The same scenario and seed under two to four algorithms or parameter sets. A variant is a list of settings, such as control=smcc or control.qcn.cp.set_point=40kB, separated by spaces."),
      make("div", { class: "compare-bar" }, make("label", {}, "Scenario ", this.scenario), this.runButton, this.linkButton),
      this.variants, this.addButton, this.stale.element, this.output);
  }

  // The scenario and the variants that the next runs would compare.
  #wanted() {
    const variants = [...this.variants.querySelectorAll("input")].map((input) => input.value.trim());
    return { scenario: this.scenario.value, label: this.scenario.selectedOptions[0]?.textContent ?? "", variants };
  }

  #markStale() {
    this.stale.show(this.#ran ? changeOf(this.#ran, this.#wanted()) : null);
  }

  /** `path`: scenario/NAME, bench/- or x/TEXT, followed by the variants. */
  async open([kind, name, ...variants]) {
    try {
      const { scenarios, algorithms } = await engine.gallery();
      const draft = keptDraft();
      const choices = scenarios.map(({ name: own, text }) => ({ value: `scenario/${own}`, label: own, text }));
      if (draft) choices.unshift({ value: "bench/-", label: `${draft.name} (on the bench)`, text: draft.text });
      if (kind === "x") {
        const text = await unpack(name ?? "");
        if (text === null) notice("This link is incomplete; copy it again.", "bad");
        else choices.unshift({ value: `x/${name}`, label: `${/^name\s*=\s*"([^"]+)"/m.exec(text)?.[1] ?? "scenario"} (in the link)`, text });
      }
      this.texts = new Map(choices.map(({ value, text }) => [value, text]));
      this.scenario.append(...choices.map(({ value, label }) => make("option", { value }, label)));
      if (this.texts.has(`${kind}/${name}`)) this.scenario.value = `${kind}/${name}`;
      this.variants.after(make("datalist", { id: "algorithms" }, algorithms.map((own) => make("option", { value: `control=${own}` }))));
    } catch (error) {
      notice(error.message, "bad");
    }
    for (const variant of variants.length >= 2 ? variants : ["control=qcn", "control=smcc"]) this.#add(variant);
    this.runButton.disabled = !this.texts;
  }

  // The address follows the input, so that Back and a reload show the same comparison.
  #changedInput() {
    this.#markStale();
    const { scenario, variants } = this.#wanted();
    history.replaceState(null, "", `#/${["compare", ...scenario.split("/"), ...variants].map(encodeURIComponent).join("/")}`);
  }

  async #copyLink() {
    const { scenario, variants } = this.#wanted();
    const [kind, name] = scenario.split("/");
    try {
      const named = kind === "bench" ? ["x", await pack(this.texts.get(scenario))] : [kind, name];
      notice(await share(linkTo(["compare", ...named, ...variants])));
    } catch (error) {
      notice(`No link: ${error.message}.`, "bad");
    }
  }

  #add(value) {
    if (this.variants.children.length >= MOST) return;
    const input = make("input", { value, list: "algorithms", spellcheck: "false", "aria-label": `Settings of variant ${this.variants.children.length + 1}` });
    const row = make("div", { class: "compare-variant" }, input, button("Remove", () => {
      if (this.variants.children.length > 2) row.remove();
      this.addButton.disabled = false;
      this.#changedInput();
    }, { class: "quiet" }));
    this.variants.append(row);
    this.addButton.disabled = this.variants.children.length >= MOST;
    this.#markStale();
  }

  async start() {
    this.#clear();
    const wanted = this.#wanted();
    const { variants } = wanted;
    const text = this.texts.get(wanted.scenario);
    const settings = variants.map((variant) => (variant ? variant.split(/\s+(?=[\w.-]+=)/) : []));
    for (const [index, list] of settings.entries()) {
      const answer = await engine.check({ text, settings: list }).catch((error) => ({ ok: false, problems: [{ message: error.message }] }));
      const problem = answer.ok ? answer.refused : answer.problems[0].message;
      if (problem) {
        notice(`Variant ${index + 1}: ${problem}`, "bad");
        return;
      }
    }
    this.#ran = wanted;
    this.#markStale();
    this.status = make("p", { role: "status", class: "bench-status" }, "Running …");
    this.columns = make("div", { class: "compare-columns" });
    this.output.append(this.status, this.columns);
    this.#runs = settings.map((list, index) => {
      const run = new Run({ text, settings: list }, { changed: () => this.#changed() });
      run.name = variants[index] || "as written";
      return run;
    });
  }

  #changed() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#parts.length === 0 && this.#runs.every((run) => run.start || run.isOver)) this.#build();
      this.#parts.forEach((part) => part.update());
      const failed = this.#runs.find((run) => run.state === "failed");
      if (failed) this.status.textContent = `${failed.name}: ${failed.message}`;
      else if (this.#runs.every((run) => run.isOver)) this.#finish();
    });
  }

  // The queues in one chart, then the rates side by side on common axes.
  #build() {
    const runs = this.#runs.filter((run) => run.start);
    const starts = runs.map((run) => run.start);
    const shared = { duration: Math.max(...starts.map((start) => start.duration_s)), group: this, wheel: "key" };
    if (starts.every((start) => start.queues.length)) {
      const host = make("div");
      this.columns.before(host);
      const queue = common(starts.map((start) => start.queues[0].name));
      this.#parts.push(new Chart(host, {
        ...shared, title: queue ? `Queue ${queue}` : "Queue with the most flows", unit: "B", height: 260, time: () => runs[0].history.time,
        events: common(starts.map((start) => JSON.stringify(start.events))) ? starts[0].events : [],
        bands: QUEUE_BANDS,
        series: runs.map((run) => ({ name: run.name, time: () => run.history.time, ...queueBand(() => run.history, 0) })),
        references: setPoints(starts),
      }));
    }
    const top = Math.max(...starts.flatMap((start) => start.ports.map((port) => port.rate_bps)), 1);
    for (const run of runs) {
      const host = make("div", { class: "compare-column" });
      this.columns.append(host);
      this.#parts.push(new Chart(host, {
        ...shared, title: `Rates: ${run.name}`, unit: "b/s", height: 220, time: () => run.history.time,
        series: run.start.flows.map((flow, index) => ({ name: flow.name, column: () => run.history.column("flow.rate_bps", index), visible: index < MOST_VISIBLE })),
        references: [{ value: top, label: `fastest port ${quantity(top, "b/s")}` }],
      }));
    }
  }

  #finish() {
    const ended = this.#runs.filter((run) => run.state === "ended");
    this.status.textContent = ended.length === this.#runs.length ? `All runs have ended; their seed is ${ended[0].start.seed}.` : "Some runs were stopped.";
    if (this.table || ended.length === 0) return;
    const withMessages = ended.filter((run) => run.end.completions_s.length > 0);
    if (withMessages.length) {
      const host = make("div");
      this.output.append(host);
      this.#parts.push(new Cdf(host, {
        title: "Completion times of messages (share of messages)", unit: "s", log: true, height: 260, group: {},
        series: withMessages.map((run) => ({ name: run.name, values: Float64Array.from(run.end.completions_s) })),
      }));
    }
    this.table = metricTable(ended);
    this.output.append(make("h2", {}, "Metrics"), this.table);
  }

  #clear() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#runs.forEach((run) => run.leave());
    this.#parts.forEach((part) => part.destroy());
    [this.#runs, this.#ran, this.#parts, this.table] = [[], null, [], null];
    this.output.replaceChildren();
    this.stale.show(null);
  }

  repaint() {
    this.#parts.forEach((part) => part.repaint());
  }

  destroy() {
    this.#clear();
  }
}

// The first difference between the runs shown and the requested runs; null if there is none.
function changeOf(ran, wanted) {
  if (ran.scenario !== wanted.scenario) return `scenario: ${ran.label} → ${wanted.label}`;
  if (ran.variants.length !== wanted.variants.length) return `${wanted.variants.length} variants instead of ${ran.variants.length}`;
  const index = ran.variants.findIndex((variant, at) => variant !== wanted.variants[at]);
  const named = (variant) => variant || "as written";
  return index < 0 ? null : `variant ${index + 1}: ${named(ran.variants[index])} → ${named(wanted.variants[index])}`;
}

// The value if all are equal, otherwise null.
const common = (values) => (values.every((value) => value === values[0]) ? values[0] : null);

// One line for each distinct set point.
function setPoints(starts) {
  const values = [...new Set(starts.map((start) => start.set_point_bytes).filter((value) => value !== null))];
  return values.map((value) => ({ value, label: `set point ${quantity(value, "B")}` }));
}

// Every metric and counter that any run has, with the difference of each run from the first.
function metricTable(runs) {
  const metrics = (run) => [...run.end.metrics, ...run.end.counters];
  const all = [...new Map(runs.flatMap((run) => metrics(run).map((metric) => [metric.name, metric]))).values()];
  const of = (run, name) => metrics(run).find((metric) => metric.name === name);
  const head = make("tr", {}, make("th", { scope: "col" }, "Metric"), runs.map((run) => make("th", { scope: "col", class: "number" }, run.name)));
  const cell = (run, { name }, index) => {
    const [first, own] = [of(runs[0], name), of(run, name)];
    const text = own ? `${own.is_lower_bound ? "≥ " : ""}${own.text}` : "–";
    return make("td", { class: "number", "data-metric": name }, text, index ? make("span", { class: "note" }, difference(first, own)) : null);
  };
  const rows = all.map((metric) => make("tr", {}, make("th", { scope: "row", title: metric.meaning }, metric.title), runs.map((run, index) => cell(run, metric, index))));
  return make("table", { class: "metrics" }, make("thead", {}, head), make("tbody", {}, rows));
}

// The difference as text, such as " +12 %" or " ×3.4"; empty if there is nothing to compare with.
function difference(first, own) {
  if (!first || !own || first.value === 0 || first.value === own.value) return "";
  const ratio = own.value / first.value;
  if (ratio >= 3) return ` ×${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio)}`;
  const change = Math.abs(ratio - 1) * 100;
  return ` ${ratio > 1 ? "+" : "−"}${change < 10 ? change.toFixed(1) : Math.round(change)} %`;
}
