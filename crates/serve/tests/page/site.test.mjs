// The static site in a real browser, below a path of a plain file server.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { assertAccessible } from "./axe.mjs";
import { program } from "./program.mjs";
import { noSite, site, sited } from "./static.mjs";

// A site without the laboratory, if there is none with it.
let written = null;
before(() => {
  if (!noSite) return;
  written = mkdtempSync(join(tmpdir(), "setpoint-site-"));
  execFileSync(program, ["site", join(written, "site")]);
});
after(() => written && rmSync(written, { recursive: true, force: true }));
const folder = () => (written ? join(written, "site") : site);

// Finds a section with the keyboard and goes there.
async function find(page) {
  await page.keyboard.press("/");
  await page.keyboard.type("averaging principle");
  const first = page.locator("#site-found [aria-selected=true]");
  await first.waitFor();
  assert.match(await first.textContent(), /Averaging Principle/);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/book/algorithms/aimd.html*");
}

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

  it("finds a section with the keyboard", async () => {
    await test.page.goto(`${test.address}papers/smcc/fig05.html`);
    await find(test.page);
  });

  it("works as files without a server, except the laboratory", async () => {
    await test.page.goto(pathToFileURL(join(folder(), "book/tutorial.html")).href);
    await find(test.page);
    if (noSite) return;
    await test.page.locator(".trials", { hasText: "if a file server provides the site" }).first().waitFor();
    assert.equal(await test.page.locator("a[href*='lab/']:visible").count(), 0);
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

  it("runs every figure of the book", { skip: noSite }, async (context) => {
    const chapters = readdirSync(join(site, "book"), { recursive: true })
      .filter((name) => name.endsWith(".html") && readFileSync(join(site, "book", name), "utf8").includes('class="trial"'));
    let figures = 0;
    for (const chapter of chapters.sort()) {
      await test.page.goto(`${test.address}book/${chapter}`);
      for (const link of await test.page.locator(".trial").all()) {
        await link.click();
        const status = test.page.frameLocator(".trial-frame").locator(".bench-status", { hasText: /^(Ended|Failed)/ });
        await status.waitFor({ timeout: 120_000 });
        const text = await status.textContent();
        assert.match(text, /^Ended/, `${chapter}: ${await link.getAttribute("data-name")}`);
        context.diagnostic(`${chapter}, ${await link.getAttribute("data-name")}: ${text}`);
        await link.click();
        figures += 1;
      }
    }
    assert.ok(figures >= 12, `${figures} figures`);
  });

  it("leads from an experiment to the laboratory and back", { skip: noSite }, async () => {
    await test.page.goto(`${test.address}papers/smcc/fig05.html`);
    await test.page.getByRole("link", { name: "Run it in the laboratory" }).click();
    await test.page.locator("#run:enabled").waitFor();
    await test.page.getByRole("link", { name: "Verdicts" }).click();
    await test.page.waitForURL("**/papers/smcc/fig05.html");
  });
});

describe("the site without a network", () => {
  const test = sited({ folder, context: { serviceWorkers: "allow" } });

  it("works without a network after the first visit", async () => {
    await test.page.goto(`${test.address}index.html`);
    await test.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await test.page.context().setOffline(true);
    await test.page.goto(`${test.address}book/algorithms/qcn.html`);
    assert.match(await test.page.locator("h1").textContent(), /^QCN/);
    await find(test.page);
  });

  it("runs a permanent link without a network after the first visit", { skip: noSite }, async () => {
    await test.page.goto(`${test.address}lab/#/bench/scenario/league-few/duration=300%20ms`);
    await test.page.locator("#run:enabled").waitFor();
    await test.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await test.page.context().setOffline(true);
    await test.page.reload();
    await test.page.locator("#run:enabled").click();
    await test.page.locator(".bench-status", { hasText: /^Ended/ }).waitFor({ timeout: 60_000 });
  });
});

describe("accessibility of the site", () => {
  const test = sited({ folder, context: { bypassCSP: true } });
  const paths = ["index.html", "book/algorithms/qcn.html", "papers/index.html", "papers/smcc/fig05.html"];
  for (const path of noSite ? paths : [...paths, "league/index.html", "atlas/index.html"]) {
    it(`finds nothing to object to in ${path}`, async () => {
      await test.page.goto(test.address + path);
      await assertAccessible(test.page);
    });
  }

  it("finds nothing to object to in a figure that runs in its place", { skip: noSite }, async () => {
    await test.page.goto(`${test.address}book/algorithms/dcqcn.html`);
    await test.page.getByRole("button", { name: "Run and change: DCQCN" }).click();
    await test.page.frameLocator(".trial-frame").locator(".bench-status", { hasText: /^Ended/ }).waitFor({ timeout: 60_000 });
    await assertAccessible(test.page);
  });
});
