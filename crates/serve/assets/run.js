// A run of the engine, which ends when this page leaves it.

import { History } from "./chart/history.js";
import { engine } from "./engine/engine.js";

export class Run {
  #abort = new AbortController();
  state = "starting"; // starting, waiting, running, paused, ended, failed, stopped
  description = null; // describes a run that has not begun
  start = null; // the start message, with the shown queues and ports
  history = null;
  end = null;
  message = "";

  /** `scenario`: { text, settings, seed }. `changed()` is called after every message. */
  constructor(scenario, { speed = null, paused = false, changed = () => {} } = {}) {
    this.changed = changed;
    this.#listen({ ...scenario, speed, paused });
  }

  get id() {
    return this.description?.id;
  }

  get isOver() {
    return ["ended", "failed", "stopped"].includes(this.state);
  }

  async #listen(wanted) {
    try {
      for await (const [event, data] of engine.run(wanted, this.#abort.signal)) {
        if (event === "start") {
          this.description = data;
          if (wanted.paused) this.state = "paused";
        } else if (event === "parts") {
          this.start = { ...this.description, ...data };
          this.history = new History(this.start);
          if (this.state !== "paused") this.state = "running";
        } else if (event === "waiting") {
          [this.state, this.message] = ["waiting", `waits for ${data.ahead} other ${data.ahead === 1 ? "run" : "runs"}`];
        } else if (event === "samples") {
          this.history.append(data);
        } else if (event === "paused") {
          this.state = "paused";
        } else if (event === "end") {
          [this.state, this.end] = ["ended", data];
        } else {
          [this.state, this.message] = [event, data?.message ?? ""];
        }
        this.changed(event);
      }
      if (!this.isOver) this.#over("failed", "the connection to the engine was lost");
    } catch (error) {
      if (error.name === "AbortError") this.#over("stopped", "");
      else this.#over("failed", error.message);
    }
  }

  #over(state, message) {
    if (this.isOver) return;
    [this.state, this.message] = [state, message];
    this.changed(state);
  }

  async #order(order) {
    if (this.id === undefined || this.isOver) return;
    await engine.order(this.id, order).catch((error) => { this.message = error.message; });
  }

  pause() {
    return this.#order({ action: "pause" });
  }

  async resume() {
    await this.#order({ action: "resume" });
    if (!this.isOver) this.state = "running";
    this.changed("resumed");
  }

  step(samples = 1) {
    return this.#order({ action: "step", samples });
  }

  setSpeed(speed) {
    return this.#order({ action: "speed", speed });
  }

  stop() {
    return this.#order({ action: "stop" });
  }

  /** Ends the run by closing its connection. */
  leave() {
    this.#abort.abort();
  }
}
