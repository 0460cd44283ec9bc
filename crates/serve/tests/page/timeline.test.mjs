import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../assets/chart/history.js";
import { CURVES } from "./curves.mjs";
import { labelRows, Overview, speedText, timeText } from "../../assets/network/timeline-overview.js";

function history(queues) {
  const start = { curves: CURVES, queues: queues.map(() => ({})), flows: [], ports: [] };
  const result = new History(start);
  result.add = (time, values) => result.append({
    time_s: time, "queue.length_bytes": values, "queue.largest_bytes": values.map((list) => list.map((value) => value + 1)), "queue.notifications": values,
    "flow.rate_bps": [], "flow.limit_bps": [], "flow.notifications": [], "port.utilisation_share": [], "port.paused_share": [],
  });
  return result;
}

test("the overview keeps the lowest and highest of the longest queue per slice", () => {
  const data = history([0, 1]);
  const overview = new Overview(1, 2);
  data.add([0.1, 0.2, 0.3], [[5, 1, 2], [0, 7, 3]]);
  assert.equal(overview.update(data, 2), true);
  assert.deepEqual([...overview.low], [3, NaN]);
  assert.deepEqual([...overview.high], [8, NaN]);
  data.add([0.9], [[20], [4]]);
  overview.update(data, 2);
  assert.deepEqual([...overview.low], [3, 20]);
  assert.equal(overview.highest, 21);
  assert.equal(overview.reached, 0.9);
  assert.equal(overview.update(data, 2), false);
});

test("samples in batches give the same overview as all at once", () => {
  const values = Array.from({ length: 500 }, (_, i) => Math.abs(Math.sin(i) * 100));
  const time = values.map((_, i) => (i + 1) / 500);
  const [whole, parts] = [history([0]), history([0])];
  const [one, many] = [new Overview(1, 64), new Overview(1, 64)];
  whole.add(time, [values]);
  one.update(whole, 1);
  for (let i = 0; i < 500; i += 7) { parts.add(time.slice(i, i + 7), [values.slice(i, i + 7)]); many.update(parts, 1); }
  assert.equal(many.outline(600, 40), one.outline(600, 40));
});

test("a sample at the very end belongs to the last slice", () => {
  const data = history([0]);
  data.add([1, 1.5], [[3, 4]]);
  const overview = new Overview(1, 4);
  overview.update(data, 1);
  assert.equal(overview.high[3], 5);
});

test("the outline is closed, and empty without samples", () => {
  const overview = new Overview(1, 4);
  assert.equal(overview.outline(100, 40), "");
  const data = history([0]);
  data.add([0.1, 0.6], [[0, 9]]);
  overview.update(data, 1);
  assert.equal(overview.outline(100, 40), "M12.5 36.0L62.5 0.0L62.5 4.0L12.5 40.0Z");
});

test("no queues leave the overview empty", () => {
  const data = history([]);
  data.add([0.5], []);
  const overview = new Overview(1, 4);
  overview.update(data, 0);
  assert.equal(overview.reached, 0.5);
  assert.equal(overview.outline(100, 40), "");
});

test("labels take a second row and then hide", () => {
  const rows = labelRows([{ x: 0, width: 50 }, { x: 20, width: 50 }, { x: 40, width: 50 }, { x: 190, width: 50 }], 200);
  assert.deepEqual(rows, [{ row: 0, left: 0 }, { row: 1, left: 20 }, { row: -1, left: 40 }, { row: 0, left: 150 }]);
});

test("speeds read as a share of real time", () => {
  assert.equal(speedText(0.005), "1/200 of real time");
  assert.equal(speedText(1), "real time");
  assert.equal(speedText(12), "12× real time");
});

test("times keep the decimals of the whole run", () => {
  assert.equal(timeText(0.0124, 0.1), "12.4\u00a0ms");
  assert.equal(timeText(0, 0.1), "0.0\u00a0ms");
  assert.equal(timeText(2, 8), "2.00\u00a0s");
  assert.equal(timeText(5e-5, 5e-4), "50\u00a0µs");
});
