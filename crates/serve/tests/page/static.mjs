// The static site for the tests: a plain file server that sends a folder at a path below the root, without special headers, and a
// browser that reads it.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

import { skipped } from "./skip.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** The folder of the static site: `SETPOINT_SITE`, or the one that `./check` writes. */
export const site = process.env.SETPOINT_SITE ?? fileURLToPath(new URL("../../../../target/site", import.meta.url));
/** The reason why tests of the laboratory on the site are skipped; false if they are not. */
export const noSite = skipped(!existsSync(join(site, "lab/index.html")) && "there is no site: SETPOINT_UNOPTIMISED=1 ./site target/site");

// Like many file servers, this one does not know WebAssembly.
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json" };
const PATH = "/some/where/";

/** Serves a folder: its address, the requests for files that it does not contain, and `close()`. */
export async function serveSite(folder = site) {
  const foreign = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    try {
      if (!pathname.startsWith(PATH)) throw new Error("outside");
      const path = normalize(decodeURIComponent(pathname.slice(PATH.length)));
      const file = path.endsWith("/") || path === "." ? join(path, "index.html") : path;
      const content = await readFile(join(folder, file));
      response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream");
      response.end(content);
    } catch {
      foreign.push(request.url);
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}${PATH}`, foreign,
    close: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }),
  };
}

/**
 * Call in `describe`; `folder` returns the folder of the site, and `context` has the options of the browser's page. The result
 * has, in each test, `address` and a fresh `page`; errors on its console, and requests for other files than those of the folder,
 * fail the test.
 */
export function sited({ folder = () => site, context = {} } = {}) {
  const test = { address: "", page: null };
  // Installing the service worker, which reads all files, would slow down every test of the laboratory.
  const options = { viewport: { width: 1280, height: 900 }, serviceWorkers: "block", ...context };
  let files, browser, errors, requests;

  before(async () => {
    files = await serveSite(folder());
    test.address = files.address;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });

  after(async () => {
    await browser?.close();
    await files?.close();
  });

  beforeEach(async () => {
    test.page = await browser.newPage(options);
    [errors, requests] = [[], []];
    test.page.on("pageerror", (error) => errors.push(error.message));
    test.page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    test.page.on("request", (request) => requests.push(request.url()));
  });

  afterEach(async () => {
    await test.page.close();
    assert.deepEqual(errors, [], "no error on the console");
    assert.deepEqual(files.foreign.splice(0), [], "every request is for a file of the folder");
    const own = [files.address, "blob:", "data:", "file:"];
    assert.deepEqual(requests.filter((url) => !own.some((start) => url.startsWith(start))), [], "no request leaves the folder");
  });

  return test;
}
