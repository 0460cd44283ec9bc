// The static site in a real browser, below a path of a plain file server.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

import { program } from "./program.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const BELOW = "/some/where/";
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".png": "image/png", ".svg": "image/svg+xml" };

/** Serves a folder below a path, without special headers. */
function serve(folder) {
  return createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://site").pathname);
    const file = join(folder, normalize(path.slice(BELOW.length)));
    if (!path.startsWith(BELOW) || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
}

describe("the site", () => {
  let folder, server, address, browser, page, problems;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "setpoint-site-"));
    execFileSync(program, ["site", join(folder, "site")]);
    server = serve(join(folder, "site"));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${server.address().port}${BELOW}`;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });

  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("request", (request) => {
      const own = request.url().startsWith(address) || request.url().startsWith("file:");
      if (!own) problems.push(`a request leaves the site: ${request.url()}`);
    });
    page.on("response", (response) => response.status() >= 400 && problems.push(`${response.status()}: ${response.url()}`));
  });

  afterEach(async () => {
    await page.close();
    assert.deepEqual(problems, []);
  });

  it("loads every kind of page below a path", async () => {
    for (const path of ["index.html", "book/algorithms/qcn.html", "papers/index.html", "papers/smcc/fig05.html"]) {
      await page.goto(address + path, { waitUntil: "load" });
      assert.ok(await page.locator("h1").textContent());
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(overflow, 0, `${path} is wider than the window`);
    }
  });

  it("follows links between chapters", async () => {
    await page.goto(`${address}index.html`);
    await page.locator("#site-chapters").getByRole("link", { name: "SMCC: sliding mode congestion control" }).click();
    await page.waitForURL("**/book/algorithms/smcc.html");
    await page.getByRole("link", { name: /^Next/ }).click();
    await page.waitForURL("**/book/algorithms/bcn.html");
  });

  async function find() {
    await page.keyboard.press("/");
    await page.keyboard.type("averaging principle");
    const first = page.locator("#site-found [aria-selected=true]");
    await first.waitFor();
    assert.match(await first.textContent(), /Averaging Principle/);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/book/algorithms/aimd.html*");
  }

  it("finds a section with the keyboard", async () => {
    await page.goto(`${address}papers/smcc/fig05.html`);
    await find();
  });

  it("works without a network after the first visit", async () => {
    await page.goto(`${address}index.html`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.context().setOffline(true);
    await page.goto(`${address}book/algorithms/qcn.html`);
    assert.match(await page.locator("h1").textContent(), /^QCN/);
    await find();
  });

  it("works as files without a server", async () => {
    await page.goto(pathToFileURL(join(folder, "site/book/tutorial.html")).href);
    await find();
  });
});
