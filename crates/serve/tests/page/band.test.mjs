import test from "node:test";
import assert from "node:assert/strict";
import { BandPoints } from "../../assets/chart/band.js";

const line = (length, value) => Float64Array.from({ length }, (_, i) => value(i));

test("the line is the mean, and the band reaches from the smallest sample to the largest length", () => {
  const time = line(8, (i) => i);
  const columns = { mean: line(8, () => 26), low: line(8, (i) => (i === 5 ? 3 : 30)), high: line(8, (i) => (i === 2 ? 99 : 31)) };
  const points = new BandPoints();
  points.update(time, columns, 0, 8, 2);
  assert.equal(points.length, 2);
  assert.deepEqual([...points.y.slice(0, 2)], [26, 26]);
  assert.deepEqual([...points.low.slice(0, 2)], [26, 3]);
  assert.deepEqual([...points.high.slice(0, 2)], [99, 31]);
  assert.deepEqual(points.extent(), [3, 99]);
});

test("following growing columns gives the same points as a fresh start", () => {
  const time = line(5_000, (i) => i * 1e-4);
  const noise = (seed) => line(5_000, (i) => Math.abs(Math.sin(i * seed) * 43758.5) % 1);
  const [mean, low, high] = [noise(12.9898), noise(3.7), noise(7.1)];
  const part = (length) => ({ mean: mean.subarray(0, length), low: low.subarray(0, length), high: high.subarray(0, length) });
  const following = new BandPoints();
  for (let length = 0; length <= 5_000; length += 333) {
    const fresh = new BandPoints();
    for (const points of [following, fresh]) points.update(time.subarray(0, length), part(length), 0, 0.5, 640);
    assert.equal(following.length, fresh.length);
    for (const name of ["x", "y", "low", "high"]) assert.deepEqual(following[name].slice(0, fresh.length), fresh[name].slice(0, fresh.length));
  }
});

test("a rewritten past and an empty window start again", () => {
  const time = line(100, (i) => i);
  const columns = { mean: line(100, () => 5), low: line(100, () => 5), high: line(100, () => 5) };
  const points = new BandPoints();
  points.update(time, columns, 0, 100, 10);
  for (let i = 0; i < 50; i += 1) { time[i] = 2 * i + 1; for (const column of Object.values(columns)) column[i] = 1; }
  const half = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.subarray(0, 50)]));
  points.update(time.subarray(0, 50), half, 0, 100, 10);
  assert.deepEqual(points.extent(), [1, 1]);
  points.update(time, columns, 5, 5, 10);
  assert.equal(points.length, 0);
});
