// Draws the pictures of the README: `node pictures.mjs [FOLDER]`, by default into docs/images. Like the tests, it needs `npm ci`, a built
// program, and Chromium. The pictures depend on the fonts of the machine.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

import { program } from "./program.mjs";

const images = process.argv[2] ?? join(import.meta.dirname, "../../../../docs/images");
const folder = mkdtempSync(join(tmpdir(), "setpoint-pictures-"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** Opens a page, prepares it, and stores a picture. */
async function picture(name, address, { width = 1280, height = 800, colorScheme = "light" }, prepare) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(address);
  await prepare?.(page);
  await page.screenshot({ path: join(images, name) });
  await page.close();
}

/** Starts a run at a speed, and waits until a time in seconds. */
const run = (speed, time) => async (page) => {
  await page.locator("#run:enabled").waitFor();
  await page.selectOption("#speed", speed);
  await page.locator("#run").click();
  // The policy of the page forbids `waitForFunction`.
  const shown = () => page.locator(".watch").getAttribute("data-at");
  while (!(Number(await shown()) >= time)) await page.waitForTimeout(20);
};

const server = spawn(program, ["serve", "--port", "0", "--results", join(folder, "results")], { cwd: folder });
try {
  const address = await new Promise((resolve, reject) => {
    let text = "";
    const look = (data) => {
      const found = (text += data).match(/http:\/\/\S+/);
      if (found) resolve(found[0]);
    };
    server.stdout.on("data", look);
    server.stderr.on("data", look);
    server.on("exit", () => reject(new Error(`the server has ended: ${text}`)));
  });
  await picture("serve-bench.png", `${address}#/bench/scenario/default`, {}, run("1 s/s", 2.6));
  await picture("serve-fabric.png", `${address}#/bench/scenario/leaf-spine-web-search`, { colorScheme: "dark" }, run("100 ms/s", 0.1));
  await picture("serve-compare.png", `${address}#/compare/scenario/league-change/control=qcn/control=dcqcn`, { height: 1030 }, async (page) => {
    await page.locator("#compare-run").click();
    await page.getByText("All runs have ended").waitFor({ timeout: 120_000 });
    await page.waitForTimeout(500);
  });
  execFileSync(program, ["run", "--quiet", "--out", "report"], { cwd: folder });
  await picture("report.png", pathToFileURL(join(folder, "report/report.html")).href, { width: 1160, height: 1390 });
} finally {
  await browser.close();
  server.removeAllListeners("exit");
  server.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}
