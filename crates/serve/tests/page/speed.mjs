// Measures the engine in the browser against the program on one thread: `node speed.mjs [REPETITIONS]`. The site must be
// optimised (`./site DIR`, with `SETPOINT_SITE=DIR`), and so must the program (`SETPOINT=target/release/setpoint`). Runs alternate
// between the two, so that a noisy machine disturbs both alike; the table has medians.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

import { program } from "./program.mjs";
import { serveSite, site } from "./static.mjs";

// Durations for which the program computes for some seconds.
const SCENARIOS = { "bench-dumbbell-10": "8 s", "bench-dumbbell-400": "8 s", "bench-incast-pfc": "8 s", "bench-fat-tree-8": "40 ms" };
const SAMPLES = 40; // of a run: few, because the program records none here
const repetitions = Number(process.argv[2] ?? 5);

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const millions = (value) => (value / 1e6).toFixed(1);

const files = await serveSite();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ serviceWorkers: "block" });
  await page.goto(`${files.address}lab/`);
  console.log("| scenario | program | Chromium | ratio of medians |\n|---|---|---|---|");
  for (const [name, duration] of Object.entries(SCENARIOS)) await compare(page, name, duration);
  await page.close();
  console.log(`compressed engine: ${gzipSync(readFileSync(join(site, "lab/assets/engine.wasm"))).length} bytes`);
  const times = [];
  for (let done = 0; done < repetitions; done += 1) times.push(await firstSample());
  console.log(`from opening the page to the first sample: ${median(times)} ms (median of ${times.join(", ")})`);
  console.log(`Chromium ${browser.version()}`);
} finally {
  await browser.close();
  await files.close();
}

/** A row of the table: million packet-hops per second. */
async function compare(page, name, duration) {
  const [native, here] = [[], []];
  const [, number, unit] = /^(\d+) (\w+)$/.exec(duration);
  const settings = [`duration=${duration}`, `sample_interval=${Number(number) * 1000 / SAMPLES} ${unit === "s" ? "ms" : "us"}`];
  for (let done = 0; done < repetitions; done += 1) {
    const command = ["bench", name, "--json", ...settings.flatMap((setting) => ["--set", setting])];
    const found = JSON.parse((await promisify(execFile)(program, command)).stdout);
    native.push(found.packet_hops_per_second);
    const end = await run(page, name, settings);
    if (end.events !== found.events) throw new Error(`${name}: ${end.events} events in the browser, ${found.events} in the program`);
    here.push(found.packet_hops / end.took_s);
  }
  console.log(`| \`${name}\`, ${duration} | ${millions(median(native))} million | ${millions(median(here))} million | ${(median(here) / median(native)).toFixed(2)} |`);
}

/** Runs a built-in scenario in the engine of the page: the last message. */
function run(page, name, settings) {
  return page.evaluate(async ({ name, settings }) => {
    const { engine } = await import(new URL("assets/engine/engine.js", document.baseURI).href);
    const { text } = (await engine.gallery()).scenarios.find((scenario) => scenario.name === name);
    const leave = new AbortController();
    for await (const [kind, data] of engine.run({ text, settings }, leave.signal)) {
      if (kind === "failed") throw new Error(data.message);
      if (kind !== "end") continue;
      leave.abort();
      return { events: data.events, took_s: data.took_s };
    }
    throw new Error(`${name} did not end`);
  }, { name, settings });
}

/** Milliseconds from opening the bench, in a browser without a cache, to the first sample of a run. */
async function firstSample() {
  const page = await browser.newPage({ serviceWorkers: "block" });
  const began = Date.now();
  await page.goto(`${files.address}lab/#/bench/scenario/default`);
  await page.locator("#run:enabled").click();
  await page.locator(".watch[data-samples]:not([data-samples='0'])").waitFor();
  const took = Date.now() - began;
  await page.close();
  return took;
}
