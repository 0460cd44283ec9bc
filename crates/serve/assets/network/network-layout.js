// Positions of the nodes, from 0 to 1. Uses the given positions, or otherwise one of five arrangements: star (one
// bridge), chain (bridges in a row), ring (bridges in a circle, stations outside), layered (senders left, receivers
// right), tree (stations at the bottom).

import { distances } from "./network-graph.js";

/** Returns `{ x, y, kind, vertical, hanging }`; `vertical` means that links mostly run from top to bottom. */
export function layout(graph) {
  const given = givenPositions(graph.nodes);
  if (given) return given;
  const bridges = indices(graph.nodes, (node) => node.kind === "bridge");
  const role = roles(graph);
  const plan = empty(graph.nodes.length);
  if (bridges.length <= 1) return star(graph, plan, bridges, role);
  const order = chainOrder(graph, bridges, role);
  if (order) return chain(graph, plan, order, role);
  const circle = ringOrder(graph, bridges);
  if (circle) return ring(graph, plan, circle);
  return separated(graph, bridges, role) ? layered(graph, plan, bridges, role) : tree(graph, plan, bridges);
}

function empty(count) {
  return {
    x: new Array(count).fill(0.5), y: new Array(count).fill(0.5), hanging: new Array(count).fill(false),
    kind: "given", vertical: false,
  };
}

function indices(items, test) {
  return items.flatMap((item, index) => (test(item, index) ? [index] : []));
}

/** Positions from the server, unless some are missing or many nodes share a position (a grouped drawing). */
function givenPositions(nodes) {
  if (!nodes.length || !nodes.every((node) => Number.isFinite(node.x) && Number.isFinite(node.y))) return null;
  const places = new Set(nodes.map((node) => `${node.x.toFixed(3)} ${node.y.toFixed(3)}`));
  if (places.size < nodes.length * 0.9) return null;
  const plan = empty(nodes.length);
  const clamp = (value) => Math.min(1, Math.max(0, value));
  nodes.forEach((node, index) => { plan.x[index] = clamp(node.x); plan.y[index] = clamp(node.y); });
  const distinct = (key) => new Set(nodes.map((node) => node[key].toFixed(2))).size;
  plan.vertical = distinct("x") > distinct("y");
  return plan;
}

/** +1 for a station that mostly sends, -1 for one that mostly receives, 0 for an even balance. */
export function roles(graph) {
  const net = new Array(graph.nodes.length).fill(0);
  for (const { from, to } of graph.flows) {
    if (from >= 0) net[from] += 1;
    if (to >= 0) net[to] -= 1;
  }
  return net.map(Math.sign);
}

/** Spreads nodes evenly along one axis, at a fixed position on the other. */
function spread(nodes, along, across, at) {
  nodes.forEach((node, index) => {
    along[node] = (index + 0.5) / nodes.length;
    across[node] = at;
  });
}

function star(graph, plan, bridges, role) {
  const sides = { left: [], right: [] };
  const even = [];
  graph.nodes.forEach((_, node) => {
    if (bridges.includes(node)) return;
    if (role[node] > 0) sides.left.push(node);
    else if (role[node] < 0) sides.right.push(node);
    else even.push(node);
  });
  for (const node of even) (sides.left.length <= sides.right.length ? sides.left : sides.right).push(node);
  spread(sides.left.sort(ascending), plan.y, plan.x, 0);
  spread(sides.right.sort(ascending), plan.y, plan.x, 1);
  return { ...plan, kind: "star" };
}

const ascending = (a, b) => a - b;

/** The bridges to which each bridge is linked. */
function linkedBridges(graph, bridges) {
  return new Map(bridges.map((bridge) => [bridge, [...new Set(
    graph.neighbours[bridge].map(({ node }) => node).filter((node) => graph.nodes[node].kind === "bridge"))]]));
}

/** The bridges in order, from the first one towards its earlier neighbour, if they form one circle; otherwise null. */
function ringOrder(graph, bridges) {
  const next = linkedBridges(graph, bridges);
  if (bridges.length < 3 || bridges.some((bridge) => next.get(bridge).length !== 2)) return null;
  const order = [bridges[0], Math.min(...next.get(bridges[0]))];
  while (order.length <= bridges.length) {
    const step = next.get(order.at(-1)).find((bridge) => bridge !== order.at(-2));
    if (step === order[0]) break;
    order.push(step);
  }
  return order.length === bridges.length ? order : null;
}

/** Bridges clockwise on an ellipse, the first one at the top; the stations of each on an outer ellipse. */
function ring(graph, plan, order) {
  const step = (2 * Math.PI) / order.length;
  const place = (node, angle, reach) => {
    plan.x[node] = 0.5 + reach * Math.sin(angle);
    plan.y[node] = 0.5 - reach * Math.cos(angle);
  };
  order.forEach((bridge, at) => {
    place(bridge, at * step, 0.3);
    const stations = stationsAt(graph, bridge);
    stations.forEach((station, index) => place(station, (at + ((index + 0.5) / stations.length - 0.5) * 0.8) * step, 0.5));
  });
  return { ...plan, kind: "ring" };
}

/** The bridges in order if each is linked to at most two others and they form one row; otherwise null. */
function chainOrder(graph, bridges, role) {
  const next = linkedBridges(graph, bridges);
  const ends = bridges.filter((bridge) => next.get(bridge).length === 1);
  if (ends.length !== 2 || bridges.some((bridge) => next.get(bridge).length > 2)) return null;
  const order = [ends[0]];
  for (let last = -1, at = ends[0]; order.length < bridges.length;) {
    const step = next.get(at).find((bridge) => bridge !== last);
    if (step === undefined) return null;
    last = at; at = step;
    order.push(at);
  }
  const balance = (bridge) => stationsAt(graph, bridge).reduce((sum, node) => sum + role[node], 0);
  // Traffic reads from left to right: the end with more senders comes first.
  return balance(order[0]) < balance(order.at(-1)) ? order.reverse() : order;
}

function stationsAt(graph, bridge) {
  return graph.neighbours[bridge].map(({ node }) => node).filter((node) => graph.nodes[node].kind === "station");
}

function chain(graph, plan, order, role) {
  const edge = order.length === 2 ? 0.3 : 0.2;
  const step = (1 - 2 * edge) / (order.length - 1);
  order.forEach((bridge, at) => {
    plan.x[bridge] = edge + step * at;
    const stations = stationsAt(graph, bridge);
    if (at === 0) return spread(stations, plan.y, plan.x, 0);
    if (at === order.length - 1) return spread(stations, plan.y, plan.x, 1);
    const above = stations.filter((node) => role[node] > 0 || (role[node] === 0 && stations.indexOf(node) % 2 === 0));
    for (const [side, y] of [[above, 0.05], [stations.filter((node) => !above.includes(node)), 0.95]]) {
      side.forEach((node, index) => {
        plan.x[node] = plan.x[bridge] + ((index + 0.5) / side.length - 0.5) * step * 0.9;
        plan.y[node] = y;
        plan.hanging[node] = true;
      });
    }
    return undefined;
  });
  return { ...plan, kind: "chain" };
}

/** True if no bridge has both senders and receivers, so that traffic crosses the drawing in one direction. */
function separated(graph, bridges, role) {
  let senders = 0; let receivers = 0;
  for (const bridge of bridges) {
    const stations = stationsAt(graph, bridge).map((node) => role[node]);
    if (stations.includes(0) || (stations.includes(1) && stations.includes(-1))) return false;
    if (stations.includes(1)) senders += 1;
    if (stations.includes(-1)) receivers += 1;
  }
  return senders > 0 && receivers > 0;
}

function layered(graph, plan, bridges, role) {
  const of = (sign) => indices(graph.nodes, (node, index) => node.kind !== "bridge" && role[index] === sign);
  const fromSenders = distances(graph, of(1));
  const toReceivers = distances(graph, of(-1));
  const rank = (bridge) => finite(fromSenders[bridge]) - finite(toReceivers[bridge]);
  const ranks = [...new Set(bridges.map(rank))].sort(ascending);
  const idle = of(0);
  const columns = [[...of(1), ...idle], ...ranks.map((value) => bridges.filter((bridge) => rank(bridge) === value)), of(-1)];
  reduceCrossings(graph, columns);
  columns.forEach((column, at) => spread(column, plan.y, plan.x, at / (columns.length - 1)));
  return { ...plan, kind: "layered" };
}

const finite = (value) => (value === Infinity ? 99 : value);

function tree(graph, plan, bridges) {
  const stations = indices(graph.nodes, (node) => node.kind !== "bridge");
  const hops = distances(graph, stations);
  const depths = [...new Set(bridges.map((bridge) => finite(hops[bridge])))].sort(ascending);
  const rows = [stations, ...depths.map((depth) => bridges.filter((bridge) => finite(hops[bridge]) === depth))]
    .filter((row) => row.length).reverse();
  reduceCrossings(graph, rows);
  const places = rowPlaces(graph, rows);
  rows.forEach((row, at) => spread(row, plan.x, plan.y, places[at]));
  return { ...plan, kind: "tree", vertical: true };
}

/** Heights of the rows. Links that reach far sideways get more height, so that they stay apart. */
function rowPlaces(graph, rows) {
  if (rows.length < 2) return [0.5];
  const x = new Map(rows.flatMap((row) => row.map((node, index) => [node, (index + 0.5) / row.length])));
  const gaps = rows.slice(1).map((row, at) => {
    const above = new Set(rows[at]);
    const reaches = row.flatMap((node) => graph.neighbours[node].filter((next) => above.has(next.node))
      .map((next) => Math.abs(x.get(node) - x.get(next.node))));
    return 0.8 + (2 * reaches.reduce((sum, reach) => sum + reach, 0)) / Math.max(1, reaches.length);
  });
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  let at = 0;
  return [0, ...gaps.map((gap) => { at += gap / total; return at; })];
}

/** Orders the nodes of each layer by the mean position of their neighbours; keeps the order with the fewest crossings. */
function reduceCrossings(graph, layers) {
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(graph, layers);
  for (let sweep = 0; sweep < 6 && fewest > 0; sweep += 1) {
    const upwards = sweep % 2 === 1;
    for (let step = 1; step < layers.length; step += 1) {
      const at = upwards ? layers.length - 1 - step : step;
      sortByNeighbours(graph, layers[at], layers[upwards ? at + 1 : at - 1]);
    }
    const count = crossings(graph, layers);
    if (count < fewest) { fewest = count; best = layers.map((layer) => [...layer]); }
  }
  best.forEach((layer, at) => { layers[at].splice(0, layers[at].length, ...layer); });
}

function sortByNeighbours(graph, layer, fixed) {
  const place = new Map(fixed.map((node, index) => [node, (index + 0.5) / fixed.length]));
  const key = new Map(layer.map((node, index) => {
    const places = graph.neighbours[node].map((next) => place.get(next.node)).filter((value) => value !== undefined);
    return [node, places.length ? places.reduce((a, b) => a + b, 0) / places.length : (index + 0.5) / layer.length];
  }));
  layer.sort((a, b) => key.get(a) - key.get(b));
}

/** Number of pairs of links between adjacent layers that cross. */
export function crossings(graph, layers) {
  // Counting is quadratic; a network this large is dense whatever the order.
  if (graph.links.length > 1500) return 0;
  let count = 0;
  for (let at = 0; at + 1 < layers.length; at += 1) {
    const upper = new Map(layers[at].map((node, index) => [node, index]));
    const lower = new Map(layers[at + 1].map((node, index) => [node, index]));
    const pairs = graph.links.flatMap(({ a, b }) => {
      if (upper.has(a) && lower.has(b)) return [[upper.get(a), lower.get(b)]];
      if (upper.has(b) && lower.has(a)) return [[upper.get(b), lower.get(a)]];
      return [];
    });
    for (let i = 0; i < pairs.length; i += 1) {
      for (let j = 0; j < i; j += 1) if ((pairs[i][0] - pairs[j][0]) * (pairs[i][1] - pairs[j][1]) < 0) count += 1;
    }
  }
  return count;
}
