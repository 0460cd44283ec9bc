import test from "node:test";
import assert from "node:assert/strict";
import { History } from "../../assets/chart/history.js";
import { CURVES } from "./curves.mjs";

const start = { curves: CURVES, queues: [{ name: "q" }], flows: [{ name: "a" }, { name: "b" }], ports: [{ name: "p" }] };

function batch(from, count, value = (i) => i) {
  const index = Array.from({ length: count }, (_, k) => from + k);
  return {
    time_s: index.map((i) => (i + 1) * 1e-3),
    "queue.length_bytes": [index.map(value)],
    "queue.largest_bytes": [index.map((i) => value(i) + 1)],
    "queue.mean_bytes": [index.map((i) => i % 2)],
    "queue.notifications": [index.map(() => 1)],
    "flow.rate_bps": [index.map((i) => 10 * i), index.map((i) => 20 * i)],
    "flow.limit_bps": [index.map((i) => (i % 2 ? null : i)), index.map(() => null)],
    "flow.notifications": [index.map(() => 0), index.map(() => 2)],
    "port.utilisation_share": [index.map(() => 0.5)],
    "port.paused_share": [index.map((i) => (i % 2 ? 1 : 0))],
  };
}

test("batches are appended and grow past the first capacity", () => {
  const history = new History(start);
  history.append(batch(0, 700));
  history.append(batch(700, 900));
  assert.equal(history.length, 1600);
  assert.equal(history.time.length, 1600);
  assert.equal(history.column("flow.rate_bps", 1)[1599], 20 * 1599);
  assert.ok(Number.isNaN(history.column("flow.limit_bps", 0)[1]));
  assert.equal(history.column("flow.limit_bps", 0)[2], 2);
  assert.throws(() => history.column("flow.rate_bps", 2), RangeError);
  assert.throws(() => history.column("unknown", 0), RangeError);
});

test("the index at a time is the last sample at or before it", () => {
  const history = new History(start);
  assert.equal(history.indexAt(1), -1);
  history.append(batch(0, 10));
  assert.equal(history.indexAt(0), -1);
  assert.equal(history.indexAt(0.001), 0);
  assert.equal(history.indexAt(0.0055), 4);
  assert.equal(history.indexAt(99), 9);
});

test("a long run stays bounded and keeps extremes, sums and order", () => {
  const history = new History(start, { samples: 1000 });
  const spike = (i) => (i === 137 ? 1e6 : i === 402 ? -5 : i % 7);
  for (let from = 0; from < 5000; from += 250) history.append(batch(from, 250, spike));
  assert.ok(history.length <= 1000);
  assert.ok(history.generation > 0);
  const time = history.time;
  for (let i = 1; i < time.length; i += 1) assert.ok(time[i] > time[i - 1]);
  assert.equal(time.at(-1), 5);
  assert.equal(Math.max(...history.column("queue.length_bytes", 0)), 1e6);
  assert.equal(Math.min(...history.column("queue.length_bytes", 0)), -5);
  assert.equal(Math.max(...history.column("queue.largest_bytes", 0)), 1e6 + 1);
  assert.equal(history.column("queue.notifications", 0).reduce((a, b) => a + b), 5000);
  assert.equal(history.column("flow.notifications", 1).reduce((a, b) => a + b), 10000);
  assert.ok(history.column("port.utilisation_share", 0).every((value) => Math.abs(value - 0.5) < 1e-12));
  // The mean weighted by interval keeps the paused time.
  for (const kind of ["port.paused_share", "queue.mean_bytes"]) {
    let whole = 0;
    history.column(kind, 0).forEach((value, i) => { whole += value * (time[i] - (i ? time[i - 1] : 0)); });
    assert.ok(Math.abs(whole - 2.5) < 1e-9, kind);
  }
});

test("an oscillation with a period of two samples keeps both sides", () => {
  const history = new History(start, { samples: 64 });
  history.append(batch(0, 65, (i) => (i % 2 ? 10 : -10)));
  const column = [...history.column("queue.length_bytes", 0)].slice(0, 32);
  assert.deepEqual(new Set(column), new Set([10, -10]));
  assert.equal(column.filter((value) => value === 10).length, 16);
});

test("a batch larger than the limit, and missing columns", () => {
  const history = new History(start, { samples: 100 });
  history.append(batch(0, 1000));
  assert.ok(history.length <= 100);
  assert.equal(history.time.at(-1), 1);
  const sparse = new History(start);
  sparse.append({ time_s: [0.1, 0.2] });
  assert.ok(Number.isNaN(sparse.column("port.utilisation_share", 0)[1]));
});

test("the bound on cells limits wide networks", () => {
  const wide = { curves: CURVES, queues: [], flows: [], ports: Array.from({ length: 50 }, () => ({})) };
  const history = new History(wide, { cells: 10_100 });
  history.append({ time_s: Array.from({ length: 500 }, (_, i) => i) });
  assert.ok(history.length <= 100);
});
