// The topology as a graph: resolves names to indices, finds shortest paths, and decides which queue sent a notification.

import { feedbackOf } from "../feedback.js";

/** Resolves the "start" of a run; nodes, links and ports may be given by index or by name. */
export function resolve(start) {
  const nodes = start.nodes ?? [];
  const nodeOf = finder(nodes);
  const links = (start.links ?? []).map((link) => ({
    a: nodeOf(link.a), b: nodeOf(link.b), rate: link.rate_bps, forward: -1, back: -1,
  }));
  const ports = (start.ports ?? []).map((port) => ({
    name: port.name, from: nodeOf(port.from), to: nodeOf(port.to), rate: port.rate_bps, link: -1, forward: true,
  }));
  ports.forEach((port, index) => attach(port, index, links, start.ports[index].link));
  const portOf = finder(ports);
  const queues = (start.queues ?? []).map((queue) => ({
    name: queue.name, port: portOf(queue.port), capacity: queue.capacity_bytes ?? null,
  }));
  const flows = (start.flows ?? []).map((flow) => ({ name: flow.name, from: nodeOf(flow.from), to: nodeOf(flow.to) }));
  const hasSources = (start.curves ?? []).some(({ name }) => name === "source.round_trip_s");
  return { nodes, links, ports, queues, flows, hasSources, feedback: feedbackOf(start), neighbours: neighbours(nodes.length, links) };
}

function finder(items) {
  const byName = new Map();
  items.forEach((item, index) => { if (!byName.has(item.name)) byName.set(item.name, index); });
  return (key) => {
    if (Number.isInteger(key)) return key >= 0 && key < items.length ? key : -1;
    return byName.get(key) ?? -1;
  };
}

/** Assigns a port to a direction of its link. Parallel links need the index of the link to stay distinct. */
function attach(port, index, links, given) {
  const joins = (link) => link && ((link.a === port.from && link.b === port.to) || (link.a === port.to && link.b === port.from));
  const free = (link) => joins(link) && (link.a === port.from ? link.forward : link.back) < 0;
  let at = Number.isInteger(given) && joins(links[given]) ? given : links.findIndex(free);
  if (at < 0) at = links.findIndex(joins);
  if (at < 0) return;
  port.link = at;
  port.forward = links[at].a === port.from;
  links[at][port.forward ? "forward" : "back"] = index;
}

function neighbours(count, links) {
  const lists = Array.from({ length: count }, () => []);
  links.forEach(({ a, b }, link) => {
    if (a < 0 || b < 0 || a === b) return;
    lists[a].push({ node: b, link });
    lists[b].push({ node: a, link });
  });
  return lists;
}

/** Hops from the nearest of `sources` to every node (Infinity if unreachable). */
export function distances(graph, sources) {
  const hops = new Array(graph.nodes.length).fill(Infinity);
  const queue = [];
  for (const source of sources) if (source >= 0 && hops[source] !== 0) { hops[source] = 0; queue.push(source); }
  for (let head = 0; head < queue.length; head += 1) {
    const node = queue[head];
    // Stations do not forward frames, so a path never leads through one.
    if (graph.nodes[node].kind === "station" && hops[node] > 0) continue;
    for (const { node: next } of graph.neighbours[node]) {
      if (hops[next] !== Infinity) continue;
      hops[next] = hops[node] + 1;
      queue.push(next);
    }
  }
  return hops;
}

/**
 * Shortest path as steps `{ link, forward }` from one node to another; null if there is none. Among equal paths it takes
 * the step for which `weight(link, forward)` is greatest.
 */
export function shortestPath(graph, from, to, weight = () => 0) {
  if (from < 0 || to < 0) return null;
  const hops = distances(graph, [to]);
  if (hops[from] === Infinity) return null;
  const steps = [];
  for (let node = from; node !== to;) {
    let best = null;
    for (const { node: next, link } of graph.neighbours[node]) {
      if (hops[next] !== hops[node] - 1) continue;
      const forward = graph.links[link].a === node;
      const value = weight(link, forward);
      if (!best || value > best.value) best = { next, link, forward, value };
    }
    if (!best) return null;
    steps.push({ link: best.link, forward: best.forward });
    node = best.next;
  }
  return steps;
}

/**
 * Finds the queues that can lie on the path of each flow. The samples do not show which queue notified a flow, nor which
 * of several equal paths it takes; every shortest path through the port of the queue counts.
 */
export function queuesOfFlows(graph) {
  const reach = graph.queues.map(({ port }) => {
    const at = graph.ports[port];
    return at && { before: distances(graph, [at.from]), after: distances(graph, [at.to]) };
  });
  const total = new Map();
  return graph.flows.map(({ from, to }) => {
    if (from < 0 || to < 0) return [];
    if (!total.has(to)) total.set(to, distances(graph, [to]));
    const length = total.get(to)[from];
    return reach.flatMap((hops, queue) => (hops && hops.before[from] + 1 + hops.after[to] === length ? [queue] : []));
  });
}

/** The queue among `candidates` with the most notifications left in `counts`; -1 if none sent any. */
export function sender(candidates, counts) {
  let best = -1;
  for (const queue of candidates) if (counts[queue] > 0 && (best < 0 || counts[queue] > counts[best])) best = queue;
  return best;
}
