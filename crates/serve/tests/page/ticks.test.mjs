import test from "node:test";
import assert from "node:assert/strict";
import { decimals, linearTicks, logTicks, nextEnd, niceStep, niceTop } from "../../assets/chart/ticks.js";

test("linear ticks are round numbers inside the range", () => {
  assert.deepEqual(linearTicks(0, 1, 5).ticks, [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(linearTicks(-3, 7, 5).ticks, [-2, 0, 2, 4, 6]);
  assert.deepEqual(linearTicks(0.1, 0.5, 4).ticks, [0.1, 0.2, 0.3, 0.4, 0.5]);
  assert.deepEqual(linearTicks(0, 2e-6, 4).ticks, [0, 5e-7, 1e-6, 1.5e-6, 2e-6]);
  assert.equal(niceStep(0, 5), 1);
});

test("decimals of labels", () => {
  assert.equal(decimals(0.2), 1);
  assert.equal(decimals(5), 0);
  assert.equal(decimals(0.001), 3);
  assert.equal(decimals(1000), 0);
});

test("logarithmic ticks", () => {
  assert.deepEqual(logTicks(-6, -3, 4), [1e-6, 1e-5, 1e-4, 1e-3]);
  assert.deepEqual(logTicks(-6, -4, 8), [1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4]);
  assert.deepEqual(logTicks(0, 0.5, 4), [1, 2, 3]);
});

test("the top of an axis lies above the maximum and is stable", () => {
  for (const max of [0.013, 1, 26_000, 9.99e9]) {
    assert.ok(niceTop(max) >= max * 1.03);
    assert.ok(niceTop(max) <= max * 1.25);
  }
  assert.equal(niceTop(1000), niceTop(1005));
  assert.equal(niceTop(0), 1);
});

test("a growing time axis proceeds in steps up to the duration", () => {
  assert.equal(nextEnd(0.12, 1), 0.15);
  assert.equal(nextEnd(0.9, 0.95), 0.95);
  assert.equal(nextEnd(0.3, 0.3), 0.3);
  assert.equal(nextEnd(7, null), 8);
  assert.equal(nextEnd(0, 2), 0.02);
  assert.equal(nextEnd(3, 2), 3);
});
