// The layout of the bench, and what survives Back and a reload.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { served, textOf, write } from "./served.mjs";

describe("the bench", () => {
  const test = served();
  const isInView = (selector) => test.page.locator(selector).evaluate((element) => {
    const box = element.getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
  });

  it("shows controls, network and queue on one screen, and nothing moves when the run ends", async () => {
    await test.open("/bench/scenario/league-few");
    await test.page.locator("#run:enabled").click();
    await test.page.locator(".watch-queues .chart-area").waitFor();
    await test.page.evaluate(() => {
      globalThis.moved = 0;
      const add = (list) => { for (const { value } of list.getEntries()) globalThis.moved += value; };
      new PerformanceObserver(add).observe({ type: "layout-shift" });
    });
    await test.ended();
    await test.page.waitForTimeout(300);
    for (const part of ["#run", ".watch-network .net-frame", ".watch-timeline", ".watch-queues .chart-area"]) assert.ok(await isInView(part), part);
    const moved = await test.page.evaluate(() => globalThis.moved);
    assert.ok(moved < 0.005, `layout shift ${moved}`);
    await test.page.locator("#editor").click();
    assert.ok(!await test.page.locator(".bench-editor").isVisible());
    for (const part of ["#run", ".watch-network .net-frame", ".watch-queues .chart-area", ".watch-rates .chart-head"]) assert.ok(await isInView(part), part);
    await test.page.reload();
    await test.page.locator("#run:enabled").waitFor();
    assert.ok(!await test.page.locator(".bench-editor").isVisible(), "the choice is kept");
  });

  it("fits narrow pages", async () => {
    for (const width of [800, 640, 390]) {
      await test.page.setViewportSize({ width, height: 720 });
      await test.open("/bench/scenario/league-few");
      await test.page.locator("#run:enabled").waitFor();
      assert.ok(await isInView("#run"), `${width}`);
      const wider = await test.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(wider, 0, `${width}: the page scrolls sideways`);
    }
  });

  it("draws the end of a run in charts that are not on the screen", async () => {
    await test.page.setViewportSize({ width: 390, height: 400 });
    await test.open("/bench/scenario/league-few");
    await test.page.locator("#run:enabled").click();
    await test.ended();
    const [, end] = /^Ended: (.+?) in /.exec(await test.page.locator(".bench-status").textContent());
    assert.ok(!await isInView(".watch-rates .chart-head"));
    await test.page.locator(".watch-rates .chart-readout", { hasText: `Last sample ${end}` }).waitFor();
  });

  it("fits comparisons on narrow pages", async () => {
    await test.page.setViewportSize({ width: 390, height: 720 });
    const variant = (control) => encodeURIComponent(`control=${control} duration=20ms measure_from=5ms`);
    await test.open(`/compare/scenario/league-few/${variant("qcn")}/${variant("dcqcn")}`);
    await test.page.locator("#compare-run").click();
    await test.page.getByText("All runs have ended").waitFor({ timeout: 60_000 });
    const wider = await test.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.equal(wider, 0, "the page scrolls sideways");
  });

  it("keeps edits on Back and reload, and undoes them", async () => {
    await test.open("/bench/scenario/league-few");
    await test.page.locator("#run:enabled").waitFor();
    const before = await textOf(test.page);
    await write(test.page, `# edited\n${before}`);
    await test.page.locator("nav a", { hasText: "Gallery" }).click();
    await test.page.locator(".card").first().waitFor();
    await test.page.goBack();
    await test.page.locator("#revert:visible").waitFor();
    assert.equal(await textOf(test.page), `# edited\n${before}`);
    await test.page.reload();
    await test.page.locator("#revert:visible").click();
    assert.equal(await textOf(test.page), before);
    await test.page.reload();
    await test.page.locator("#run:enabled").waitFor();
    assert.equal(await textOf(test.page), before);
    assert.ok(await test.page.locator("#revert").isHidden());
  });

  it("refuses a link that other programs would truncate", async () => {
    await test.open("/bench/scenario/league-few");
    await test.page.locator("#run:enabled").waitFor();
    // Text that cannot be compressed.
    const noise = Array.from({ length: 9000 }, (_, index) => ((index * 2654435761) >>> 7).toString(36).slice(-3)).join("");
    await write(test.page, `# ${noise}\n${await textOf(test.page)}`);
    await test.page.locator("#link").click();
    await test.page.locator("#notice", { hasText: /the link would have \d+ characters/ }).waitFor();
    assert.match(test.page.url(), /#\/bench\/scenario\/league-few$/);
  });

  it("gives comparisons a link", async () => {
    await test.open("/compare/scenario/league-few/control%3Dqcn/network.link_rate%3D40Gb%2Fs");
    const inputs = () => test.page.locator(".compare-variant input").evaluateAll((all) => all.map(({ value }) => value));
    await test.page.locator(".compare-variant").nth(1).waitFor();
    assert.deepEqual(await inputs(), ["control=qcn", "network.link_rate=40Gb/s"]);
    await test.page.locator(".compare-variant input").nth(0).fill("control=smcc");
    await test.page.reload();
    await test.page.locator(".compare-variant").nth(1).waitFor();
    assert.deepEqual(await inputs(), ["control=smcc", "network.link_rate=40Gb/s"]);
    assert.equal(await test.page.locator("#compare-scenario").evaluate((select) => select.selectedOptions[0].textContent), "league-few");
  });

  it("gives a comparison of an edited scenario a link with its text", async () => {
    await test.open("/bench/scenario/league-few");
    await test.page.locator("#run:enabled").waitFor();
    await write(test.page, (await textOf(test.page)).replace(/name = .*/, 'name = "mine"'));
    await test.page.locator(".bench-title", { hasText: "mine" }).waitFor();
    await test.page.locator("nav a", { hasText: "Compare" }).click();
    await test.page.locator("#compare-link").click();
    await test.page.locator("#notice", { hasText: "address bar" }).waitFor();
    const link = test.page.url();
    await test.page.evaluate(() => sessionStorage.clear());
    await test.page.goto("about:blank");
    await test.page.goto(link);
    await test.page.locator("#compare-scenario option", { hasText: "mine (in the link)" }).waitFor({ state: "attached" });
    await test.page.locator("#compare-run").click();
    await test.page.locator(".metrics").waitFor({ timeout: 60_000 });
  });
});
