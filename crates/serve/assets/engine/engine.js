// The engine of the page: it answers questions about scenarios and runs them. There are two, with the same interface:
//
// * name                       "server" or "browser"
// * check(scenario, signal)    problems, parameters, and the time and memory that a run needs
// * theory(question, signal)   curves of the fluid model, or a page as { page: address, html }
// * schema()                   the schema of scenarios
// * gallery(fresh)             scenarios, experiments, algorithms, and results; results are null if the engine stores none
// * verdicts(id)               the address of the page with the verdicts on an experiment, or null
// * run(wanted, signal)        runs a scenario: its messages, as [name, data]; the run and its files last until the signal aborts
// * order(id, order)           pauses, steps, resumes, stops or changes the speed of a run
// * offer(link, id, name)      makes a link save a file of a finished run
//
// All except verdicts and offer are asynchronous. If they fail, the error is a sentence for the user. The element
// <meta name="setpoint-engine"> of the page determines the engine.

import { BrowserEngine } from "./browser.js";
import { ServerEngine } from "./server.js";

const kind = document.querySelector("meta[name=setpoint-engine]")?.content;

export const engine = kind === "browser" ? new BrowserEngine() : new ServerEngine();
