import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest, positionOf, readLiteral, roundValues, showValue, valueAt, writeLiteral } from "../../assets/editor/literal.js";

test("reads what scenarios write", () => {
  assert.equal(readLiteral('"26 kB"', "B"), 26000);
  assert.equal(readLiteral('"64 KiB"', "B"), 65536);
  assert.equal(readLiteral('"2_5.5Mb/s"', "b/s"), 25500000);
  assert.equal(readLiteral('"50 us"', "s"), 0.00005);
  assert.equal(readLiteral('"12.5 %"', "ratio"), 0.125);
  assert.equal(readLiteral('"2^-7"', "ratio"), 2 ** -7);
  assert.equal(readLiteral('"1/4"', "ratio"), 0.25);
  assert.equal(readLiteral("10", "count"), 10);
  assert.equal(readLiteral("30", "B", "kB"), 30000);
  assert.equal(readLiteral("0.5", "ratio"), 0.5);
});

test("refuses the rest", () => {
  for (const [text, unit] of [["30", "B"], ['"line rate"', "b/s"], ['"1 s"', "B"], ["", "count"], ["-1", "count"], ['"1 k"', "B"]]) {
    assert.equal(readLiteral(text, unit), null, text);
  }
});

test("writes literals", () => {
  assert.equal(writeLiteral(26000, "B"), '"26 kB"');
  assert.equal(writeLiteral(26000, "B", "kB"), '"26 kB"');
  assert.equal(writeLiteral(2600000, "B", "kB"), '"2600 kB"');
  assert.equal(writeLiteral(500, "B", "kB"), '"500 B"');
  assert.equal(writeLiteral(0, "B", "kB"), '"0 kB"');
  assert.equal(writeLiteral(1.5e-6, "s"), '"1.5 us"');
  assert.equal(writeLiteral(1e10, "b/s"), '"10 Gb/s"');
  assert.equal(writeLiteral(0.125, "ratio", "%"), '"12.5 %"');
  assert.equal(writeLiteral(0.001, "ratio", "%"), '"0.1 %"');
  assert.equal(writeLiteral(2 ** -7, "ratio", "2^"), '"2^-7"');
  assert.equal(writeLiteral(10, "count"), "10");
  assert.equal(showValue(26000, "B"), "26\u00a0kB");
});

test("written literals read back", () => {
  for (const unit of ["B", "b/s", "s", "ratio", "count"]) {
    for (const value of [1, 2.5, 26000, 1e-6, 0.03, 150000, 1.28e9]) {
      const back = readLiteral(writeLiteral(value, unit), unit);
      assert.ok(Math.abs(back / value - 1) < 1e-5, `${value} ${unit}: ${back}`);
    }
  }
});

test("round values", () => {
  const log = { min: 1000, max: 1e6, scale: "log", unit: "B" };
  const values = roundValues(log);
  assert.deepEqual(values.slice(0, 3), [1000, 1100, 1200]);
  assert.equal(values.at(-1), 1e6);
  assert.ok(values.includes(26000) && values.includes(99000) && !values.includes(101000));
  assert.equal(values[nearest(values, positionOf(26300, log), log)], 26000);
  assert.deepEqual(roundValues({ min: 1, max: 5, scale: "log", unit: "count" }), [1, 2, 3, 4, 5]);
  assert.deepEqual(roundValues({ min: 0, max: 1, scale: "linear", unit: "ratio" }).slice(0, 3), [0, 0.005, 0.01]);
  assert.deepEqual(roundValues({ min: 2 ** -2, max: 2, scale: "log", unit: "ratio", literal_unit: "2^" }), [0.25, 0.5, 1, 2]);
  for (const entry of [log, { min: 0, max: 3, scale: "linear" }, { min: 10, max: 11, scale: "log" }]) {
    const list = roundValues(entry);
    assert.ok(list.length <= 400 && list.every((value, index) => index === 0 || value > list[index - 1]));
    assert.ok(Math.abs(positionOf(valueAt(0.3, entry), entry) - 0.3) < 1e-9);
  }
});
