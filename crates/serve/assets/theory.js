// Theory of the current scenario: the fluid model drawn over the packet results, the fluid solution, the phase plane, and
// stability.

import { button, make, setMarkedText } from "./dom.js";
import { engine } from "./engine/engine.js";

export class TheoryPanel {
  #shown = null;
  #overlaid = false;
  #asking = null;
  #reasons = {}; // why a part of the theory does not apply, by part; null if it applies

  /**
   * `scenario()` gives the scenario; `overlay(fluid)` draws the fluid model's queue over that of the packets. The buttons are
   * disabled until the first `reset`.
   */
  constructor(host, scenario, overlay) {
    this.scenario = scenario;
    this.overlay = overlay;
    this.body = make("div", { class: "theory-body" });
    this.words = make("p", { class: "theory-words note", role: "status" });
    const part = (kind, label) => button(label, () => this.#toggle(kind), { "aria-pressed": "false", "data-kind": kind, disabled: true });
    this.fluidButton = button("Fluid overlay", () => this.#toggleOverlay(), { "aria-pressed": "false", disabled: true, id: "fluid", title: "Draw the queue of the fluid model over that of the packets" });
    this.buttons = [part("fluid", "Fluid model"), part("phase", "Phase plane"), part("stability", "Stability")];
    host.append(make("section", { class: "theory", "aria-label": "Theory" },
      make("div", { class: "theory-bar" }, make("h2", {}, "Theory"), this.fluidButton, this.buttons), this.words, this.body));
  }

  /** Call when the scenario has changed and the shown results belong to the old one. `reasons` are those of the check. */
  reset(reasons) {
    this.#reasons = reasons;
    this.#close();
    this.#clearOverlay();
    for (const each of this.#all()) each.disabled = Boolean(this.#reasons[partOf(each)]);
    setMarkedText(this.words, this.#inapplicable());
  }

  #all() {
    return [this.fluidButton, ...this.buttons];
  }

  // A sentence for each reason, with the buttons that it disables.
  #inapplicable() {
    const disabled = this.#all().filter((each) => each.disabled);
    const reasons = [...new Set(disabled.map((each) => this.#reasons[partOf(each)]))];
    const names = (reason) => disabled.filter((each) => this.#reasons[partOf(each)] === reason).map((each) => each.textContent);
    return reasons.map((reason) => `${names(reason).join(", ")}: ${reason}.`).join(" ");
  }

  #clearOverlay() {
    if (this.#overlaid) this.overlay(null);
    this.#overlaid = false;
    this.fluidButton.setAttribute("aria-pressed", "false");
  }

  async #toggleOverlay() {
    if (this.#overlaid) {
      this.#clearOverlay();
      return;
    }
    const fluid = await this.#ask("curves", this.fluidButton);
    if (!fluid) return;
    this.#overlaid = true;
    this.fluidButton.setAttribute("aria-pressed", "true");
    this.overlay(fluid);
  }

  #close() {
    this.#asking?.abort();
    this.#shown = null;
    this.body.replaceChildren();
    for (const other of this.buttons) other.setAttribute("aria-pressed", "false");
  }

  async #toggle(kind) {
    const wasShown = this.#shown === kind;
    this.#close();
    if (wasShown) return;
    const pressed = this.buttons.find((found) => found.dataset.kind === kind);
    const answer = await this.#ask(kind, pressed);
    if (!answer) return;
    this.#close();
    this.#shown = kind;
    pressed.setAttribute("aria-pressed", "true");
    this.body.replaceChildren(...contentOf(answer.html), make("p", { class: "note" }, make("a", { href: answer.page, target: "_blank", rel: "noopener" }, "Open as a page")));
  }

  // The answer of the engine. A model that cannot be computed disables the button until the scenario changes.
  async #ask(kind, asked) {
    this.#asking?.abort();
    this.#asking = new AbortController();
    this.words.textContent = "Computing …";
    try {
      const answer = await engine.theory({ ...this.scenario(), kind }, this.#asking.signal);
      setMarkedText(this.words, this.#inapplicable());
      return answer;
    } catch (error) {
      if (error.name === "AbortError") return null;
      this.#reasons = { ...this.#reasons, [partOf(asked)]: error.message };
      asked.disabled = true;
      setMarkedText(this.words, this.#inapplicable());
      return null;
    }
  }
}

// The part of the theory that a button shows, as the check names it.
const partOf = (button) => button.dataset.kind ?? "fluid";

// The content of a page of the engine, as part of this page: its text, tables and drawings, whose colours come from the
// theme. Scripts are left out, and names stay escaped.
function contentOf(html) {
  // Without the head, whose styles the policy of this page refuses.
  const part = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  const main = new DOMParser().parseFromString(part, "text/html").querySelector("main");
  for (const element of main.querySelectorAll("script, style, nav, h1, .part, #contents")) element.remove();
  for (const element of main.querySelectorAll("[id]")) element.id = `theory-${element.id}`;
  for (const element of main.querySelectorAll("[aria-labelledby]")) element.setAttribute("aria-labelledby", `theory-${element.getAttribute("aria-labelledby")}`);
  for (const { tag, level } of [{ tag: "h3", level: "h4" }, { tag: "h2", level: "h3" }]) {
    for (const heading of main.querySelectorAll(tag)) {
      const lower = document.createElement(level);
      lower.id = heading.id;
      lower.append(...heading.childNodes);
      heading.replaceWith(lower);
    }
  }
  return [...main.children].map((element) => document.importNode(element, true));
}
