// The page in a real browser, from the first click to the download, with both engines: `setpoint serve`, and WebAssembly.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, afterEach, describe, it } from "node:test";
import { chromium } from "playwright-core";

import { program } from "./program.mjs";
import { noSite, serveSite } from "./static.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
// Shortens the default scenario.
const SHORT = ["duration = \"4 s\"", "duration = \"400 ms\""];

for (const engine of ["server", "browser"]) describe(`the page with the engine of the ${engine}`, { skip: engine === "browser" && noSite }, () => {
  let folder, server, files, address, browser, page, errors, requests;

  async function startServer() {
    server = spawn(program, ["serve", "--port", "0", "--results", join(folder, "results")], { cwd: folder });
    return new Promise((resolve, reject) => {
      let text = "";
      server.stdout.on("data", (data) => {
        text += data;
        const found = text.match(/http:\/\/\S+/);
        if (found) resolve(found[0]);
      });
      server.on("exit", () => reject(new Error(`the server has ended: ${text}`)));
    });
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "setpoint-page-"));
    if (engine === "server") {
      address = await startServer();
    } else {
      files = await serveSite();
      address = `${files.address}lab/`;
    }
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });

  after(async () => {
    await browser?.close();
    await files?.close();
    if (server) {
      server.removeAllListeners("exit");
      server.kill("SIGTERM");
      const code = await new Promise((resolve) => server.on("exit", resolve));
      assert.equal(code, 0, "SIGTERM ends the server cleanly");
    }
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, serviceWorkers: "block" });
    [errors, requests] = [[], []];
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  });

  afterEach(async () => {
    await page.close();
    assert.deepEqual(errors, [], "no error on the console");
    const own = [new URL(address).origin, "blob:", "data:"];
    assert.deepEqual(requests.filter((url) => !own.some((start) => url.startsWith(start))), [], "no request leaves the server");
  });

  const open = (hash) => page.goto(`${address}#${hash}`);
  const editor = () => page.locator(".bench-editor .cm-content");
  // The editor draws only the visible lines, so its text comes from its state.
  const text = () => page.evaluate(async () => {
    const { EditorView } = await import(new URL("assets/vendor/codemirror.min.js", document.baseURI).href);
    return EditorView.findFromDOM(document.querySelector(".cm-editor"))?.state.doc.toString();
  });
  const write = (insert) => page.evaluate(async (insert) => {
    const { EditorView } = await import(new URL("assets/vendor/codemirror.min.js", document.baseURI).href);
    const view = EditorView.findFromDOM(document.querySelector(".cm-editor"));
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: "input.paste" });
  }, insert);
  const samples = async () => Number(await page.locator(".watch").getAttribute("data-samples"));
  const queue = async () => Number(await page.locator(".watch").getAttribute("data-queue"));
  const status = (pattern, timeout = 30_000) => page.locator(".bench-status", { hasText: pattern }).waitFor({ timeout });

  // Waits until a condition holds on the page. Playwright's own wait would evaluate text, which the page's policy forbids.
  async function until(holds, argument, timeout = 30_000) {
    for (const end = Date.now() + timeout; Date.now() < end;) {
      if (await page.evaluate(holds, argument)) return;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    assert.fail(`never: ${holds}`);
  }

  // Waits until the text of the editor matches.
  async function untilText(pattern) {
    for (const end = Date.now() + 30_000; Date.now() < end;) {
      if (pattern.test(await text())) return;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    assert.fail(`${pattern} never matches ${await text()}`);
  }

  // Waits until all received data is drawn: the page draws in the next frame.
  const drawn = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

  // Opens the default scenario, shortened, and waits until it is checked.
  async function shortBench() {
    await open("/bench/scenario/default");
    await page.locator(".bench-facts", { hasText: "qcn, 10 flows, 4 s" }).waitFor();
    await write((await text()).replace(...SHORT).replace(/\[\[at\]\][\s\S]*$/, "").replace("500 ms", "100 ms"));
    await page.locator(".bench-facts", { hasText: "400 ms" }).waitFor();
  }

  it("lists scenarios and experiments, and finds them", async () => {
    await open("/");
    await page.locator(".card").first().waitFor();
    const all = await page.locator(".cards li:visible").count();
    assert.ok(all > 50, `${all} cards`);
    await page.locator(".gallery-search").fill("incast pfc");
    const found = await page.locator(".cards li:visible").allTextContents();
    assert.ok(found.length > 0 && found.length < all && found.every((card) => /incast/i.test(card)));
    await page.locator(".card:visible").first().click();
    await page.locator(".bench-editor").waitFor();
  });

  it("runs the default to its end, and the queue settles", async () => {
    await open("/bench/scenario/default");
    await page.locator("#run:enabled").click();
    await status(/^Ended: 4.s/);
    await until(() => Number(document.querySelector(".watch").dataset.samples) === 1000);
    const length = await queue();
    assert.ok(length > 15_000 && length < 45_000, `the queue ends near its set point of 26 kB: ${length}`);
    const words = await page.locator(".words").textContent();
    assert.match(words, /set point of 26.kB/);
    const folderOfRun = join(folder, "cli");
    execFileSync(program, ["run", "-q", "-o", folderOfRun]);
    const manifest = JSON.parse(readFileSync(join(folderOfRun, "manifest.json"), "utf8"));
    assert.equal(await page.locator(".bench-result").getAttribute("data-digest"), manifest.digest, "the digest of `setpoint run`");
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".files a", { hasText: "flows.csv" }).click()]);
    assert.equal(readFileSync(await file.path(), "utf8"), readFileSync(join(folderOfRun, "flows.csv"), "utf8"), "the CSV of `setpoint run`");
  });

  it("shows a problem at its line", async () => {
    await shortBench();
    await write(`${await text()}\n[network.nonsense]\n`);
    const problem = page.locator(".bench-editor [class*=problem]", { hasText: "nonsense" }).first();
    await problem.waitFor();
    const line = (await text()).split("\n").findIndex((found) => found.includes("nonsense")) + 1;
    assert.match(await page.locator(".bench-editor").textContent(), new RegExp(`line ${line}\\b`));
    assert.ok(await page.locator("#run").isDisabled());
  });

  it("writes a slider into the text, and reads it from there", async () => {
    await shortBench();
    const slider = page.locator(".sliders input[type=range]").nth(2);
    await slider.focus();
    await page.keyboard.press("End");
    await untilText(/set_point = "208 kB"/);
    await write((await text()).replace('"208 kB"', '"52 kB"'));
    await until(() => [...document.querySelectorAll(".sliders input:not([type=range])")].some((field) => field.value === "52"));
  });

  it("undoes the moves of a slider in one step", async () => {
    await shortBench();
    const before = await text();
    const slider = page.locator(".sliders input[type=range]").nth(2);
    await slider.focus();
    for (const key of ["ArrowRight", "ArrowRight", "End"]) await page.keyboard.press(key);
    await untilText(/set_point = "208 kB"/);
    await editor().press("Control+z");
    assert.equal(await text(), before);
    await until(() => [...document.querySelectorAll(".sliders input:not([type=range])")].some((field) => field.value === "26"));
    await editor().press("Control+Shift+Z");
    assert.match(await text(), /set_point = "208 kB"/);
  });

  it("completes keys and values with their help", async () => {
    await shortBench();
    await editor().press("Control+End");
    await page.keyboard.type("\n[[at]]\ntim");
    const option = page.locator(".cm-tooltip-autocomplete li[aria-selected]", { hasText: "time" });
    await option.waitFor();
    await page.locator(".cm-completionInfo").waitFor();
    await page.waitForTimeout(100); // CodeMirror ignores keys that follow the list at once
    await page.keyboard.press("Tab");
    await untilText(/\[\[at\]\]\ntime = $/);
    await page.keyboard.type("\"3 ms\"\nport = \"left->right\"\nrate = \"2");
    await page.locator(".cm-tooltip-autocomplete li", { hasText: "2 Gb/s" }).click();
    await untilText(/rate = "2 Gb\/s"$/);
    await page.locator("#run:enabled").waitFor();
    await page.locator(".toml-key", { hasText: "duration" }).hover();
    await page.locator(".cm-tooltip-hover", { hasText: "duration" }).waitFor();
  });

  it("edits by keyboard: comments, brackets, folding, search, and Esc before Tab", async () => {
    await open("/bench/scenario/default");
    await page.locator("#run:enabled").waitFor();
    await write("name = \"x\"\n\n[network]\nbuffer = \"1 MB\"\nlinks = ");
    await editor().press("Control+End");
    await page.keyboard.type("[");
    await page.keyboard.press("Enter");
    assert.match(await text(), /links = \[\n  \n\]$/);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+/");
    assert.match(await text(), /^# name/);
    await page.keyboard.press("Control+z");
    assert.match(await text(), /^name/);
    assert.equal(await page.locator(".cm-line").count(), 7);
    await page.locator(".cm-line", { hasText: "[network]" }).click();
    await page.keyboard.press("Control+Shift+BracketLeft");
    assert.ok(await page.locator(".cm-line").count() < 7, "the table is folded");
    await page.keyboard.press("Control+f");
    await page.keyboard.type("buffer");
    await page.keyboard.press("Enter");
    await page.locator(".cm-searchMatch").first().waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.locator(".editor-help-leaving").waitFor();
    await page.keyboard.press("Tab");
    assert.ok(!(await editor().evaluate((element) => element === document.activeElement)));
  });

  it("offers the fix of a problem and leads to its line", async () => {
    await shortBench();
    const right = await text();
    await write(right.replace("measure_from", "mesure_from"));
    const problem = page.locator(".editor-problems li", { hasText: "mesure_from" });
    await problem.locator(".editor-problem").click();
    const line = right.split("\n").findIndex((found) => found.startsWith("measure_from")) + 1;
    assert.match(await page.locator(".editor-position").textContent(), new RegExp(`^Line ${line},`));
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("# moves the problem\n");
    await page.locator(".editor-problem-line", { hasText: `line ${line + 1}` }).waitFor();
    await problem.locator("button", { hasText: "Replace with measure_from" }).click();
    await untilText(/^measure_from/m);
    await problem.waitFor({ state: "detached" });
  });

  it("marks a result of an earlier text until the text is back", async () => {
    await shortBench();
    const ran = await text();
    const mark = page.locator(".bench .stale-mark");
    await page.locator("#run").click();
    await status(/^Ended/);
    assert.ok(await mark.isHidden());
    await write(ran.replace("senders = 10", "senders = 3"));
    await mark.waitFor();
    assert.match(await mark.textContent(), /senders: 10 → 3/);
    assert.equal(await page.locator(".bench-result").evaluate((element) => getComputedStyle(element).opacity), "0.5");
    await write(ran);
    await mark.waitFor({ state: "hidden" });
    const slider = page.locator(".sliders input[type=range]").nth(2);
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".stale-reason", { hasText: "set_point" }).waitFor();
    await mark.locator("button:enabled").click();
    await mark.waitFor({ state: "hidden" });
    await status(/^Ended/);
    assert.ok(await mark.isHidden());
  });

  it("draws the mean of a queue with its band", async () => {
    await shortBench();
    await page.locator("#run").click();
    await status(/^Ended/);
    await until(() => Number(document.querySelector(".watch").dataset.samples) === 1000);
    const chart = page.locator(".watch-queues");
    await chart.locator(".chart-legend-key", { hasText: "mean in each interval" }).waitFor();
    await chart.locator(".chart-area").hover();
    await chart.locator(".chart-legend-value", { hasText: /\d \(.*–.*\)/ }).first().waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), chart.locator("button", { hasText: "SVG" }).click()]);
    assert.match(readFileSync(await file.path(), "utf8"), /fill-opacity="0.28"/);
  });

  it("draws the network before the run", async () => {
    await shortBench();
    await page.locator(".watch .net-node").first().waitFor();
    assert.equal(await page.locator(".watch .net-node").count(), 22);
    await write((await text()).replace("senders = 10", "senders = 3"));
    await until(() => document.querySelectorAll(".watch .net-node").length === 8);
  });

  it("pauses, steps, and goes back in time", async () => {
    await shortBench();
    await page.selectOption("#speed", { label: "10 ms/s" });
    await page.locator("#run").click();
    await status(/^Running/);
    await page.locator("#pause").click();
    await status(/^Paused/);
    await drawn();
    const paused = await samples();
    assert.ok(paused > 0 && paused < 1000, `${paused}`);
    await page.locator("#step").click();
    await until((before) => Number(document.querySelector(".watch").dataset.samples) === before + 1, paused);
    await page.selectOption("#speed", { label: "as fast as possible" });
    await page.locator("#pause").click();
    await status(/^Ended/);
    await until(() => Number(document.querySelector(".watch").dataset.samples) === 1000);
    const slider = page.locator(".watch [role=slider]");
    await slider.focus();
    await page.keyboard.press("Home");
    await until(() => Number(document.querySelector(".watch").dataset.at) < 0.01);
    await page.keyboard.press("End");
    await until(() => Number(document.querySelector(".watch").dataset.at) > 0.39);
  });

  it("stops a run, and runs again", async () => {
    await shortBench();
    assert.ok(await page.locator("#stop").isDisabled());
    await page.selectOption("#speed", { label: "10 ms/s" });
    await page.locator("#run").click();
    await status(/^Running/);
    await page.locator("#stop").click();
    await status(/^Stopped at [\d.]+\s[µm]s of 400\sms/);
    assert.ok(await page.locator("#stop").isDisabled());
    assert.ok(await page.locator("#pause").isDisabled());
    await page.selectOption("#speed", { label: "as fast as possible" });
    await page.locator("#run").click();
    await status(/^Ended/);
  });

  it("compares two algorithms", async () => {
    await open("/compare");
    await page.locator("#compare-scenario option").first().waitFor({ state: "attached" });
    await page.selectOption("#compare-scenario", "league-few");
    await page.locator("#compare-run").click();
    await page.locator(".metrics").waitFor({ timeout: 60_000 });
    assert.deepEqual(await page.locator(".metrics thead th").allTextContents(), ["Metric", "control=qcn", "control=smcc"]);
    const rates = await page.locator("[data-metric=throughput_bps]").allTextContents();
    assert.ok(rates.length === 2 && rates.every((rate) => /b\/s/.test(rate)), `${rates}`);
    const [mark, second] = [page.locator(".compare .stale-mark"), page.locator(".compare-variant input").nth(1)];
    await second.fill("control=aimd");
    await mark.waitFor();
    assert.match(await mark.textContent(), /variant 2: control=smcc → control=aimd/);
    await second.fill("control=smcc");
    await mark.waitFor({ state: "hidden" });
    await page.selectOption("#compare-scenario", "default");
    assert.match(await page.locator(".stale-reason").textContent(), /league-few → default/);
  });

  it("compares the scenario of the bench", async () => {
    await shortBench();
    await page.locator("nav a", { hasText: "Compare" }).click();
    await page.locator("#compare-scenario option", { hasText: "(on the bench)" }).waitFor({ state: "attached" });
    await page.locator("#compare-run").click();
    await page.locator(".metrics").waitFor({ timeout: 60_000 });
  });

  it("keeps the scenario in a permanent link", async () => {
    await shortBench();
    await page.locator("#link").click();
    await until(() => location.hash.startsWith("#/bench/x/"));
    const [link, before] = [page.url(), await text()];
    await page.goto("about:blank");
    await page.goto(link);
    await page.locator(".bench-facts", { hasText: "400 ms" }).waitFor();
    assert.equal(await text(), before);
  });

  it("keeps settings that the text cannot contain in links and files", async () => {
    await open("/bench/scenario/default/at=[]");
    await page.locator(".bench-facts", { hasText: "also set: at=[]" }).waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#save").click()]);
    assert.match(readFileSync(await file.path(), "utf8"), /^# Run with --set 'at=\[\]'\n/);
    await page.locator("#link").click();
    await until(() => location.hash.startsWith("#/bench/x/"));
    const link = page.url();
    await page.goto("about:blank");
    await page.goto(link);
    await page.locator(".bench-facts", { hasText: "also set: at=[]" }).waitFor();
  });

  it("shows the theory of a scenario, or says why there is none", async () => {
    await open("/bench/scenario/qcn-loop");
    await page.locator("#run:enabled").waitFor();
    await page.locator("[data-kind=phase]").click();
    await page.locator(".theory-body h3", { hasText: "Phase plane" }).waitFor({ timeout: 30_000 });
    assert.ok(await page.locator(".theory-body .drawing svg").count() > 0);
    await open("/bench/scenario/fat-tree");
    await page.locator(".bench-title", { hasText: "fat-tree" }).waitFor();
    await page.locator(".theory-words", { hasText: /^Fluid overlay, Fluid model, Phase plane, Stability: .*port/ }).waitFor();
    assert.equal(await page.locator(".theory-bar button:disabled").count(), 4);
    await open("/bench/scenario/qcn-loop/control=smcc");
    await page.locator(".theory-words", { hasText: /^Stability: .*setpoint phase/ }).waitFor();
    assert.equal(await page.locator(".theory-bar button:disabled").count(), 1);
  });

  it("shows markup in a name as text", async () => {
    await shortBench();
    await write((await text()).replace(/name = .*/, 'name = "<img src=x onerror=alert(1)>"'));
    await page.locator(".bench-title", { hasText: "<img src=x" }).waitFor();
    assert.equal(await page.locator(".bench-title img").count(), 0);
  });

  if (engine === "server") it("keeps the token out of the address", async () => {
    const open = spawn(program, ["serve", "--listen", "0.0.0.0", "--port", "0", "--results", join(folder, "results")], { cwd: folder });
    try {
      const link = await new Promise((resolve) => {
        let text = "";
        open.stdout.on("data", (data) => {
          const found = (text += data).match(/http:\/\/\S+\?token=\w+/);
          if (found) resolve(found[0]);
        });
      });
      const before = await page.evaluate(() => history.length);
      for (let times = 0; times < 2; times += 1) {
        await page.goto(`${link}#/bench/scenario/default`);
        await page.locator("#run:enabled").waitFor();
        assert.equal(page.url(), `${link.replace(/\?.*/, "")}#/bench/scenario/default`);
      }
      assert.ok(await page.evaluate(() => history.length) <= before + 2, "a redirect leaves no entry of its own");
      // On the server itself, links contain the address for others, who are asked for the token and then see the linked view.
      const shared = link.replace(/\?.*/, "");
      await page.goto(`${shared.replace(/\/\/[^:/]+/, "//127.0.0.1")}?${link.split("?")[1]}#/bench/scenario/default`);
      await page.locator("#run:enabled").waitFor();
      assert.equal(await page.evaluate(async () => (await import("/assets/link.js")).linkTo(["compare"])), `${shared}#/compare`);
      const visitor = await browser.newPage();
      await visitor.goto(`${shared}#/compare/scenario/league-few/a%3D1/b%3D2`);
      await visitor.locator("#token").fill("wrong");
      await visitor.locator("button").click();
      await visitor.locator("#wrong", { hasText: "not valid" }).waitFor();
      await visitor.locator("#token").fill(link.split("token=")[1]);
      await visitor.locator("button").click();
      await visitor.locator(".compare-variant").nth(1).waitFor();
      assert.match(visitor.url(), /\/#\/compare\/scenario\/league-few/);
      await visitor.close();
      requests.length = 0; // they went to the other server
    } finally {
      open.kill("SIGTERM");
    }
  });

  if (engine === "server") it("ends a run when its page is closed", async () => {
    const other = await browser.newPage();
    await other.goto(`${address}#/bench/scenario/default`);
    await other.locator("#run:enabled").waitFor();
    await other.selectOption("#speed", { label: "1 ms/s" });
    await other.locator("#run").click();
    await other.locator(".bench-status", { hasText: /^Running/ }).waitFor();
    const pid = server.pid;
    const threads = () => readFileSync(`/proc/${pid}/status`, "utf8").match(/Threads:\s+(\d+)/)[1];
    const before = Number(threads());
    await other.close();
    for (let tries = 0; Number(threads()) >= before && tries < 50; tries += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(Number(threads()) < before, `${threads()} threads, ${before} before`);
  });
});
