// The engine of `setpoint serve`: every question is a request.

import { ask, stream } from "../api.js";

export class ServerEngine {
  name = "server";
  #schema = null;
  #gallery = null;

  check(scenario, signal) {
    return ask("/api/check", scenario, signal);
  }

  theory(question, signal) {
    return ask("/api/theory", question, signal);
  }

  schema() {
    return (this.#schema ??= ask("/api/schema"));
  }

  gallery(fresh = false) {
    if (fresh || !this.#gallery) this.#gallery = ask("/api/gallery");
    return this.#gallery;
  }

  run(wanted, signal) {
    return stream("/api/runs", wanted, signal);
  }

  order(id, order) {
    return ask(`/api/runs/${id}`, order);
  }

  offer(link, id, name) {
    link.href = `/api/runs/${id}/${name}`;
  }
}
