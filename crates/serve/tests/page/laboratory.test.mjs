// The laboratory without a server: the engine in WebAssembly, in a folder of static files.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

import { program } from "./program.mjs";
import { hasSite, serveSite, site } from "./static.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
// Scenarios that run for long are compared only on request.
const EVERY = process.env.EVERY_SCENARIO !== undefined;
const isLong = (name) => name.startsWith("bench-") || ["fabric-incast", "rack-fabric-640"].includes(name);
const MEGABYTE = 1e6;

describe("the laboratory without a server", { skip: hasSite ? false : "there is no site: ./site target/site" }, () => {
  let folder, server, browser, page, errors, requests;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "setpoint-page-"));
    server = await serveSite();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });

  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    [errors, requests] = [[], []];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("request", (request) => requests.push(request.url()));
  });

  afterEach(async () => {
    await page.close();
    assert.deepEqual(errors, [], "no error on the console");
    assert.deepEqual(server.foreign, [], "every request is for a file of the folder");
    const outside = requests.filter((url) => !url.startsWith(server.address) && !url.startsWith("blob:") && !url.startsWith("data:"));
    assert.deepEqual(outside, [], "no request leaves the folder");
  });

  const open = (hash) => page.goto(`${server.address}lab/#${hash}`);
  const status = (pattern, timeout = 60_000) => page.locator(".bench-status", { hasText: pattern }).waitFor({ timeout });

  // Runs a scenario in the page's engine: its last message and the time that the engine took.
  const run = (scenario) => page.evaluate(async (scenario) => {
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

  const onCommandLine = async (name) => {
    const { stdout } = await promisify(execFile)(program, ["run", name, "--json", "--no-report", "-o", join(folder, name)], { maxBuffer: 1e9 });
    return JSON.parse(stdout).run.digest;
  };

  it("starts the first run soon after the page is opened", async () => {
    const began = Date.now();
    await open("/bench/scenario/default");
    await page.locator("#run:enabled").click();
    await status(/^(Running|Ended)/);
    const took = Date.now() - began;
    assert.ok(took < 3_000, `the first run starts after ${took} ms`);
    await status(/^Ended/);
    const size = gzipSync(readFileSync(join(site, "lab/assets/engine.wasm"))).length;
    assert.ok(size < 3 * MEGABYTE, `the engine has ${size} bytes when compressed`);
  });

  it("computes the digests of the command line", async (context) => {
    await open("/");
    await page.locator(".card").first().waitFor();
    const scenarios = await page.evaluate(async () => {
      const { engine } = await import(new URL("assets/engine/engine.js", document.baseURI).href);
      return (await engine.gallery()).scenarios.map(({ name, text }) => ({ name, text }));
    });
    let compared = 0;
    for (const { name, text } of scenarios.filter(({ name }) => EVERY || !isLong(name))) {
      const [here, native] = await Promise.all([run({ text }), onCommandLine(name)]);
      assert.equal(here.digest, native, `${name}: ${here.message}`);
      compared += 1;
      context.diagnostic(`${name}: ${here.took.toFixed(2)} s`);
    }
    assert.ok(compared > 20, `${compared} scenarios`);
  });

  it("refuses a run that is too large before it starts", async () => {
    await open("/bench/scenario/default");
    await page.locator("#run:enabled").waitFor();
    const refusal = await page.evaluate(async () => {
      const { engine } = await import(new URL("assets/engine/engine.js", document.baseURI).href);
      const text = "duration = \"1 s\"\nsample_interval = \"60 us\"\n[topology.dumbbell]\nsenders = 2000\n";
      const { refused, takes_s: takes } = await engine.check({ text });
      const started = await engine.run({ text }, new AbortController().signal).next().catch((error) => error.message);
      return { refused, takes, started };
    });
    assert.match(refusal.refused, /needs up to [\d.]+ GB of memory, above the limit of 1 GB in a browser; .*`setpoint run/);
    assert.deepEqual([refusal.takes, refusal.started], [null, refusal.refused]);
  });
});
