// A worker that runs the engine, and the calls that the page makes to it.

const ENGINE = new URL("../engine.wasm", import.meta.url);

let compiled = null; // the engine, compiled once for all workers

async function compile() {
  const response = await fetch(ENGINE);
  if (!response.ok) throw new Error(`the engine cannot be loaded: the server answered with ${response.status}`);
  // Compiling during the download requires the right content type, which a plain file server may not send.
  if (response.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

export class Staff {
  #worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  #calls = new Map(); // calls without an answer, by number
  #last = 0;
  #ready;
  #heard = () => {};
  #failed = () => {};
  hasFailed = false;

  constructor() {
    this.#worker.addEventListener("message", ({ data }) => this.#receive(data));
    this.#worker.addEventListener("error", (event) => this.#fail(new Error(`the engine failed: ${event.message ?? "its worker cannot be loaded"}`)));
    compiled ??= compile();
    this.#ready = compiled.then((engine) => this.#send("load", engine));
    this.#ready.catch((error) => {
      compiled = null; // the next worker tries again
      this.#fail(error);
    });
  }

  /** Calls a method of the worker. Calls are answered in order. */
  async call(method, argument) {
    await this.#ready;
    return this.#send(method, argument);
  }

  /** `heard` receives the messages that are not answers; `failed` receives the reason why there will be no more. */
  listen(heard, failed) {
    [this.#heard, this.#failed] = [heard, failed];
  }

  dismiss() {
    this.#worker.terminate();
    this.#calls.clear();
  }

  #send(method, argument) {
    if (this.hasFailed) return Promise.reject(new Error("the engine has failed; try again"));
    this.#last += 1;
    const number = this.#last;
    return new Promise((resolve, reject) => {
      this.#calls.set(number, { resolve, reject });
      this.#worker.postMessage({ number, method, argument });
    });
  }

  #receive({ number, value, error, isFatal, messages }) {
    if (messages) {
      for (const message of messages) this.#heard(message);
      return;
    }
    if (isFatal) {
      this.#fail(new Error(error));
      return;
    }
    const call = this.#calls.get(number);
    this.#calls.delete(number);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(error));
  }

  // The memory of a worker that has failed cannot be trusted.
  #fail(error) {
    if (this.hasFailed) return;
    this.hasFailed = true;
    for (const { reject } of this.#calls.values()) reject(error);
    this.dismiss();
    this.#failed(error);
  }
}
