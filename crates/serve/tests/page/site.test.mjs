// The static site in a real browser, below a path of a plain file server.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { program } from "./program.mjs";
import { noSite, site, sited } from "./static.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// A site without the laboratory, if there is none with it.
let written = null;
before(() => {
  if (!noSite) return;
  written = mkdtempSync(join(tmpdir(), "setpoint-site-"));
  execFileSync(program, ["site", join(written, "site")]);
});
after(() => written && rmSync(written, { recursive: true, force: true }));
const folder = () => (written ? join(written, "site") : site);

describe("the site", () => {
  const test = sited({ folder });

  it("loads every kind of page below a path", async () => {
    for (const path of ["index.html", "book/algorithms/qcn.html", "papers/index.html", "papers/smcc/fig05.html"]) {
      await test.page.goto(test.address + path, { waitUntil: "load" });
      assert.ok(await test.page.locator("h1").textContent());
      const overflow = await test.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(overflow, 0, `${path} is wider than the window`);
    }
  });

  it("follows links between chapters", async () => {
    await test.page.goto(`${test.address}index.html`);
    await test.page.locator("#site-chapters").getByRole("link", { name: "SMCC: sliding mode congestion control" }).click();
    await test.page.waitForURL("**/book/algorithms/smcc.html");
    await test.page.getByRole("link", { name: /^Next/ }).click();
    await test.page.waitForURL("**/book/algorithms/bcn.html");
  });

  async function find() {
    await test.page.keyboard.press("/");
    await test.page.keyboard.type("averaging principle");
    const first = test.page.locator("#site-found [aria-selected=true]");
    await first.waitFor();
    assert.match(await first.textContent(), /Averaging Principle/);
    await test.page.keyboard.press("Enter");
    await test.page.waitForURL("**/book/algorithms/aimd.html*");
  }

  it("finds a section with the keyboard", async () => {
    await test.page.goto(`${test.address}papers/smcc/fig05.html`);
    await find();
  });

  it("works without a network after the first visit", async () => {
    await test.page.goto(`${test.address}index.html`);
    await test.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await test.page.context().setOffline(true);
    await test.page.goto(`${test.address}book/algorithms/qcn.html`);
    assert.match(await test.page.locator("h1").textContent(), /^QCN/);
    await find();
  });

  it("works as files without a server", async () => {
    await test.page.goto(pathToFileURL(join(folder(), "book/tutorial.html")).href);
    await find();
  });

  it("runs a figure in its place", { skip: noSite }, async () => {
    await test.page.goto(`${test.address}book/algorithms/dcqcn.html`);
    const button = test.page.getByRole("button", { name: "Run and change: DCQCN" });
    await button.click();
    const laboratory = test.page.frameLocator(".trial-frame");
    await laboratory.locator(".bench-facts", { hasText: "dcqcn, 4 flows, 100 ms" }).waitFor();
    await laboratory.locator(".bench-status", { hasText: /^Ended/ }).waitFor({ timeout: 60_000 });
    assert.equal(await laboratory.locator(".bench-left").isVisible(), false);
    await button.press(" ");
    assert.equal(await test.page.locator(".trial-frame").count(), 0);
  });

  it("leads from an experiment to the laboratory and back", { skip: noSite }, async () => {
    await test.page.goto(`${test.address}papers/smcc/fig05.html`);
    await test.page.getByRole("link", { name: "Run it in the laboratory" }).click();
    await test.page.locator("#run:enabled").waitFor();
    await test.page.getByRole("link", { name: "Verdicts" }).click();
    await test.page.waitForURL("**/papers/smcc/fig05.html");
  });
});

describe("accessibility of the site", () => {
  const test = sited({ folder, context: { bypassCSP: true } }); // the policy of the pages would refuse axe
  for (const path of ["index.html", "book/algorithms/qcn.html", "papers/index.html", "papers/smcc/fig05.html"]) {
    it(`finds nothing to object to in ${path}`, async () => {
      for (const colorScheme of ["light", "dark"]) {
        await test.page.emulateMedia({ colorScheme });
        await test.page.goto(test.address + path);
        await test.page.addScriptTag({ content: AXE });
        const { violations } = await test.page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
        assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`)), [], colorScheme);
      }
    });
  }
});
