// Theory of the current scenario: the fluid model drawn over the packet results, the phase plane, and stability.

import { button, make } from "./dom.js";
import { engine } from "./engine/engine.js";
import { notice } from "./notice.js";

export class TheoryPanel {
  #shown = null;
  #overlaid = false;

  constructor(host, scenario, overlay) {
    this.scenario = scenario;
    this.overlay = overlay;
    this.frame = make("div", { class: "theory-frame" });
    const page = (kind, label) => button(label, () => this.#page(kind), { "aria-pressed": "false", "data-kind": kind });
    this.fluidButton = button("Fluid overlay", () => this.#toggle(), { "aria-pressed": "false", id: "fluid", title: "Draw the queue of the fluid model over that of the packets" });
    this.buttons = [page("fluid", "Fluid model"), page("phase", "Phase plane"), page("stability", "Stability")];
    host.append(make("section", { class: "theory", "aria-label": "Theory" },
      make("div", { class: "theory-bar" }, make("h2", {}, "Theory"), this.fluidButton, this.buttons), this.frame));
  }

  /** Call when the scenario has changed and the shown results belong to the old one. */
  reset() {
    this.#close();
    if (this.#overlaid) this.overlay(null);
    this.#overlaid = false;
    this.fluidButton.setAttribute("aria-pressed", "false");
  }

  async #toggle() {
    if (this.#overlaid) {
      this.reset();
      return;
    }
    const fluid = await this.#ask("curves");
    if (!fluid) return;
    this.#overlaid = true;
    this.fluidButton.setAttribute("aria-pressed", "true");
    this.overlay(fluid);
  }

  #close() {
    this.#shown = null;
    this.frame.replaceChildren();
    for (const other of this.buttons) other.setAttribute("aria-pressed", "false");
  }

  async #page(kind) {
    if (this.#shown === kind) {
      this.#close();
      return;
    }
    const answer = await this.#ask(kind);
    if (!answer) return;
    this.#close();
    this.#shown = kind;
    const pressed = this.buttons.find((found) => found.dataset.kind === kind);
    pressed.setAttribute("aria-pressed", "true");
    this.frame.replaceChildren(
      make("iframe", { src: answer.page, title: pressed.textContent, sandbox: "allow-scripts allow-downloads" }),
      make("a", { href: answer.page, target: "_blank", rel: "noopener", class: "more" }, "open as a page"));
  }

  async #ask(kind) {
    try {
      return await engine.theory({ ...this.scenario(), kind });
    } catch (error) {
      notice(error.message, "bad");
      return null;
    }
  }
}
