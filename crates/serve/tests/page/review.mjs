// Draws the site for review: `node review.mjs FOLDER`, at three widths and in both themes. Like the tests of the site, it needs
// `npm ci`, the site (`./site target/site`, or `SETPOINT_SITE`) and Chromium. Look at every picture.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

import { THEMES, WIDTHS } from "./axe.mjs";
import { serveSite } from "./static.mjs";

const LONGEST = 2600; // pixels of a picture

const run = async (page) => {
  await page.locator("#run:enabled").click();
  await page.locator(".bench-status", { hasText: /^Ended/ }).waitFor({ timeout: 120_000 });
};

// For each picture, the address below the site, and the steps before the picture is taken.
const VIEWS = {
  front: { at: "index.html" },
  chapter: {
    at: "book/flow-control.html",
    async prepare(page) {
      const figure = page.locator("section.run", { hasText: "A deadlock" });
      await figure.getByRole("button", { name: "Run and change" }).click();
      await page.frameLocator(".trial-frame").locator(".bench-status", { hasText: /^Ended/ }).waitFor({ timeout: 60_000 });
      await figure.scrollIntoViewIfNeeded();
    },
    part: "window",
  },
  experiments: { at: "papers/index.html" },
  experiment: { at: "papers/smcc/fig05.html" },
  league: { at: "league/index.html" },
  atlas: { at: "atlas/index.html" },
  gallery: { at: "lab/#/", prepare: (page) => page.locator(".card").first().waitFor() },
  bench: { at: "lab/#/bench/scenario/default/duration=600%20ms", prepare: run },
  ring: { at: "lab/#/bench/scenario/pfc-deadlock/duration=2%20ms/sample_interval=5%20us", prepare: run, part: "window" },
  theory: {
    at: "lab/#/bench/scenario/qcn-loop",
    async prepare(page) {
      await page.locator("[data-kind=phase]:enabled").click();
      await page.locator(".theory-body svg:visible").first().waitFor({ timeout: 120_000 });
      await page.locator(".theory").scrollIntoViewIfNeeded();
      await page.evaluate(() => document.querySelector(".theory").scrollIntoView());
    },
    part: "window",
  },
  refused: {
    at: "lab/#/bench/scenario/default/topology.dumbbell.senders=2000/sample_interval=240us",
    prepare: (page) => page.locator(".bench-refused").waitFor({ timeout: 60_000 }),
    part: "window",
  },
  compare: {
    at: "lab/#/compare/scenario/league-few/control=qcn%20duration=300ms/control=dcqcn%20duration=300ms",
    async prepare(page) {
      await page.locator("#compare-run:enabled").click();
      await page.locator(".metrics").waitFor({ timeout: 120_000 });
    },
  },
  ...Object.fromEntries([1, 6, 7, 10].map((step) => [`lecture-${step}`, {
    at: `lab/#/lecture/qcn/${step}`,
    sizes: [[1280, 720]],
    async prepare(page) {
      await page.locator("#lecture-run").click();
      await page.waitForTimeout(4000);
    },
    part: "window",
  }])),
};

const [folder, only = ""] = process.argv.slice(2);
if (!folder) throw new Error("usage: node review.mjs FOLDER [NAME]");
mkdirSync(folder, { recursive: true });
const files = await serveSite();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  for (const [name, view] of Object.entries(VIEWS).filter(([name]) => name.startsWith(only))) {
    for (const size of view.sizes ?? WIDTHS.map((width) => [width, 900])) await draw(name, view, size);
  }
} finally {
  await browser.close();
  await files.close();
}

/** Draws a view at a size in every theme; the page chooses its layout when it opens, so each size has a page of its own. */
async function draw(name, { at, prepare, part }, [width, height]) {
  const page = await browser.newPage({ viewport: { width, height }, serviceWorkers: "block" });
  await page.goto(files.address + at);
  await prepare?.(page);
  const long = part === "window" ? height : Math.min(LONGEST, await page.evaluate(() => document.documentElement.scrollHeight));
  await page.setViewportSize({ width, height: long }); // charts outside the window are not drawn
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
  }
  await page.close();
}
