// Lecture mode: steps, runs and changes by keyboard, buttons and touch.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { served, textOf } from "./served.mjs";

describe("a lecture", () => {
  const test = served();
  const at = (step) => test.page.locator(".lecture-kicker", { hasText: `· ${step} of 10` }).waitFor();
  const ended = () => test.page.locator(".lecture[data-state=ended]").waitFor({ timeout: 60_000 });

  it("turns by keys, buttons and Back", async () => {
    await test.open("/");
    await test.page.locator(".card", { hasText: "QCN and its family" }).click();
    await at(1);
    assert.equal(await test.page.locator(".top").isVisible(), false);
    await test.page.keyboard.press("ArrowRight");
    await at(2);
    await test.page.keyboard.press("PageDown");
    await at(3);
    await test.page.keyboard.press("ArrowLeft");
    await at(2);
    await test.page.locator("#lecture-next").click();
    await at(3);
    await test.page.goBack();
    await at(2);
    await test.page.keyboard.press("End");
    await at(10);
    assert.ok(await test.page.locator("#lecture-next").isHidden());
    await test.page.keyboard.press("Home");
    await at(1);
  });

  it("shows the figures of a step and of its change side by side, with the values that its text gives", async () => {
    await test.open("/lecture/qcn/7");
    await at(7);
    await test.page.keyboard.press(" ");
    await ended();
    await test.page.locator(".lecture-choice", { hasText: "With QCN" }).click();
    await test.page.locator(".lecture-watch", { hasText: "no port is ever paused" }).waitFor();
    await ended();
    const paused = await test.page.locator("[data-metric=paused_s]").allTextContents();
    assert.deepEqual(paused.map((text) => text.replace(/\s/, " ")), ["18.1 ms", "0 s"]);
  });

  it("opens a step on the bench with its settings", async () => {
    await test.open("/lecture/qcn/7");
    await test.page.locator(".lecture-nav a", { hasText: "Bench" }).and(test.page.locator("[href^='#/bench/x/']")).click();
    await test.page.locator("#run:enabled").waitFor();
    assert.match(await textOf(test.page), /^duration = "2ms"/m);
  });

  it("turns by swipes, on a small screen", async () => {
    await test.page.setViewportSize({ width: 390, height: 844 });
    await test.open("/lecture/qcn/2");
    await at(2);
    const swipe = (from, to) => test.page.locator(".lecture-text").evaluate((element, [from, to]) => {
      const touch = (clientX) => ({ changedTouches: [new Touch({ identifier: 1, target: element, clientX, clientY: 200 })] });
      element.dispatchEvent(new TouchEvent("touchstart", touch(from)));
      element.dispatchEvent(new TouchEvent("touchend", touch(to)));
    }, [from, to]);
    await swipe(300, 100);
    await at(3);
    await swipe(100, 300);
    await at(2);
    assert.equal(await test.page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  });
});
