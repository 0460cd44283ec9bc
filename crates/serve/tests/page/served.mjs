// A server and a browser for the tests of a file, and what they do on the page.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import { chromium } from "playwright-core";

import { program } from "./program.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/**
 * Call in `describe`; `options` are those of `setpoint serve`, and `context` those of the browser's page. The result has, in each test, `address` and a fresh `page`; errors on its
 * console fail the test.
 */
export function served({ options = [], context = {} } = {}) {
  const test = { address: "", page: null, errors: [] };
  let folder, server, browser;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "setpoint-page-"));
    server = spawn(program, ["serve", "--port", "0", "--results", join(folder, "results"), ...options], { cwd: folder });
    test.address = await new Promise((resolve, reject) => {
      let text = "";
      const look = (data) => {
        const found = (text += data).match(/http:\/\/\S+/);
        if (found) resolve(found[0]);
      };
      server.stdout.on("data", look);
      server.stderr.on("data", look);
      server.on("exit", () => reject(new Error(`the server has ended: ${text}`)));
    });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });

  after(async () => {
    await browser?.close();
    server?.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    test.page = await browser.newPage({ viewport: { width: 1280, height: 720 }, ...context });
    test.errors = [];
    test.page.on("pageerror", (error) => test.errors.push(error.message));
    test.page.on("console", (message) => message.type() === "error" && test.errors.push(message.text()));
  });

  afterEach(async () => {
    await test.page.close();
    assert.deepEqual(test.errors, [], "no error on the console");
  });

  test.open = (hash) => test.page.goto(`${test.address}#${hash}`);
  test.ended = () => test.page.locator(".bench-status", { hasText: /^Ended/ }).waitFor({ timeout: 60_000 });
  return test;
}

/** The text of the editor, which draws only the visible lines. */
export const textOf = (page) => page.evaluate(async () => {
  const { EditorView } = await import("/assets/vendor/codemirror.min.js");
  return EditorView.findFromDOM(document.querySelector(".cm-editor")).state.doc.toString();
});

/** Replaces the text of the editor, as if it had been pasted. */
export const write = (page, insert) => page.evaluate(async (insert) => {
  const { EditorView } = await import("/assets/vendor/codemirror.min.js");
  const view = EditorView.findFromDOM(document.querySelector(".cm-editor"));
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: "input.paste" });
}, insert);
