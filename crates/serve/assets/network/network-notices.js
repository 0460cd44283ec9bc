// Notifications: dots that travel from the bridge of a queue, or from the receiver if congestion points mark frames, back to
// the source of the notified flow. With reduced motion, or while the animation is off, the source is briefly marked instead.

import { queuesOfFlows, sender, shortestPath } from "./network-graph.js";
import { polyline } from "./network-geometry.js";
import { svg } from "../dom.js";
import { change } from "./network-dom.js";

const MOST = 40;
/** The maximum number of new dots per call: a burst is spread over a few frames, so that its dots stay distinct. */
const PER_CALL = 5;
/** A mark stays on while notifications continue, so it never flashes faster than this. */
const MARK_MS = 450;

export class Notices {
  #dots = [];
  #marked = new Map();
  #trails = new Map();
  #next = 0;
  #frame = 0;

  /** `layer` receives the dots; `mark(node, on)` highlights a station. */
  constructor(graph, layer, mark) {
    this.graph = graph;
    this.layer = layer;
    this.mark = mark;
    this.moving = true;
    this.candidates = queuesOfFlows(graph);
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.pool = Array.from({ length: MOST }, () => svg("circle", { class: "net-dot", r: 3.4, visibility: "hidden" }));
    layer.append(...this.pool);
  }

  /** Takes the lanes of a new geometry and removes the dots that are moving, which would follow the old one. */
  setShapes(links) {
    this.links = links;
    this.#trails.clear();
    this.clear();
  }

  /** Shows the notifications of the samples `from` ≤ index < `to`. */
  emit(history, from, to) {
    const sum = (kind, index) => {
      const column = history.column(kind, index);
      let total = 0;
      for (let i = from; i < to; i += 1) total += column[i] || 0;
      return total;
    };
    const { feedback } = this.graph;
    const sent = this.graph.queues.map((_, index) => sum("queue.notifications", index));
    const received = this.graph.flows.map((_, index) => feedback.received.reduce((all, kind) => all + sum(kind, index), 0));
    const now = performance.now();
    const travel = this.travels;
    let room = Math.min(PER_CALL, MOST - this.#dots.length);
    const count = received.length;
    let last = -1;
    for (let step = 0; step < count; step += 1) {
      const flow = (this.#next + step) % count;
      if (!(received[flow] > 0)) continue;
      if (!travel) { this.#highlight(this.graph.flows[flow].from, now); continue; }
      if (room <= 0) break;
      const node = feedback.byReceivers ? this.graph.flows[flow].to : this.#bridgeThatSent(flow, sent);
      if (node < 0) continue;
      room -= 1;
      last = flow;
      this.#launch(node, flow, now, history, to - 1);
    }
    // The next call starts after the last flow shown, so that each gets its turn.
    if (last >= 0) this.#next = (last + 1) % count;
    this.#run();
  }

  clear() {
    for (const dot of this.#dots) { change(dot.circle, "visibility", "hidden"); this.pool.push(dot.circle); }
    this.#dots = [];
    for (const node of this.#marked.keys()) this.mark(node, false);
    this.#marked.clear();
  }

  destroy() {
    cancelAnimationFrame(this.#frame);
    this.clear();
  }

  /** Whether notifications travel as dots. */
  get travels() { return this.moving && !this.still.matches; }

  get active() { return this.#dots.length; }

  #highlight(node, now) {
    if (node < 0) return;
    if (!this.#marked.has(node)) this.mark(node, true);
    this.#marked.set(node, now + MARK_MS);
  }

  /** The bridge whose queue notified a flow, according to the notifications left in `sent`; -1 if there is none. */
  #bridgeThatSent(flow, sent) {
    const queue = sender(this.candidates[flow], sent);
    if (queue < 0) return -1;
    sent[queue] -= 1;
    return this.graph.ports[this.graph.queues[queue].port]?.from ?? -1;
  }

  #launch(node, flow, now, history, index) {
    // The samples do not contain the path back; among equal paths, the one that carries the most traffic towards the
    // node is the most likely.
    const load = (link, forward) => {
      const port = this.graph.links[link][forward ? "back" : "forward"];
      return port >= 0 ? history.column("port.utilisation_share", port)[index] : 0;
    };
    const trail = this.#trail(node, this.graph.flows[flow].from, load);
    const circle = trail && this.pool.pop();
    if (!circle) return;
    const duration = 420 + 1.1 * Math.min(900, trail.length);
    this.#dots.push({ circle, trail, start: now + (this.#dots.length % 4) * 24, duration });
  }

  /** Points from a node to a station, with the distance of each from the start. */
  #trail(node, station, load) {
    const key = `${node} ${station}`;
    if (!this.#trails.has(key)) {
      const steps = shortestPath(this.graph, node, station, load);
      const pieces = steps?.map(({ link, forward }) => polyline(this.links[link][forward ? "forward" : "back"]));
      this.#trails.set(key, pieces?.length ? measured(pieces) : null);
    }
    return this.#trails.get(key);
  }

  #run() {
    if (!this.#frame && (this.#dots.length || this.#marked.size)) this.#frame = requestAnimationFrame((now) => this.#step(now));
  }

  #step(now) {
    this.#frame = 0;
    this.#dots = this.#dots.filter((dot) => {
      const done = (now - dot.start) / dot.duration;
      if (done >= 1) {
        change(dot.circle, "visibility", "hidden");
        this.pool.push(dot.circle);
        return false;
      }
      if (done < 0) return true;
      const { x, y } = along(dot.trail, done);
      dot.circle.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      change(dot.circle, "visibility", "visible");
      return true;
    });
    for (const [node, until] of this.#marked) {
      if (now > until) { this.mark(node, false); this.#marked.delete(node); }
    }
    this.#run();
  }
}

/** Joins lines into one trail. Gaps between them have no length: a dot jumps across a bridge and does not cover its name. */
export function measured(pieces) {
  const points = pieces.flat();
  const starts = new Set();
  pieces.reduce((count, piece) => { starts.add(count); return count + piece.length; }, 0);
  const at = [0];
  for (let i = 1; i < points.length; i += 1) {
    const step = starts.has(i) ? 0 : Math.hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    at.push(at[i - 1] + step);
  }
  return { points, at, length: at.at(-1) };
}

/** The point at a share 0..1 of the length. */
export function along({ points, at, length }, share) {
  const distance = Math.min(1, Math.max(0, share)) * length;
  let low = 0; let high = at.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (at[middle] <= distance) low = middle; else high = middle;
  }
  const t = at[high] > at[low] ? (distance - at[low]) / (at[high] - at[low]) : 0;
  return {
    x: points[low].x + t * (points[high].x - points[low].x),
    y: points[low].y + t * (points[high].y - points[low].y),
  };
}
