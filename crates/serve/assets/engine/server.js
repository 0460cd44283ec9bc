// The engine of `setpoint serve`: every question is a request.

import { ask, stream, text } from "../api.js";

export class ServerEngine {
  name = "server";
  #schema = null;
  #gallery = null;

  check(scenario, signal) {
    return ask("/api/check", scenario, signal);
  }

  async theory(question, signal) {
    const answer = await ask("/api/theory", question, signal);
    return answer.page ? { ...answer, html: await text(answer.page, signal) } : answer;
  }

  schema() {
    return (this.#schema ??= ask("/api/schema"));
  }

  gallery(fresh = false) {
    if (fresh || !this.#gallery) this.#gallery = ask("/api/gallery");
    return this.#gallery;
  }

  verdicts() {
    return null; // `setpoint reproduce` writes these pages
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
