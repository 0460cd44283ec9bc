// The SVG elements of one drawing. Built once per size; afterwards only attributes change.

import { pathData } from "./network-geometry.js";
import { svg } from "../dom.js";

/** Returns `{ root, lanes, pauses, bars, rings, parts }`; lanes and pauses are per port, null on a canvas. */
export function buildScene(graph, shape, { canvas, label }) {
  const root = svg("svg", {
    class: "net-svg", role: "group", "aria-label": label, width: shape.width, height: shape.height,
    viewBox: `0 0 ${shape.width} ${shape.height}`,
  });
  const scene = { root, lanes: graph.ports.map(() => null), pauses: graph.ports.map(() => null), bars: [], rings: [], parts: [] };
  const links = svg("g", { class: "net-links" });
  const bars = svg("g", { class: "net-bars" });
  const nodes = svg("g", { class: "net-nodes" });
  root.append(links, bars, nodes);
  const linkParts = graph.links.map((_, link) => addLink(graph, shape, scene, link, links, canvas));
  const barParts = shape.bars.map((bar, queue) => addBar(graph, scene, bar, queue, bars));
  const nodeParts = shape.boxes.map((box, node) => addNode(graph, shape, scene, box, node, nodes));
  scene.parts = [...nodeParts, ...barParts, ...linkParts].filter(Boolean)
    .sort((p, q) => Math.round((p.x - q.x) / 8) || p.y - q.y);
  return scene;
}

function addLink(graph, shape, scene, link, parent, canvas) {
  const form = shape.links[link];
  if (!form) return null;
  const { a, b, forward, back } = graph.links[link];
  const group = svg("g", { class: "net-part net-link" });
  group.append(svg("path", { class: "net-hit", d: pathData(form.centre), "stroke-width": Math.max(6, 4 * shape.style.offset + 4) }));
  if (!canvas) {
    const two = shape.style.lanes === 2;
    for (const [port, lane] of [[forward, form.forward], [back, form.back]]) {
      if (port < 0 || (!two && port === back && forward >= 0)) continue;
      const d = pathData(two ? lane : form.centre);
      scene.lanes[port] = svg("path", { class: "net-lane net-u0", d, "stroke-width": shape.style.widest / 4 });
      scene.pauses[port] = svg("path", {
        class: "net-paused", d, "stroke-width": Math.max(1.4, shape.style.widest * 0.7), visibility: "hidden",
      });
      group.append(scene.lanes[port]);
    }
    for (const port of [forward, back]) if (scene.pauses[port]) group.append(scene.pauses[port]);
  }
  parent.append(group);
  const name = (node) => graph.nodes[node]?.name ?? "?";
  const label = `Link ${link + 1}, ${name(a)} – ${name(b)}`;
  return { element: group, kind: "link", index: link, ...form.middle, follow: true, label };
}

function addBar(graph, scene, bar, queue, parent) {
  if (!bar) { scene.bars.push(null); return null; }
  const { length, depth } = bar;
  const group = svg("g", { class: "net-part net-queue" });
  const turned = svg("g", { transform: `translate(${bar.x.toFixed(1)} ${bar.y.toFixed(1)}) rotate(${bar.angle})` });
  const back = svg("rect", { class: "net-queue-frame", width: length, height: depth, rx: 1.5 });
  const most = svg("rect", { class: "net-queue-most", width: 0, height: depth, rx: 1.5 });
  const fill = svg("rect", { class: "net-queue-fill", width: 0, height: depth, rx: 1.5 });
  const tick = svg("path", { class: "net-queue-tick", d: depth > 8 ? `M0 -2V${depth + 2}` : `M0 -1V${depth + 1}`, visibility: "hidden" });
  const edge = svg("rect", { class: "net-queue-edge", width: length, height: depth, rx: 1.5 });
  // Thin bars would be hard to point at.
  const hit = svg("rect", { class: "net-queue-hit", x: -2, y: -3, width: length + 4, height: depth + 6 });
  turned.append(hit, back, most, fill, edge, tick);
  group.append(turned);
  let value = null;
  const inner = {
    x: bar.x + (bar.out.x * length) / 2 - (bar.out.y * depth) / 2,
    y: bar.y + (bar.out.y * length) / 2 + (bar.out.x * depth) / 2,
  };
  if (bar.readable && bar.out.x) {
    // The text is next to the bar, on the side away from the lanes, and starts at the bridge.
    const y = bar.y + bar.out.x * depth + (bar.out.x > 0 ? 14 : -6);
    const anchor = bar.out.x > 0 ? "net-value-start" : "net-value-end";
    value = svg("text", { class: `net-value ${anchor}`, x: bar.x.toFixed(1), y: y.toFixed(1) });
    group.append(value);
  } else if (bar.readable) {
    const x = bar.x - bar.out.y * (depth + 6);
    const anchor = bar.out.y > 0 ? "net-value-end" : "net-value-start";
    value = svg("text", { class: `net-value ${anchor}`, x: x.toFixed(1), y: (inner.y + 4).toFixed(1) });
    group.append(value);
  }
  parent.append(group);
  scene.bars.push({ most, fill, tick, value, length });
  const { name } = graph.queues[queue];
  const reach = Math.max(8, bar.out.x ? depth / 2 : length / 2);
  return { element: group, kind: "queue", index: queue, ...inner, reach, label: `Queue ${name}` };
}

function addNode(graph, shape, scene, box, node, parent) {
  const { name, kind } = graph.nodes[node];
  const type = box.bridge ? "bridge" : "station";
  const group = svg("g", { class: `net-part net-node net-${type}` });
  const radius = box.bridge ? Math.min(5, box.h / 5) : Math.min(box.h / 2, 10);
  const frame = (className, more) => svg("rect", {
    class: className, x: (box.x - box.w / 2 - more).toFixed(1), y: (box.y - box.h / 2 - more).toFixed(1),
    width: (box.w + 2 * more).toFixed(1), height: (box.h + 2 * more).toFixed(1), rx: (radius + more).toFixed(1),
  });
  const ring = frame("net-ring", 3);
  ring.setAttribute("visibility", "hidden");
  group.append(ring, frame("net-box", 0));
  if (box.text) {
    const text = svg("text", { class: "net-name", x: box.x.toFixed(1), y: (box.y + box.font * 0.35).toFixed(1), "font-size": box.font });
    text.textContent = box.text;
    group.append(text);
  }
  parent.append(group);
  scene.rings.push(ring);
  return {
    element: group, kind: "node", index: node, x: box.x, y: box.y, reach: box.h / 2,
    label: `${kind === "bridge" ? "Bridge" : "Station"} ${name}`,
  };
}
