import test from "node:test";
import assert from "node:assert/strict";
import { axisLabel, axisScale, fixed, quantity, share, significant, withEnds } from "../../assets/chart/format.js";

const plain = (text) => text.replaceAll("\u00a0", " ");

test("quantities carry a prefix, a no-break space and at most four digits", () => {
  assert.equal(quantity(23.4e6, "b/s"), "23.4\u00a0Mb/s");
  assert.equal(plain(quantity(26000, "B")), "26 kB");
  assert.equal(plain(quantity(0.0015, "s")), "1.5 ms");
  assert.equal(plain(quantity(1.23456e-6, "s")), "1.235 µs");
  assert.equal(plain(quantity(1234.5, "s")), "1235 s");
  assert.equal(plain(quantity(10e9, "b/s")), "10 Gb/s");
  assert.equal(plain(quantity(42.51, "%", 3)), "42.5 %");
  assert.equal(plain(quantity(0, "B")), "0 B");
  assert.equal(plain(quantity(0.4, "B")), "0.4 B");
});

test("rounding up to the next prefix changes the prefix", () => {
  assert.equal(plain(quantity(999999, "B")), "1 MB");
  assert.equal(plain(quantity(999.99e-6, "s")), "1 ms");
  assert.equal(plain(quantity(999.9e3, "B")), "999.9 kB");
});

test("missing, infinite and negative values", () => {
  assert.equal(quantity(null, "B"), "–");
  assert.equal(quantity(undefined, "B"), "–");
  assert.equal(quantity(NaN, "s"), "–");
  assert.equal(quantity(Infinity, "s"), "∞");
  assert.equal(plain(quantity(-1500, "B")), "\u22121.5 kB");
  assert.equal(quantity(-3), "\u22123");
});

test("counts keep all digits", () => {
  assert.equal(quantity(1234), "1234");
  assert.equal(quantity(1234567), "1\u202f234\u202f567");
  assert.equal(quantity(2.5), "2.5");
  assert.equal(quantity(100), "100");
});

test("shares appear as percentages", () => {
  assert.equal(plain(share(0.4251)), "42.5 %");
  assert.equal(plain(quantity(1, "share")), "100 %");
});

test("axis scales", () => {
  assert.deepEqual(axisScale("B", 26000), { factor: 1e-3, label: "kB" });
  assert.deepEqual(axisScale("s", 0.02), { factor: 1000, label: "ms" });
  assert.deepEqual(axisScale("s", 3e-7), { factor: 1e9, label: "ns" });
  assert.deepEqual(axisScale("b/s", 1e10), { factor: 1e-9, label: "Gb/s" });
  assert.deepEqual(axisScale("share", 1), { factor: 100, label: "%" });
  assert.deepEqual(axisScale("", 12), { factor: 1, label: "" });
  assert.deepEqual(axisScale("B", 0), { factor: 1, label: "B" });
  assert.equal(axisLabel("Queue", "kB"), "Queue (kB)");
  assert.equal(axisLabel("Frames", ""), "Frames");
});

test("plain numbers", () => {
  assert.equal(significant(0.000123456), "0.0001235");
  assert.equal(significant(1e-9), "1e\u22129");
  assert.equal(fixed(-0.0001, 2), "0.00");
  assert.equal(fixed(-1.5, 1), "\u22121.5");
});

test("a mean with the ends of its band names a common unit once", () => {
  assert.equal(plain(withEnds(26660, [12000, 31000], "B")), "26.7 (12–31) kB");
  assert.equal(plain(withEnds(0, [0, 31000], "B")), "0 (0–31) kB");
  assert.equal(plain(withEnds(26660, [800, 31000], "B")), "26.7 kB (800 B–31 kB)");
});
