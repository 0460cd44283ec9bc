import test from "node:test";
import assert from "node:assert/strict";
import { kept, zoomed } from "../../assets/chart/interact.js";

test("zooming keeps the centre in place", () => {
  assert.deepEqual(zoomed([0, 10], 5, 0.5, [0, 10]), [2.5, 7.5]);
  assert.deepEqual(zoomed([0, 10], 0, 0.5, [0, 10]), [0, 5]);
  assert.equal(zoomed([2, 8], 5, 4, [0, 10]), null);
});

test("panning stops at the ends", () => {
  assert.deepEqual(kept([-1, 3], [0, 10]), [0, 4]);
  assert.deepEqual(kept([8, 12], [0, 10]), [6, 10]);
  assert.deepEqual(kept([3, 5], [0, 10]), [3, 5]);
  assert.equal(kept([0, 10], [0, 10]), null);
});
