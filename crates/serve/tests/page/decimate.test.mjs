import test from "node:test";
import assert from "node:assert/strict";
import { decimate, density, interpolated, lowerBound, nearest, Points, upperBound } from "../../assets/chart/decimate.js";

const line = (length, value) => Float64Array.from({ length }, (_, i) => value(i));

test("searches", () => {
  const time = Float64Array.of(1, 2, 2, 4);
  assert.equal(lowerBound(time, 2), 1);
  assert.equal(upperBound(time, 2), 3);
  assert.equal(nearest(time, 0), 0);
  assert.equal(nearest(time, 2.9), 2);
  assert.equal(nearest(time, 3.1), 3);
  assert.equal(nearest(time, 9), 3);
  assert.equal(nearest(new Float64Array(0), 1), -1);
});

test("values on the line", () => {
  const time = [1, 2, 4];
  const values = [10, 20, 40];
  assert.equal(interpolated(time, values, 2), 20);
  assert.equal(interpolated(time, values, 3), 30);
  assert.equal(interpolated(time, values, 0.5), 10);
  assert.ok(Number.isNaN(interpolated(time, values, 0.1)));
  assert.ok(Number.isNaN(interpolated(time, values, 9)));
  assert.ok(Number.isNaN(interpolated([], [], 1)));
});

test("extremes survive at their own times", () => {
  const time = line(100_000, (i) => i * 1e-3);
  const values = line(100_000, (i) => Math.sin(i / 500));
  values[54_321] = 99;
  values[54_322] = -99;
  const points = decimate(time, values, 0, 100, 500);
  assert.ok(points.length <= 2 * 502);
  const top = points.y.indexOf(99);
  assert.equal(points.x[top], time[54_321]);
  assert.equal(points.y[top + 1], -99);
  for (let i = 1; i < points.length; i += 1) assert.ok(points.x[i] >= points.x[i - 1]);
});

test("few samples stay unchanged, with one beyond each edge", () => {
  const time = line(10, (i) => i);
  const values = line(10, (i) => i * i);
  const points = decimate(time, values, 2.5, 6.5, 100);
  assert.deepEqual([...points.x], [2, 3, 4, 5, 6, 7]);
  assert.deepEqual([...points.y], [4, 9, 16, 25, 36, 49]);
});

test("gaps become one NaN point", () => {
  const time = line(100, (i) => i);
  const values = line(100, (i) => (i >= 40 && i < 60 ? NaN : i));
  const points = decimate(time, values, 0, 99, 200);
  const gaps = [...points.y].filter(Number.isNaN).length;
  assert.equal(gaps, 1);
  assert.equal(Math.max(...[...points.y].filter((y) => !Number.isNaN(y))), 99);
});

test("following a growing column gives the same points as a fresh start", () => {
  const time = line(20_000, (i) => i * 1e-4);
  const values = line(20_000, (i) => Math.sin(i * 12.9898) * 43758.5 % 1);
  const following = new Points();
  for (let length = 0; length <= 20_000; length += 333) {
    following.update(time.subarray(0, length), values.subarray(0, length), 0, 2, 640);
    const fresh = decimate(time.subarray(0, length), values.subarray(0, length), 0, 2, 640);
    assert.equal(following.length, fresh.length);
    assert.deepEqual(following.y.slice(0, following.length), fresh.y);
    assert.deepEqual(following.x.slice(0, following.length), fresh.x);
  }
});

test("a rewritten past, another column and another window start again", () => {
  const time = line(1000, (i) => i);
  const values = line(1000, (i) => i);
  const points = new Points();
  points.update(time, values, 0, 1000, 50);
  for (let i = 0; i < 500; i += 1) { time[i] = 2 * i + 1; values[i] = -i; }
  points.update(time.subarray(0, 500), values.subarray(0, 500), 0, 1000, 50);
  assert.deepEqual(points.extent(), [-499, -0]);
  const other = line(1000, () => 7);
  points.update(time.subarray(0, 500), other.subarray(0, 500), 0, 1000, 50);
  assert.deepEqual(points.extent(), [7, 7]);
  points.update(time.subarray(0, 500), other.subarray(0, 500), 5, 5, 50);
  assert.equal(points.length, 0);
});

test("the extent ignores the samples beyond the window", () => {
  const time = line(10, (i) => i);
  const points = new Points();
  points.update(time, line(10, (i) => (i === 2 ? 100 : i)), 2.5, 6.5, 100);
  assert.deepEqual(points.extent(), [3, 6]);
});

test("event densities", () => {
  const bins = new Uint32Array(4);
  assert.equal(density([0, 0.1, 0.9, 3.9, 4, 5], null, 0, 4, bins), 3);
  assert.deepEqual([...bins], [3, 0, 0, 2]);
  assert.equal(density([0, 1, 2], [0, 5, 1], 0, 4, bins), 5);
  assert.deepEqual([...bins], [0, 5, 1, 0]);
});
