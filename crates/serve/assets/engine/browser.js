// The engine in this browser: workers with WebAssembly. One worker checks scenarios, one computes theory, and each run has
// a worker of its own.

import { ask } from "../api.js";
import { download } from "../dom.js";
import { Staff } from "./staff.js";

const BESIDE_PAGE = new URL("../../", import.meta.url); // the folder of the page

export class BrowserEngine {
  name = "browser";
  #check = new Desk();
  #theory = new Desk();
  #runs = new Map(); // the workers of runs, by the numbers of the runs
  #last = 0;
  #data = new Map(); // files of the page, by name
  #page = null; // the last page of theory

  check(scenario, signal) {
    return this.#check.ask("check", scenario, signal);
  }

  async theory(question, signal) {
    const answer = await this.#theory.ask("theory", question, signal);
    if (answer.html === undefined) return answer;
    if (this.#page) URL.revokeObjectURL(this.#page);
    this.#page = URL.createObjectURL(new Blob([answer.html], { type: "text/html" }));
    return { page: this.#page, html: answer.html };
  }

  schema() {
    return this.#read("schema.json");
  }

  gallery() {
    return this.#read("gallery.json");
  }

  verdicts(id) {
    return `../papers/${id}.html`;
  }

  // A file that was written together with the page.
  #read(name) {
    if (!this.#data.has(name)) this.#data.set(name, ask(new URL(name, BESIDE_PAGE)));
    return this.#data.get(name);
  }

  async *run(wanted, signal) {
    this.#last += 1;
    const [id, worker, messages] = [this.#last, new Staff(), new Mailbox()];
    this.#runs.set(id, worker);
    signal.addEventListener("abort", () => {
      worker.dismiss();
      this.#runs.delete(id);
      messages.close(signal.reason);
    });
    signal.throwIfAborted();
    worker.listen((message) => messages.put(message), (error) => messages.close(error));
    await Promise.race([worker.call("run", { wanted, id }), messages.closed]);
    for (;;) {
      const message = await messages.take();
      yield message;
      if (["end", "failed", "stopped"].includes(message[0])) return;
    }
  }

  async order(id, order) {
    const worker = this.#runs.get(id);
    if (!worker) throw new Error("this run has ended");
    await worker.call("order", order);
  }

  offer(link, id, name) {
    link.href = "#";
    link.addEventListener("click", async (event) => {
      event.preventDefault();
      const octets = await this.#runs.get(id)?.call("file", name);
      if (octets) download(link.getAttribute("download") || name, new Blob([octets], { type: typeOf(name) }));
    });
  }
}

const typeOf = (name) => ({ html: "text/html", json: "application/json", csv: "text/csv" })[name.split(".").at(-1)] ?? "text/plain";

// A worker that handles one request at a time. A request that is cancelled while it waits is never sent to the worker.
class Desk {
  #worker = null;
  #before = Promise.resolve();

  async ask(method, argument, signal) {
    const turn = this.#before;
    let leave;
    this.#before = new Promise((resolve) => { leave = resolve; });
    try {
      await turn;
      signal?.throwIfAborted();
      const answer = await this.#staff().call(method, argument);
      signal?.throwIfAborted();
      return answer;
    } finally {
      leave();
    }
  }

  #staff() {
    if (!this.#worker || this.#worker.hasFailed) this.#worker = new Staff();
    return this.#worker;
  }
}

// Messages from a worker to a reader, which takes them one by one.
class Mailbox {
  #waiting = [];
  #taker = null;
  #error = null;

  constructor() {
    this.closed = new Promise((_, reject) => { this.#reject = reject; });
    this.closed.catch(() => {}); // a reader that has left need not know
  }

  #reject;

  put(message) {
    this.#waiting.push(message);
    this.#taker?.resolve();
  }

  close(error) {
    this.#error ??= error;
    this.#reject(error);
    this.#taker?.reject(this.#error);
  }

  async take() {
    if (!this.#waiting.length && !this.#error) await new Promise((resolve, reject) => { this.#taker = { resolve, reject }; });
    this.#taker = null;
    if (!this.#waiting.length) throw this.#error;
    return this.#waiting.shift();
  }
}
