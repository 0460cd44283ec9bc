// Accessibility of all views of the page, with both engines.

import { describe, it } from "node:test";

import { assertAccessible } from "./axe.mjs";
import { served } from "./served.mjs";
import { noSite, sited } from "./static.mjs";

const OPTIONS = { context: { bypassCSP: true } };

const VIEWS = {
  gallery: { at: "/", show: (page) => page.locator(".card").first().waitFor() },
  bench: { at: "/bench/scenario/league-few/duration=300%20ms", show: runOnBench },
  "theory panel": {
    at: "/bench/scenario/qcn-loop",
    async show(page) {
      await page.locator("[data-kind=phase]:enabled").click();
      await page.locator(".theory-body svg:visible").first().waitFor({ timeout: 60_000 });
    },
  },
  compare: {
    at: "/compare/scenario/league-few/control=qcn%20duration=300ms/control=smcc%20duration=300ms",
    async show(page) {
      await page.locator("#compare-run:enabled").click();
      await page.locator(".metrics").waitFor({ timeout: 60_000 });
    },
  },
  lecture: {
    at: "/lecture/qcn/7",
    async show(page) {
      await page.locator("#lecture-run").click();
      await page.locator(".lecture[data-state=ended]").waitFor({ timeout: 60_000 });
    },
  },
};

async function runOnBench(page) {
  await page.locator("#run:enabled").click();
  await page.locator(".bench-status", { hasText: /^Ended/ }).waitFor({ timeout: 60_000 });
}

describe("accessibility of the page of a server", () => {
  const test = served(OPTIONS);
  for (const [name, { at, show }] of Object.entries(VIEWS)) {
    it(`finds nothing to object to in ${name}`, async () => {
      await test.open(at);
      await show(test.page);
      await assertAccessible(test.page);
    });
  }
});

describe("accessibility of the laboratory without a server", { skip: noSite }, () => {
  const test = sited(OPTIONS);
  for (const name of ["gallery", "bench"]) {
    it(`finds nothing to object to in ${name}`, async () => {
      const { at, show } = VIEWS[name];
      await test.page.goto(`${test.address}lab/#${at}`);
      await show(test.page);
      await assertAccessible(test.page);
    });
  }
});

describe("accessibility of the page that asks for a token", () => {
  const test = served({ ...OPTIONS, options: ["--listen", "0.0.0.0"] });
  it("finds nothing to object to", async () => {
    await test.page.goto(new URL("/", test.address).href);
    await test.page.locator("#token").waitFor();
    await assertAccessible(test.page);
    // The browser reports the status with which the server answers a visitor without a token.
    test.errors.splice(0, test.errors.length, ...test.errors.filter((error) => !error.includes("401")));
  });
});
