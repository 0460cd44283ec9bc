// Notifications on the page: from congestion points, or from receivers if congestion points mark frames.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { feedbackOf } from "../../assets/feedback.js";
import { served } from "./served.mjs";

const CURVES = ["flow.notifications", "queue.notifications"].map((name) => ({ name }));
const PARTS = { flows: [{}, {}], queues: [{}] };

describe("the curves that count notifications", () => {
  it("are those of queues without marks", () => {
    const feedback = feedbackOf({ ...PARTS, curves: CURVES });
    assert.deepEqual(feedback, { byReceivers: false, received: ["flow.notifications"], shown: ["queue.notifications"], count: 1 });
  });

  it("are those of flows with marks", () => {
    const curves = [...CURVES, { name: "queue.marked_frames" }];
    const received = ["flow.notifications"];
    assert.deepEqual(feedbackOf({ ...PARTS, curves }), { byReceivers: true, received, shown: received, count: 2 });
  });

  it("include acknowledgements of marked frames", () => {
    const curves = [...CURVES, { name: "queue.marked_frames" }, { name: "source.marked_acknowledgements" }];
    const { received } = feedbackOf({ ...PARTS, curves });
    assert.deepEqual(received, ["flow.notifications", "source.marked_acknowledgements"]);
  });
});

describe("notifications in the network", () => {
  const test = served();

  /** Runs league-few, a dumbbell, with some settings. Returns the range of the horizontal positions at which dots were seen. */
  async function positions(settings) {
    const path = ["duration=100ms", "measure_from=10ms", ...settings].map(encodeURIComponent).join("/");
    await test.open(`/bench/scenario/league-few/${path}`);
    await test.page.locator("#run:enabled").waitFor();
    await test.page.locator("#speed").selectOption({ label: "10 ms/s" });
    await test.page.locator("#run").click();
    return test.page.evaluate(async () => {
      const seen = [];
      const end = performance.now() + 4_000;
      while (performance.now() < end) {
        await new Promise((done) => { requestAnimationFrame(done); });
        for (const dot of document.querySelectorAll(".watch-network .net-dot[visibility=visible]")) {
          seen.push(dot.getCTM().e);
        }
      }
      const { width } = document.querySelector(".watch-network .net-frame").getBoundingClientRect();
      return { least: Math.min(...seen) / width, most: Math.max(...seen) / width };
    });
  }

  it("travel from receivers if bridges mark frames", async () => {
    for (const control of ['control="dcqcn"', 'control={dcqcn={profile="hpcc"}}']) {
      const { least, most } = await positions([control]);
      assert.ok(least < 0.4 && most > 0.7, `${control}: dots between ${least} and ${most} of the width`);
    }
  });

  it("travel from the congested bridge otherwise", async () => {
    const { least, most } = await positions(['control="qcn"']);
    assert.ok(least < 0.4 && most < 0.6, `dots between ${least} and ${most} of the width`);
  });
});

describe("warnings about a run", () => {
  const test = served();

  it("are listed with its result", async () => {
    const path = ["duration=2ms", "measure_from=1ms", 'control="qcn"'].map(encodeURIComponent).join("/");
    await test.open(`/bench/scenario/league-few/${path}`);
    await test.page.locator("#run:enabled").click();
    await test.ended();
    const texts = await test.page.locator('.bench-result .warnings li[data-check="inactive-mechanism"]').allTextContents();
    assert.deepEqual(texts, ["Flow control did nothing: no port was paused."]);
  });
});
