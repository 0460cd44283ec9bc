// A lecture: one step per screen in large type, with a text, a run, and what to watch. Arrow keys, buttons and swipes turn
// to the next and the previous step.

import { quantity } from "./chart/format.js";
import { button, make, setText } from "./dom.js";
import { engine } from "./engine/engine.js";
import { pack } from "./link.js";
import { notice } from "./notice.js";
import { Run } from "./run.js";
import { WatchView } from "./watch.js";

const SWIPE = 60; // pixels

/** `path`: the lecture, and the number of the step, from 1. */
export async function showLecture(host, [id, number]) {
  let lectures;
  try {
    ({ lectures } = await engine.gallery());
  } catch (error) {
    notice(error.message, "bad");
    return {};
  }
  const lecture = lectures.find((found) => found.id === id) ?? lectures[0];
  const at = Math.min(lecture.steps.length, Math.max(1, Number.parseInt(number, 10) || 1));
  return new Step(host, lecture, at - 1);
}

// Keeps a number and its unit on one line.
const kept = (text) => text.replace(/(\d) (?=[kMG]?(?:B|b\/s|s)\b|[mµ]s\b|%)/g, "$1\u00a0");

class Step {
  #run = null;
  #variant = 0; // 0 is the step itself, followed by its changes
  #found = new Map(); // metrics of ended runs, by variant
  #stop = new AbortController();
  #swipe = null;

  constructor(host, lecture, at) {
    [this.lecture, this.at, this.step] = [lecture, at, lecture.steps[at]];
    const { step } = this;
    this.variants = [{ label: "As shown", settings: step.settings, watch: step.watch }, ...step.changes];
    document.body.classList.add("lecturing");
    this.heading = make("h1", { tabindex: "-1" }, step.title);
    this.watchList = make("ul", { class: "lecture-watch" });
    this.figures = make("table", { class: "lecture-figures" });
    this.measured = make("p", { class: "lecture-measured" });
    this.text = make("article", { class: "lecture-text" },
      make("p", { class: "lecture-kicker" }, `${lecture.title} · ${at + 1} of ${lecture.steps.length}`),
      this.heading, step.text.map((paragraph) => make("p", {}, kept(paragraph))),
      make("h2", {}, "What to watch"), this.watchList, this.figures, this.measured);
    this.status = make("p", { class: "lecture-status", role: "status" });
    this.choices = make("div", { class: "lecture-choices", role: "group", "aria-label": "Variants of the run" });
    const watchHost = make("div", { class: "lecture-charts" });
    this.element = make("div", { class: "lecture" }, this.text,
      make("section", { class: "lecture-run", "aria-label": "Run" }, make("div", { class: "lecture-bar" }, this.#runButton(), this.choices, this.status), watchHost),
      this.#navigation());
    host.append(this.element);
    this.watch = new WatchView(watchHost, { show: step.show, large: true, heights: () => this.#heights() });
    this.#choose(0);
    this.#listen();
    this.#preview();
    this.heading.focus({ preventScroll: true });
  }

  #runButton() {
    this.runButton = button("Run", () => this.#runOrPause(), { class: "primary", id: "lecture-run", title: "Run or pause (space bar)" });
    return this.runButton;
  }

  #navigation() {
    const { steps } = this.lecture;
    const link = (label, to, attributes) => make("a", { ...attributes, href: steps[to] ? this.#address(to) : null, "aria-disabled": steps[to] ? null : "true" }, label);
    const dots = steps.map(({ title }, index) => make("li", {}, make("a", { href: this.#address(index), title, "aria-label": `Step ${index + 1}: ${title}`, "aria-current": index === this.at ? "step" : null })));
    this.bench = make("a", { href: "#/bench", title: "Change this scenario on the bench" }, "Bench");
    this.full = button("Full screen", () => this.#toggleFull(), { id: "lecture-full", title: "Full screen (F)" });
    return make("nav", { class: "lecture-nav", "aria-label": "Steps" },
      link("← Previous", this.at - 1, { id: "lecture-previous", class: "lecture-turn" }), make("ol", { class: "lecture-dots" }, dots),
      this.bench, make("a", { href: "#/" }, "Gallery"), this.full,
      link("Next →", this.at + 1, { id: "lecture-next", class: "lecture-turn" }));
  }

  #address(index) {
    return `#/lecture/${this.lecture.id}/${index + 1}`;
  }

  // ---- runs -------------------------------------------------------------------------------------------------------

  #scenario() {
    return { text: this.step.scenario, settings: this.variants[this.#variant].settings };
  }

  async #preview() {
    try {
      const { network, ok, problems, description } = await engine.check(this.#scenario(), this.#stop.signal);
      if (!ok) notice(problems[0].message, "bad");
      else if (!this.#run && network) this.watch.preview(network);
      if (description) this.text.setAttribute("aria-description", description);
      // The bench opens the same scenario with the settings of the step.
      const { seed: _, ...scenario } = this.#scenario();
      this.bench.href = `#/bench/x/${await pack(scenario.text)}${scenario.settings.map((setting) => `/${encodeURIComponent(setting)}`).join("")}`;
    } catch (error) {
      if (error.name !== "AbortError") notice(error.message, "bad");
    }
  }

  #choose(index) {
    this.#variant = index;
    this.watchList.replaceChildren(...this.variants[index].watch.map((sentence) => make("li", {}, kept(sentence))));
    const choice = ({ label }, at) => button(label, () => this.#start(at), { "aria-pressed": String(at === index), class: "lecture-choice" });
    this.choices.replaceChildren(...(this.variants.length > 1 ? this.variants.map(choice) : []));
    this.#showFigures();
  }

  #start(index) {
    this.#run?.leave();
    const isNew = index !== this.#variant;
    if (isNew) this.#choose(index);
    this.#run = new Run(this.#scenario(), { speed: this.step.speed, changed: (event) => this.#changed(event) });
    this.watch.show(this.#run);
    if (isNew) {
      this.choices.children[index].focus({ preventScroll: true });
      this.#preview();
    }
    this.#changed("starting");
  }

  #runOrPause() {
    if (!this.#run || this.#run.isOver) this.#start(this.#variant);
    else if (this.#run.state === "paused") this.#run.resume();
    else this.#run.pause();
  }

  #changed(event) {
    const run = this.#run;
    this.watch.changed(event);
    const label = run.isOver ? "Run again" : run.state === "paused" ? "Resume" : "Pause";
    setText(this.runButton, label);
    const { history, start, message } = run;
    const at = history?.length ? `${quantity(history.time[history.length - 1], "s", 3)} of ${quantity(start.duration_s, "s")}` : "";
    setText(this.status, run.state === "failed" ? `Failed: ${message}` : run.state === "waiting" ? `This run ${message}.` : at);
    this.element.dataset.state = run.state;
    if (event !== "end") return;
    this.#found.set(this.#variant, run.end.metrics);
    if (start.measure_from_s > 0) setText(this.measured, `Figures are measured from ${quantity(start.measure_from_s, "s")}.`);
    this.#showFigures();
  }

  // The figures of all variants that have run, side by side. Their places are reserved.
  #showFigures() {
    const { figures } = this.step;
    if (!figures.length) return;
    const shown = this.variants.map((_, index) => index).filter((index) => this.#found.has(index) || index === this.#variant);
    const value = (index, name) => this.#found.get(index)?.find((metric) => metric.name === name)?.text ?? "–";
    const head = this.variants.length > 1 ? make("thead", {}, make("tr", {}, make("td"), shown.map((index) => make("th", { scope: "col" }, this.variants[index].label)))) : null;
    const rows = figures.map(({ name, title }) => make("tr", {}, make("th", { scope: "row" }, title), shown.map((index) => make("td", { "data-metric": name }, value(index, name)))));
    this.figures.replaceChildren(...[head, make("tbody", {}, rows)].filter(Boolean));
  }

  #heights() {
    const room = innerHeight - 170;
    const isStacked = matchMedia("(max-width: 1000px)").matches;
    const charts = this.step.show.filter((part) => part !== "network").length;
    const hasNetwork = this.step.show.includes("network");
    const network = charts ? room * (charts > 1 ? 0.34 : 0.48) - 40 : room - 40;
    const rest = hasNetwork ? room - network - 60 : room;
    return { network: isStacked ? 260 : network, chart: isStacked ? 240 : Math.max(140, rest / Math.max(1, charts) - (charts > 1 ? 104 : 34)) };
  }

  // ---- keys, touch, full screen --------------------------------------------------------------------------------------

  #listen() {
    const { signal } = this.#stop;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.text.addEventListener("touchstart", ({ changedTouches: [touch] }) => { this.#swipe = [touch.clientX, touch.clientY]; }, { signal, passive: true });
    this.text.addEventListener("touchend", ({ changedTouches: [touch] }) => {
      if (!this.#swipe) return;
      const [dx, dy] = [touch.clientX - this.#swipe[0], touch.clientY - this.#swipe[1]];
      this.#swipe = null;
      if (Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) this.#turn(this.at - Math.sign(dx));
    }, { signal, passive: true });
    document.addEventListener("fullscreenchange", () => setText(this.full, document.fullscreenElement ? "Leave full screen" : "Full screen"), { signal });
    setText(this.full, document.fullscreenElement ? "Leave full screen" : "Full screen");
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    // Charts and the network have their own keys, but the keys of presentation remotes always change the step.
    const isElsewhere = event.target.closest?.(".watch");
    const isControl = event.target.closest?.("button, a");
    const last = this.lecture.steps.length - 1;
    const actions = { PageDown: () => this.#turn(this.at + 1), PageUp: () => this.#turn(this.at - 1) };
    if (!isElsewhere) Object.assign(actions, { ArrowRight: actions.PageDown, ArrowLeft: actions.PageUp, Home: () => this.#turn(0), End: () => this.#turn(last), f: () => this.#toggleFull() });
    if (!isElsewhere && !isControl) actions[" "] = () => this.#runOrPause();
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  #turn(to) {
    if (this.lecture.steps[to] && to !== this.at) location.hash = this.#address(to);
  }

  #toggleFull() {
    const asked = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    asked.catch(() => notice("This browser does not allow full screen."));
  }

  repaint() {
    this.watch.repaint();
  }

  destroy() {
    this.#stop.abort();
    this.#run?.leave();
    this.watch.destroy();
    document.body.classList.remove("lecturing");
  }
}
