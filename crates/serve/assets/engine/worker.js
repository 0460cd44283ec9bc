// The worker that runs the engine. It answers calls one by one; between calls, it computes a run in time slices.

import init, { Run, check, theory } from "../engine.js";

const SLICE = 33; // milliseconds: the page draws about thirty times a second
const LONGEST = 2 ** 31 - 1; // the longest time that setTimeout accepts, in milliseconds

let run = null;
let timer = 0;
let reason = ""; // the message of a panic

// A message from this worker to itself arrives after the calls that are waiting and, unlike a timer, without delay.
const turns = new MessageChannel();
turns.port1.onmessage = () => attempt(advance);

globalThis.panicked = (message) => { reason = message; };

const METHODS = {
  load: async (engine) => { await init({ module_or_path: engine }); },
  check: (scenario) => JSON.parse(check(JSON.stringify(scenario))),
  theory: (question) => JSON.parse(theory(JSON.stringify(question))),
  run({ wanted, id }) {
    run = new Run(JSON.stringify(wanted), id);
    send();
    turns.port2.postMessage(null);
  },
  order(order) {
    run.order(JSON.stringify(order));
    // A run that is waiting for its timer continues now; a run that is computing needs no wake-up.
    if (timer) {
      clearTimeout(timer);
      timer = 0;
      turns.port2.postMessage(null);
    }
  },
  file: (name) => run.file(name),
};

function advance() {
  const wait = run.advance(SLICE);
  send();
  if (wait === undefined) return;
  if (wait === 0) turns.port2.postMessage(null);
  else timer = setTimeout(() => { timer = 0; attempt(advance); }, Math.min(wait, LONGEST));
}

function send() {
  const messages = JSON.parse(run.messages());
  if (messages.length) postMessage({ messages });
}

// After a panic, or if memory runs out, the engine cannot continue.
function attempt(work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    postMessage({ isFatal: true, error: `the engine failed: ${reason || error.message}` });
    return undefined;
  }
}

addEventListener("message", async ({ data: { number, method, argument } }) => {
  try {
    const value = await attempt(() => METHODS[method](argument));
    postMessage({ number, value });
  } catch (error) {
    postMessage({ number, error: error.message });
  }
});
