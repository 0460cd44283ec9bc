// The laboratory without a server: the engine in WebAssembly, in a folder of static files.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";

import { program } from "./program.mjs";
import { noSite, sited } from "./static.mjs";

// Scenarios that run for long are shortened, unless their whole runs are requested. The largest networks are divided into
// partitions even on one thread.
const WHOLE = process.env.WHOLE_RUNS !== undefined;
const isLarge = (name) => name.endsWith("-640") || name === "bench-fat-tree-16";
const isLong = (name) => name.startsWith("bench-") || name === "fabric-incast" || isLarge(name);
const shortened = (name) => {
  if (WHOLE || !isLong(name)) return [];
  const [duration, sample] = isLarge(name) ? ["20us", "10us"] : ["200us", "20us"];
  return [`duration=${duration}`, "measure_from=0s", `sample_interval=${sample}`];
};

describe("the laboratory without a server", { skip: noSite }, () => {
  const test = sited();
  let folder;
  before(() => { folder = mkdtempSync(join(tmpdir(), "setpoint-page-")); });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const open = (hash) => test.page.goto(`${test.address}lab/#${hash}`);
  const status = (pattern, timeout = 60_000) => test.page.locator(".bench-status", { hasText: pattern }).waitFor({ timeout });

  // Runs a scenario in the page's engine: its last message and the time that the engine took.
  const run = (scenario) => test.page.evaluate(async (scenario) => {
    const { engine } = await import(new URL("assets/engine/engine.js", document.baseURI).href);
    const leave = new AbortController();
    for await (const [name, data] of engine.run(scenario, leave.signal)) {
      if (name === "end" || name === "failed") {
        leave.abort();
        return { name, digest: data.digest, message: data.message, took: data.took_s };
      }
    }
    return { name: "nothing" };
  }, scenario);

  const check = (scenario) => test.page.evaluate(async (scenario) => {
    const { engine } = await import(new URL("assets/engine/engine.js", document.baseURI).href);
    return engine.check(scenario);
  }, scenario);

  const onCommandLine = async (name, ...options) => {
    const command = ["run", name, "--json", "--no-report", "-o", join(folder, name), ...options];
    const { stdout } = await promisify(execFile)(program, command, { maxBuffer: 1e9 });
    return JSON.parse(stdout).run.digest;
  };

  it("runs the default scenario", async (context) => {
    const began = Date.now();
    await open("/bench/scenario/default");
    await test.page.locator("#run:enabled").click();
    await status(/^(Running|Ended)/);
    context.diagnostic(`the run starts after ${Date.now() - began} ms`);
    await status(/^Ended/);
  });

  it("computes the digests of the command line", async (context) => {
    await open("/");
    await test.page.locator(".card").first().waitFor();
    const scenarios = await test.page.evaluate(async () => {
      const { engine } = await import(new URL("assets/engine/engine.js", document.baseURI).href);
      return (await engine.gallery()).scenarios.map(({ name, text }) => ({ name, text }));
    });
    let [compared, large] = [0, 0];
    for (const { name, text } of scenarios) {
      const settings = shortened(name);
      const { refused } = await check({ text, settings });
      if (refused) {
        large += 1;
        context.diagnostic(`${name} does not fit: ${refused}`);
        continue;
      }
      const [here, native] = await Promise.all([run({ text, settings }), onCommandLine(name, ...settings.flatMap((setting) => ["--set", setting]))]);
      assert.equal(here.digest, native, `${name}: ${here.message}`);
      compared += 1;
      context.diagnostic(`${name}: ${here.took.toFixed(2)} s, digest ${native.slice(0, 12)}`);
    }
    context.diagnostic(`${compared} scenarios agree, ${large} do not fit`);
    assert.ok(compared > 30, `${compared} scenarios`);
  });

  it("refuses a run that is too large before it starts", async () => {
    await open("/bench/scenario/default");
    await test.page.locator("#run:enabled").waitFor();
    const refusal = await test.page.evaluate(async () => {
      const { engine } = await import(new URL("assets/engine/engine.js", document.baseURI).href);
      const text = "duration = \"1 s\"\nsample_interval = \"60 us\"\n[topology.dumbbell]\nsenders = 2000\n";
      const { refused, takes_s: takes } = await engine.check({ text });
      const started = await engine.run({ text }, new AbortController().signal).next().catch((error) => error.message);
      return { refused, takes, started };
    });
    assert.match(refusal.refused, /needs up to [\d.]+ GB of memory, above the limit of 1 GB in a browser; .*; save the scenario with TOML, and `setpoint run scenario\.toml --memory [\d.]+GB`/);
    assert.deepEqual([refusal.takes, refusal.started], [null, refusal.refused]);
  });

  it("shows the command for a built-in scenario that is too large, and disables its run", async () => {
    await open("/bench/scenario/default/topology.dumbbell.senders=2000/sample_interval=240us");
    const command = /setpoint run default --set sample_interval=240us --set topology\.dumbbell\.senders=2000 --memory [\d.]+GB runs it outside the browser/;
    await test.page.locator(".bench-facts", { hasText: command }).waitFor();
    for (const button of ["#run", "#step"]) assert.ok(await test.page.locator(button).isDisabled(), button);
    await test.page.evaluate(async () => {
      const { EditorView } = await import(new URL("assets/vendor/codemirror.min.js", document.baseURI).href);
      const view = EditorView.findFromDOM(document.querySelector(".cm-editor"));
      const text = view.state.doc.toString().replace("senders = 2000", "senders = 2");
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "input.paste" });
    });
    await test.page.locator("#run:enabled").waitFor();
    assert.ok(!await test.page.locator(".bench-facts", { hasText: "setpoint run" }).count());
  });

  it("runs a step of a lecture", async () => {
    await open("/lecture/qcn/7");
    await test.page.locator("#lecture-run").click();
    await test.page.locator(".lecture[data-state=ended]").waitFor({ timeout: 60_000 });
    const paused = await test.page.locator(".lecture-figures [data-metric=paused_s]").first().textContent();
    assert.match(paused, /^\d.*\s[mµ]s$/);
  });
});
