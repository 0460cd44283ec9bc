import assert from "node:assert/strict";
import { test } from "node:test";
import { dumbbell, fatTree, parkingLot, star } from "./runs.mjs";
import { geometry, naturalHeight, overlap, pathData, polyline } from "../../assets/network/network-geometry.js";
import { distances, queuesOfFlows, resolve, sender, shortestPath } from "../../assets/network/network-graph.js";
import { crossings, layout } from "../../assets/network/network-layout.js";
import { along, measured } from "../../assets/network/network-notices.js";
import { nearest } from "../../assets/network/network-tip.js";
import { describeQueue } from "../../assets/network/network-values.js";

const at = (graph, name) => graph.nodes.findIndex((node) => node.name === name);
const measure = (text, font) => text.length * font * 0.55;
const draw = (start, width = 1200) => {
  const graph = resolve(start);
  const plan = layout(graph);
  return { graph, plan, shape: geometry(graph, plan, { width, height: naturalHeight(plan) }, measure) };
};

test("names and indices resolve to the same graph", () => {
  const start = dumbbell(4);
  const named = structuredClone(start);
  for (const list of [named.flows, named.ports]) for (const item of list) { item.from = start.nodes[item.from].name; item.to = start.nodes[item.to].name; }
  for (const port of named.ports) delete port.link;
  assert.deepEqual(resolve(named), resolve(start));
});

test("each port belongs to one direction of its link", () => {
  const { links, ports } = resolve(dumbbell(4));
  links.forEach((link, index) => {
    assert.equal(ports[link.forward].link, index);
    assert.equal(ports[link.forward].from, link.a);
    assert.equal(ports[link.back].from, link.b);
  });
});

test("parallel links keep their own ports", () => {
  const nodes = [{ name: "A", kind: "bridge" }, { name: "B", kind: "bridge" }];
  const links = [{ a: 0, b: 1, rate_bps: 1 }, { a: 0, b: 1, rate_bps: 1 }];
  const graph = resolve({ nodes, links, ports: [{ name: "p", from: 0, to: 1 }, { name: "q", from: 0, to: 1 }] });
  assert.deepEqual(graph.links.map((link) => link.forward), [0, 1]);
});

test("unknown names do not fail", () => {
  const { graph } = draw({ nodes: [{ name: "A", kind: "station" }], links: [{ a: 0, b: 9 }], flows: [{ from: "x", to: "A" }], queues: [{ name: "q", port: 3 }] });
  assert.equal(graph.links[0].b, -1);
  assert.deepEqual(queuesOfFlows(graph), [[]]);
  assert.equal(draw({ nodes: [], links: [] }).shape.boxes.length, 0);
});

test("a path never leads through a station", () => {
  const nodes = ["A", "S", "B"].map((name) => ({ name, kind: name === "S" ? "station" : "bridge" }));
  const graph = resolve({ nodes, links: [{ a: 0, b: 1 }, { a: 1, b: 2 }] });
  assert.equal(distances(graph, [0])[2], Infinity);
  assert.equal(shortestPath(graph, 0, 2), null);
});

test("the shortest path lists directed steps", () => {
  const graph = resolve(dumbbell(4));
  const steps = shortestPath(graph, at(graph, "B2"), at(graph, "sender 1"));
  const visited = steps.map(({ link, forward }) => graph.nodes[graph.links[link][forward ? "b" : "a"]].name);
  assert.deepEqual(visited, ["B1", "sender 1"]);
  assert.deepEqual(shortestPath(graph, 0, 0), []);
});

test("weights choose between equal paths", () => {
  const graph = resolve(fatTree(4));
  const through = (core) => shortestPath(graph, at(graph, "E1"), at(graph, "h16"), (link) => {
    const { a, b } = graph.links[link];
    return [a, b].includes(at(graph, core)) ? 1 : 0;
  });
  const nodes = (steps) => steps.map(({ link, forward }) => graph.nodes[graph.links[link][forward ? "b" : "a"]].name);
  assert.ok(nodes(through("C2")).includes("C2"));
  assert.equal(through("C1").length, through("C2").length);
});

test("a flow is notified by queues on a shortest path only", () => {
  const start = dumbbell(4);
  const port = (from, to) => start.ports.findIndex((item) => item.name === `${from}->${to}`);
  start.queues = [["B1", "B2"], ["B2", "sink 1"], ["B2", "B1"]].map(([a, b]) => ({ name: a + b, port: port(a, b) }));
  const queues = queuesOfFlows(resolve(start));
  assert.deepEqual(queues.slice(0, 2), [[0, 1], [0]]);
  assert.equal(sender([0, 1], [2, 5, 9]), 1);
  assert.equal(sender([0], [0, 5]), -1);
});

test("a star has senders left and receivers right", () => {
  const { graph, plan } = draw(star(5));
  assert.equal(plan.kind, "star");
  assert.equal(plan.x[at(graph, "S3")], 0);
  assert.equal(plan.x[at(graph, "switch")], 0.5);
  assert.equal(plan.x[at(graph, "R")], 1);
});

test("a star without flows uses both sides", () => {
  const start = star(5);
  start.flows = [];
  const { plan } = draw(start);
  assert.equal(plan.x.filter((x) => x === 0).length, 3);
});

test("a dumbbell and a parking lot run from left to right", () => {
  for (const [start, first, last] of [[dumbbell(6), "B1", "B2"], [parkingLot(4), "B1", "B4"]]) {
    const { graph, plan } = draw(start);
    assert.equal(plan.kind, "chain");
    assert.ok(plan.x[at(graph, first)] < plan.x[at(graph, last)]);
  }
  const { graph, plan } = draw(parkingLot(4));
  assert.ok(plan.y[at(graph, "S2")] < 0.5 && plan.hanging[at(graph, "S2")]);
  assert.ok(plan.y[at(graph, "X")] > 0.5);
});

test("bridges between separate senders and receivers are ordered by distance", () => {
  const names = ["s1", "s2", "r", "L1", "L2", "M", "N", "Z"];
  const nodes = names.map((name) => ({ name, kind: /^[sr]/.test(name) ? "station" : "bridge" }));
  const link = (a, b) => ({ a: names.indexOf(a), b: names.indexOf(b), rate_bps: 1 });
  const links = [["s1", "L1"], ["s2", "L2"], ["L1", "M"], ["L1", "N"], ["L2", "M"], ["L2", "N"], ["M", "Z"], ["N", "Z"], ["Z", "r"]].map(([a, b]) => link(a, b));
  const graph = resolve({ nodes, links, flows: [{ from: 0, to: 2 }, { from: 1, to: 2 }] });
  const plan = layout(graph);
  assert.equal(plan.kind, "layered");
  assert.deepEqual([0, 3, 5, 7, 2].map((node) => plan.x[node]), [0, 0.25, 0.5, 0.75, 1]);
});

test("a fat tree has its stations at the bottom and its core at the top", () => {
  const { graph, plan } = draw(fatTree(4));
  assert.equal(plan.kind, "tree");
  assert.equal(plan.vertical, true);
  assert.equal(plan.y[at(graph, "C1")], 0);
  assert.equal(plan.y[at(graph, "h1")], 1);
  assert.ok(plan.y[at(graph, "A1")] < plan.y[at(graph, "E1")]);
  const hosts = graph.nodes.flatMap((node, index) => (node.kind === "station" ? [index] : [])).sort((a, b) => plan.x[a] - plan.x[b]);
  const edges = graph.nodes.flatMap((node, index) => (/^E/.test(node.name) ? [index] : [])).sort((a, b) => plan.x[a] - plan.x[b]);
  assert.equal(crossings(graph, [edges, hosts]), 0);
});

test("given positions win unless nodes coincide", () => {
  const start = star(3);
  start.nodes.forEach((node, index) => { node.x = index / 10; node.y = 0.3; });
  assert.equal(layout(resolve(start)).kind, "given");
  start.nodes.forEach((node) => { node.x = 0.5; });
  assert.equal(layout(resolve(start)).kind, "star");
  delete start.nodes[0].x;
  assert.equal(layout(resolve(start)).kind, "star");
});

test("labels never overlap and stay inside, at both widths", () => {
  for (const start of [star(2), star(30), star(200), dumbbell(10), parkingLot(5), fatTree(4), fatTree(8)]) {
    for (const width of [752, 1232]) {
      const { shape } = draw(structuredClone(start), width);
      assert.equal(overlap(shape.boxes, 0), false, `${start.name} at ${width}`);
      for (const box of shape.boxes) {
        assert.ok(box.x - box.w / 2 >= 0 && box.x + box.w / 2 <= width, `${start.name} at ${width}`);
        assert.ok(box.y - box.h / 2 >= 0 && box.y + box.h / 2 <= shape.height, `${start.name} at ${width}`);
      }
    }
  }
});

test("a dense network hides labels, a small one shows them", () => {
  assert.ok(draw(dumbbell(10)).shape.boxes.every((box) => box.text));
  const large = draw(fatTree(8)).shape.boxes;
  assert.ok(large.every((box) => Boolean(box.text) === box.bridge));
  assert.ok(large.every((box) => box.bridge || box.w > 4));
  assert.ok(draw(star(200)).shape.boxes.some((box) => !box.text));
});

test("the two lanes of a link keep to their sides", () => {
  const { graph, shape } = draw(star(1));
  const { forward, back, centre } = shape.links[0];
  assert.ok(graph.nodes[graph.links[0].a].name === "S1");
  // S1 is left of the switch: its frames travel below the centre line.
  assert.ok(forward[0].y > centre[0].y && back[5].y < centre[0].y);
  assert.match(pathData(forward), /^M[\d. -]+L[\d. -]+C[\d. -]+L[\d. -]+$/);
});

test("queue bars start at the bridge", () => {
  const start = dumbbell(4);
  start.queues = [{ name: "q", port: start.ports.findIndex((port) => port.name === "B1->B2"), capacity_bytes: null }];
  const { graph, shape } = draw(start);
  const box = shape.boxes[at(graph, "B1")];
  assert.equal(shape.bars[0].angle, 0);
  assert.ok(Math.abs(shape.bars[0].x - (box.x + box.w / 2)) < 4);
});

test("dots move at an even speed and skip bridges", () => {
  const trail = measured([[{ x: 0, y: 0 }, { x: 10, y: 0 }], [{ x: 50, y: 0 }, { x: 60, y: 0 }]]);
  assert.equal(trail.length, 20);
  assert.equal(along(trail, 0.25).x, 5);
  assert.equal(along(trail, 0.75).x, 55);
  assert.equal(along(trail, 2).x, 60);
  assert.ok(polyline(draw(star(2)).shape.links[0].forward).every((point) => Number.isFinite(point.x + point.y)));
});

test("arrow keys move to the nearest part in their direction", () => {
  const parts = [{ x: 0, y: 0 }, { x: 10, y: 1 }, { x: 8, y: 18 }, { x: -5, y: 0 }];
  assert.equal(nearest(parts, parts[0], [1, 0]), parts[1]);
  assert.equal(nearest(parts, parts[0], [0, 1]), parts[2]);
  assert.equal(nearest(parts, parts[3], [-1, 0]), null);
});

test("a queue's length at the sample and its mean in the interval are separate", () => {
  const values = { "queue.length_bytes": 18_000, "queue.mean_bytes": 21_260, "queue.largest_bytes": 30_000 };
  const graph = { queues: [{ name: "bridge->h65/3", port: 0, capacity: null }], ports: [{}] };
  const { rows } = describeQueue(graph, 0, (kind) => values[kind] ?? 0, { setPoint: null, scale: 30_000 });
  assert.deepEqual(rows.slice(0, 3).map(([label]) => label), ["Length at the sample", "Mean in interval", "Maximum in interval"]);
  assert.notEqual(rows[0][1], rows[1][1]);
});
